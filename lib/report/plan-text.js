import { escapeText } from './escape.js';
import { maskText } from '../mask.js';

/**
 * @import { Plan } from '../run/benchrest.js'
 */

const MOST_OPERATIONS = 12;

/**
 * What will be run, in a few lines.
 *
 * @param {Plan} plan
 * @param {{ from: string, version: string }} about where the flow comes from
 * @returns {string}
 */
export function planText({ shape, origins, operations }, { from, version }) {
  const at = origins.length > 0 ? ` against ${shown(origins.join(', '))}` : '';
  const phases = Object.entries(operations).filter(([, names]) => names.length > 0);
  const lines = phases.flatMap(([phase, names]) =>
    namesOf(names).map((name, i) => `  ${(i === 0 ? phase : '').padEnd(10)}  ${name}\n`),
  );
  return `bench-rest ${version}: ${shape}${at}\nflow: ${shown(from)}\n${lines.join('')}`;
}

/** @type {(names: string[]) => string[]} */
function namesOf(names) {
  const some = names.slice(0, MOST_OPERATIONS).map(shown);
  return names.length > MOST_OPERATIONS ? [...some, `and ${names.length - MOST_OPERATIONS} more`] : some;
}

/** @type {(text: string) => string} */
function shown(text) {
  return escapeText(maskText(text));
}
