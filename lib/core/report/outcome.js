import { count, counted, countedOf, percent } from '../ground/decimal.js';
import { supportOf } from '../measure/judge-thresholds.js';
import { errorsOf, measuredBeside, precisionText, reasonsFor, unmeasured, whenOf } from '../measure/outcome-reasons.js';
import { isUnanswered, lacksLoad, limitsOf, mergedIn, reasonsOf, stateOf, statusOf } from '../measure/outcome.js';
import { LEAST_MS, causeOf, rangeOf, rangeOfRate } from '../measure/own-time.js';
import { MAIN_PERCENTILES, valuesNeeded } from '../measure/percentiles.js';
import { shortfallsOf } from '../measure/shortfalls.js';
import { STATUSES, missingIn } from '../measure/validity.js';
import { capitalized, listed } from '../text/format-value.js';
import { isScarce, unsupportedPercentiles, weakPercentiles } from './supported.js';

/** @import { Judgement } from '../contracts/stats.js' */
/** @import { Reason } from '../ground/exit-codes.js' */
/** @import { Verdict } from '../measure/outcome.js' */
/** @import { Result } from './types.js' */

/**
 * @typedef {object} OutcomeText
 * @property {'passed' | 'undecided' | 'failed'} status
 * @property {string} headline what decided, in one sentence
 * @property {string} details the other facts, in sentences; may be empty
 */

/** How far the figures can be trusted. @type {(result: Pick<Result, 'validity'>) => typeof STATUSES[number]} */
export function validityOf({ validity }) {
  // A word that this version does not know is no reason to trust the figures.
  return STATUSES.includes(validity.status) ? validity.status : 'invalid';
}

/**
 * How far the figures that a report prints can be trusted: a sentence for each reason why they are those of something
 * else, and one with one cause for those that the load generator touched; null if there is nothing to say. Details are
 * in `validityNotes`.
 * @type {(result: Result) => string | null}
 */
export function trustOf(result) {
  const others = result.validity.reasons.filter(({ code }) => OF_SOMETHING_ELSE.includes(code));
  const sentences = others.map(({ message }) => `${capitalized(message)}.`);
  return [...sentences, trustOfFigures(result) ?? []].flat().join(' ') || null;
}

/** @type {typeof trustOf} */
function trustOfFigures(result) {
  const { validity, iterations, requests, operations, loadGenerator, measuredElapsed } = result;
  const [first] = validity.reasons;
  if (validityOf(result) === 'invalid' && first) return `${capitalized(first.message)}.`;
  // The row of an undecided threshold has its range, cause and remedy.
  if (
    statusOf(result) === 'undecided' ||
    iterations.completed < FEWEST_JUDGED ||
    (requests.answered === 0 && operations.length > 0)
  )
    return null;
  const { touched, held } = printedFigures(result);
  const others = validity.reasons.filter(({ code }) => !NOT_IN_TRUST.includes(code));
  if (touched.length === 0) return others.length > 0 ? `${capitalized(others[0].message)}.` : null;
  const { text, remedy } = causeOf(loadGenerator, measuredElapsed);
  const ranges = `${listed(touched)} ${touched.length === 1 ? 'is a range' : 'are ranges'}: ${text}`;
  const rest = held.length === 0 ? '' : `; ${listed(held)} ${held.length === 1 ? 'holds' : 'hold'}`;
  // A range of p99 alone is ordinary on a machine that others use.
  const advice = touched.every((label) => label === LAST) ? '' : `; ${remedy}`;
  return `${STARTS_WITH_LABEL.test(ranges) ? ranges : capitalized(ranges)}${rest}${advice}.`;
}

/** Why figures are those of something else, whatever the load generator did. */
const OF_SOMETHING_ELSE = ['surplusMessages', 'unreadGreetings', 'sharedEventLoop'];
/** Ranges and findings say these, and other sentences. */
const NOT_IN_TRUST = ['loadGeneratorInFigures', 'stopped', 'incomplete', ...OF_SOMETHING_ELSE];
/** One iteration tells nothing. */
const FEWEST_JUDGED = 2;
const LAST = /** @type {string} */ (MAIN_PERCENTILES.at(-1)?.label);
const STARTS_WITH_LABEL = /^p\d/;

