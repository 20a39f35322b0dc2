import { decimal } from '../../ground/decimal.js';
import { compareStats } from '../../measure/compare.js';
import { COMPARISON_HEAD, loadText } from '../../measure/document.js';
import { Histogram, hasCounts } from '../../measure/histogram.js';
import { formatValue, shortened } from '../../text/format-value.js';
import { silhouettes } from '../chart-data.js';
import { interval, percent, signed } from '../numbers.js';
import { validityOf } from '../outcome.js';
import { headOf, machineTexts, toolText } from '../rows.js';
import { supportedOnly } from '../supported.js';
import { failedSides, objectionsTo } from './objections.js';
import { cannotTell } from './rows.js';

/** @import { ComparedFigure } from '../../contracts/comparison.js' */
/** @import { ComparedStats } from '../../measure/compare.js' */
/** @import { Noise } from '../../measure/comparison-method.js' */
/** @import { Result, RunInfo } from '../types.js' */
/** @import { Comparison, Difference, Side } from './formats.js' */

/**
 * Compares results: their figures, and all that a report of the comparison shows, as plain data.
 * @param {Result[]} bases at least one
 * @param {Result[]} others at least one
 * @param {ComparisonOptions} [options]
 * @returns {Comparison}
 *
 * @typedef {object} ComparisonOptions
 * @property {boolean} [isPaired] run i of one side ran next to run i of the other
 * @property {boolean} [isInTurn] `ab` ran the sides in turn, whatever the clock says
 * @property {boolean} [areFlowsGiven] the user named a flow for each side
 * @property {[base: string, other: string]} [labels]
 * @property {Noise} [noise] how much runs differ by chance
 * @property {number} [history] how many earlier results show it
 * @property {string[]} [notes] more reasons why the sides may not be comparable
 */
export function comparisonOf(bases, others, options = {}) {
  const { isPaired = false, isInTurn = false, areFlowsGiven, labels, noise, history, notes = [] } = options;
  const order = isInTurn ? /** @type {const} */ ('mixed') : undefined;
  const compared = compareStats(bases, others, { isPaired, order, noise, history });
  const sides = /** @type {[Side, Side]} */ (
    [bases, others].map((results, i) => sideOf(results, i === 0 ? 'A' : 'B', labels?.[i]))
  );
  const { thresholds, totals } = compared;
  const differences = differencesOf(bases[0], others[0]);
  const checked = {
    names: /** @type {[string, string]} */ (['A', 'B']),
    sides: [bases, others],
    totals: [totals.base, totals.other],
    thresholds,
  };
  const failed = failedSides(checked);
  return withRegressions(
    {
      ...COMPARISON_HEAD,
      sentence: sentenceOf({ ...compared, failed }),
      outcome: null,
      failed,
      objections: [
        ...failed.filter((one) => !isDeciding(one)).map(({ text }) => text),
        ...objectionsTo(checked, differences, { isInTurn, areFlowsGiven }),
        ...notes,
      ],
      sides,
      ...compared,
      differences,
      distribution: distributionOf([bases, others]),
      regressions: [],
    },
    [],
  );
}

/**
 * The comparison with the limits that were exceeded, which with the failed sides are its outcome: thresholds decide for
 * the other side alone, so that a change that repairs a slow base passes.
 * @type {(comparison: Comparison, regressions: string[]) => Comparison}
 */
export function withRegressions(comparison, regressions) {
  const reasons = [...comparison.failed.filter(isDeciding).map(({ text }) => text), ...regressions];
  return { ...comparison, regressions, outcome: reasons.length > 0 ? reasons.join('; ') : null };
}

/** A base that fails only thresholds is a note. @type {(failed: Comparison['failed'][0]) => boolean} */
function isDeciding({ side, isOnlyThreshold }) {
  return side === 1 || !isOnlyThreshold;
}

/** @type {(results: Result[], name: 'A' | 'B', label?: string) => Side} */
function sideOf(results, name, label) {
  const { title, subtitle, about } = headOf(results[0]);
  return {
    name,
    label: label ?? title,
    subtitle,
    about,
    validity: [...new Set(results.map(validityOf))],
    reasons: [...new Set(results.flatMap(({ validity }) => validity.reasons.map(({ message }) => message)))],
  };
}

/** The response times of all runs of each side. @type {(sides: Result[][]) => Comparison['distribution']} */
function distributionOf(sides) {
  if (!sides.flat().every(hasCounts)) return null;
  return silhouettes(
    sides.map((results, i) => {
      const sum = new Histogram();
      for (const { main } of results) sum.add(Histogram.decode(main.completed) ?? new Histogram());
      return {
        name: i === 0 ? 'A' : 'B',
        points: sum.percentileDistribution(),
        summary: supportedOnly(sum.toJSON()),
        hasMarks: true,
      };
    }),
  );
}

const HASH_LENGTH = 8;
/** Characters of a fact about a run. */
const LONGEST = 300;

/**
 * Facts about a run, in the order of a report.
 * @type {{ name: string, of: (run: RunInfo, result: Described) => string }[]}
 */
const FACTS = [
  { name: 'flow', of: ({ flow }) => flow.source },
  { name: 'content of the flow', of: ({ flow }) => flow.sha256.slice(0, HASH_LENGTH) },
  { name: 'load', of: loadText },
  { name: 'pacing', of: (_run, { loadGenerator }) => loadGenerator?.pacing ?? '' },
  { name: 'target', of: ({ origins }) => origins.join(', ') },
  { name: 'proxy', of: ({ proxies = [] }) => proxies.join(', ') },
  { name: 'version', of: (_run, result) => toolText(result) },
  { name: 'machine', of: (_run, result) => machineTexts(result).join(', ') },
];

