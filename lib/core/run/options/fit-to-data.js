import { ITERATION_PHASES } from '../../ground/phases.js';
import { createProblems } from '../../ground/problems.js';
import { scheduleFor } from '../../schedule/index.js';
import { flowOfLoad } from './fit-to-flow.js';

/** @import { RunOptions } from '../../contracts/run-options.js' */
/** @import { CompiledFlow, Step } from '../../contracts/step.js' */
/** @import { Feeder, Feeders } from '../../flow/data/feeders.js' */

/**
 * Rows that are used once (`order: unique`) belong to the loads that read them, and within a load to the iterations
 * whose scenario does. Every thread and machine divides them alike: by the options and INDEX alone.
 *
 * @typedef {object} RowRange the rows of a feeder that one load has
 * @property {number} first
 * @property {number} count
 * @property {Readers} readers
 */

/**
 * Fits options whose meaning depends on the feeders of the flow: rows that are used once limit the iterations of the
 * loads that read them.
 * @throws {Error} E_RUN_OPTIONS
 * @type {(options: RunOptions, feeders: Feeders | null, flow: CompiledFlow) => RunOptions}
 */
export function fitToData(options, feeders, flow) {
  const unique = feeders?.all().filter(({ isUnique }) => isUnique) ?? [];
  const shares = unique.map((feeder) => ({ feeder, ofLoads: sharesOf(feeder, flow, options) }));
  const read = shares.find(({ ofLoads }) => ofLoads.some((share) => share !== null));
  if (options.warmup && read !== undefined) {
    const problems = createProblems('E_RUN_OPTIONS');
    problems.add(
      'runOptions.warmup',
      `would use rows of data.${read.feeder.name}, whose order is unique: use another order, or no warm-up (a search for the capacity always has one)`,
    );
    problems.throwIfAny();
  }
  /** @type {<T extends { iterations?: number }>(load: T, position?: number) => T} */
  const limited = (load, position = 0) => {
    const { iterations = Infinity } = load;
    const rows = shares.flatMap(({ feeder, ofLoads }) => (feeder.endsRun ? (ofLoads[position] ?? []) : []));
    const most = Math.min(...rows.map(({ readers, count }) => readers.iterationsOf(count, iterations)));
    if (most >= iterations) return load;
    return { ...load, iterations: most, ...(options.loads !== undefined && { hasEnd: true }) };
  };
  const { loads } = options;
  return loads === undefined ? limited(options) : { ...options, loads: loads.map(limited) };
}

/**
 * Gives each iteration its row of the feeders whose rows are used once. The options are those of the run, as fitted.
 * @type {(feeders: Feeders | null, flow: CompiledFlow, options: RunOptions) => void}
 */
export function divideRows(feeders, flow, options) {
  for (const feeder of feeders?.all() ?? []) {
    if (!feeder.isUnique) continue;
    const shares = sharesOf(feeder, flow, options);
    feeder.divide((index) => {
      const share = shares[index % shares.length];
      const number = share?.readers.numberOf(Math.floor(index / shares.length)) ?? -1;
      if (share === null || number < 0) return null;
      return number < share.count ? share.first + number : Infinity;
    });
  }
}

/**
 * Divides the rows of a feeder among the loads that read it, null for the others: evenly, but none gets more than it
 * has iterations.
 * @type {(feeder: Feeder, flow: CompiledFlow, options: RunOptions) => (RowRange | null)[]}
 */
function sharesOf(feeder, flow, options) {
  const loads = options.loads ?? [options];
  const all = loads.map((_, position) => readersOf(feeder, flowOfLoad(flow, { position, of: loads.length }), flow));
  const positions = loads.flatMap((_, position) => (all[position] === null ? [] : position));
  const wants = loads.map((load, position) =>
    positions.length > 1 ? (all[position]?.countIn(iterationsIn(load), feeder.count) ?? 0) : Infinity,
  );
  const counts = loads.map(() => 0);
  let left = feeder.count;
  // Those that want fewest first: the others have what they leave.
  positions
    .toSorted((a, b) => wants[a] - wants[b] || a - b)
    .forEach((position, i) => {
      counts[position] = Math.min(wants[position], Math.ceil(left / (positions.length - i)));
      left -= counts[position];
    });
  return all.map((readers, position) => {
    const first = counts.slice(0, position).reduce((sum, count) => sum + count, 0);
    return readers && { first, count: counts[position], readers };
  });
}

