import { makeError } from '../ground/errors.js';
import { writeMs } from '../ground/units.js';
import { numbered } from './operations.js';
import { MAX_SAMPLES } from './samples.js';

/** @import { Stats } from '../contracts/stats.js' */
/** @import { ErrorSample, LoadSummary, OperationSummary } from '../contracts/summaries.js' */
/** @import { Histogram } from './histogram.js' */
/** @import { Recorder } from './recorder.js' */

/** The phase whose operations several loads may share. */
export const BEGIN = 'beforeMain';
const CODE = 'E_OVERDUE';
const KIND = 'timeout';
/**
 * A cut off iteration that is older than this percentile of the completed ones is not ordinary: the end of a run cuts
 * off iterations of any age, but of a server that answers few that are so old.
 */
const ORDINARY_PERCENTILE = 99;

/** @typedef {{ count: number, errors: number, overdue?: number }} Countable an operation, a scenario or a group */

/**
 * @typedef {object} Population iterations that are compared with each other: those of a scenario, and so of its load
 * @property {string} [scenario] undefined: those of none
 * @property {Histogram} cut ages of those that were cut off in `main`
 * @property {number} slowest of the completed ones, ms
 * @property {number} ordinary the age that 99 % of the completed ones did not reach, ms
 */

/**
 * Counts what the end of the run cut off, in three sets, each a part of the one before:
 *
 *     cancelled   iterations that were running at the end, of any age
 *     cut off     those of them that were not ordinary: older than 99 % of the completed ones of their scenario, or
 *                 more than all of it that have ended
 *     overdue     those of them that had run longer than the slowest completed one of their scenario, or far longer
 *                 than any that was answered in their operation: they are errors, as a server that does not answer has
 *                 failed, even if no timeout has expired
 *
 * Requests outside of `main`, as in a teardown, are overdue if they had waited longer than the slowest answered one of
 * their operation.
 *
 * @param {Stats} stats its iterations, errors, loads, operations, scenarios and groups are changed; those of the
 *   recorder have the same order
 * @param {Pick<Recorder, 'iterations' | 'histograms' | 'operations' | 'scenarios' | 'groups'>} recorder
 */
export function countCutOff(stats, recorder) {
  const cuts = recorder.operations.cancelled().map((cut, i) => ({ cut, operation: stats.operations[i], overdue: 0 }));
  const inMain = cuts.filter(({ operation }) => isOfMain(operation));
  const { iterations, loads = [] } = stats;
  const byLoads = overdueByLoads(loads);
  const keys = [...numbered(stats.operations).keys()];
  const samples = cuts.flatMap((one, i) =>
    isOfMain(one.operation) ? [] : overdueOutsideOfMain(one, byLoads?.get(keys[i])),
  );
  const counts = populationsOf(recorder).map((population) => {
    const { scenario, cut, slowest, ordinary } = population;
    const own = inMain.filter(
      ({ operation: { labels } }) => recorder.scenarios.find(labels.scenario)?.name === scenario,
    );
    for (const one of own) {
      const limit = limitOf(one.operation, slowest);
      one.overdue = one.cut.countAbove(limit);
      if (one.overdue === 0) continue;
      addTo(one.operation, one.overdue, { isInCount: true });
      samples.push(
        sampleOf(one.operation, one.overdue, limit < slowest ? lateText(one.operation) : slowestText(population)),
      );
    }
    // The others waited for a hook when they were cut off, and not for the response of an operation.
    const rest = restOf(cut, own);
    const others = rest.countAbove(slowest);
    if (others > 0) samples.push(sampleOf({ phase: 'main', name: '' }, others, slowestText(population)));
    const unusual = [...own, { cut: rest, overdue: others }].reduce(
      (sum, one) => sum + Math.max(0, one.cut.countAbove(ordinary) - one.overdue),
      0,
    );
    return { scenario, count: cut.count, overdue: sumOf(own) + others, cutOff: unusual };
  });
  for (const [i, { name, cancelled }] of recorder.groups.all().entries()) {
    const own = inMain.filter(({ operation: { labels } }) => labels.group === name);
    const scenarios = own.length > 0 ? own.map(({ operation }) => operation.labels.scenario) : [undefined];
    const slowest = Math.max(...scenarios.map(slowestByScenario(recorder)));
    addTo(stats.groups?.[i], sumOf(own) + restOf(cancelled, own).countAbove(slowest), { isInCount: false });
  }
  stats.scenarios?.forEach((row, i) => addTo(row, counts[i].overdue, { isInCount: false }));
  Object.assign(iterations, bothOf(counts));
  iterations.overdue = (iterations.overdue ?? 0) + countIn(samples, BEGIN);
  for (const load of loads) {
    // Scenarios without a load of their own share the load of the run.
    const isOwn = ({ scenario = '' }) =>
      load.name === (loads.some(({ name }) => name === scenario) ? scenario : 'main');
    const { overdue, cutOff } = bothOf(counts.filter(isOwn));
    const all = overdue + sumOf(load.operations ?? []);
    Object.assign(load.iterations, { overdue: all, cutOff });
    load.errors += all;
    load.count += all;
  }
  stats.errors = withSamples(stats.errors, samples);
}

