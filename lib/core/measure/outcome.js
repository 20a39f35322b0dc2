import { offered } from '../ground/addons.js';
import { isOfIterations } from '../ground/phases.js';
import { EXIT_CODES, exitCode, inOrder } from '../ground/exit-codes.js';
import { backlogOf } from './keeping-up.js';
import { CHECKS, ERRORS } from './threshold-figures.js';
import { thresholdsOf } from './thresholds.js';

/** @import { Limit, OutcomeReason, SavedOutcome, Stats } from '../contracts/stats.js' */
/** @import { LoadSummary } from '../contracts/summaries.js' */
/** @import { Reason } from '../ground/exit-codes.js' */
/** @import { Backlog } from './keeping-up.js' */
/** @import { Failed } from './outcome-reasons.js' */

/**
 * Decides the outcome of a run. Exit code, reports, JUnit, page, annotations and `merge` ask this module, so that they
 * agree.
 */

/**
 * @typedef {Pick<Stats, 'iterations' | 'requests' | 'operations' | 'errors' | 'checks' | 'series' | 'validity' |
 *   'loadGenerator' | 'outcome' | 'thresholds' | 'precision' | 'section' | 'agents' | 'loadGenerators' |
 *   'loads' | 'log'> & { run?: object & { shards?: { merged: number, of: number } } }} Judged a result: that of a merge
 *   has the shards of its run
 *
 * @typedef {object} Demands what else the user wants to fail a run
 * @property {boolean} requireValid the figures can be trusted
 *
 * @typedef {object} OfferedLimits what an add-on judges beside the thresholds
 * @property {Reason} reason of a result that is beyond one
 * @property {string} option that sets them
 * @property {(result: Partial<Stats>) => Limit[]} of
 */

/**
 * @typedef {object} OfferedReason why an add-on fails a run
 * @property {Reason} reason
 * @property {(result: Judged) => boolean} isOf
 * @property {(result: Failed) => Omit<OutcomeReason, 'code'>[]} [explain] in sentences,
 *   as the core does; default: what its exit code means
 */

/** @type {OfferedLimits[]} */
const LIMITS = offered('limits');
/** @type {OfferedReason[]} */
export const OFFERED_REASONS = offered('reasons');

/** The share of the planned iterations that may be dropped, and that of the started ones that may be cut off. */
export const MAX_DROPPED = 0.01;

/**
 * The rules by which a result fails, by the reason for its exit code. To add a rule, add a row here and its sentence in
 * outcome-reasons.js.
 * @type {Partial<Record<Reason, (result: Judged, demands: Partial<Demands>) => boolean>>}
 */
const RULES = {
  // A failed accounting check is a bug of bench-rest.
  internal: ({ validity }) => validity.status === 'invalid',
  // A threshold may allow errors, but the server was not measured.
  server: ({ errors }) => errors.kinds.server > 0,
  threshold: ({ thresholds = [] }) => thresholds.some(isFailed),
  errors: (result) => !areErrorsAllowed(result),
  validity: ({ validity }, { requireValid }) => requireValid === true && validity.status !== 'valid',
  dropped: (result) => unsentPartOf(result) !== null,
  backlog: (result) => slowPartsOf(result).length > 0,
  cutOff: (result) => cutOffShare(result) > MAX_DROPPED && !allows(result, 'iterations.cancelled'),
  unanswered: (result) =>
    isIdle(result, result) ||
    (isUnanswered(result) && !wasStoppedBefore(result, result)) ||
    idleLoadsOf(result).length > 0,
  undecided: (result) => [...(result.thresholds ?? []), ...limitsOf(result)].some(({ undecided }) => undecided),
  precision: ({ precision = [] }) => precision.some(({ passed }) => !passed),
  section: ({ section }) => section?.failed === true,
  ...Object.fromEntries(OFFERED_REASONS.map(({ reason, isOf }) => [reason, isOf])),
};

/**
 * Errors fail a run, unless an `errors` threshold is set: then the threshold decides. If all of them are failed checks,
 * a threshold on `checks` decides, too. One over windows decides only if no error lies outside of all windows, as one
 * of `after` does.
 * @type {(result: Pick<Judged, 'errors' | 'thresholds' | 'checks'> & Partial<Pick<Judged, 'series'>>) => boolean}
 */
export function areErrorsAllowed({ errors, checks, series, thresholds }) {
  if (errors.count === 0) return true;
  const inPoints = (series?.points ?? []).reduce((sum, point) => sum + point.errors, 0);
  // Overdue errors belong to the last window, but are in no point.
  const areAllInWindows = errors.count <= inPoints + (errors.overdue ?? 0);
  const judged = thresholdsOf({ thresholds });
  const has = (/** @type {string} */ name) =>
    judged.some(
      ({ figure, operation, check, overMs }) =>
        figure === name && operation === null && check === null && (overMs === null || areAllInWindows),
    );
  return has(ERRORS) || (checks !== undefined && errors.count === errors.kinds.expect && has(CHECKS));
}

