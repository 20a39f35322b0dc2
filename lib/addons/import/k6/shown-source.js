import { isSecretName } from '../../../core/text/mask.js';
import { nodesBelow } from '../scripts/evaluate.js';
import { hiddenInText } from '../secret-texts.js';

/** @typedef {any} Node */

const LONGEST_LINE = 500;

/** Returns lines without secrets: texts that are the value of a secret name. @type {(node: Node) => string[]} */
export function shownLines(node) {
  const lines = known.get(node) ?? linesOf(node);
  known.set(node, lines);
  return lines;
}

/** A node may be shown often. @type {WeakMap<Node, string[]>} */
const known = new WeakMap();

/** @type {(node: Node) => string[]} */
function linesOf(node) {
  const { code } = node.loc.source;
  /** @type {[number, number][]} */
  const secrets = [];
  findSecrets(node, false, secrets);
  const { start, end } = node;
  let shown = '';
  let from = start;
  for (const [begin, after] of secrets.sort(([a], [b]) => a - b)) {
    if (begin < from) continue;
    shown += `${code.slice(from, begin)}…`;
    from = after;
  }
  const lines = hiddenInText(shown + code.slice(from, end)).split('\n');
  const indents = lines.slice(1).filter((line) => line.trim() !== '');
  const indent = Math.min(...indents.map((line) => line.search(/\S/)), code.length);
  return lines.map((line, i) => (i === 0 ? line : line.slice(indent)).trimEnd().slice(0, LONGEST_LINE)).filter(Boolean);
}

/** Names the line of a node, and its module. @type {(node: Node) => string} */
export function lineOf({ loc: { source, start } }) {
  return `line ${start.line}${source.name === '' ? '' : ` of ${source.name}`}`;
}

/** Returns a node as one line. @type {(node: Node) => string} */
export function shownInLine(node) {
  return shownLines(node).join(' ').replace(/\s+/g, ' ').slice(0, 200);
}

/** @type {(node: Node, isSecret: boolean, found: [number, number][]) => void} */
function findSecrets(node, isSecret, found) {
  const place = isSecret ? textIn(node) : undefined;
  if (place) found.push(place);
  const { type } = node;
  const [name, value] = namedValue(node);
  const isNamed = typeof name === 'string' && isSecretName(name);
  for (const one of nodesBelow(node)) {
    // A name is no secret, and neither is what a function has.
    const isName = [node.key, node.id, node.left, node.callee].includes(one) && type !== 'BinaryExpression';
    const isBelow = isSecret && !/Function|^Property$/.test(type);
    findSecrets(one, !isName && ((one === value && isNamed) || isBelow), found);
  }
}

/** The text of a literal. @type {(node: Node) => [number, number] | undefined} */
function textIn({ type, start, end, value }) {
  if (type === 'Literal') return typeof value === 'string' && value !== '' ? [start + 1, end - 1] : undefined;
  const isText = type === 'TemplateElement' && !/^(?:|(?:Bearer|Basic|Token)\s*)$/i.test(value.raw);
  return isText ? [start, end] : undefined;
}

/** The name of a value. @type {(node: Node) => [name?: string, value?: Node]} */
function namedValue(node) {
  const { type, left, right, arguments: given } = node;
  switch (type) {
    case 'Property':
      return [node.key.name ?? node.key.value, node.value];
    case 'VariableDeclarator':
      return [node.id.name, node.init];
    case 'AssignmentExpression':
    case 'LogicalExpression':
      return [left.property?.name ?? left.property?.value ?? left.name, right];
    case 'CallExpression':
      // set('token', 'abc')
      return given.length > 1 && typeof given[0].value === 'string' ? [given[0].value, given[1]] : [];
    default:
      return [];
  }
}