/** Splits the main figures into ranges and others. @type {(result: Result) => { touched: string[], held: string[] }} */
function printedFigures(result) {
  const { completed, least } = result.main;
  const times = MAIN_PERCENTILES.filter(({ key }) => completed[key] !== null);
  const rows = [
    // A rate of a short run is that of its start.
    ...(result.measuredElapsed < LEAST_MS ? [] : [{ label: 'the rate', isRange: rangeOfRate(result) !== null }]),
    ...times.map(({ label, key }) => ({ label, isRange: rangeOf(completed, least, key) !== null })),
  ];
  const labels = (/** @type {boolean} */ isRange) =>
    rows.flatMap((row) => (row.isRange === isRange ? [row.label] : []));
  return { touched: labels(true), held: labels(false) };
}

/**
 * Lists what a run shows beside its figures, a sentence each: a part of its load that is missing, a bound that it met,
 * a slow start, a drift.
 * @type {(result: Result) => string[]}
 */
export function findingsOf(result) {
  const { remarks = [] } = result.validity;
  // Times that grow are what a service that does not keep up has.
  const isBehind = reasonsOf(result).some((reason) => reason === 'backlog' || reason === 'dropped');
  const shown = isBehind ? ['bound'] : ['bound', 'unsteady'];
  const texts = remarks.filter(({ code }) => shown.includes(code)).map(({ message }) => message);
  const lacks = [...(lacksLoad(result) ? [missingOf(result)] : []), ...missingIn(result)];
  return [...lacks, ...texts].map((text) => `${capitalized(text)}.`);
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
      ? [`~ marks ${listed(weak)}: fewer than five of ${counted(main.completed.count, 'value')} are above`]
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
 * Returns the measured value of a threshold, with a note if it is a percentile of too few values, and a mark if they
 * just suffice.
 * @type {(threshold: Judgement, result: Result) => string}
 */
export function thresholdText(threshold, result) {
  if (threshold.actual === null) return unmeasured(result);
  if (threshold.undecided) return threshold.doubt ?? '';
  const support = supportOf(threshold, result);
  const few = support !== null && support.count < support.needed ? support : null;
  const notes = [
    ...whenOf(threshold),
    ...(few ? [`of ${count(few.count)} values; ${few.label} needs ${count(few.needed)}`] : []),
    ...answersNote(threshold, result),
  ];
  const mark = support !== null && isScarce(support) ? '~' : '';
  const text = `${mark}${measuredBeside(threshold)}`;
  return notes.length > 0 ? `${text} (${notes.join('; ')})` : text;
}

/** A rate of answers may hold although many are errors. @type {(threshold: Judgement, result: Result) => string[]} */
function answersNote({ figure }, { requests, iterations }) {
  if (figure !== 'requests.rate') return [];
  const errors = Object.entries(requests.statusCodes).reduce((sum, [code, n]) => sum + (code >= '400' ? n : 0), 0);
  if (errors <= requests.answered * FEW_ERRORS) return [];
  return [`of all answers; iterations.completedRate is ${count(Math.round(iterations.completedRate))}`];
}

/** A note is needed above this share of answers that are errors. */
const FEW_ERRORS = 0.01;

/** The outcome of a run, which agrees with the exit code. @type {(result: Result) => OutcomeText} */
export function outcomeOf(result) {
  const reasons = reasonsOf(result);
  const negative = causesFirst(result, reasons).flatMap((reason) => sentencesOf(reason, result));
  const doubts = lacksLoad(result) ? [missingOf(result)] : [];
  const facts = [
    ...new Set([...negative, ...doubts, ...positiveFacts(result, reasons), ...shortfallFacts(result, reasons)]),
  ];
  const [headline, ...others] = facts.map((fact) => `${fact}.`);
  // Only the details are capitalized: most reports print the status and a colon before the headline.
  const details = others.map((fact) => (STARTS_WITH_FIGURE.test(fact) ? capitalized(fact) : fact)).join(' ');
  return { status: statusOf(result), headline, details };
}

/**
 * Moves causes before their effects: without any answer all iterations failed by that, and a service that does not keep
 * up leaves no virtual user for other iterations.
 * @type {(result: Result, reasons: Reason[]) => Reason[]}
 */
function causesFirst(result, reasons) {
  const effects = [...(isUnanswered(result) ? ['errors'] : []), ...(reasons.includes('backlog') ? ['dropped'] : [])];
  return [...reasons].sort((one, other) => Number(effects.includes(one)) - Number(effects.includes(other)));
}

/** The part of the load that is missing, for a result that lacks some. @type {(result: Result) => string} */
export function missingOf(result) {
  const { started, dropped, missing = 0 } = result.iterations;
  const { merged, of } = mergedIn(result);
  const planned = started + dropped + missing;
  if (missing > 0)
    return `${countedOf(missing, planned, 'planned iteration')} ${missing === 1 ? 'is' : 'are'} missing (${percent(missing / planned)})`;
  return `The load of ${countedOf(of - merged, of, result.agents ? 'agent' : 'shard')} is missing`;
}

/**
 * Sentences that begin with a figure whose name is a word. `p95`, and names of operations and metrics, keep their case
 * at the beginning of a sentence.
 */
const STARTS_WITH_FIGURE = /^(errors|checks|mean|median|min|max|stddev|late|dropped|cancelled) (is|are|was|were) /;

/** Sentences that begin with a figure or a name keep its case. @type {(reason: Reason, result: Result) => string[]} */
function sentencesOf(reason, result) {
  const keeping = ['threshold', 'undecided', ...limitsOf(result).map((limit) => limit.reason)];
  return reasonsFor(reason, result).map(({ message, of }) => {
    const keepsCase = keeping.includes(reason) || of?.load !== undefined;
    return keepsCase ? message : capitalized(message);
  });
}

/**
 * What a run was to hold, and what it was: its thresholds, and its precision.
 * @type {(result: Result) => { expression: string, state: Verdict, passed: boolean, measured: string }[]}
 */
export function goalRows(result) {
  const { thresholds = [], precision = [] } = result;
  return [
    ...thresholds.map((one) => ({
      expression: one.expression,
      state: stateOf(one),
      passed: one.passed,
      measured: thresholdText(one, result),
    })),
    ...precision.map((one) => ({
      expression: one.expression,
      state: stateOf(one),
      passed: one.passed,
      measured: one.actual === null ? (one.reason?.message ?? 'no interval') : precisionText(one),
    })),
  ];
}

/** @type {(result: Result, reasons: Reason[]) => string[]} */
function positiveFacts(result, reasons) {
  const { thresholds = [], errors, iterations } = result;
  const passed = thresholds.filter((one) => one.passed).length;
  const thresholdFacts = thresholds.length > 0 ? [`${countedOf(passed, thresholds.length, 'threshold')} passed`] : [];
  if (reasons.includes('errors') || reasons.includes('unanswered')) return thresholdFacts;
  const errorFact =
    errors.count > 0
      ? capitalized(errorsOf(result))
      : `${counted(iterations.completed, 'iteration')} completed without errors`;
  return [errorFact, ...thresholdFacts];
}

/** Parts of the load that were not sent, and what to do. @type {(result: Result, reasons: Reason[]) => string[]} */
function shortfallFacts(result, reasons) {
  return shortfallsOf(result).flatMap(({ what, text, advice }) => [
    ...(reasons.some((reason) => reason === SAID_BY[what]) ? [] : [text]),
    ...(advice === undefined ? [] : [capitalized(advice)]),
  ]);
}

/** Shortfalls, each with the reason whose sentence says the same. @type {Partial<Record<string, Reason>>} */
const SAID_BY = { dropped: 'dropped', cancelled: 'cutOff' };