/**
 * The differences between two runs, other than their figures: flow, target, machine, options.
 *
 * @typedef {Pick<Result, 'run' | 'tool' | 'loadGenerators'> & Partial<Pick<Result, 'loadGenerator'>>} Described
 *
 * @param {Described} one
 * @param {Described} two
 * @returns {Difference[]} empty if one of them is not known
 */
export function differencesOf(one, two) {
  const [base, other] = [one.run, two.run];
  if (!base || !other) return [];
  const facts = FACTS.map(({ name, of }) => ({ name, base: of(base, one), other: of(other, two) }));
  const shown = (/** @type {string} */ text) => shortened(text, LONGEST);
  const names = [...new Set([...Object.keys(base.options), ...Object.keys(other.options)])].sort();
  const options = names.map((name) => ({
    name: `option ${name}`,
    base: optionText(base.options[name]),
    other: optionText(other.options[name]),
  }));
  return [...facts, ...options]
    .filter((one) => one.base !== one.other)
    .map(({ name, base: of, other: to }) => ({ name: shown(name), base: shown(of), other: shown(to) }));
}

/** @type {(value: unknown) => string} */
function optionText(value) {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : formatValue(value);
}

const MAX_DIGITS = 4;

/**
 * Concludes a comparison in one sentence without a full stop: `B is 1.33 ± 0.05 times faster (p95)`. A side that failed
 * is named first.
 * @type {(comparison: ComparedStats & Partial<Pick<Comparison, 'failed'>>) => string}
 */
export function sentenceOf({ failed = [], ...comparison }) {
  const { factor } = comparison.conclusion;
  if (factor === null) return `Nothing to compare: ${obstacleOf(comparison)}`;
  const first = failed.filter(isDeciding).map(({ text }) => `${text}; `);
  const hasFailed = failed.some(({ isOnlyThreshold }) => !isOnlyThreshold);
  return `${first.join('')}${conclusionText(comparison, factor, hasFailed)}${exceptionsText(comparison)}${failuresText(comparison)}`;
}

/** @type {(comparison: ComparedStats) => string} */
function obstacleOf({ totals: { base, other } }) {
  const failed = [base, other].map(({ failedShare }) => failedShare === 1);
  if (failed[0] && failed[1]) return 'all iterations of both sides failed';
  if (failed[0] || failed[1]) return `all iterations of ${failed[0] ? 'A' : 'B'} failed`;
  return 'a side has no measured iterations';
}

/** @type {(comparison: ComparedStats, factor: number, hasFailed: boolean) => string} */
function conclusionText({ conclusion, figures, why: commonReason }, factor, hasFailed) {
  const { figure, verdict, why = conclusion.margin === null ? commonReason : undefined, margin, isSlower } = conclusion;
  const { low = null, high = null, change = null } = figures.find((one) => one.figure === figure) ?? {};
  if (verdict === 'noise') return `No significant difference (${figure}: ${interval(low, high)})`;
  if (margin === null || why)
    return `${cannotTell(why ?? `too few runs have a ${figure}`)} (${figure}: ${signed(change)})`;
  const times = `${factorText(factor, margin)} times ${isSlower ? 'slower' : 'faster'} (${figure})`;
  return hasFailed ? `what B completed was ${times}` : `B is ${times}`;
}

/**
 * Other figures that changed, if not in the same direction: `, but p99 is worse`.
 * @type {(comparison: ComparedStats) => string}
 */
function exceptionsText({ conclusion: { verdict, why, isSlower }, figures }) {
  // A side that failed is not better, but the iterations that it completed were.
  const named = verdict === 'unknown' && why === undefined ? (isSlower ? 'worse' : 'better') : verdict;
  const parts = /** @type {const} */ (['better', 'worse']).flatMap((direction) => {
    const names = figures.filter((one) => one.verdict === direction && direction !== named).map(nameOf);
    return names.length > 0 ? [`${names.join(', ')} ${names.length > 1 ? 'are' : 'is'} ${direction}`] : [];
  });
  return parts.length > 0 ? `, but ${parts.join(', ')}` : '';
}

/** @type {(figure: ComparedFigure) => string} */
function nameOf({ figure, unit }) {
  return unit === 'ms' ? figure : 'the rate';
}

/** A side that fails answers faster or slower for it. @type {(comparison: ComparedStats) => string} */
function failuresText({ totals: { base, other } }) {
  const parts = [
    ...(base.failed > 0 || other.failed > 0
      ? [`; iterations failed: A ${percent(base.failedShare ?? 0)}, B ${percent(other.failedShare ?? 0)}`]
      : []),
    ...(base.unsentShare > 0 || other.unsentShare > 0
      ? [`; never started: A ${percent(base.unsentShare)}, B ${percent(other.unsentShare)}`]
      : []),
  ];
  return parts.join('');
}

/**
 * Writes a factor with as many digits as show its distance from 1, and its margin.
 * @type {(factor: number, margin: number) => string}
 */
function factorText(factor, margin) {
  const usual = factor < 10 ? 2 : factor < 100 ? 1 : 0;
  const smallest = Math.min(factor - 1, margin || Infinity);
  const digits = smallest > 0 ? Math.min(MAX_DIGITS, Math.max(usual, Math.ceil(-Math.log10(smallest)))) : usual;
  return `${decimal(factor, digits)} ± ${decimal(margin, digits)}`;
}
