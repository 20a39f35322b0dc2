import { decimal } from '../ground/decimal.js';
import { EXIT_CODES } from '../ground/exit-codes.js';
import { writeMs } from '../ground/units.js';
import { supportOf } from '../measure/judge-thresholds.js';
import { droppedShare, lacksLoad, missingParts, reasonsOf, statusOf } from '../measure/outcome.js';
import { valuesNeeded } from '../measure/percentiles.js';
import { shortfallsOf } from '../measure/shortfall.js';
import { COMPARATORS, splitAtComparison } from '../measure/thresholds.js';
import { STATUSES } from '../measure/validity.js';
import { count, counted, measured, percent } from './numbers.js';
import { isScarce, unsupportedPercentiles, weakPercentiles } from './supported.js';

/** @import { Judgement, LoadGeneratorEntry } from '../contracts/stats.js' */
/** @import { Reason } from '../ground/exit-codes.js' */
/** @import { Result } from './types.js' */

/**
 * @typedef {object} OutcomeText
 * @property {'passed' | 'suspect' | 'failed'} status
 * @property {string} headline what decided, in one sentence
 * @property {string} details the other facts, in sentences; may be empty
 */

/**
 * Tells how far the figures can be trusted, in a word.
 * @type {(result: Pick<Result, 'validity'>) => typeof STATUSES[number]}
 */
export function validityOf({ validity }) {
  // A word that this version does not know is no reason to trust the figures.
  return STATUSES.includes(validity.status) ? validity.status : 'invalid';
}

/**
 * Lists notes about the figures as sentences: the reasons and remarks of the validity, and which percentiles too few
 * values cannot support. Valid figures may have some.
 * @type {(result: Pick<Result, 'validity' | 'main' | 'percentiles'>) => string[]}
 */
export function validityNotes({ validity, main, percentiles }) {
  const weak = weakPercentiles({ main, percentiles });
  const marks =
    weak.length > 0
      ? [`~ marks ${listed(weak)}: fewer than five of ${count(main.completed.count)} values are above`]
      : [];
  const missing = unsupportedPercentiles({ main });
  const last = missing.at(-1);
  const judged = [...validity.reasons, ...(validity.remarks ?? [])].map(({ message }) => message);
  if (last === undefined) return [...judged, ...marks];
  const needed = count(valuesNeeded(Number(last.slice(1)) / 100));
  return [
    ...judged,
    ...marks,
    `too few values for ${listed(missing)}: ${last} needs ${needed} iterations, this run has ${count(main.completed.count)}`,
  ];
}

/**
 * The measured value of a threshold, with a note if it is a percentile of too few values, and a mark if they just
 * suffice.
 * @type {(threshold: Judgement, result: Result) => string}
 */
export function thresholdText(threshold, result) {
  if (threshold.actual === null) return unmeasured(result);
  const support = supportOf(threshold, result);
  const few = support !== null && support.count < support.needed ? support : null;
  const notes = [
    ...placeOf(threshold),
    ...(few ? [`of ${count(few.count)} values; ${few.label} needs ${count(few.needed)}`] : []),
    ...(threshold.doubt ? [threshold.doubt] : []),
    ...answersNote(threshold, result),
  ];
  const mark = support !== null && isScarce(support) ? '~' : '';
  const text = `${mark}${measuredBeside(threshold)}`;
  return notes.length > 0 ? `${text} (${notes.join('; ')})` : text;
}

/**
 * Tells where a value was measured that is not of the whole run: `from 12s to 22s`.
 * @type {(threshold: Judgement) => string[]}
 */
export function placeOf({ window, running, cutOff, unit }) {
  const waiting = running ?? cutOff ?? 0;
  const place = window ? [`from ${tenths(window.from)} to ${tenths(window.to)}`] : [];
  // Waiting iterations are among the values of a window on times.
  if (window && waiting > 0 && window.count === (unit === 'ms' ? waiting : 0))
    return [`${place}, when nothing completed`];
  return [
    ...place,
    ...(running === undefined ? [] : [`with ${count(running)} running iterations`]),
    ...(cutOff === undefined ? [] : [`with ${counted(cutOff, 'iteration')} that the end of the run cut off`]),
  ];
}

/**
 * A rate of all answers may hold although few of them are good.
 * @type {(threshold: Judgement, result: Result) => string[]}
 */
function answersNote({ figure }, { requests, iterations }) {
  if (figure !== 'requests.rate') return [];
  const errors = Object.entries(requests.statusCodes).reduce((sum, [code, n]) => sum + (code >= '400' ? n : 0), 0);
  if (errors <= requests.answered * FEW_ERRORS) return [];
  return [`of all answers; iterations.completedRate is ${count(Math.round(iterations.completedRate))}`];
}

/** The share of answers that a note is needed from. */
const FEW_ERRORS = 0.01;

