import { ms, rate } from './figures.js';
import { painter, table, wrapped } from './layout.js';

/**
 * @import { Comparison } from '../measure/compare.js'
 */

const METHODS = {
  pairs: "Each run beside its neighbour of the other side: Student's t test of the logarithms of the pairs.",
  runs: "One value a run: Welch's t test of their logarithms.",
  blocks: "One run a side, cut into five blocks of time: Welch's t test of the logarithms of the blocks.",
  none: 'Whether a change is more than noise cannot be told: give runs of a minute or more, three runs a side, or use bench-rest ab.',
};

/**
 * Two sides, figure by figure.
 *
 * @param {Comparison} comparison
 * @param {{ colour: boolean, width: number, names: [base: string, other: string] }} look
 * @returns {string}
 */
export function comparisonText({ method, figures }, { colour, width, names }) {
  const paint = painter(colour);
  const colours = /** @type {const} */ ({ better: 'green', worse: 'red', noise: 'dim', unknown: 'dim' });
  const rows = figures.map(({ figure, unit, base, other, change, low, high, verdict }) => {
    const shown = unit === 'ms' ? ms : rate;
    const words = verdict === 'unknown' ? '' : verdict;
    return [
      unit === 'ms' ? `${figure}, ms` : figure,
      shown(base),
      shown(other),
      signed(change),
      low === null ? '' : `${signed(low)} to ${signed(high)}`,
      words === '' ? '' : paint(colours[verdict], words),
    ];
  });
  const columns = [
    '',
    ...names.map((name) => (name.length > 20 ? `…${name.slice(-19)}` : name)),
    'change',
    'between',
    '',
  ].map((head, i) => ({ head, isText: i === 0 }));
  return `${table(columns, rows, { width, paint }).join('\n')}\n\n${wrapped(METHODS[method], 0, width)}\n`;
}

/** @type {(share: number | null) => string} */
function signed(share) {
  return share === null ? '-' : `${share > 0 ? '+' : ''}${(share * 100).toFixed(1)} %`;
}
