import { counted, countedOf, percent } from '../../../core/ground/decimal.js';
import { EXIT_CODES } from '../../../core/ground/exit-codes.js';
import { isFailed } from '../../../core/measure/outcome.js';
import { failedRuns } from '../measure/compared-sides.js';
import { causeOf, lostShare } from '../../../core/measure/own-time.js';
import { listed } from '../../../core/text/format-value.js';
import { withoutPorts } from '../../../core/text/local-ports.js';
import { OPTION, factName, factsOf, isOfOneRun, loadFact, valuesText } from './run-facts.js';
import { distinct } from '../../saved/distinct.js';

/** @import { Comparison, ComparedThreshold, Difference, SideName } from '../comparison.js' */
/** @import { Note, OutcomeReason } from '../../../core/contracts/stats.js' */
/** @import { Reason } from '../../../core/ground/exit-codes.js' */
/** @import { Totals } from '../measure/compared-sides.js' */
/** @import { Timed } from '../measure/comparison-method.js' */
/** @import { Result, RunInfo } from '../../../core/report/types.js' */
/** @import { Described } from './run-facts.js' */

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

/** Thresholds judge only the new side: a change may repair a slow base. @type {(failed: FailedSide) => boolean} */
export function isDeciding({ side, isOnlyThreshold }) {
  return side === 'new' || !isOnlyThreshold;
}

/** @type {(thresholds: ComparedThreshold[], side: SideName, runs: Result[]) => OutcomeReason[]} */
function thresholdReasons(thresholds, side, runs) {
  return thresholds.flatMap((row) => {
    const { expression, [side]: failed } = row;
    if (failed === 0) return [];
    const all = runs.flatMap((run) => run.thresholds ?? []);
    const judged = all.find((one) => one.expression === expression && isFailed(one));
    const { figure, of, operator, bound, actual, unit } = /** @type {NonNullable<typeof judged>} */ (judged);
    const message = `threshold ${expression}${inRuns(failed, runs.length)}`;
    // Several runs have several values.
    const measured = runs.length === 1 && { actual };
    return [{ code: 'threshold', message, figure, of, operator, bound, ...measured, unit }];
  });
}

/**
 * The thresholds of the new side that are undecided in some of its runs, each with the doubt of one of them; none that
 * failed in another run.
 * @type {(runs: Result[]) => OutcomeReason[]}
 */
