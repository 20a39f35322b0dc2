import { offered } from '../ground/addons.js';
import { counted, grouped } from '../ground/decimal.js';
import { ERRORS } from '../ground/errors.js';
import { systemError } from '../ground/system-errors.js';
import { isOpen, ratedMs } from './figures.js';
import { decidingOf, doubtOfFigures } from './judge-figures.js';
import { causeOf, isBusy, lostRateShare, lostShare } from './own-time.js';
import { stillRunning } from './shortfalls.js';
import { NOT_JUDGED } from './steadiness.js';

/** @import { JudgedFigure, LoadGeneratorFigures, Note, Stats, Validity } from '../contracts/stats.js' */
/** @import { Steadiness } from './steadiness.js' */
/** @import { Threshold } from './thresholds.js' */

/**
 * Decides whether the figures of a run can be trusted (`judge`), and whether the load generator was the bottleneck
 * (`judgeClient`). Each reason is a note: a code for programs and a sentence for people. The tests are described in
 * docs/internals/measurement.md.
 */

/**
 * @typedef {object} IterationLimit
 * @property {number} own iterations of this shard
 * @property {number} whole of the run
 *
 * @typedef {object} ValidityInput
 * @property {Note[]} notes of the load generator
 * @property {boolean} sharesLoop load generator and server ran in one thread
 * @property {Steadiness} [steadiness]
 * @property {IterationLimit | null} [iterationLimit] null: the run has none; undefined: not known
 * @property {JudgedFigure[]} [figures]
 * @property {Pick<Threshold, 'figure' | 'operation'>[]} [thresholds] whose figures decide, too
 * @property {string[]} [missing] what the result lacks: the last counts of a worker, a teardown
 * @property {{ errors: string[], area: number, busyTime: number } | null} accounting null before the end. `errors`:
 *   of the accounting check; `area`: running iterations summed over time, ms; `busyTime`: sum of their durations, ms
 */

/** How far the figures can be trusted, in a word. */
export const STATUSES = /** @type {const} */ (['valid', 'suspect', 'invalid']);

/** A shorter run is mostly start-up. */
const MIN_MS = 1000;
/** Iterations of all, and of each virtual user, from which on figures can be judged: five are above p95 then. */
export const LEAST_ITERATIONS = 100;
const FEWEST_OF_USER = 2;
/** The shortest run that advice proposes, s. */
const ADVISED_S = 10;
/** The share of a closed run that may be lost to stops. */
const MOST_STOPPED = 0.1;
/** The share of a planned rate that may be missing. */
export const MAX_MISSED = 0.01;
/** The share by which both sides of Little's law may differ. */
const MAX_DEVIATION = 0.05;
/** The median delay of starts, ms, that is longer than timers need. */
const LATE_MS = 5;
/** The part of a service time by which starts may be shifted without an effect on its queue. */
const FELT = 0.5;
/** Advice has this many times the iterations that are needed. */
const HEADROOM = 1.25;
/** A run that advice limits by its iterations lasts this time at its pace, ms. */
const ADVISED_MS = 5000;
/** A longer run, ms, is no advice without an alternative. */
const TEDIOUS_MS = 600_000;

/**
 * Decides whether the load generator was the bottleneck. In a run of less than a second, only exhausted resources
 * and stalls count.
 * @type {(stats: Pick<Stats, 'iterations' | 'errors' | 'main'>, loadGenerator: LoadGeneratorFigures, measuredMs:
 *   number) => { saturated: boolean, reasons: Note[] }}
 */
export function judgeClient(stats, loadGenerator, measuredMs) {
  const isLongEnough = measuredMs >= MIN_MS;
  const notes = [
    ...exhaustion(stats.errors),
    ...extended(loadGenerator),
    ...(isLongEnough
      ? [
          ...saturation(loadGenerator),
          ...stopped(stats, loadGenerator, measuredMs),
          ...missedRate(stats, loadGenerator),
        ]
      : []),
  ];
  return { saturated: notes.length > 0, reasons: notes };
}

/** @type {(loadGenerator: LoadGeneratorFigures) => Note[]} */
function extended({ stall }) {
  if (stall.extendedTimeouts === 0) return [];
  const seconds = (stall.longest / 1000).toFixed(1);
  const text = `the load generator stalled for ${seconds} s; timeouts that expired meanwhile were postponed: ${grouped(stall.extendedTimeouts)}`;
  return [note('stalled', text)];
}

