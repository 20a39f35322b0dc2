import { counted, percent } from '../../ground/decimal.js';
import { EXIT_CODES } from '../../ground/exit-codes.js';
import { failedRuns } from '../../measure/compared-sides.js';
import { loadText } from '../../measure/document.js';
import { formatValue, shortened } from '../../text/format-value.js';
import { machineTexts, toolText } from '../rows.js';

/** @import { Comparison, ComparedThreshold, Difference, SideName } from '../../contracts/comparison.js' */
/** @import { Note, OutcomeReason } from '../../contracts/stats.js' */
/** @import { Reason } from '../../ground/exit-codes.js' */
/** @import { Totals } from '../../measure/compared-sides.js' */
/** @import { Timed } from '../../measure/comparison-method.js' */
/** @import { Result, RunInfo } from '../types.js' */

/**
 * Why two sides may not be comparable, and what failed: one list for `compare`, `ab` and `--baseline`, which every
 * format shows.
 *
 * @typedef {object} SidesToCheck both sides, the base first
 * @property {[string, string]} names `A` and `B`, or others of a baseline
 * @property {Result[][]} sides their runs
 * @property {Totals[]} totals
 * @property {ComparedThreshold[]} thresholds
 *
 * @typedef {object} FailedSide
 * @property {SideName} side
 * @property {string} text
 * @property {boolean} isOnlyThreshold nothing else failed
 * @property {Comparison['outcome']['reasons']} reasons
 */

/** Codes of the warnings of every comparison; the history and a baseline have further ones. */
export const WARNING_CODES = ['failed', 'differ', 'ranTogether', 'saturated', 'suspect', 'invalid', 'noiseUnused'];

const SIDES = /** @type {const} */ (['base', 'new']);

/** Lists the sides that failed, the new one first, and why. @type {(checked: SidesToCheck) => FailedSide[]} */
export function failedSides({ names, sides, totals, thresholds }) {
  return [1, 0].flatMap((i) => {
    const side = SIDES[i];
    const failed = failedRuns(sides[i]);
    const found = [...failed].flatMap(([code, runs]) =>
      code === 'threshold'
        ? thresholdReasons(thresholds, side, sides[i])
        : [{ code, message: reasonText(code, runs, totals[i]) }],
    );
    if (found.length === 0) return [];
    return [
      {
        side,
        text: `${names[i]} failed: ${found.map(({ message }) => message).join(', ')}`,
        isOnlyThreshold: [...failed.keys()].every((code) => code === 'threshold'),
        reasons: found.map((one) => ({ ...one, message: `${names[i]} failed: ${one.message}`, side })),
      },
    ];
  });
}

/**
 * A base that fails only thresholds is a warning: thresholds decide for the new side alone, so that a change that
 * repairs a slow base passes.
 * @type {(failed: FailedSide) => boolean}
 */
export function isDeciding({ side, isOnlyThreshold }) {
  return side === 'new' || !isOnlyThreshold;
}

/** @type {(thresholds: ComparedThreshold[], side: SideName, runs: Result[]) => OutcomeReason[]} */
function thresholdReasons(thresholds, side, runs) {
  return thresholds.flatMap((row) => {
    const { expression, [side]: failed } = row;
    if (failed === 0) return [];
    const all = runs.flatMap((run) => run.thresholds ?? []);
    const judged = all.find((one) => one.expression === expression && !one.passed);
    const { figure, of, operator, bound, actual, unit } = /** @type {NonNullable<typeof judged>} */ (judged);
    const message = `threshold ${expression}${inRuns(failed, runs.length)}`;
    // Several runs have several values.
    const measured = runs.length === 1 && { actual };
    return [{ code: 'threshold', message, figure, of, operator, bound, ...measured, unit }];
  });
}

/** @type {(reason: Reason, failed: number, totals: Totals) => string} */
function reasonText(reason, failed, { runs, iterations: { failedShare, unsentShare }, errors }) {
  if (reason === 'errors' && failedShare) return `${percent(failedShare)} of its iterations failed`;
  if (reason === 'errors') return counted(errors.count, 'error');
  if (reason === 'dropped') return `${percent(unsentShare)} of its planned iterations never started`;
  return `${EXIT_CODES[reason].about}${inRuns(failed, runs)}`;
}

/** ` in 2 of 3 runs`; empty for a single one. @type {(some: number, runs: number) => string} */
function inRuns(some, runs) {
  return runs === 1 ? '' : ` in ${some} of ${runs} runs`;
}

/** Differences that are no sign of another test: the compared services may have another name, place or version. */
const EXPECTED = [
  'run.flow.source',
  'run.origins',
  ...['baseUrl', 'start', 'workers'].map((option) => `run.options.${option}`),
];

/**
 * Lists why the figures of the sides may differ, or be wrong, by other causes than the service: sentences without a
 * full stop. `isInTurn`: the runs were started one after the other; `areFlowsGiven`: the user named a flow for each
 * side.
 * @type {(checked: SidesToCheck, differences: Difference[], known?: { isInTurn?: boolean, areFlowsGiven?: boolean }) =>
 *   Note[]}
 */