/** The iterations of a load; Infinity: it is not known. @type {(load: Record<string, any>) => number} */
function iterationsIn({ iterations = Infinity, ...load }) {
  const { arrived, end } = scheduleFor(/** @type {any} */ (load)).create(/** @type {any} */ (load));
  return Math.min(iterations, arrived === null || end === Infinity ? Infinity : arrived(end));
}

/**
 * Returns the iterations of a load that read a feeder; null: none do.
 * @type {(feeder: Feeder, own: CompiledFlow, flow: CompiledFlow) => Readers | null} own: what the load performs
 */
function readersOf(feeder, own, flow) {
  const steps = ITERATION_PHASES.flatMap((phase) => flow[phase]);
  const isNamed = steps.some((step) => names(step, feeder));
  /** @type {(step: Step) => boolean} */
  const reads = (step) => names(step, feeder) || codeOf(step).some((fn) => !isNamed || /\bdata\b/.test(String(fn)));
  const ofLoad = ITERATION_PHASES.flatMap((phase) => own[phase]);
  const scenarios = [...new Set(ofLoad.flatMap(({ scenario }) => scenario ?? []))];
  if (scenarios.length < 2) return ofLoad.some(reads) ? new Readers() : null;
  const isReading = ofLoad.some((step) => step.scenario === null && reads(step));
  const reading = new Set(ofLoad.flatMap((step) => (reads(step) ? (step.scenario?.at ?? []) : [])));
  if (isReading || reading.size === scenarios.length) return new Readers();
  return reading.size === 0 ? null : new Readers((number) => reading.has(scenarios[0].choose(number)));
}

/** Reports whether a token of a step names a feeder. @type {(step: Step, feeder: Feeder) => boolean} */
function names({ values }, { name }) {
  return values.some(({ where, isFromCode }) => !isFromCode && where === `flow.data.${name}`);
}

/** Lists the functions of the flow in a step, which may read any row. @type {(step: Step) => Function[]} */
function codeOf({ call, values, beforeHooks, afterHooks, control }) {
  return [
    ...(call === null ? [] : [call.fn]),
    ...values.flatMap((value) => (value.isFromCode ? [value.call] : [])),
    ...[...beforeHooks, ...afterHooks].flatMap(({ entry, hook }) => (entry === undefined ? [hook] : [])),
    ...[control?.when, control?.repeat].flatMap((fn) => (typeof fn === 'function' ? [fn] : [])),
  ];
}

/** More iterations are not searched for readers before a run: a scenario of a tiny weight has few. */
const MOST_SEARCHED = 10_000_000;

/** The iterations of a load that read a feeder, counted from 0 in the order of their numbers. */
class Readers {
  #reads;
  /** The numbers of those that are known, rising. @type {number[]} */
  #numbers = [];
  #searched = 0;

  /** @param {(number: number) => boolean} [reads] whether the iteration with this number reads it; default: all do */
  constructor(reads) {
    this.#reads = reads;
  }

  /** Returns how many read before an iteration that does; -1: it does not. @type {(number: number) => number} */
  numberOf(number) {
    if (this.#reads === undefined) return number;
    while (this.#searched <= number) this.#search();
    const at = this.#countBelow(number);
    return this.#numbers[at] === number ? at : -1;
  }

  /** Counts those among the first iterations, up to `most`. @type {(iterations: number, most: number) => number} */
  countIn(iterations, most) {
    if (this.#reads === undefined) return Math.min(iterations, most);
    const last = Math.min(iterations, MOST_SEARCHED);
    while (this.#searched < last && this.#numbers.length < most) this.#search();
    return Math.min(most, this.#countBelow(last));
  }

  /** Counts the iterations before the first that has no row. @type {(rows: number, iterations: number) => number} */
  iterationsOf(rows, iterations) {
    if (this.#reads === undefined) return rows;
    return this.countIn(iterations, rows + 1) > rows ? this.#numbers[rows] : Infinity;
  }

  #search() {
    if (this.#reads?.(this.#searched)) this.#numbers.push(this.#searched);
    this.#searched++;
  }

  /** @type {(number: number) => number} */
  #countBelow(number) {
    let [low, high] = [0, this.#numbers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#numbers[middle] < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