/**
 * A closed run sends nothing during a stop, so its rates are too low: by the part of the times that is the load
 * generator's, as a stop while all virtual users wait for the service costs nothing.
 * @type {(stats: Pick<Stats, 'iterations' | 'main'>, loadGenerator: LoadGeneratorFigures, measuredMs: number) =>
 *   Note[]}
 */
function stopped(stats, loadGenerator, measuredMs) {
  const lost = lostRateShare({ ...stats, loadGenerator, measuredElapsed: measuredMs });
  if (lost < MOST_STOPPED) return [];
  return [note('stopped', `rates may be up to ${percent(lost)} too low: ${causeOf(loadGenerator, measuredMs).text}`)];
}

/** @type {(loadGenerator: LoadGeneratorFigures) => Note[]} */
function saturation({ eventLoopUtilization, workers }) {
  if (!isBusy(eventLoopUtilization)) return [];
  const remedy =
    workers > 1 ? 'use fewer hooks, or another machine' : 'use more cores (--workers), fewer hooks, or another machine';
  const text = `the load generator was saturated: its event loop was busy ${percent(eventLoopUtilization)} of the time; ${remedy}`;
  return [note('saturated', text)];
}

/**
 * A rate that was missed while every virtual user was busy is no fault of the load generator: the service was slow, or
 * there were too few of them.
 * @type {(stats: Pick<Stats, 'iterations'>, loadGenerator: LoadGeneratorFigures) => Note[]}
 */
function missedRate({ iterations }, { startDelay, eventLoopUtilization }) {
  const { plannedRate, startedRate = 0 } = iterations;
  // A service that never answers keeps all virtual users busy.
  if (plannedRate === undefined || iterations.completed === 0 || startedRate >= plannedRate * (1 - MAX_MISSED))
    return [];
  // The start delay has only iterations for which a virtual user was idle: the others did not wait for this process.
  const { count = 0, median = null } = startDelay ?? {};
  const isLate = count * 2 >= iterations.started && median !== null && median > LATE_MS;
  if (!isLate && !isBusy(eventLoopUtilization)) return [];
  const how = isLate ? `, half of them more than ${median?.toFixed(0)} ms late` : '';
  const text = `the load generator missed the rate: ${startedRate.toFixed(1)} of ${plannedRate.toFixed(1)} iterations per second started${how}`;
  return [note('missedRate', text)];
}

/** Counts errors of an exhausted load generator. @type {(errors: Pick<Stats['errors'], 'details'>) => number} */
export function countExhaustion({ details }) {
  return details.reduce((sum, { code, count }) => sum + (isExhaustion(code) ? count : 0), 0);
}

/** @type {(code: string) => boolean} */
function isExhaustion(code) {
  return exhaustedBy(code) !== null;
}

/** @type {(errors: Stats['errors']) => Note[]} */
function exhaustion({ details }) {
  const codes = new Set(details.map(({ code }) => code));
  return [...codes].flatMap((code) => {
    const found = exhaustedBy(code);
    return found ? [note('exhausted', `the load generator ran out of ${found.what} (${code}): ${found.remedy}`)] : [];
  });
}

/** The resource that a code says ran out. @type {(code: string) => { what: string, remedy?: string } | null} */
function exhaustedBy(code) {
  const systemRow = systemError(code);
  if (systemRow?.exhausted) return { what: systemRow.exhausted, remedy: systemRow.remedy };
  const own = Object.hasOwn(ERRORS, code) ? ERRORS[code] : undefined;
  return own?.exhausted ? { what: own.exhausted, remedy: own.cure } : null;
}

/**
 * Decides whether the figures can be trusted, and gives the reasons against it. Errors of the service, iterations
 * without an answer, and those that never started are the outcome of the run, not a fault of the measurement.
 * @type {(stats: Stats, input: ValidityInput) => Validity}
 */
export function judge(stats, input) {
  const { notes, sharesLoop, missing = [], figures = [], thresholds = [], accounting } = input;
  const doubt = doubtOfFigures(decidingOf(figures, thresholds), stats.loadGenerator, stats.measuredElapsed);
  const atEnd = accounting === null ? NOT_OVER : judgeEnd(stats, input, accounting);
  const reasons = [
    ...notes,
    ...(doubt === null ? [] : [note('loadGeneratorInFigures', doubt)]),
    ...missing.map((text) => note(INCOMPLETE, text)),
    ...(sharesLoop ? [SHARED_LOOP] : []),
    ...DOUBTS.flatMap(({ of }) => of(stats)),
    ...bunches(stats),
    ...atEnd.reasons,
  ];
  return {
    status: atEnd.errors.length > 0 ? 'invalid' : reasons.length > 0 ? 'suspect' : 'valid',
    reasons: [...atEnd.errors, ...reasons],
    ...(atEnd.remarks.length > 0 && { remarks: atEnd.remarks }),
    ...(figures.length > 0 && { figures }),
  };
}

