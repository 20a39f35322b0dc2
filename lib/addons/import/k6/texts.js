import { quoted } from '../write-flow.js';
import { Fn, isLost, isPrimitive, isStructure, Native, Sym, sym, unknown } from './values.js';

/** @typedef {any} Node */
/** @typedef {any} Value */

/** @type {(value: Value) => boolean} */
export function isText(value) {
  if (typeof value === 'string') return true;
  const { type, name, word } = value instanceof Sym ? /** @type {any} */ (value) : {};
  return (
    word === 'text' ||
    word === 'uuid' ||
    ['template', 'env', 'stringify'].includes(type) ||
    (type === 'global' && name === 'String')
  );
}

/** @type {(parts: Value[], node: Node) => Value} */
export function template(parts, node) {
  const flat = parts.flatMap((one) =>
    one instanceof Sym && /** @type {any} */ (one).type === 'template' ? /** @type {any} */ (one).parts : [one],
  );
  if (flat.includes(undefined)) return unknown(node, 'it has an undefined value');
  const all = flat.map((one) => (isPrimitive(one) || isPlainList(one) ? String(one) : one));
  if (all.some((one) => isStructure(one) && (!Array.isArray(one) || one.some(isStructure))))
    return unknown(node, 'an object is written as a text');
  if (all.every((one) => typeof one === 'string')) return all.join('');
  const joined = withJoinedChars(all);
  if (joined.length < all.length) return joined[0].charset && joined.length === 1 ? joined[0] : template(joined, node);
  if (all.some((one) => one instanceof Fn || one instanceof Native)) return unknown(node);
  return sym('template', { parts: all, node });
}

/** @type {(value: Value) => boolean} */
export function isPlainList(value) {
  return Array.isArray(value) && !isLost(value) && value.every(isPrimitive);
}

/** Random characters in a row are one random text. @type {(parts: Value[]) => Value[]} */
function withJoinedChars(parts) {
  /** @type {Value[]} */
  const joined = [];
  for (const one of parts) {
    const before = joined.at(-1);
    if (one === '') continue;
    if (one.charset === undefined || before?.charset !== one.charset) joined.push(one);
    else joined[joined.length - 1] = randomText(one.charset, before.count + one.count, one);
  }
  return joined;
}

/** A text of random characters. @type {(charset: string, count: number, of: { phase: string, node: Node }) => Sym} */
export function randomText(charset, count, { phase, node }) {
  const char = `${quoted(charset)}[Math.floor(Math.random() * ${charset.length})]`;
  const code = count === 1 ? char : `Array.from({ length: ${count} }, () => ${char}).join('')`;
  return sym('leaf', { word: 'text', code, charset, count, phase, node });
}

/** The path of a file, which k6 also reads as a URL. @type {(path: string) => string} */
export function pathWithoutScheme(path) {
  return path.replace(/^file:\/\//, '');
}