/**
 * The iterations of each scenario, in the order of the recorder, and then those of none.
 * @type {(recorder: Pick<Recorder, 'iterations' | 'histograms' | 'scenarios'>) => Population[]}
 */
export function populationsOf({ iterations, histograms, scenarios }) {
  const all = scenarios.all();
  const service = histograms.serviceTime.count > 0 ? histograms.serviceTime : histograms.completed;
  const others = restOf(
    histograms.cancelled,
    all.map(({ cancelled: cut }) => ({ cut })),
  );
  return [
    ...all.map((one) => populationOf(one.service, { scenario: one.name, cut: one.cancelled, ended: one.count })),
    {
      ...populationOf(service, { cut: others, ended: iterations.completed + iterations.failed }),
      slowest: iterations.slowest,
    },
  ];
}

/** @type {(service: Histogram, about: { scenario?: string, cut: Histogram, ended: number }) => Population} */
function populationOf(service, { scenario, cut, ended }) {
  const ordinary = cut.count > ended ? 0 : (service.valueAt(ORDINARY_PERCENTILE) ?? 0);
  return { scenario, cut, slowest: service.valueAt(100) ?? 0, ordinary };
}

/**
 * Returns how to find the time of the slowest completed iteration of a scenario, ms.
 * @type {(recorder: Pick<Recorder, 'scenarios'> & { iterations: { slowest: number } }) => (scenario?: string) =>
 *   number}
 */
export function slowestByScenario({ iterations, scenarios }) {
  return (scenario) => {
    const own = scenarios.find(scenario);
    return own === undefined ? iterations.slowest : (own.service.valueAt(100) ?? 0);
  };
}

/** @type {(cut: Histogram, parts: { cut: Histogram }[]) => Histogram} */
function restOf(cut, parts) {
  return parts.reduce((rest, part) => (part.cut.count > 0 ? rest.without(part.cut) : rest), cut);
}

/** @type {(rows: { overdue?: number }[]) => number} */
function sumOf(rows) {
  return rows.reduce((sum, { overdue = 0 }) => sum + overdue, 0);
}

/** @type {(counts: { overdue: number, cutOff: number }[]) => { overdue: number, cutOff: number }} */
function bothOf(counts) {
  return { overdue: sumOf(counts), cutOff: counts.reduce((sum, { cutOff }) => sum + cutOff, 0) };
}

/** A row without a phase is one of main. @type {(one: OperationSummary) => boolean} */
function isOfMain({ phase = 'main' }) {
  return phase === 'main';
}

/**
 * Returns the age of an iteration, cut off in an operation, from which on it is overdue: older than the slowest one of
 * its scenario, or so much older than all that were answered in it that chance does not explain it. Of n times the next
 * one is the longest with a chance of 1 / n, so few answers need more distance: twice the time at 100 of them.
 * @type {(operation: OperationSummary, slowest: number) => number}
 */
function limitOf({ other, oldest = 0, times }, slowest) {
  const answers = times.serviceTime.count;
  return other || answers === 0 ? slowest : Math.min(slowest, oldest * (1 + FEW_ANSWERS / answers));
}

const FEW_ANSWERS = 100;

/**
 * The overdue ones of each operation that loads begin iterations with: each load compares with its own answers. Null:
 * the run has one load, or cut off none of them.
 * @type {(loads: LoadSummary[]) => Map<string, { overdue: number, slowest: number }> | null}
 */
