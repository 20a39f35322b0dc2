import { wrapped } from './layout.js';

/** @import { Verdict } from '../../measure/verdict.js' */

/** @type {import('./index.js').Section} */
export function verdictSection({ verdict: { status, reasons } }, { paint, width }) {
  const colours = /** @type {const} */ ({ valid: 'green', suspect: 'yellow', invalid: 'red' });
  return [
    `${paint('bold', 'verdict')}  ${paint(colours[status], status)}`,
    ...reasons.map((reason) => `  ${wrapped(reason, 2, width)}`),
  ];
}

/**
 * The same for the format of bench-rest 1: empty if the verdict is `valid`.
 *
 * @param {Verdict} verdict
 * @returns {string}
 */
export function verdictText({ status, reasons }) {
  return status === 'valid' ? '' : `${status}:\n${reasons.map((reason) => `  ${reason}\n`).join('')}`;
}
