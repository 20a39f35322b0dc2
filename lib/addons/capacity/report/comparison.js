import { interval, signed } from '../../../core/ground/decimal.js';
import { COMPARISON_HEAD } from '../../compare/measure/head.js';
import { TOOL } from '../../../core/measure/document.js';
import { outcomeWith } from '../../../core/measure/outcome.js';
import { differencesOf as differencesOfRuns } from '../../compare/report/objections.js';
import { differencesBlock, regressionsBlock } from '../../compare/report/blocks.js';
import { factName } from '../../compare/report/run-facts.js';
import { intervalText, loadText, pointsOf } from './rows.js';

/** @import { Capacity } from '../capacity.js' */
/** @import { ChangeInterval, Comparison, Difference, RegressionLimit } from '../../compare/comparison.js' */
/** @import { Verdict } from '../../compare/comparison.js' */
/** @import { Note } from '../../../core/contracts/stats.js' */
/** @import { Described } from '../../compare/report/run-facts.js' */
/** @import { Block, BlockOptions } from '../../../core/report/types.js' */
/** @import { LoadPoint } from './rows.js' */

/**
 * The comparison of two capacities: the document, and its texts.
 *
 * @typedef {object} CapacitySide
 * @property {string} label
 * @property {{ code: Capacity['conclusion']['code'], message: string, load: number | null, interval: { low: number,
 *   high: number | null }, limit: Note, steps: LoadPoint[] }} capacity limit: what limits the service; steps: along the
 *   load
 *
 * @typedef {Comparison & { sides: { base: CapacitySide, new: CapacitySide } }} CapacityComparison
 */

const CAPACITY = 'capacity';

/**
 * Compares two capacities: they differ if their intervals do not overlap.
 *
 * @param {Capacity} base
 * @param {Capacity} other found by the same load as `base`
 * @param {[base: string, other: string]} labels
 * @returns {CapacityComparison}
 */
export function compareCapacities(base, other, labels) {
  const [a, b] = [base, other].map((one, i) => sideOf(one, labels[i]));
  const ends = changeBetween(a.capacity, b.capacity);
  const change = a.capacity.load && b.capacity.load !== null ? b.capacity.load / a.capacity.load - 1 : null;
  const verdict = verdictOf({ change, ...ends });
  return {
    ...COMPARISON_HEAD,
    of: CAPACITY,
    tool: TOOL,
    outcome: outcomeWith([]),
    conclusion: {
      figure: CAPACITY,
      change,
      interval: ends,
      verdict,
      message: sentenceOf(a, b, { change, interval: ends, verdict }),
    },
    sides: { base: a, new: b },
    figures: [
      {
        figure: CAPACITY,
        unit: base.by === 'rate' ? '/s' : '',
        base: a.capacity.load,
        new: b.capacity.load,
        change,
        interval: ends,
        p: null,
        verdict,
      },
    ],
    operations: [],
    failures: [],
    thresholds: [],
    regressions: [],
    method: 'intervals',
    tests: 1,
    differences: differencesOf(base, other),
    warnings: [],
  };
}

/**
 * The comparison with limits of how much lower the capacity may be, as shares.
 * @type {(comparison: CapacityComparison, limits: { expression: string, bound: number }[]) => CapacityComparison}
 */
export function withCapacityLimits(comparison, limits) {
  const { change, verdict, message } = comparison.conclusion;
  const regressions = limits.map(({ expression, bound }) => {
    const actual = change === null ? null : -change;
    // Worse without a change: the new side holds no load, which is 100 % less.
    const passed = !(verdict === 'worse' && (actual ?? 1) > bound);
    return /** @type {RegressionLimit} */ ({
      expression,
      figure: CAPACITY,
      bound,
      actual,
      unit: 'ratio',
      passed,
      ...(!passed && { message: `${message}: more than --max-regression allows` }),
    });
  });
  const reasons = regressions.flatMap(({ passed, message: text = '', figure, bound, actual, unit }) =>
    passed ? [] : [{ code: 'regression', message: text, figure, bound, actual, unit }],
  );
  return { ...comparison, regressions, outcome: outcomeWith(reasons) };
}

/** @type {(capacity: Capacity, label: string) => CapacitySide} */
function sideOf({ conclusion: { code, message, load, interval: ends, limit }, steps }, label) {
  return {
    label,
    capacity: { code, message, load, interval: ends, limit, steps: pointsOf(steps) },
  };
}

/**
 * The least and the most that the change may be, by the ends of both intervals. The interval of a side that holds no
 * load begins at 0, so no change relative to it is known.
 * @type {(base: CapacitySide['capacity'], other: CapacitySide['capacity']) => ChangeInterval}
 */
