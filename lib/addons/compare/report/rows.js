import { count, counted, interval, margin, ms, rate, signed } from '../../../core/ground/decimal.js';
import { loadText } from '../../../core/measure/document.js';
import { LEVEL, TEST_CURE } from '../measure/significance.js';
import { COMPLETED_RATE, isOfSome, statisticOf } from '../../../core/measure/threshold-figures.js';
import { capitalized } from '../../../core/text/format-value.js';
import { targetText } from '../../../core/report/rows.js';

/** @import { Baseline, ComparedFigure, ComparedOperation, Comparison } from '../comparison.js' */
/** @import { ComparedSide } from '../comparison.js' */
/** @import { Bounds, Note } from '../../../core/contracts/stats.js' */
/** @import { Style } from '../../../core/report/text/layout.js' */

/**
 * @typedef {object} FigureRow
 * @property {string} name with its unit
 * @property {string} base
 * @property {string} other
 * @property {string} change
 * @property {string} interval empty if there is none
 * @property {string} verdict empty if it is unknown
 */

/** Of the verdict of a compared figure. @type {Record<string, Style>} */
export const VERDICT_STYLES = { better: 'green', worse: 'red', noise: 'dim' };

/** A figure of both sides, in words. @type {(figure: ComparedFigure) => FigureRow} */
export function figureRow({ figure, unit, base, new: other, change, interval: ends, verdict, confidence }) {
  const format = unit === 'ms' ? ms : rate;
  return {
    name: figureName(figure, unit),
    base: withMargin(base, confidence?.base, format),
    other: withMargin(other, confidence?.new, format),
    change: signed(change),
    interval: interval(ends),
    verdict: verdict === 'unknown' ? '' : verdict,
  };
}

/** A compared figure with its unit: `p95, ms`, `iterations/s`. @type {(figure: string, unit: string) => string} */
export function figureName(figure, unit) {
  if (figure === COMPLETED_RATE) return 'iterations/s';
  return `${statisticOf(figure)}, ${unit}`;
}

/** @type {(value: number | null, bounds: Bounds | null | undefined, format: typeof ms) => string} */
function withMargin(value, bounds, format) {
  const text = format(value);
  return bounds && value !== null ? text + margin(text, value, bounds, format) : text;
}

/**
 * Writes the texts of a compared operation: `base` and `other` are its requests and errors; `figures` are p50, p95 and
 * p99 in this order, then those of its streams.
 * @type {(operation: ComparedOperation) => { name: string, base: string, other: string, figures: FigureRow[] }}
 */
export function operationRow({ name, phase, base, new: other, figures }) {
  return {
    name: phase === 'main' ? name : `${phase}: ${name}`,
    base: countsText(base),
    other: countsText(other),
    figures: figures.map(figureRow),
  };
}

/**
 * Lists the figures of streams, with the names of their operations.
 * @type {(comparison: Pick<Comparison, 'operations'>) => { row: FigureRow, figure: ComparedFigure }[]}
 */
export function streamFigureRows({ operations }) {
  return operations.flatMap((operation) => {
    const { name, figures } = operationRow(operation);
    return operation.figures.flatMap((figure, i) =>
      isOfSome(figure.figure) ? [{ figure, row: { ...figures[i], name: `${name} ${figures[i].name}` } }] : [],
    );
  });
}

/** @type {(comparison: Pick<Comparison, 'sides'>) => { name: 'A' | 'B', side: ComparedSide }[]} */
export function namedSides({ sides }) {
  return [
    { name: 'A', side: sides.base },
    { name: 'B', side: sides.new },
  ];
}

/** `flow.js, 2 runs: 500 iterations, 5 virtual users against http://a` @type {(side: ComparedSide) => string} */
export function sideText({ label, runs = 1, run }) {
  const times = runs > 1 ? `, ${counted(runs, 'run')}` : '';
  return `${label}${times}${run ? `: ${loadText(run)}${targetText(run)}` : ''}`;
}

/** @type {(counts: ComparedOperation['base']) => string} */
function countsText(counts) {
  if (counts === null) return 'not in this flow';
  return counts.errors > 0 ? `${count(counts.count)}, ${count(counts.errors)} failed` : count(counts.count);
}

/** The head of a column of intervals. */
export const INTERVAL = `${Math.round((1 - LEVEL) * 100)} % interval`;

/** How the changes were tested, by the method of a comparison. @type {Record<Comparison['method'], string>} */
const METHODS = {
  pairs: "Paired runs: Student's t test of the logarithms of the pairs.",
  runs: "One value per run: Welch's t test of the logarithms.",
  sequence:
    "The sides ran one after the other: Welch's t test of the logarithms, wider by how much runs that follow each other are alike. It does not see a machine that changed between the sides: bench-rest ab does.",
  noise: 'Changes beside how much runs differ by chance, as --noise or --history say.',
  none: '',
  intervals: 'Capacities differ if their intervals do not overlap.',
};

/**
 * Explains in sentences how the changes were tested, or why they were not and what to do.
 * @type {(comparison: Pick<Comparison, 'method' | 'untested' | 'tests'>) => string}
 */
export function methodText({ method, untested, tests }) {
  if (untested) return `${cannotTell(untested)}: ${TEST_CURE}.`;
  const several =
    tests > 1
      ? ` ${count(tests)} figures were tested; of those called better or worse, at most 5 % on average are so by chance (Benjamini-Hochberg).`
      : '';
  return `${METHODS[method]}${several}`;
}

/** @type {(reason: Note) => string} */
export function cannotTell({ message }) {
  return `Cannot tell noise from change, because ${message}`;
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
 * @type {(baseline: Pick<Baseline, 'untested' | 'warnings' | 'regressions'>) => string[]}
 */
export function baselineRemarks({ untested, warnings, regressions }) {
  const exceeded = regressions.flatMap(({ message, expression }) =>
    message === undefined ? [] : [`${message} (--max-regression ${expression}).`],
  );
  return [
    ...warnings.map(({ message }) => `${capitalized(message)}.`),
    ...(untested ? [`${cannotTell(untested)}: ${TEST_CURE}.`] : []),
    ...exceeded,
  ];
}