/**
 * Lists why a run failed, each reason once, the deciding one first; none if it passed. `ending`: why the run ended,
 * unless the result has it.
 * @type {(result: Judged, demands?: Partial<Demands>, ending?: Iterable<Reason>) => Reason[]}
 */
export function reasonsOf(result, demands = {}, ending = []) {
  const whole = { ...result, outcome: outcomeFor([...codesOf(result), ...ending]) };
  const found = /** @type {Reason[]} */ (Object.keys(RULES)).filter((reason) => RULES[reason]?.(whole, demands));
  const exceeded = limitsOf(result).flatMap((limit) => (isFailed(limit) ? [limit.reason] : []));
  const earlier = codesOf(result).filter((reason) => EXIT_CODES[reason]?.isOfRun || EXIT_CODES[reason]?.isOfParts);
  return inOrder([...found, ...exceeded, ...earlier, ...ending]);
}

/**
 * Lists the limits of a result other than its thresholds, each with a name.
 * @type {(result: Partial<Stats>) => (Limit & { name: string, reason: Reason })[]}
 */
export function limitsOf(result) {
  return LIMITS.flatMap(({ reason, option, of }) =>
    of(result).map((limit) => ({ ...limit, reason, name: `${option} ${limit.expression}` })),
  );
}

/**
 * The reasons of parts that the figures of their sum do not tell: one of them was stopped by a signal, or lost.
 * @type {(parts: { outcome?: SavedOutcome, run?: { endReason: string } }[]) => Reason[]}
 */
export function reasonsOfParts(parts) {
  const found = parts.flatMap((part) =>
    codesOf(part).filter(
      (code) => EXIT_CODES[code]?.isOfParts || (code === 'errors' && part.run?.endReason === 'lost'),
    ),
  );
  return inOrder(found);
}

/** @type {(result: { outcome?: SavedOutcome }) => Reason[]} */
function codesOf({ outcome }) {
  return /** @type {Reason[]} */ ((outcome?.reasons ?? []).map(({ code }) => code));
}

/** Returns the outcome as a result has it. @type {(reasons: Iterable<Reason>) => SavedOutcome} */
export function outcomeFor(reasons) {
  return outcomeWith(inOrder(reasons).map((code) => ({ code, message: EXIT_CODES[code].about })));
}

/** Returns an outcome whose deciding reasons come first. @type {(reasons: OutcomeReason[]) => SavedOutcome} */
export function outcomeWith(reasons) {
  const codes = inOrder(/** @type {Reason[]} */ (reasons.map(({ code }) => code)));
  return {
    passed: reasons.length === 0,
    exitCode: exitCode(codes),
    reasons: codes.flatMap((code) => reasons.filter((reason) => reason.code === code)),
  };
}

/** @typedef {'passed' | 'undecided' | 'failed'} Verdict */

/**
 * The outcome of a threshold, a limit or a goal.
 * @type {(goal: { passed: boolean, undecided?: boolean }) => Verdict}
 */
export function stateOf({ passed, undecided }) {
  if (undecided) return 'undecided';
  return passed ? 'passed' : 'failed';
}

/** @type {(goal: { passed: boolean, undecided?: boolean }) => boolean} */
export function isFailed(goal) {
  return stateOf(goal) === 'failed';
}

/** Returns undecided if nothing failed and a threshold or limit is undecided. @type {(result: Judged) => Verdict} */
export function statusOf(result) {
  return statusOfOutcome({ reasons: reasonsOf(result).map((code) => ({ code })) });
}

/** The same for a comparison, or a search. @type {(outcome?: { reasons: { code: string }[] }) => Verdict} */
export function statusOfOutcome({ reasons } = { reasons: [] }) {
  if (reasons.length === 0) return 'passed';
  return reasons.every(({ code }) => code === 'undecided') ? 'undecided' : 'failed';
}

/**
 * Reports whether a part of the load that the user asked for was never sent, because shards are missing, or agents were
 * lost: `--partial` or `--agents-max-lost` allows it.
 * @type {(result: Pick<Judged, 'iterations' | 'agents' | 'loadGenerators' | 'run'>) => boolean}
 */
export function lacksLoad(result) {
  const { merged, of } = mergedIn(result);
  return missingShare(result) > MAX_DROPPED || merged < of;
}

/**
 * Counts the parts of a run on several machines that are in its result, of all.
 * @type {(result: Pick<Judged, 'agents' | 'loadGenerators' | 'run'>) => { merged: number, of: number }}
 */
export function mergedIn({ agents, loadGenerators = [], run }) {
  if (run?.shards) return run.shards;
  const each = agents ? loadGenerators : [];
  const missing = each.filter(({ lost }) => lost !== undefined);
  return { merged: each.length - missing.length, of: each.length };
}

