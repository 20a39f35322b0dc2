import { safe } from '../../text/safe.js';
import { ms, rate } from '../numbers.js';
import { painter, table, wrapped } from './layout.js';

/**
 * @import { Comparison } from '../../measure/compare.js'
 * @import { Cell } from './layout.js'
 */

const METHODS = {
  pairs: "Paired runs: Student's t test of the logarithms of the pairs.",
  runs: "One value per run: Welch's t test of the logarithms.",
  blocks: "One run per side, split into five blocks of time: Welch's t test of the logarithms of the blocks.",
  none: 'Too few data for a significance test: use runs of a minute or more, three runs per side, or bench-rest ab.',
};
const MAX_NAME = 20;

/**
 * A table of two sides, figure by figure.
 *
 * @param {Comparison} comparison
 * @param {{ colour: boolean, width: number, names: [base: string, other: string] }} options
 * @returns {string}
 */
export function comparisonText({ method, figures }, { colour, width, names }) {
  const paint = painter(colour);
  const colours = /** @type {const} */ ({ better: 'green', worse: 'red', noise: 'dim', unknown: 'dim' });
  const rows = figures.map(({ figure, unit, base, other, change, low, high, verdict }) => {
    const format = unit === 'ms' ? ms : rate;
    /** @type {Cell} */
    const outcome = verdict === 'unknown' ? '' : { text: verdict, style: colours[verdict] };
    return [
      unit === 'ms' ? `${figure}, ms` : figure,
      format(base),
      format(other),
      signed(change),
      low === null ? '' : `${signed(low)} to ${signed(high)}`,
      outcome,
    ];
  });
  const heads = ['', ...names.map(safe).map(tail), 'change', 'between', ''];
  const columns = heads.map((head, i) => ({ head, isText: i === 0 }));
  return `${table(columns, rows, { width, paint }).join('\n')}\n\n${wrapped(METHODS[method], 0, width)}\n`;
}

/** The end of a long name. @type {(name: string) => string} */
function tail(name) {
  return name.length > MAX_NAME ? `…${name.slice(1 - MAX_NAME)}` : name;
}

/** @type {(share: number | null) => string} */
function signed(share) {
  return share === null ? '-' : `${share > 0 ? '+' : ''}${(share * 100).toFixed(1)} %`;
}
