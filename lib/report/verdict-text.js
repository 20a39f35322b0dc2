import { escapeText } from './escape.js';

/** @import { Verdict } from '../measure/verdict.js' */

/**
 * What speaks against quoting the figures; nothing if nothing does.
 *
 * @param {Verdict} verdict
 * @returns {string}
 */
export function verdictText({ status, reasons }) {
  return status === 'valid' ? '' : `${status}:\n${reasons.map((reason) => `  ${escapeText(reason)}\n`).join('')}`;
}