/** @type {{ errors: Note[], reasons: Note[], remarks: Note[] }} */
const NOT_OVER = { errors: [], reasons: [], remarks: [] };

/**
 * Judges what is known only at the end of a run.
 * @type {(stats: Stats, input: ValidityInput, accounting:
 *   NonNullable<ValidityInput['accounting']>) => { errors: Note[], reasons: Note[], remarks: Note[] }}
 */
function judgeEnd(stats, { steadiness, iterationLimit, missing = [] }, { errors, area, busyTime }) {
  const { completed, cancelled } = stats.iterations;
  const short = tooFew(stats, iterationLimit);
  const { doubt, remark } = steadiness ?? NOT_JUDGED;
  // Little's law, mean concurrency = rate x mean time, multiplied by the length of the run; of a state that lacks its
  // end, the durations of running iterations are not known
  const isWhole = cancelled === 0 && missing.length === 0;
  const deviates = isWhole && Math.abs(area - busyTime) > Math.max(area, busyTime) * MAX_DEVIATION;
  const sums = `Little's law: ${area.toFixed(0)} ms of running iterations, but their durations add up to ${busyTime.toFixed(0)} ms`;
  return {
    errors: errors.map((text) => note(ACCOUNTING, text)),
    reasons: deviates ? [note('littlesLaw', sums)] : [],
    remarks: [
      ...(doubt === null ? [] : [note('unsteady', doubt)]),
      ...(short === null ? [] : [note('tooShort', short)]),
      ...(remark !== null && short === null && completed > 0 ? [note('steadinessUnknown', remark)] : []),
    ],
  };
}

/**
 * @typedef {object} OfferedDoubts
 * @property {string[]} codes of its reasons and remarks
 * @property {(stats: Stats) => Note[]} of reasons against the figures of a result
 */

/** @type {OfferedDoubts[]} */
const DOUBTS = offered('doubts');

const OWN_CODES = /** @type {const} */ ([
  'accounting',
  'bound',
  'bunchedStarts',
  'exhausted',
  'incomplete',
  'littlesLaw',
  'loadGeneratorInFigures',
  'missedRate',
  'saturated',
  'sharedEventLoop',
  'skew',
  'stalled',
  'steadinessUnknown',
  'stillRunning',
  'stopped',
  'tooShort',
  'unsteady',
]);
/** Codes of reasons and remarks: programs decide by them. */
export const REASON_CODES = [...OWN_CODES, ...DOUBTS.flatMap(({ codes }) => codes)].sort();
/** A reason of this code says what the result lacks. */
const INCOMPLETE = 'incomplete';
/** A reason of this code names counters that do not add up. */
const ACCOUNTING = 'accounting';
const SHARED_LOOP = note(
  'sharedEventLoop',
  'load generator and server shared an event loop and waited for each other: pass the flow as a file, without functions, or use a server in its own process',
);
/** Reasons that no figure of the result shows, so that a sum keeps them. */
const KEPT = ['sharedEventLoop', 'skew'];

/**
 * Iterations that start together queue in a service that would have had time for each of them at its planned start. If
 * a service time is much longer than the starts are off, the queue does not depend on that.
 * @type {(stats: Pick<Stats, 'loadGenerator' | 'iterations' | 'main' | 'measuredElapsed'>) => Note[]}
 */
function bunches({ loadGenerator, iterations: { plannedRate }, main, measuredElapsed }) {
  const { spacing, startGap } = loadGenerator;
  if (plannedRate === undefined || startGap === undefined || !spacing || spacing.count < LEAST_ITERATIONS) return [];
  const awayMs = /** @type {number} */ (spacing.p95);
  if (awayMs <= startGap || awayMs <= (main.serviceTime.median ?? 0) * FELT) return [];
  const text = `iterations started in bunches: one of 20 was ${awayMs.toFixed(2)} ms or more from its distance of ${startGap.toFixed(2)} ms to the one before; the service may have queued because of that: ${remedyOfBunches(loadGenerator, measuredElapsed)}`;
  return [note('bunchedStarts', text)];
}