/** @type {(ms: number) => string} */
function tenths(ms) {
  return writeMs(Math.round(ms / 100) * 100);
}

/**
 * Writes the value with as many digits as it needs to be on the same side of the bound: 1,321.13 ms and not 1,321 ms
 * beside a failed `p95<1321.08ms`; `-` if it was not measured.
 * @type {(threshold: Pick<Judgement, 'operator' | 'bound' | 'passed' | 'actual' | 'unit'>) => string}
 */
export function measuredBeside(threshold) {
  const { actual, unit, passed, operator, bound } = threshold;
  const text = measured(threshold);
  // A result that was not read from a file may have any operator.
  if (actual === null || !Object.hasOwn(COMPARATORS, operator)) return text;
  const scale = unit === 'ratio' ? 100 : 1;
  const shows = (/** @type {string} */ shown) => {
    const value = Number(shown.replaceAll(',', '')) / scale;
    // The bound itself does not show why the value failed.
    if (!passed && value === bound && actual !== bound) return false;
    return COMPARATORS[operator](value, bound) === passed;
  };
  const [shown] = text.split(' ');
  if (shows(shown)) return text;
  let digits = (shown.split('.')[1] ?? '').length + 1;
  while (digits < MOST_DIGITS && !shows(decimal(actual * scale, digits))) digits++;
  const exact = decimal(actual * scale, digits);
  return `${shows(exact) ? exact : actual * scale} ${unit === 'ratio' ? '%' : unit}`.trim();
}

/** Digits of a number below 1,000 that has no others. */
const MOST_DIGITS = 14;

/** @type {(names: string[]) => string} */
function listed(names) {
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join();
}

/** The outcome of a run, which agrees with the exit code. @type {(result: Result) => OutcomeText} */
export function outcomeOf(result) {
  const reasons = reasonsOf(result);
  const negative = reasons.flatMap((reason) => sentencesOf(reason, result));
  const doubts = statusOf(result) === 'suspect' ? doubtsOf(result) : [];
  const facts = [
    ...new Set([...negative, ...doubts, ...positiveFacts(result, reasons), ...shortfallFacts(result, reasons)]),
  ];
  const [headline, ...others] = facts.map((fact) => `${fact}.`);
  const details = others.map((fact) => (FIGURE.test(fact) ? sentence(fact) : fact)).join(' ');
  return { status: statusOf(result), headline, details };
}

/** Explains in sentences why a result in which nothing failed has not passed. @type {(result: Result) => string[]} */
export function doubtsOf(result) {
  return [
    ...(result.loadGenerator.saturated
      ? ['The load generator was the limit, so the figures are not those of the service']
      : []),
    ...(lacksLoad(result) ? [missingOf(result)] : []),
  ];
}

/** @type {(result: Result) => string} */
function missingOf(result) {
  const { started, dropped, missing = 0 } = result.iterations;
  const { merged, of } = missingParts(result);
  const planned = started + dropped + missing;
  if (missing > 0)
    return `${count(missing)} of ${count(planned)} planned iterations are missing (${percent(missing / planned)})`;
  return `The load of ${count(of - merged)} of ${count(of)} ${result.agents ? 'agents' : 'shards'} is missing`;
}

/** Agents in a sentence. */
const MOST_NAMES = 5;

/** A sentence that begins with a figure that is a word; p95 and names of operations and metrics stay as they are. */
const FIGURE = /^(errors|checks|mean|median|min|max|stddev|late|dropped|cancelled) (is|are|was|were) /;

/** @type {(reason: Reason, result: Result) => string[]} */
function sentencesOf(reason, result) {
  if (reason === 'threshold') return failedThresholds(result);
  const regressions = (result.baseline?.limits ?? []).flatMap(({ problem }) => problem ?? []);
  if (reason === 'regression' && regressions.length > 0) return regressions;
  if (reason === 'errors') return [errorsOf(result)];
  if (reason === 'dropped') return [droppedOf(result)];
  if (reason === 'cutOff') return [cutOffOf(result)];
  if (reason === 'agents') return agentsOf(result);
  return [reason === 'unanswered' ? unansweredOf(result) : sentence(EXIT_CODES[reason].about)];
}

/** @type {(result: Result) => string[]} */
function failedThresholds(result) {
  const why = result.iterations.completed === 0 ? `, because ${unmeasured(result)}` : '';
  return (result.thresholds ?? [])
    .filter(({ passed }) => !passed)
    .map((threshold) => {
      const { left } = splitAtComparison(threshold.expression);
      const [was, is] = left.endsWith('s') ? ['were', 'are'] : ['was', 'is'];
      const place = placeOf(threshold).map((text) => ` ${text}`);
      const value =
        threshold.actual === null ? `${was} not measured${why}` : `${is} ${measuredBeside(threshold)}${place.join()}`;
      return `${left} ${value}; the threshold is ${threshold.expression}`;
    });
}

