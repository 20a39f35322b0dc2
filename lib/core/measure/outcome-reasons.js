import { BYTE_UNITS, counted, countedOf, decimal, percent, rangeText, rate, valueWithUnit } from '../ground/decimal.js';
import { EXIT_CODES } from '../ground/exit-codes.js';
import { MINUTE_MS, timesTenTo, writeMs, writeRate } from '../ground/units.js';
import {
  MAX_DROPPED,
  OFFERED_REASONS,
  cutOffShare,
  droppedShare,
  idleLoadsOf,
  isFailed,
  isUnanswered,
  limitsOf,
  outcomeFor,
  outcomeWith,
  reasonsOf,
  slowPartsOf,
  stateOf,
  unsentPartOf,
} from './outcome.js';
import { OPERATION_FIGURES } from './operation-figures.js';
import { ERRORS } from './threshold-figures.js';
import { COMPARATORS, splitAtComparison } from './thresholds.js';

/** @import { Judgement, OutcomeReason, SavedOutcome } from '../contracts/stats.js' */
/** @import { ReachedPrecision, Stats } from '../contracts/stats.js' */
/** @import { Reason } from '../ground/exit-codes.js' */
/** @import { Judged } from './outcome.js' */

/**
 * Why a result failed, as data and in sentences: what `outcome.reasons` has, and reports print.
 *
 * @typedef {Judged & Partial<Pick<Stats, 'endedAt' | 'measuredElapsed'>> & { run?: { endReason?: string } }} Failed
 */

/** The outcome with the figures that decided. @type {(result: Failed, reasons?: Iterable<Reason>) => SavedOutcome} */
export function outcomeOfResult(result, reasons = reasonsOf(result)) {
  const whole = { ...result, outcome: result.outcome ?? outcomeFor(reasons) };
  return outcomeWith([...new Set(reasons)].flatMap((code) => reasonsFor(code, whole)));
}

/**
 * Explains a reason, in sentences without a full stop that may begin with a small letter; several, if several
 * thresholds, limits or agents failed.
 * @type {(code: Reason, result: Failed) => OutcomeReason[]}
 */
export function reasonsFor(code, result) {
  const found = [...(EXPLAINED[code]?.(result) ?? []), ...explainedLimits(result, code)];
  return found.length > 0 ? found.map((one) => ({ code, ...one })) : [{ code, message: EXIT_CODES[code].about }];
}

/**
 * The reasons that a result explains. To add one, add a row here; the rule is in outcome.js.
 * @type {Partial<Record<Reason, (result: Failed) => Omit<OutcomeReason, 'code'>[]>>}
 */
const EXPLAINED = {
  threshold: failedThresholds,
  undecided: (result) => [
    ...(result.thresholds ?? []).flatMap(
      ({ undecided, doubt, expression, figure, of, operator, bound, actual, unit }) =>
        undecided
          ? [{ message: `${expression} is undecided: ${doubt}`, figure, of, operator, bound, actual, unit }]
          : [],
    ),
  ],
  precision: missedPrecision,
  errors: (result) => [
    { message: errorsOf(result), ...limitOf(ERRORS, { operator: '==', bound: 0, actual: result.errors.count }) },
  ],
  dropped: (result) => [droppedOf(unsentPartOf(result) ?? result)],
  backlog: slowParts,
  cutOff: (result) => [{ message: cutOffOf(result), ...shareOf('iterations.cutOff', cutOffShare(result)) }],
  unanswered: unansweredParts,
  interrupted: (result) => (isPartial(result) ? [{ message: partialOf(result) }] : []),
  validity: ({ validity: { status } }) =>
    status === 'valid' ? [] : [{ message: `the figures are ${status}, and --require-valid is set` }],
  ...Object.fromEntries(OFFERED_REASONS.map(({ reason, explain }) => [reason, explain ?? (() => [])])),
};

/**
 * Lists the limits that failed for this reason, or that are undecided.
 * @type {(result: Failed, code: Reason) => Omit<OutcomeReason, 'code'>[]}
 */
function explainedLimits(result, code) {
  const own = limitsOf(result).filter((one) => (one.undecided ? 'undecided' : one.reason) === code);
  const missed = own.filter((one) => stateOf(one) !== 'passed');
  return missed.map(({ message = '', figure, bound, actual, unit }) => ({
    ...{ message, figure, of: {}, operator: '<=', bound, actual, unit },
  }));
}

/**
 * @type {(figure: string, limit: { operator: string, bound: number, actual: number }) => Omit<OutcomeReason, 'code' |
 *   'message'>}
 */
function limitOf(figure, limit) {
  return { figure, of: {}, ...limit, unit: '' };
}

/** @type {(figure: string, actual: number) => Omit<OutcomeReason, 'code' | 'message'>} */
function shareOf(figure, actual) {
  return { figure, of: {}, operator: '<=', bound: MAX_DROPPED, actual, unit: 'ratio' };
}