function changeBetween(base, other) {
  const isLowKnown = other.load !== null && base.interval.high !== null;
  const isHighKnown = base.load !== null && other.interval.high !== null;
  return {
    low: isLowKnown ? other.interval.low / Number(base.interval.high) - 1 : null,
    high: isHighKnown ? Number(other.interval.high) / base.interval.low - 1 : null,
  };
}

/** @type {(change: { change: number | null } & ChangeInterval) => Verdict} */
function verdictOf({ change, low, high }) {
  // One end suffices: the capacity is at least this much higher, or at least this much lower.
  if (low !== null && low > 0) return 'better';
  if (high !== null && high < 0) return 'worse';
  return change === null || low === null || high === null ? 'unknown' : 'noise';
}

/**
 * @type {(a: CapacitySide, b: CapacitySide, compared: { change: number | null, interval: ChangeInterval, verdict:
 *   Verdict }) => string}
 */
function sentenceOf(a, b, { change, interval: bounds, verdict }) {
  const isKnown = verdict === 'better' || verdict === 'worse';
  if (change === null && isKnown)
    return `The capacity of B is ${verdict === 'better' ? 'higher: A holds' : 'lower: it holds'} none of its loads`;
  if (change === null) return `Nothing to compare: ${a.capacity.load === null ? a.label : b.label} has no capacity`;
  const ends = interval(bounds);
  const range = ends === '' ? '' : `: ${ends}`;
  if (verdict === 'noise') return `No significant difference: the intervals overlap (${signed(change)}${range})`;
  if (verdict === 'unknown') return `Cannot tell: an end of the intervals is not known (${signed(change)})`;
  return `The capacity of B is ${verdict === 'better' ? 'higher' : 'lower'} by ${signed(Math.abs(change)).replace('+', '')}${ends === '' ? '' : ` (${ends})`}`;
}

/** What else differs between the searches. @type {(base: Capacity, other: Capacity) => Difference[]} */
function differencesOf(base, other) {
  const within = [base, other].map((one) => String(one.within));
  return [
    ...differencesOfRuns([/** @type {Described} */ (base)], [/** @type {Described} */ (other)]),
    ...(within[0] === within[1] ? [] : [{ path: 'within', base: within[0], new: within[1] }]),
  ];
}

/** Names what differs, by the path of a difference. @type {(path: string) => string} */
export function nameOf(path) {
  return path === 'within' ? 'precision' : factName(path);
}

/** @type {(comparison: CapacityComparison) => Block} */
export function sidesBlock({ sides, figures: [{ unit }] }) {
  const by = unit === '/s' ? 'rate' : 'users';
  return {
    columns: ['side', 'capacity', 'interval', 'note'].map((head, i) => ({ head, isText: i === 0 || i === 3 })),
    rows: [sides.base, sides.new].map(({ label, capacity: { load, interval: ends, code } }, i) => [
      `${'AB'[i]}  ${label}`,
      load === null ? '-' : loadText(load, by),
      load === null ? '-' : intervalText(ends, by),
      WORDS[code],
    ]),
  };
}

/** Conclusions other than the capacity alone, in a cell. @type {Record<CapacitySide['capacity']['code'], string>} */
const WORDS = {
  found: '',
  atLeast: 'at least: the load generator was the bottleneck',
  none: 'no load holds',
  imprecise: 'not precise',
  unrecovered: 'not recovered from an overload',
};

/** @type {(comparison: CapacityComparison) => string[]} */
function limitTexts({ sides }) {
  return [sides.base, sides.new].map(({ capacity: { limit } }, i) => `${'AB'[i]}: ${limit.message}`);
}

/**
 * Both capacities, then the conclusion; Markdown, a comment for a pull request, begins with it.
 * @type {(comparison: CapacityComparison, options: BlockOptions) => Block[]}
 */
export function blocksOf(comparison, { format }) {
  const { conclusion, differences, outcome } = comparison;
  const found = [sidesBlock(comparison), { remarks: limitTexts(comparison).map((text) => ({ text })) }];
  if (format !== 'text')
    return [
      { title: { text: conclusion.message, level: 3 } },
      regressionsBlock(outcome.reasons.map(({ message }) => message)),
      ...found,
      differencesBlock(differences, nameOf),
    ];
  const differing = differences.map(({ path, base, new: other }) => ({
    text: `${nameOf(path)} differs: ${base ?? '-'} and ${other ?? '-'}`,
  }));
  return [...found, { list: differing }, { title: { text: conclusion.message, style: 'bold' } }];
}