/** @type {(result: Result) => string} */
function errorsOf(result) {
  const { errors, iterations, requests } = result;
  if (requests.answered === 0 && result.operations.length > 0) return noAnswer(result);
  const { started, overdue = 0, teardownFailed } = iterations;
  const failed = iterations.failed + overdue;
  if (failed === 0 && teardownFailed > 0)
    return `The teardown of ${count(teardownFailed)} of ${count(started)} iterations failed (${percent(teardownFailed / started)})`;
  if (failed === 0) return `${counted(errors.count, 'error')}, in no measured iteration`;
  return `${count(failed)} of ${count(started)} iterations failed (${percent(failed / started)})`;
}

/** @type {(result: Result) => string} */
function droppedOf(result) {
  const { started, dropped } = result.iterations;
  return `${count(dropped)} of ${count(started + dropped)} planned iterations never started (${percent(droppedShare(result))})`;
}

/** @type {(result: Result) => string} */
function cutOffOf({ iterations: { started, overdue = 0, cutOff = 0 } }) {
  const all = cutOff + overdue;
  return `${count(all)} of ${count(started)} iterations were not answered until the end of the run (${percent(all / started)})`;
}

/** Reasons why agents stopped that were not led any more, by the reason of the end of the run. */
const UNLED = new Map([
  ['queue', 'Agents could not reach the queue, and stopped'],
  ['coordinator', 'The command that leads the agents did not respond, and they stopped'],
]);

/** Agents that were lost or stopped, by name. @type {(result: Result) => string[]} */
function agentsOf({ loadGenerators: each = [], run }) {
  /** @type {(ended: string, some: LoadGeneratorEntry[]) => string[]} */
  const sentenceOf = (ended, some) => {
    if (some.length === 0) return [];
    const names = some
      .slice(0, MOST_NAMES)
      .map(({ name, toolVersion }) => (toolVersion === undefined ? `of ${name}` : name));
    const others = some.length > MOST_NAMES ? [`${count(some.length - MOST_NAMES)} others`] : [];
    return [
      `${some.length === 1 ? 'Agent' : 'Agents'} ${listed([...names, ...others])} ${some.length === 1 ? 'was' : 'were'} ${ended}`,
    ];
  };
  const sentences = [
    ...sentenceOf(
      'lost',
      each.filter(({ lost }) => lost !== undefined),
    ),
    ...sentenceOf(
      'stopped',
      each.filter(({ stoppedBy }) => stoppedBy !== undefined),
    ),
  ];
  if (sentences.length > 0) return sentences;
  return [UNLED.get(run?.endReason ?? '') ?? sentence(EXIT_CODES.agents.about)];
}

/** @type {(result: Result) => string} */
function unansweredOf(result) {
  const { requests, iterations, operations } = result;
  if (iterations.started === 0) return 'No iteration started';
  if (requests.answered > 0 || operations.length === 0) return 'No iteration completed';
  return noAnswer(result);
}

/** Requests that found no connection were not sent, but tried. @type {(result: Result) => string} */
function noAnswer({ requests, operations }) {
  const wasTried = requests.sent > 0 || operations.some((operation) => operation.count > 0);
  return `No request was ${wasTried ? 'answered' : 'sent'}`;
}

/** Explains why a threshold has no value. @type {(result: Pick<Result, 'iterations'>) => string} */
export function unmeasured({ iterations }) {
  return iterations.completed === 0 ? 'no iteration completed' : 'nothing was measured';
}

/** @type {(result: Result, reasons: Reason[]) => string[]} */
function positiveFacts(result, reasons) {
  const { thresholds = [], errors, iterations } = result;
  const passed = thresholds.filter((one) => one.passed).length;
  const thresholdReasons =
    thresholds.length > 0 ? [`${count(passed)} of ${count(thresholds.length)} thresholds passed`] : [];
  if (reasons.includes('errors') || reasons.includes('unanswered')) return thresholdReasons;
  const errorReason =
    errors.count > 0 ? errorsOf(result) : `${counted(iterations.completed, 'iteration')} completed without errors`;
  return [errorReason, ...thresholdReasons];
}

/** @type {(result: Result, reasons: Reason[]) => string[]} */
function shortfallFacts(result, reasons) {
  return shortfallsOf(result).flatMap(({ what, text, advice }) => [
    ...(reasons.some((reason) => reason === SAID_BY[what]) ? [] : [text]),
    ...(advice === undefined ? [] : [sentence(advice)]),
  ]);
}

/** The reasons whose sentences say the same. @type {Partial<Record<string, Reason>>} */
const SAID_BY = { dropped: 'dropped', cancelled: 'cutOff' };

/** @type {(text: string) => string} */
function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}`;
}