/** @type {(loadGenerator: LoadGeneratorFigures, measuredMs: number) => string} */
function remedyOfBunches(loadGenerator, measuredMs) {
  // An iteration that is due in a stop starts at the end of the stop: too far from the one before, and too near to the
  // next. So each spoils two distances, and if one of 40 is due in stops, one of 20 distances is spoiled.
  if (lostShare(loadGenerator, measuredMs) >= 1 / 40)
    return 'end other programs, or give the load generator a core of its own: it was suspended, or waited for a CPU';
  return loadGenerator.pacing === 'timer' ? 'use --pacing thread' : 'use a lower rate, or more cores (--workers)';
}

/** @type {(stats: Stats, limit?: IterationLimit | null) => string | null} */
function tooFew(stats, limit) {
  const { iterations, measuredElapsed } = stats;
  const { completed } = iterations;
  const { started: users } = stats.virtualUsers;
  const needed = Math.max(LEAST_ITERATIONS, FEWEST_OF_USER * users);
  if (completed === 0 || (completed >= needed && measuredElapsed >= MIN_MS)) return null;
  const usersText = users > 1 ? ` of ${grouped(users)} virtual users` : '';
  return `too short to judge: ${counted(completed, 'iteration')}${usersText} in ${(measuredElapsed / 1000).toFixed(2)} s; ${longer(stats, needed, limit)}`;
}

/**
 * Names the option that makes the run long enough: more iterations if their number ended it, or more time.
 * @type {(stats: Stats, needed: number, limit?: IterationLimit | null) => string}
 */
function longer(stats, needed, limit) {
  const { started, dropped, completed } = stats.iterations;
  const ratedTime = ratedMs(stats);
  const neededMs = (needed / completed) * ratedTime * HEADROOM;
  const isTedious = isOpen(stats) && neededMs > TEDIOUS_MS;
  const faster = isTedious ? 'use a higher rate, or ' : '';
  if (limit === undefined) return `${faster}run it for longer`;
  const hasReachedLimit = limit !== null && started + dropped >= limit.own;
  if (!hasReachedLimit)
    return `${faster}run it for longer, such as -t ${Math.max(ADVISED_S, Math.ceil(neededMs / 1000))}s`;
  const toComplete = Math.max(needed * HEADROOM, (completed / ratedTime) * ADVISED_MS);
  // Some of those that start fail, and the option counts those of all shards.
  const iterations = roundUp((toComplete * started * limit.whole) / (completed * limit.own));
  return `${faster}run more iterations, such as -n ${iterations}`;
}

/** To 1, 2 or 5 times a power of ten. @type {(value: number) => number} */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return /** @type {number} */ ([1, 2, 5, 10].find((digit) => digit * power >= value)) * power;
}

/**
 * Judges the last known state of a run whose end was not seen. `known` has the iterations that had not ended, and the
 * lacks of the result.
 * @type {(validity: Validity, known: { running: number, missing: string[] }) => Validity}
 */
export function judgeCut({ status, reasons }, { running, missing }) {
  return withDoubts({ status, reasons }, [
    ...(running > 0 ? [note('stillRunning', stillRunning(running))] : []),
    ...missing.map((text) => note(INCOMPLETE, text)),
  ]);
}

/** Adds doubts, which are more reasons against the figures. @type {(validity: Validity, doubts: Note[]) => Validity} */
export function withDoubts(validity, doubts) {
  return {
    ...validity,
    status: validity.status === 'invalid' ? 'invalid' : 'suspect',
    reasons: [...validity.reasons, ...doubts],
  };
}

/** Names the parts that a result lacks, in sentences. @type {(result: Pick<Stats, 'validity'>) => string[]} */
export function missingIn({ validity }) {
  return validity.reasons.flatMap(({ code, message }) => (code === INCOMPLETE ? [message] : []));
}

/** The reasons of the parts of a sum of results, each once. @type {(results: Pick<Stats, 'validity'>[]) => Note[]} */
export function keptReasons(results) {
  const kept = results.flatMap(({ validity }) => validity.reasons.filter(({ code }) => KEPT.includes(code)));
  return [...new Map(kept.map((one) => [one.message, one])).values()];
}

/** @type {(code: typeof OWN_CODES[number], message: string) => Note} */
export function note(code, message) {
  return { code, message };
}

/** @type {(share: number) => string} */
function percent(share) {
  return `${Math.round(share * 100)} %`;
}