function overdueByLoads(loads) {
  const sums = new Map();
  for (const { operations = [] } of loads)
    for (const [key, { overdue = 0, times }] of numbered(operations)) {
      const sum = sums.get(key) ?? { overdue: 0, slowest: 0 };
      const slowest = overdue > 0 ? Math.max(sum.slowest, times.serviceTime.max ?? 0) : sum.slowest;
      sums.set(key, { overdue: sum.overdue + overdue, slowest });
    }
  return sums.size > 0 ? sums : null;
}

/**
 * @type {(one: { operation: OperationSummary, cut: Histogram, overdue: number }, known?: { overdue: number, slowest:
 *   number }) => ErrorSample[]}
 */
function overdueOutsideOfMain(one, known) {
  const { operation, cut } = one;
  const { slowest } = known ?? { slowest: operation.times.serviceTime.max ?? 0 };
  const overdue = known?.overdue ?? cut.countAbove(slowest);
  if (overdue === 0) return [];
  one.overdue = overdue;
  addTo(operation, overdue, { isInCount: true });
  return [sampleOf(operation, overdue, answeredText(slowest))];
}

/**
 * Adds overdue ones to the figures of a row. `isInCount`: its count has them already, as that of an operation has every
 * request that was sent.
 * @type {(one: Countable | undefined, overdue: number, options: { isInCount: boolean }) => void}
 */
function addTo(one, overdue, { isInCount }) {
  if (one === undefined || overdue === 0) return;
  one.overdue = overdue;
  one.errors += overdue;
  if (!isInCount) one.count += overdue;
}

/**
 * @type {(operation: { phase?: string, name: string, protocol?: string }, count: number, than: string) => ErrorSample}
 */
function sampleOf({ phase: own, name, protocol }, count, than) {
  const { message } = makeError(CODE, { what: protocol === 'measure' ? 'result' : 'complete response', than });
  const phase = own || 'main';
  const place = name === '' ? { path: `flow.${phase}` } : { operation: name };
  return { message, phase, kind: KIND, code: CODE, ...place, count, firstIndex: null };
}

/** @type {(population: Population) => string} */
function slowestText({ scenario, slowest }) {
  const of = scenario === undefined ? '' : ` of ${scenario}`;
  if (slowest === 0) return `no iteration${of} completed`;
  return `it had run longer than the slowest completed iteration${of} (${timeText(slowest)})`;
}

/** @type {(operation: OperationSummary) => string} */
function lateText({ oldest = 0 }) {
  return `it had run far longer than any iteration that was answered here (${timeText(oldest)})`;
}

/** @type {(ms: number) => string} */
function answeredText(ms) {
  return ms > 0
    ? `it had waited longer than the slowest answered one of its operation (${timeText(ms)})`
    : 'none of its operation was answered';
}

/** @type {(ms: number) => string} */
function timeText(ms) {
  return writeMs(Math.max(1, Math.round(ms)));
}

/** @type {(samples: ErrorSample[], phase?: string) => number} */
function countIn(samples, phase) {
  return samples.reduce((sum, sample) => sum + (phase === undefined || sample.phase === phase ? sample.count : 0), 0);
}

/** @type {(errors: Stats['errors'], samples: ErrorSample[]) => Stats['errors']} */
function withSamples(errors, samples) {
  const overdue = countIn(samples);
  if (overdue === 0) return { ...errors, overdue };
  // The largest of both; recorded errors keep half of the places, if they are as many.
  const recorded = errors.details.slice(0, Math.max(MAX_SAMPLES / 2, MAX_SAMPLES - samples.length));
  const largest = samples.toSorted(byCount).slice(0, MAX_SAMPLES - recorded.length);
  return {
    ...errors,
    count: errors.count + overdue,
    overdue,
    kinds: { ...errors.kinds, [KIND]: (errors.kinds[KIND] ?? 0) + overdue },
    details: [...recorded, ...largest].sort(byCount),
  };
}

/** @type {(a: ErrorSample, b: ErrorSample) => number} */
function byCount(a, b) {
  return b.count - a.count;
}

/** The recorded errors, for a sum that counts the cut off anew. @type {(errors: Stats['errors']) => Stats['errors']} */
export function withoutOverdue({ overdue = 0, ...errors }) {
  if (overdue === 0) return errors;
  const rest = errors.kinds[KIND] - overdue;
  const { [KIND]: _all, ...others } = errors.kinds;
  return {
    ...errors,
    count: errors.count - overdue,
    kinds: rest > 0 ? { ...others, [KIND]: rest } : others,
    details: errors.details.filter(({ code }) => code !== CODE),
  };
}