/** Reports whether a result was written while its run went on. @type {(result: Failed) => boolean} */
function isPartial({ run, endedAt }) {
  return endedAt === undefined && run?.endReason === 'running';
}

/** @type {(result: Failed) => string} */
function partialOf({ measuredElapsed = 0 }) {
  const after = (measuredElapsed / 1000).toFixed(1);
  return `a part of a run: it had not ended when this was written, ${after} s after its first iteration`;
}

/** @type {(result: Failed) => Omit<OutcomeReason, 'code'>[]} */
function failedThresholds(result) {
  const why = result.iterations.completed === 0 ? `, because ${unmeasured(result)}` : '';
  return (result.thresholds ?? []).filter(isFailed).map((threshold) => {
    const { expression, figure, of, operator, bound, actual, unit } = threshold;
    const { left } = splitAtComparison(expression);
    const [was, is] = left.endsWith('s') ? ['were', 'are'] : ['was', 'is'];
    const when = whenOf(threshold).map((text) => ` ${text}`);
    const value = actual === null ? `${was} not measured${why}` : `${is} ${measuredBeside(threshold)}${when.join()}`;
    return {
      message: `${left} ${value}; the threshold is ${expression}`,
      figure,
      of,
      operator,
      bound,
      actual,
      unit,
    };
  });
}

/** @type {(result: Failed) => Omit<OutcomeReason, 'code'>[]} */
function missedPrecision({ precision = [], measuredElapsed = 0 }) {
  return precision
    .filter(({ passed }) => !passed)
    .map((goal) => {
      const { expression, figure, bound, actual, unit } = goal;
      const missed = `the precision ${expression} was not reached`;
      // Four times the time halves an interval.
      const why =
        actual === null
          ? (goal.reason?.message ?? 'the figure has no interval')
          : `the interval is ${precisionText(goal)}, and it would take about ${neededText(measuredElapsed * (actual / bound) ** 2)} in all`;
      return { message: `${missed}: ${why}`, figure, of: {}, operator: '<=', bound, actual, unit };
    });
}

/** Half of an interval, as a share of its figure: `± 2.9 %`. @type {(goal: ReachedPrecision) => string} */
export function precisionText({ actual, bound, passed }) {
  return `± ${measuredBeside({ operator: '<=', actual, bound, passed, unit: 'ratio' })}`;
}

const HOUR_MS = 60 * MINUTE_MS;

/** @type {(ms: number) => string} in whole minutes, or hours */
function neededText(ms) {
  const unit = ms > 2 * HOUR_MS ? HOUR_MS : MINUTE_MS;
  return writeMs(Math.max(1, Math.ceil(ms / unit)) * unit);
}

/** How many iterations failed. @type {(result: Failed) => string} */
export function errorsOf(result) {
  const { errors, iterations } = result;
  const { started, overdue = 0, teardownFailed } = iterations;
  const failed = iterations.failed + overdue;
  if (failed === 0 && teardownFailed > 0)
    return `the teardown of ${countedOf(teardownFailed, started, 'iteration')} failed (${percent(teardownFailed / started)})`;
  if (failed === 0) return `${counted(errors.count, 'error')}, in no measured iteration`;
  return `${countedOf(failed, started, 'iteration')} failed (${percent(failed / started)})`;
}

/** @type {(part: Pick<Stats, 'iterations'> & { name?: string }) => Omit<OutcomeReason, 'code'>} */
function droppedOf({ name, iterations }) {
  const { started, dropped } = iterations;
  const share = droppedShare({ iterations });
  const message = `${countedOf(dropped, started + dropped, 'planned iteration')} never started (${percent(share)})`;
  if (name === undefined) return { message, ...shareOf('iterations.dropped', share) };
  return { message: `${name}: ${message}`, ...shareOf('iterations.dropped', share), of: { load: name } };
}

/** @type {(result: Failed) => Omit<OutcomeReason, 'code'>[]} */
function slowParts(result) {
  // A busy event loop ends iterations as late as a slow service does.
  const who = result.loadGenerator.saturated ? 'the load generator' : 'the service';
  return slowPartsOf(result).map(
    ({ name, plannedRate, waiting, backlog: { rate: ended, growth, from, waiting: mean } }) => {
      const text =
        from === null
          ? `${who} did not keep up: ${rate(ended)} of ${writeRate(plannedRate)}; ${counted(waiting, 'iteration')} waited at the end, ${rate(growth)} more each second`
          : `${who} did not keep up from about ${rate(from)}/s on: it ended ${rate(ended)} iterations per second, and ${counted(mean, 'iteration')} waited`;
      const limit = limitOf('iterations.backlog', { operator: '<=', bound: 0, actual: waiting });
      return name === undefined
        ? { message: text, ...limit }
        : { message: `${name}: ${text}`, ...limit, of: { load: name } };
    },
  );
}

/** @type {(result: Failed) => string} */
function cutOffOf({ iterations: { started, overdue = 0, cutOff = 0 } }) {
  const all = cutOff + overdue;
  return `${countedOf(all, started, 'iteration')} got no answer until the end of the run (${percent(all / started)})`;
}