export function undecidedThresholds(runs) {
  const all = runs.flatMap((run) => run.thresholds ?? []);
  const failed = all.filter(isFailed).map(({ expression }) => expression);
  const found = all.filter(({ undecided, expression }) => undecided && !failed.includes(expression));
  return [...new Map(found.map((one) => [one.expression, one])).values()].map((one) => {
    const { expression, doubt, figure, of, operator, bound, unit } = one;
    const count = found.filter((other) => other.expression === expression).length;
    const message = `threshold ${expression} of B is undecided${inRuns(count, runs.length)}: ${doubt}`;
    return { code: 'undecided', message, figure, of, operator, bound, unit };
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
  ...['baseUrl', 'start', 'workers'].map((option) => `${OPTION}${option}`),
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
    ({ path }) => !EXPECTED.includes(path) && !isOfOneRun(path) && !(areFlowsGiven && path === 'run.flow.sha256'),
  );
  const [a, b] = names;
  const named = others.map(({ path }) => path);
  return [
    ...(others.length > 0
      ? [{ code: 'differ', message: `${a} and ${b} differ: ${others.map(differenceText).join('; ')}` }]
      : []),
    ...sides.flatMap((runs, i) => mixtureOf(runs, names[i], named)),
    ...(isInTurn ? [] : overlapOf(sides, names)),
    ...doubtOf(sides, names),
  ];
}

/** @type {(difference: Difference) => string} */
function differenceText({ path, base, new: other }) {
  return `${factName(path)} ${base ?? 'none'} and ${other ?? 'none'}`;
}

/** Codes of reasons that make figures ranges: the cause of most of them is that of all runs. */
const RANGES = ['loadGeneratorInFigures', 'stopped'];
/** The doubts about figures, the gravest first. @type {{ code: string, of: (result: Result) => Note[] }[]} */
const DOUBTS = [
  { code: 'invalid', of: ({ validity }) => (validity.status === 'invalid' ? validity.reasons : []) },
  { code: 'saturated', of: ({ loadGenerator }) => loadGenerator.reasons.filter(({ code }) => !RANGES.includes(code)) },
  { code: 'suspect', of: ({ validity }) => (validity.status === 'suspect' ? validity.reasons : []) },
];

/** Returns the gravest doubt; none if all are valid. @type {(sides: Result[][], names: [string, string]) => Note[]} */
function doubtOf(sides, names) {
  const found = DOUBTS.find(({ of }) => sides.flat().some((run) => of(run).length > 0));
  if (found === undefined) return [];
  const doubted = sides.map((runs) => runs.filter((run) => found.of(run).length > 0));
  const places = sides.flatMap((runs, i) =>
    doubted[i].length > 0 ? [`${countedOf(doubted[i].length, runs.length, 'run')} of ${names[i]}`] : [],
  );
  const [reason] = commonestFirst(doubted.flat().flatMap(found.of));
  const message = RANGES.includes(reason.code)
    ? `figures of ${listed(places)} are ranges: ${causeText(doubted.flat())}`
    : `${listed(places)}: ${reason.message}`;
  return [{ code: found.code, message }];
}

/** The cause in the run that had the least of its time, and its remedy. @type {(runs: Result[]) => string} */
function causeText(runs) {
  const lost = (/** @type {Result} */ { loadGenerator, measuredElapsed }) => lostShare(loadGenerator, measuredElapsed);
  const [{ loadGenerator, measuredElapsed }] = [...runs].sort((one, other) => lost(other) - lost(one));
  const { text, remedy } = causeOf(loadGenerator, measuredElapsed);
  return `${text}${runs.length > 1 ? ' in one of them' : ''}; ${remedy}`;
}

/** Those that most runs have come first. @type {(notes: Note[]) => Note[]} */
export function commonestFirst(notes) {
  const count = (/** @type {Note} */ { code }) => notes.filter((one) => one.code === code).length;
  return [...notes].sort((a, b) => count(b) - count(a));
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

/**
 * The differences between two sides, other than their figures: flow, target, machine, options. Runs of one side that
 * differ are named as well.
 * @param {Described[]} bases
 * @param {Described[]} others
 * @returns {Difference[]} empty if the runs of a side are not known
 */
export function differencesOf(bases, others) {
  const sides = [bases, others].map((runs) => runs.filter(({ run }) => run).map(factsOf));
  if (sides.some(({ length }) => length === 0)) return [];
  return pathsIn(sides.flat()).flatMap((path) => {
    const values = sides.map((runs) => runs.map((facts) => facts.get(path) ?? ''));
    if (new Set(values.flat()).size === 1) return [];
    const [base, other] = values.map((side) => valuesText(path, side) || null);
    return [{ path, base, new: other }];
  });
}

/** Facts first, then options by name. @type {(all: Map<string, string>[]) => string[]} */
function pathsIn(all) {
  const paths = [...new Set(all.flatMap((facts) => [...facts.keys()]))];
  const options = paths.filter((path) => path.startsWith(OPTION)).sort();
  return [...paths.filter((path) => !path.startsWith(OPTION)), ...options];
}

/** Names what differs among the runs of a side. @type {(runs: Described[], name: string, named: string[]) => Note[]} */
function mixtureOf(runs, name, named) {
  const known = runs.filter(({ run }) => run).map(factsOf);
  // A server that each run starts has a port of its own.
  const areStarted = known.every((facts) => facts.has(`${OPTION}start`));
  const found = pathsIn(known).flatMap((path) => {
    if (named.includes(path) || isOfOneRun(path) || (areStarted && path === 'run.origins')) return [];
    const values = known.map((facts) => withoutPorts(facts.get(path) ?? ''));
    return new Set(values).size > 1 ? [`${factName(path)} ${valuesText(path, values)}`] : [];
  });
  return found.length > 0 ? [{ code: 'differ', message: `runs of ${name} differ: ${found.join('; ')}` }] : [];
}

/**
 * Explains in sentences without a full stop why a run may not be comparable with an earlier one, before it begins.
 * @type {(base: Described, run: Pick<RunInfo, 'flow' | 'loads'>) => Note[]}
 */
export function differencesTo({ run: earlier }, run) {
  if (earlier === undefined) return [{ code: 'flowUnknown', message: 'the baseline does not name its flow' }];
  const [before, now] = [earlier, run].map(loadFact);
  return [
    ...(earlier.flow.sha256 === run.flow.sha256
      ? []
      : [{ code: 'otherFlow', message: 'the baseline is of another flow' }]),
    ...(before === now ? [] : [{ code: 'otherLoad', message: `the load of the baseline was ${distinct(before)}` }]),
  ];
}
