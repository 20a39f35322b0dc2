import { parseDocument } from 'yaml';

/**
 * @typedef {object} JsonObject
 * @property {[start: number, end: number]} range
 * @property {{ key: { value: unknown }, value: { range: [start: number, end: number] } }[]} items
 *
 * @typedef {object} Layout
 * @property {string} before what comes before an entry
 * @property {string} after what comes before the brace that closes
 */

const BYTE_ORDER_MARK = /^\ufeff/;

/**
 * Adds an npm script to a package.json. Everything else keeps its format.
 *
 * @param {string} text of package.json
 * @param {string} name of the script
 * @param {string} script the command line
 * @returns {string | null} the new text; null if there is a script of this name
 * @throws {SyntaxError} it is not a JSON object, or its scripts are none
 */
export function addScript(text, name, script) {
  if (Object.hasOwn(scriptsIn(text.replace(BYTE_ORDER_MARK, '')), name)) return null;
  // JSON is YAML, whose parser gives the place of each value
  const root = /** @type {JsonObject} */ (/** @type {unknown} */ (parseDocument(text, { uniqueKeys: false }).contents));
  // of two entries with one name, JSON.parse takes the last one
  const scripts = root.items.findLast(({ key }) => key.value === 'scripts');
  const entry = `${JSON.stringify(name)}: ${JSON.stringify(script)}`;
  const layout = layoutOf(text);
  if (scripts) return insert(text, /** @type {JsonObject} */ (scripts.value), entry, layout(2));
  const { before, after } = layout(2);
  return insert(text, root, `"scripts": {${before}${entry}${after}}`, layout(1));
}

/** @type {(text: string) => Record<string, unknown>} */
function scriptsIn(text) {
  const { scripts = {} } = objectOf(JSON.parse(text), 'it is not an object');
  return objectOf(scripts, 'its scripts are not an object');
}

/** @type {(value: any, problem: string) => Record<string, any>} */
function objectOf(value, problem) {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new SyntaxError(problem);
}

/** The layout of entries at a depth: on lines of their own, unless the text is one line. @type {(text: string) => (depth: number) => Layout} */
function layoutOf(text) {
  const isOneLine = !text.trim().includes('\n') && !/^\s*\{\s*\}\s*$/.test(text);
  if (isOneLine) return () => ({ before: ' ', after: ' ' });
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  return (depth) => ({ before: end + indent.repeat(depth), after: end + indent.repeat(depth - 1) });
}

/** Inserts an entry at the end of an object. @type {(text: string, object: JsonObject, entry: string, layout: Layout) => string} */
function insert(text, { items, range: [start, end] }, entry, { before, after }) {
  const last = items.at(-1)?.value.range[1];
  if (last !== undefined) return `${text.slice(0, last)},${before}${entry}${text.slice(last)}`;
  return `${text.slice(0, start)}{${before}${entry}${after}}${text.slice(end)}`;
}
