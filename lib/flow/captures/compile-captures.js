import { CAPTURES } from './index.js';

/**
 * @import { Complain } from '../../problems.js'
 * @import { Needs } from '../../transport/types.js'
 * @import { Operation } from '../types.js'
 * @import { Capture } from './types.js'
 */

/**
 * Compiles `capture` of an operation.
 *
 * @param {Operation} operation valid
 * @param {{ where: string, complain: Complain }} context
 * @returns {{ captures: Capture[], reads: Needs[] }}
 */
export function compileCaptures({ capture = {}, ws }, { where, complain }) {
  const all = Object.entries(capture).map(([name, given]) => {
    const value = typeof given === 'string' ? { json: given } : /** @type {Record<string, unknown>} */ (given);
    const entry = /** @type {typeof CAPTURES[0]} */ (CAPTURES.find((one) => value[one.name] !== undefined));
    if (ws !== undefined && !entry.hasMessages)
      complain(`capture.${name}`, `${entry.name}: a message has none, write json or text`);
    return {
      reads: entry.reads,
      capture: {
        name,
        where: `${where}.capture.${name}`,
        ...entry.compile(value[entry.name]),
        fallback: value.default === undefined ? null : { value: value.default },
      },
    };
  });
  return { captures: all.map(({ capture }) => capture), reads: all.map(({ reads }) => reads) };
}

/**
 * The names that an entry of a phase captures, with their places.
 *
 * @param {any} entry an operation, or `{ oneOf }`
 * @param {string} where
 * @returns {[name: string, where: string][]}
 */
export function capturedBy(entry, where) {
  if (Array.isArray(entry?.oneOf))
    return entry.oneOf.flatMap((/** @type {any} */ one, /** @type {number} */ i) =>
      capturedBy(one, `${where}.oneOf[${i}]`),
    );
  const { capture } = entry ?? {};
  if (typeof capture !== 'object' || capture === null) return [];
  return Object.keys(capture).map((name) => [name, `${where}.capture.${name}`]);
}
