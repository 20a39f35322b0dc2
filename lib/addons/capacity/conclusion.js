import { count, counted, rate as rateText } from '../../core/ground/decimal.js';
import { textOf } from '../../core/ground/exit-codes.js';
import { outcomeWith } from '../../core/measure/outcome.js';
import { twoSidedQuantile } from '../../core/measure/statistics.js';
import { intervalText, loadText, percentText } from './report/rows.js';
import { leastSquares } from './least-squares.js';
import { LEAST_SHARE } from './starvation.js';

/** @import { Capacity, CapacityConclusion, CapacityStep, Estimated, Scalability } from './capacity.js' */
/** @import { Note, SavedOutcome } from '../../core/contracts/stats.js' */
/** @import { Reason } from '../../core/ground/exit-codes.js' */
/** @import { Answer } from './types.js' */

/**
 * @typedef {object} About
 * @property {'rate' | 'users'} by
 * @property {number} within
 * @property {Scalability | null} scalability
 * @property {number} least the lowest load whose steps have enough iterations
 * @property {string} [cutBy] the option that ended the search
 */

/**
 * Puts the answer of a search into words: which load holds, what limits it, and where response times begin to rise.
 * @type {(answer: Answer, steps: CapacityStep[], about: About) => CapacityConclusion}
 */
export function conclusionOf({ outcome, load, low, high, isConfirmed }, steps, about) {
  const limit = limitOf({ outcome, load }, steps, about);
  const searching = steps.filter(({ role }) => role !== 'settling');
  // One that was saturated says nothing about the service, unless there is no other
  const failed = searching.filter((step) => step.outcome.status === 'failed');
  const tried = (failed.length > 0 ? failed : searching).map(loadOf);
  const held = searching.filter((step) => step.outcome.passed && loadOf(step) === load);
  return {
    code: outcome,
    message: `${sentenceOf({ outcome, load, low, high, isConfirmed }, limit, { ...about, tried })}${outcome === 'found' ? '' : doubtOf(steps, about)}`,
    load,
    interval: { low, high },
    confirmed: isConfirmed,
    iterations: { completedRate: held.at(-1)?.iterations.completedRate ?? null },
    knee: kneeOf(searching),
    limit,
  };
}

/** @type {(step: CapacityStep) => number} */
function loadOf({ load }) {
  return load.rate ?? load.virtualUsers;
}

/**
 * Returns what limits the load: the reasons of the lowest one that did not hold.
 * @type {(answer: Pick<Answer, 'outcome' | 'load'>, steps: CapacityStep[], about: About) => Note}
 */
function limitOf({ outcome, load }, steps, { by, scalability }) {
  const above = steps.filter((step) => step.role !== 'settling' && !step.outcome.passed && loadOf(step) > (load ?? 0));
  const isGenerator = outcome === 'atLeast';
  const suited = above.filter((step) => (step.outcome.status === 'saturated') === isGenerator);
  // The last step of the lowest load: an earlier one may have been contradicted
  const [first] = suited.reverse().sort((a, b) => loadOf(a) - loadOf(b));
  const starved = steps.findLast(lackedCpu);
  if (!first && starved)
    return { code: 'starved', message: `at ${loadText(loadOf(starved), by)} ${starved.outcome.reasons[0].message}` };
  if (!first) return { code: 'unknown', message: 'no load has failed yet' };
  const [reason] = first.outcome.reasons;
  const place = `at ${loadText(loadOf(first), by)} ${reason.message}`;
  if (isGenerator) return { code: 'loadGenerator', message: place };
  const cores = (first.servers ?? []).map(({ cpuCores }) => `the server used ${cpuCores.toFixed(2)} cores`);
  const message = [place, ...cores, ...(scalability?.fits ? [scalability.message] : [])].join('; ');
  return { code: reason.code, message };
}

/** The load generator lacked CPU, not by its own work. @type {(step: CapacityStep) => boolean} */
function lackedCpu({ role, outcome, loadGenerator }) {
  return role !== 'settling' && outcome.status === 'saturated' && loadGenerator.lostShare >= LEAST_SHARE;
}