export function objectionsTo({ names, sides }, differences, { isInTurn = false, areFlowsGiven = false } = {}) {
  const others = differences.filter(
    ({ path }) => !EXPECTED.includes(path) && !(areFlowsGiven && path === 'run.flow.sha256'),
  );
  const [a, b] = names;
  return [
    ...(others.length > 0
      ? [{ code: 'differ', message: `${a} and ${b} differ: ${others.map(differenceText).join('; ')}` }]
      : []),
    ...(isInTurn ? [] : overlapOf(sides, names)),
    ...sides.flatMap((runs, i) => doubtsOf(runs, names[i])),
  ];
}

/** @type {(difference: Difference) => string} */
function differenceText({ path, base, new: other }) {
  return `${differenceName(path)} ${base ?? 'none'} and ${other ?? 'none'}`;
}

/** @type {{ code: string, what: string, suits: (result: Result) => boolean }[]} */
const DOUBTS = [
  {
    code: 'saturated',
    what: 'the load generator was the limit',
    suits: ({ loadGenerator }) => loadGenerator.saturated,
  },
  {
    code: 'suspect',
    what: 'the figures are suspect',
    suits: ({ validity, loadGenerator }) => validity.status === 'suspect' && !loadGenerator.saturated,
  },
  {
    code: 'invalid',
    what: 'the counts contradict each other',
    suits: ({ validity }) => validity.status === 'invalid',
  },
];

/** @type {(runs: Result[], name: string) => Note[]} */
function doubtsOf(runs, name) {
  return DOUBTS.flatMap(({ code, what, suits }) => {
    const found = runs.filter(suits);
    if (found.length === 0) return [];
    const [reason] = found.flatMap(({ validity }) => validity.reasons.map(({ message }) => message));
    const why = reason === undefined ? '' : `: ${reason}`;
    return [{ code, message: `${what} in ${found.length} of ${counted(runs.length, 'run')} of ${name}${why}` }];
  });
}

/** Warns of sides that ran at the same time. @type {(sides: Result[][], names: [string, string]) => Note[]} */
function overlapOf(sides, [a, b]) {
  // Results of programs may have no times, which are NaN then.
  const spans = sides.map((runs) => runs.map(spanOf).filter(({ from, to }) => to > from));
  const isTogether = spans[0].some((one) => spans[1].some((other) => one.from < other.to && other.from < one.to));
  if (!isTogether) return [];
  return [{ code: 'ranTogether', message: `runs of ${a} and ${b} ran at the same time, and disturbed each other` }];
}

/** @type {(result: Timed) => { from: number, to: number }} ms */
function spanOf({ startedAt = '', endedAt, totalElapsed }) {
  const from = Date.parse(startedAt);
  return { from, to: endedAt === undefined ? from + totalElapsed : Date.parse(endedAt) };
}

const HASH_LENGTH = 8;
/** Characters of a fact about a run: a result may come from someone else. */
const LONGEST = 300;
const OPTION = 'run.options.';

/**
 * Facts by which runs differ, other than options, in the order of a report.
 * @type {{ path: string, name: string, of: (run: RunInfo, result: Described) => string }[]}
 */
const FACTS = [
  { path: 'run.flow.source', name: 'flow', of: ({ flow }) => flow.source },
  { path: 'run.flow.sha256', name: 'content of the flow', of: ({ flow }) => flow.sha256.slice(0, HASH_LENGTH) },
  { path: 'run.loads', name: 'load', of: loadText },
  { path: 'loadGenerator.pacing', name: 'pacing', of: (_run, { loadGenerator }) => loadGenerator?.pacing ?? '' },
  { path: 'run.origins', name: 'target', of: ({ origins }) => origins.join(', ') },
  { path: 'run.proxies', name: 'proxy', of: ({ proxies = [] }) => proxies.join(', ') },
  { path: 'tool', name: 'version', of: (_run, result) => toolText(result) },
  { path: 'loadGenerators.machine', name: 'machine', of: (_run, result) => machineTexts(result).join(', ') },
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
  const facts = FACTS.map(({ path, of }) => ({ path, base: of(base, one), new: of(other, two) }));
  const names = [...new Set([...Object.keys(base.options), ...Object.keys(other.options)])].sort();
  const options = names.map((name) => ({
    path: `${OPTION}${name}`,
    base: optionText(base.options[name]),
    new: optionText(other.options[name]),
  }));
  const shown = (/** @type {string} */ text) => (text === '' ? null : shortened(text, LONGEST));
  return [...facts, ...options]
    .filter((fact) => fact.base !== fact.new)
    .map((fact) => ({ path: shortened(fact.path, LONGEST), base: shown(fact.base), new: shown(fact.new) }));
}

/** As reports name it: `content of the flow`, `option rate`. @type {(path: string) => string} */
export function differenceName(path) {
  if (path.startsWith(OPTION)) return `option ${path.slice(OPTION.length)}`;
  return FACTS.find((fact) => fact.path === path)?.name ?? path;
}

/** @type {(value: unknown) => string} */
function optionText(value) {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : formatValue(value);
}
