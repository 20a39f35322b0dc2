import { PERCENTILES } from './histogram-columns.js';

/**
 * @import { Stats } from './types.js'
 *
 * @typedef {object} FigureToCompare
 * @property {string} name in options: `rate`, `p95`
 * @property {string} figure in reports
 * @property {string} unit
 * @property {boolean} [isMoreBetter]
 * @property {(stats: Stats) => number | null} of
 */

const SHOWN = [50, 90, 95, 99];

/** The figures of a run that a comparison compares. @type {FigureToCompare[]} */
export const COMPARED_FIGURES = [
  {
    name: 'rate',
    figure: 'iterations per second',
    unit: '/s',
    isMoreBetter: true,
    of: ({ iterations }) => iterations.rate || null,
  },
  { name: 'mean', figure: 'mean', unit: 'ms', of: ({ main }) => main.ok.mean },
  ...PERCENTILES.filter(({ percentile }) => SHOWN.includes(percentile)).map(({ key, label }) => ({
    name: label,
    figure: label,
    unit: 'ms',
    of: (/** @type {Stats} */ { main }) => main.ok[key],
  })),
];

/** Their names in options. */
export const COMPARED = COMPARED_FIGURES.map(({ name }) => name);