/** What makes an answer doubtful, or ended the search. @type {(steps: CapacityStep[], about: About) => string} */
function doubtOf(steps, { cutBy }) {
  const starved = steps.filter(lackedCpu).length;
  const others = starved > 0 ? `; other programs took the CPU in ${starved} of ${counted(steps.length, 'step')}` : '';
  return `${others}${cutBy === undefined ? '' : `; ${cutBy} ended the search`}`;
}

/** @type {(answer: Answer, limit: Note, about: About & { tried: number[] }) => string} */
function sentenceOf({ outcome, load, low, high }, { message, code }, { by, within, least, tried }) {
  if (load === null && outcome === 'imprecise')
    return code === 'starved' ? `Other programs take the CPU: ${message}` : 'No step says what the service holds';
  if (load === null && outcome === 'atLeast') return `The load generator is the bottleneck: ${message}`;
  if (load === null) {
    const isLeast = by === 'rate' && high !== null && high <= least;
    return `${noneText(tried, by)}: ${message}${isLeast ? '; lower ones need longer steps (--step) for their figures' : ''}`;
  }
  const held = loadText(load, by);
  const upper = high === null ? '' : ` (${intervalText({ low, high }, by)})`;
  switch (outcome) {
    case 'found':
      return `The service holds ${held}${upper}: ${message}`;
    case 'atLeast':
      return `The service holds at least ${held}${upper}; the load generator is the bottleneck: ${message}`;
    case 'unrecovered':
      return `The service held ${held}, and has not recovered from an overload: ${message}`;
    default:
      return `The service holds ${held}${upper}, not within ${percentText(within)}: ${message}`;
  }
}

/** None of the tried loads holds; others may. @type {(tried: number[], by: About['by']) => string} */
function noneText(tried, by) {
  const [lowest, highest] = [Math.min(...tried), Math.max(...tried)];
  if (lowest === highest) return `Even ${loadText(lowest, by)} does not hold`;
  if (by === 'rate') return `No rate from ${loadText(lowest, by)} to ${loadText(highest, by)} holds`;
  return `No number of virtual users from ${count(lowest)} to ${count(highest)} holds`;
}

/** Response times that rise by less than this factor have no knee. */
const LEAST_RISE = 1.5;

/**
 * The knee of the response times over the load: where they are furthest below the line from the first to the last one,
 * on a logarithmic scale (Kneedle, Satopää et al. 2011).
 * @type {(steps: CapacityStep[]) => number | null}
 */
function kneeOf(steps) {
  const points = steps
    .flatMap((step) => {
      const { p95 } = step.responseTime;
      return p95 === null || step.outcome.status === 'saturated' ? [] : [{ x: loadOf(step), y: Math.log(p95) }];
    })
    .sort((a, b) => a.x - b.x);
  const [first, last] = [points[0], points.at(-1)];
  if (points.length < 3 || !last || last.x === first.x || last.y - first.y < Math.log(LEAST_RISE)) return null;
  const below = points.map(({ x, y }) => (x - first.x) / (last.x - first.x) - (y - first.y) / (last.y - first.y));
  return points[below.indexOf(Math.max(...below))].x;
}

/**
 * Returns the reasons for an exit code other than 0. Without a goal: no capacity was found, the load generator was the
 * bottleneck, or the search is not finished. With a goal it alone decides, and a search that ended before it could tell
 * proves nothing.
 * @param {Pick<Capacity, 'conclusion'>} capacity
 * @param {number | null} goal the load that the service has to hold (`--at-least`); null: none
 * @returns {Reason[]}
 */
export function capacityReasons({ conclusion: { code, load, interval } }, goal) {
  if (goal !== null && load !== null && load >= goal) return [];
  if (goal !== null && interval.high !== null && interval.high <= goal) return ['threshold'];
  // A search that did not end with an answer proves nothing
  if (code === 'atLeast' || code === 'imprecise') return ['undecided'];
  return load === null || goal !== null ? ['threshold'] : [];
}

