import { isRecord, itemsOf } from '../read-document.js';
import { hiddenInScript } from '../secret-texts.js';

/** @import { Variables } from '../variables.js' */

/**
 * The translated scripts of a request: checks, captures, and one text with all other lines, or none.
 * @typedef {{ expect: Record<string, any>, capture: Record<string, any>, rest: string[] }} ScriptParts
 */

/** The most characters of the other lines that are shown. */
const LONGEST = 300;
/** A statement that stores the parsed body. */
const ASSIGNED =
  /^(?:const|let|var)\s+(\w+)\s*=\s*(?:pm\.response\.json\(\)|JSON\.parse\((?:responseBody|pm\.response\.text\(\))\))\s*;?$/;
/** A statement that sets a variable. */
const SET =
  /^(?:pm\.(?:environment|collectionVariables|globals|variables)\.set|postman\.set(?:Environment|Global)Variable)\(\s*(["'`])([^"'`]+)\1\s*,\s*(.+?)\s*\)\s*;?$/;
/** Members of the parsed body: `.data[0].id`. */
const PATH = /^((?:\??\.\w+|\[\d+\]|\[(["'])[^"'\]]+\2\])*)$/;
/** Lines that only frame the tests. */
const FRAME = /^(?:pm\.test\(.*\{|\}\s*\)?\s*;?|\)\s*;?|\/\/.*|)$/;

/**
 * Reads the scripts of a request, of its folders and of the collection: checks and captures that have an equivalent;
 * `rest` are the other lines, of events that are not `reported` yet. Nothing is executed.
 * @type {(events: any[], variables: Variables, reported?: Set<any>) => ScriptParts}
 */
export function readScripts(events, variables, reported = new Set()) {
  /** @type {Record<string, any>} */
  const expect = {};
  /** @type {Record<string, any>} */
  const capture = {};
  /** @type {string[]} */
  const rest = [];
  const bodies = ['pm.response.json()'];
  for (const event of events.flatMap(itemsOf).filter(isRecord)) {
    for (const line of linesOf(event)) {
      if (event.listen !== 'test') {
        if (!FRAME.test(line) && !reported.has(event)) rest.push(line);
        continue;
      }
      const [, name] = ASSIGNED.exec(line) ?? [];
      if (name !== undefined) bodies.push(name);
      else if (!readLine(line, { expect, capture, bodies, variables }) && !FRAME.test(line) && !reported.has(event))
        rest.push(line);
    }
    reported.add(event);
  }
  const text = hiddenInScript(rest.join('\n')).replaceAll('\n', ' ');
  return { expect, capture, rest: text === '' ? [] : [text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text] };
}

/** One statement a line; a test of one line is split. @type {(event: Record<string, any>) => string[]} */
function linesOf({ script }) {
  const text = [script?.exec]
    .flat()
    .filter((line) => typeof line === 'string')
    .join('\n');
  return text
    .replace(/(pm\.test\([^\n{]*\{)[ \t]*(?=\S)/g, '$1\n')
    .replace(/;[ \t]*(?=\}\s*\))/g, ';\n')
    .replace(/(?<=[)\w])[ \t]*(?=\}\s*\)\s*;?[ \t]*(?:\n|$))/g, '\n')
    .split('\n')
    .map((line) => line.trim());
}

/**
 * @typedef {object} ScriptContext
 * @property {Record<string, any>} expect
 * @property {Record<string, any>} capture
 * @property {string[]} bodies names of the parsed body
 * @property {Variables} variables
 */

/** False: the statement has no equivalent. @type {(line: string, context: ScriptContext) => boolean} */
function readLine(line, context) {
  const { expect, capture, bodies, variables } = context;
  const [, , name, value] = SET.exec(line) ?? [];
  if (name !== undefined) {
    const source = sourceOf(value, bodies);
    if (source === undefined) return false;
    capture[variables.capture(name)] = source;
    return true;
  }
  for (const [pattern, add] of CHECKS) {
    const match = pattern.exec(line.replace(/\s*;$/, ''));
    if (match) return add(expect, match, bodies) !== false;
  }
  return false;
}

/**
 * Statements of tests, and what each adds.
 * @type {[RegExp, (expect: Record<string, any>, match: string[], bodies: string[]) => boolean | void][]}
 */
const CHECKS = [
  [/^pm\.response\.to\.have\.status\(\s*(\d{3})\s*\)$/, (expect, [, status]) => void (expect.status = Number(status))],
  [
    /^pm\.expect\(\s*pm\.response\.code\s*\)\.to\.(?:be\.)?(?:eql?|equal)\(\s*(\d{3})\s*\)$/,
    (expect, [, status]) => void (expect.status = Number(status)),
  ],
  [
    /^pm\.expect\(\s*pm\.response\.code\s*\)\.to\.be\.oneOf\(\s*\[([\d,\s]+)\]\s*\)$/,
    (expect, [, statuses]) => void (expect.status = statuses.split(',').map(Number)),
  ],
  [/^pm\.response\.to\.be\.(?:ok|success)$/, (expect) => void (expect.status = '2xx')],
  [
    /^pm\.expect\(\s*pm\.response\.responseTime\s*\)\.to\.be\.below\(\s*(\d+)\s*\)$/,
    (expect, [, ms]) => void (expect.within = Number(ms)),
  ],
  [
    /^pm\.response\.to\.have\.header\(\s*(["'])([\w-]+)\1\s*\)$/,
    (expect, [, , field]) => void (expect.headers = { ...expect.headers, [field]: '*' }),
  ],
  [
    /^pm\.expect\(\s*(.+?)\s*\)\.to\.(?:be\.)?(?:eql?|equal)\(\s*("[^"\\]*"|'[^'\\]*'|-?\d+(?:\.\d+)?|true|false|null)\s*\)$/,
    (expect, [, left, right], bodies) => {
      const path = sourceOf(left, bodies);
      if (typeof path !== 'string') return false;
      expect.json = { ...expect.json, [path]: literalOf(right) };
      return true;
    },
  ],
];

/** @type {(text: string) => unknown} */
function literalOf(text) {
  if (/^["']/.test(text)) return text.slice(1, -1);
  return /^[tfn]/.test(text) ? JSON.parse(text) : Number(text);
}

/** @type {(expression: string, bodies: string[]) => string | { header: string } | { cookie: string } | undefined} */
function sourceOf(expression, bodies) {
  const [, , header] = /^pm\.response\.headers\.get\(\s*(["'])([\w-]+)\1\s*\)$/.exec(expression) ?? [];
  if (header !== undefined) return { header: header.toLowerCase() };
  const [, , cookie] = /^pm\.cookies\.get\(\s*(["'])([^"']+)\1\s*\)$/.exec(expression) ?? [];
  if (cookie !== undefined) return { cookie };
  const body = bodies.find((one) => expression.startsWith(one) && PATH.test(expression.slice(one.length)));
  return body === undefined
    ? undefined
    : `$${expression
        .slice(body.length)
        .replaceAll('?.', '.')
        .replace(/\["([^"\]]+)"\]/g, "['$1']")}`;
}