/** The share of planned iterations that shards lost, 0 to 1. @type {(result: Pick<Stats, 'iterations'>) => number} */
function missingShare({ iterations: { started, dropped, missing = 0 } }) {
  return missing > 0 ? missing / (started + dropped + missing) : 0;
}

/**
 * Returns the share of the started iterations that the end of the run cut off at an age that is not ordinary.
 * @type {(result: Pick<Stats, 'iterations'>) => number}
 */
export function cutOffShare({ iterations: { started, cutOff = 0 } }) {
  return cutOff > 0 ? cutOff / started : 0;
}

/**
 * Returns the share of the planned iterations that were due and never started, 0 to 1.
 * @type {(result: { iterations: Pick<Stats['iterations'], 'started' | 'dropped'> }) => number}
 */
export function droppedShare({ iterations: { started, dropped } }) {
  return dropped > 0 ? dropped / (started + dropped) : 0;
}

/**
 * Finds the part of a result whose planned iterations were dropped: the whole run, or one of several loads, of which a
 * large one may hide a small one. Null if there is none, or if thresholds decide about it.
 * @type {(result: Judged) => Pick<LoadSummary, 'iterations'> & { name?: string } | null}
 */
export function unsentPartOf(result) {
  if (areDropsAllowed(result)) return null;
  const loads = (result.loads ?? []).filter(({ name }) => !areDropsAllowed(result, name));
  const parts = [...loads, ...(result.loads ? [] : [result])].filter((one) => droppedShare(one) > MAX_DROPPED);
  return parts.sort((a, b) => droppedShare(b) - droppedShare(a))[0] ?? null;
}

/**
 * Lists the parts of a result whose service did not keep up with the planned rate, the one with the most waiting
 * iterations first: the whole run, or some of several loads, but none about which thresholds decide.
 * @type {(result: Pick<Judged, 'loads' | 'thresholds'>) => { name?: string, plannedRate: number, waiting: number,
 *   backlog: Backlog }[]} waiting: iterations that ran when the last one was due
 */
export function slowPartsOf(result) {
  const figure = 'iterations.backlog';
  if (allows(result, figure)) return [];
  const parts = result.loads?.filter(({ name }) => !allows(result, figure, name)) ?? [/** @type {Judged} */ (result)];
  const slow = parts.flatMap((/** @type {Judged | LoadSummary} */ part) => {
    const backlog = backlogOf(/** @type {LoadSummary} */ (part));
    if (backlog === null) return [];
    const { plannedRate = 0, backlog: waiting = backlog.waiting } = part.iterations;
    return [{ ...('name' in part && { name: part.name }), plannedRate, waiting, backlog }];
  });
  return slow.sort((one, other) => other.waiting - one.waiting);
}

/**
 * Reports whether no request of an iteration was answered. A flow of functions may have none.
 * @type {(result: Pick<Stats, 'requests' | 'operations'>) => boolean}
 */
export function isUnanswered({ requests, operations }) {
  return requests.answered === 0 && operations.some(isOfIterations);
}

/**
 * Lists loads of which no iteration completed, also those that were to start later than the run ended, unless a signal
 * ended it.
 * @type {(result: Pick<Judged, 'loads' | 'outcome'>) => LoadSummary[]}
 */
export function idleLoadsOf({ loads = [], outcome }) {
  return loads.filter((load) => isIdle(load, { outcome }));
}

/**
 * Reports whether no iteration completed, and that was not because a signal came before one was due.
 * @type {(part: Pick<Stats, 'iterations'>, result: Pick<Judged, 'outcome'>) => boolean} part: the run, or a load
 */
function isIdle(part, result) {
  return part.iterations.completed === 0 && !wasStoppedBefore(part, result);
}

/**
 * Reports whether a signal stopped the run before the first iteration was due.
 * @type {(part: Pick<Stats, 'iterations'>, result: Pick<Judged, 'outcome'>) => boolean} part: the run, or a load
 */
function wasStoppedBefore({ iterations: { started, dropped } }, result) {
  return started + dropped === 0 && codesOf(result).includes('interrupted');
}

/**
 * Reports whether thresholds decide about dropped iterations: of the run, or of the load with a name.
 * @type {(result: Pick<Judged, 'thresholds'>, load?: string) => boolean}
 */
export function areDropsAllowed(result, load) {
  const figure = 'iterations.dropped';
  return allows(result, figure) || (load !== undefined && allows(result, figure, load));
}

/**
 * Reports whether a threshold on the figure decides instead, for the whole run or the part with a name.
 * @type {(result: Pick<Judged, 'thresholds'>, figure: string, part?: string | null) => boolean}
 */
function allows(result, figure, part = null) {
  return thresholdsOf(result).some((one) => one.figure === figure && one.operation === part);
}