/**
 * Explains that no iteration of the run completed, or no request was answered; otherwise, names the loads without a
 * completed iteration.
 * @type {(result: Failed) => Omit<OutcomeReason, 'code'>[]}
 */
function unansweredParts(result) {
  const { iterations } = result;
  const none = { operator: '>', bound: 0, actual: 0 };
  const isAnswered = !isUnanswered(result);
  if (iterations.completed > 0 && isAnswered)
    return idleLoadsOf(result).map(({ name, iterations: { started } }) => ({
      message: `${name}: ${noIteration(started)}`,
      ...limitOf('iterations.completed', none),
      of: { load: name },
    }));
  const figure = iterations.completed === 0 ? 'iterations.completed' : 'requests.answered';
  const message = iterations.started === 0 || isAnswered ? noIteration(iterations.started) : noAnswer(result);
  return [{ message, ...limitOf(figure, none) }];
}

/** @type {(started: number) => string} */
function noIteration(started) {
  return `no iteration ${started === 0 ? 'started' : 'completed'}`;
}

/** Requests that found no connection were not sent, but tried. @type {(result: Failed) => string} */
function noAnswer({ requests, operations }) {
  if (operations.every(({ protocol }) => protocol === 'measure')) return 'no call returned';
  const hasBegun = (/** @type {any} */ operation) =>
    OPERATION_FIGURES.some(({ key, counts: [{ key: count }] }) => operation[key]?.[count] > 0);
  const hasHead = requests.sent > 0 && requests.ttfb?.count > 0;
  if (hasHead || operations.some(hasBegun)) return 'no request was answered completely';
  const wasTried = requests.sent > 0 || operations.some((operation) => operation.count > 0);
  return `no request was ${wasTried ? 'answered' : 'sent'}`;
}

/** Explains why a threshold has no value. @type {(result: Pick<Stats, 'iterations'>) => string} */
export function unmeasured({ iterations }) {
  return iterations.completed === 0 ? 'no iteration completed' : 'nothing was measured';
}

/** Names the window of a value, if it has one: `from 12s to 22s`. @type {(threshold: Judgement) => string[]} */
export function whenOf({ window, running, cutOff, unit }) {
  const waiting = running ?? cutOff ?? 0;
  const when = window ? [`from ${tenths(window.from)} to ${tenths(window.to)}`] : [];
  // Waiting iterations are among the values of a window on times.
  if (window && waiting > 0 && window.count === (unit === 'ms' ? waiting : 0))
    return [`${when}, when nothing completed`];
  return [
    ...when,
    ...(running === undefined ? [] : [`with ${counted(running, 'running iteration')}`]),
    ...(cutOff === undefined ? [] : [`with ${counted(cutOff, 'iteration')} that the end of the run cut off`]),
  ];
}

/** @type {(ms: number) => string} */
function tenths(ms) {
  return writeMs(Math.round(ms / 100) * 100);
}

/**
 * Writes the value of a threshold with as many digits as it needs to be on the same side of the bound: 1,321.13 ms and
 * not 1,321 ms beside a failed `p95<1321.08ms`; the range of a figure that is one; `-` if it was not measured.
 * @type {(threshold: Pick<Judgement, 'operator' | 'bound' | 'passed' | 'actual' | 'unit' | 'range'>) => string}
 */
export function measuredBeside(threshold) {
  const { actual, range } = threshold;
  if (actual === null) return '-';
  if (!range) return writtenBeside(actual, threshold);
  const high = writtenBeside(range.high, threshold);
  const [, suffix = ''] = high.split(' ');
  return `${rangeText(range, (value) => writtenBeside(value, threshold).split(' ')[0])} ${suffix}`.trim();
}

/** @type {(value: number, threshold: Pick<Judgement, 'operator' | 'bound' | 'passed' | 'unit'>) => string} */
function writtenBeside(actual, { unit, passed, operator, bound }) {
  const text = valueWithUnit(actual, unit);
  // A result that a program passes may have any operator.
  if (!Object.hasOwn(COMPARATORS, operator)) return text;
  const [shown, suffix = ''] = text.split(' ');
  const exponent = unit === 'ratio' ? -2 : unit === 'B' ? 3 * BYTE_UNITS.indexOf(suffix) : 0;
  const shows = (/** @type {string} */ written) => {
    const value = timesTenTo(written.replaceAll(',', ''), exponent);
    // The bound itself does not show why the value failed.
    if (!passed && value === bound && actual !== bound) return false;
    return COMPARATORS[operator](value, bound) === passed;
  };
  if (shows(shown)) return text;
  const inUnit = actual * 10 ** -exponent;
  let digits = (shown.split('.')[1] ?? '').length + 1;
  while (digits < MOST_DIGITS && !shows(decimal(inUnit, digits))) digits++;
  const exact = decimal(inUnit, digits);
  return `${shows(exact) ? exact : inUnit} ${suffix}`.trim();
}

/** Digits of a number below 1,000 that has no others. */
const MOST_DIGITS = 14;
