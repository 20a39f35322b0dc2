import { count, counted, interval, ms, rate, signed } from '../numbers.js';

/**
 * @import { ComparedFigure } from '../../measure/change.js'
 * @import { ComparedOperation } from '../../measure/compared-operations.js'
 * @import { Comparison, Side } from './types.js'
 *
 * @typedef {object} FigureRow
 * @property {string} name with its unit
 * @property {string} base
 * @property {string} other
 * @property {string} change
 * @property {string} interval empty if there is none
 * @property {string} verdict empty if it is unknown
 */

/**
 * The texts of a compared figure.
 *
 * @param {ComparedFigure} figure
 * @returns {FigureRow}
 */
export function figureRow({ figure, unit, base, other, change, low, high, verdict }) {
  const format = unit === 'ms' ? ms : rate;
  return {
    name: unit === 'ms' ? `${figure}, ms` : 'iterations/s',
    base: format(base),
    other: format(other),
    change: signed(change),
    interval: interval(low, high),
    verdict: verdict === 'unknown' ? '' : verdict,
  };
}

/**
 * The texts of a compared operation.
 *
 * @param {ComparedOperation} operation
 * @returns {{ name: string, base: string, other: string, figures: FigureRow[] }} `base` and `other`: requests and errors
 */
export function operationRow({ name, phase, base, other, figures }) {
  return {
    name: phase === 'main' ? name : `${phase}: ${name}`,
    base: countsText(base),
    other: countsText(other),
    figures: figures.map(figureRow),
  };
}

/**
 * A side in one line: `flow.js, 2 runs: 500 iterations, 5 virtual users against http://a; measurement: sound`.
 *
 * @param {Side} side
 * @param {Comparison['totals']['base']} totals
 */
export function sideText({ label, subtitle, measurement }, { runs }) {
  const times = runs > 1 ? `, ${counted(runs, 'run')}` : '';
  const load = subtitle === '' ? '' : `: ${subtitle}`;
  return `${label}${times}${load}; measurement: ${measurement.join(' and ')}`;
}

/** @type {(counts: ComparedOperation['base']) => string} */
function countsText(counts) {
  if (counts === null) return 'not in this flow';
  return counts.errors > 0 ? `${count(counts.count)}, ${count(counts.errors)} failed` : count(counts.count);
}