/** `message` says why the search is cut short. @type {(reasons: Iterable<Reason>, message?: string) => SavedOutcome} */
export function capacityOutcome(reasons, message) {
  return outcomeWith([...reasons].map((code) => ({ code, message: message ?? textOf(code, 'capacity') })));
}

/** The law of throughput has three parameters, and two more points show how well they fit. */
const FEWEST = 5;
/** Largest standard deviation of the throughput from the law, as a share of it. */
const MOST_DEVIATION = 0.1;

/**
 * Fits the Universal Scalability Law (Gunther 1993) to the throughput of numbers of virtual users. Divided by the
 * throughput, the number is linear in the parameters:
 *
 *     n / X = 1/rate + (contention/rate) (n - 1) + (coherence/rate) n (n - 1)
 *
 * Throughput varies by a share of itself, so each point has the weight of its relative error. The standard errors of
 * the ratios follow by the delta method.
 * @type {(points: { users: number, throughput: number }[]) => Scalability}
 */
export function scalabilityOf(points) {
  const known = points.filter(({ throughput }) => throughput > 0);
  const numbers = new Set(known.map(({ users }) => users)).size;
  if (numbers < FEWEST) return notFitting(`a fit needs ${FEWEST} numbers of virtual users, and it has ${numbers}`);
  const rows = known.map(({ users: n, throughput }) => ({
    x: [1, n - 1, n * (n - 1)],
    y: n / throughput,
    weight: (throughput / n) ** 2,
  }));
  const fit = leastSquares(rows);
  if (fit === null) return notFitting('its throughput does not determine the parameters');
  const { values, deviation, df } = fit;
  const covariance = fit.inverse.map((row) => row.map((cell) => cell * deviation ** 2));
  const [base] = values;
  if (!(base > 0)) return notFitting('the throughput of one virtual user would be negative');
  if (deviation > MOST_DEVIATION)
    return notFitting(`throughput is typically ${(deviation * 100).toFixed(0)} % away from the law`);
  const rate = { value: 1 / base, error: Math.sqrt(covariance[0][0]) / base ** 2 };
  const [contention, coherence] = [1, 2].map((i) => ratio(values, covariance, i));
  const limit = twoSidedQuantile(0.05, df);
  const negative = [contention, coherence].some(({ value, error }) => value + limit * error < 0);
  if (negative) return notFitting('throughput grows more than the number of virtual users');
  const peak =
    coherence.value > limit * coherence.error
      ? Math.max(1, Math.sqrt(Math.max(0, 1 - contention.value) / coherence.value))
      : null;
  const parameters = { rate, contention, coherence, peak };
  return { fits: true, message: meaning(parameters, limit), ...parameters };
}

/** @type {(reason: string) => Scalability} */
function notFitting(reason) {
  return { fits: false, message: `the Universal Scalability Law does not fit: ${reason}` };
}

/** @type {(parameters: Required<Pick<Scalability, 'rate' | 'contention' | 'peak'>>, limit: number) => string} */
function meaning({ rate, contention, peak }, limit) {
  if (peak !== null)
    return `coherence limits: throughput is highest with ${counted(Math.round(peak), 'virtual user')}, and falls with more`;
  if (contention.value > limit * contention.error)
    return `contention limits: throughput does not exceed ${rateText(rate.value / contention.value)}/s with any number of virtual users`;
  return 'throughput grows with the number of virtual users: nothing limits it yet';
}

/** A parameter divided by the first one. @type {(values: number[], covariance: number[][], i: number) => Estimated} */
function ratio(values, covariance, i) {
  const [base] = values;
  const value = values[i] / base;
  const variance = covariance[i][i] - 2 * value * covariance[0][i] + value ** 2 * covariance[0][0];
  return { value, error: Math.sqrt(Math.max(0, variance)) / base };
}
