import { makeError } from '../errors.js';
import { nearest } from '../problems.js';
import { COMPARED } from './compared-figures.js';

/** @typedef {{ figure: string, share: number, expression: string }} FigureShare */

/**
 * Reads a share of a compared figure.
 *
 * @param {string} text `p99=10%`, or `10%` for every compared figure
 * @param {string} option that has it, for messages
 * @returns {FigureShare[]}
 * @throws {Error} E_USAGE
 */
export function readFigureShares(text, option) {
  const [, figure, bound = text] = /^\s*([\w. ]+?)\s*=\s*(.+)$/.exec(text) ?? [];
  const [, percentage] = /^\s*(\d+(?:\.\d+)?)%\s*$/.exec(bound) ?? [];
  if (figure !== undefined && !COMPARED.includes(figure)) {
    const near = nearest(figure, COMPARED);
    throw usage(
      option,
      `${JSON.stringify(text)}: unknown figure${near ? `, did you mean ${near}?` : ''}; use one of ${COMPARED.join(' ')}, as in p99=10%`,
    );
  }
  if (percentage === undefined)
    throw usage(option, `${JSON.stringify(text)}: expected a percentage, as in p99=10%, or 10% for every figure`);
  const figures = figure === undefined ? COMPARED : [figure];
  return figures.map((one) => ({
    figure: one,
    share: Number(percentage) / 100,
    expression: `${one}=${bound.trim()}`,
  }));
}

/** @type {(option: string, problem: string) => Error} */
function usage(option, problem) {
  return makeError('E_USAGE', { problem: `${option} ${problem}` });
}
