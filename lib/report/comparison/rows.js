import { LEVEL, TEST_CURE } from '../../measure/statistics.js';
import { count, counted, interval, ms, rate, signed } from '../numbers.js';

/** @import { Baseline, ComparedFigure, ComparedOperation } from '../../contracts/comparison.js' */
/** @import { ComparedStats } from '../../measure/compare.js' */
/** @import { Comparison, Side } from './formats.js' */

/**
 * @typedef {object} FigureRow
 * @property {string} name with its unit
 * @property {string} base
 * @property {string} other
 * @property {string} change
 * @property {string} interval empty if there is none
 * @property {string} verdict empty if it is unknown
 */

/** The texts of a compared figure. @type {(figure: ComparedFigure) => FigureRow} */
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
 * Writes the texts of a compared operation; `base` and `other` are its requests and errors.
 * @type {(operation: ComparedOperation) => { name: string, base: string, other: string, figures: FigureRow[] }}
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
 * A side in one line: `flow.js, 2 runs: 500 iterations, 5 virtual users against http://a; validity: valid`.
 * @param {Side} side
 * @param {Comparison['totals']['base']} totals
 */
export function sideText({ label, subtitle, validity }, { runs }) {
  const times = runs > 1 ? `, ${counted(runs, 'run')}` : '';
  const load = subtitle === '' ? '' : `: ${subtitle}`;
  return `${label}${times}${load}; validity: ${validity.join(' and ')}`;
}

/** @type {(counts: ComparedOperation['base']) => string} */
function countsText(counts) {
  if (counts === null) return 'not in this flow';
  return counts.errors > 0 ? `${count(counts.count)}, ${count(counts.errors)} failed` : count(counts.count);
}

/** The head of a column of intervals. */
export const INTERVAL = `${Math.round((1 - LEVEL) * 100)} % interval`;

/** The head of a table of thresholds: in how many runs of each side they failed. */
export const THRESHOLD_HEAD = ['thresholds that failed', 'A', 'B'];

/** @type {(comparison: Pick<ComparedStats, 'thresholds' | 'totals'>) => string[][]} */
export function thresholdRows({ thresholds, totals: { base, other } }) {
  return thresholds.map((one) => [one.expression, `${one.base} of ${base.runs}`, `${one.other} of ${other.runs}`]);
}

/** How the changes were tested, by the method of a comparison. @type {Record<ComparedStats['method'], string>} */
const METHODS = {
  pairs: "Paired runs: Student's t test of the logarithms of the pairs.",
  runs: "One value per run: Welch's t test of the logarithms.",
  sequence:
    "The sides ran one after the other: Welch's t test of the logarithms, wider by how much runs that follow each other are alike. It does not see a machine that changed between the sides: bench-rest ab does.",
  noise: 'Changes beside how much runs differ by chance, as --noise or --history say.',
  none: '',
};

/**
 * Explains in sentences how the changes were tested, or why they were not and what to do.
 * @type {(comparison: Pick<ComparedStats, 'method' | 'why' | 'tests'> & Partial<Pick<ComparedStats, 'ignoresNoise'>>)
 *   => string}
 */
export function methodText({ method, why, tests, ignoresNoise = false }) {
  if (why !== null) return `${cannotTell(why)}: ${TEST_CURE}.`;
  const unused = ignoresNoise ? ' The runs decide; --noise and --history are not used.' : '';
  const several =
    tests > 1
      ? ` ${count(tests)} figures were tested; of those called better or worse, at most 5 % on average are so by chance (Benjamini-Hochberg).`
      : '';
  return `${METHODS[method]}${unused}${several}`;
}

/** @type {(why: string) => string} */
export function cannotTell(why) {
  return `Cannot tell noise from change, because ${why}`;
}

/**
 * Describes the changes against a baseline in words: those of the iterations, and of the operations if there are
 * several.
 * @type {(baseline: Pick<Baseline, 'figures' | 'operations'>) => FigureRow[]}
 */
export function baselineRows({ figures, operations }) {
  const several = operations.length > 1 ? operations.map(operationRow) : [];
  return [
    ...figures.map(figureRow),
    ...several.flatMap((one) => one.figures.map((row) => ({ ...row, name: `${one.name} ${row.name}` }))),
  ];
}

/**
 * Lists in sentences what the user has to know about a comparison with a baseline.
 * @type {(baseline: Pick<Baseline, 'why' | 'notes' | 'limits'>) => string[]}
 */
export function baselineRemarks({ why = null, notes, limits }) {
  const untested = why === null ? [] : [`${cannotTell(why)}: ${TEST_CURE}.`];
  const exceeded = limits.flatMap(({ problem, expression }) =>
    problem === undefined ? [] : [`${problem} (--max-regression ${expression}).`],
  );
  return [...notes.map((note) => `${note[0].toUpperCase()}${note.slice(1)}.`), ...untested, ...exceeded];
}
