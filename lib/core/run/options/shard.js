import { grouped } from '../../ground/decimal.js';
import { formatValue } from '../../text/format-value.js';
import { textOf } from './row.js';

/** @import { Shard } from '../../contracts/run.js' */

/** A run that is not divided. @type {Shard} */
export const WHOLE = Object.freeze({ number: 1, of: 1 });

export const MOST_SHARDS = 10_000;

const SHARD = /^\s*(\d+|auto)\s*\/\s*(\d+)\s*$/;

/**
 * Reads a shard, `'2/3'`; `'auto/3'` has the number of JOB_COMPLETION_INDEX, which Kubernetes counts from 0. Null if it
 * is not one.
 * @type {(given: unknown, env?: NodeJS.ProcessEnv) => Shard | null}
 */
export function readShard(given, env = process.env) {
  const [, first, of] = SHARD.exec(textOf(given)) ?? [];
  const number = first === 'auto' ? numberOfJob(env) : Number(first);
  const shard = { number, of: Number(of) };
  return isShard(shard) ? shard : null;
}

/** Reports whether a value of the run option is a shard, without other properties. @type {(value: any) => boolean} */
export function isShardOption(value) {
  return isShard(value) && Object.keys(value).every((key) => ['number', 'of'].includes(key));
}

/** @type {(value: any) => value is Shard} */
export function isShard(value) {
  if (typeof value !== 'object' || value === null) return false;
  const { number, of } = value;
  return [number, of].every(Number.isSafeInteger) && number >= 1 && number <= of && of <= MOST_SHARDS;
}

/**
 * Explains why a text is no shard; undefined if it does not look like one.
 * @type {(given: unknown, env?: NodeJS.ProcessEnv) => string | undefined}
 */
export function refuseShard(given, env = process.env) {
  const [, first, of] = SHARD.exec(typeof given === 'string' ? given : '') ?? [];
  if (first === undefined || readShard(given, env)) return undefined;
  if (Number(of) > MOST_SHARDS) return `a run has at most ${grouped(MOST_SHARDS)} shards`;
  if (first !== 'auto') return undefined;
  const { JOB_COMPLETION_INDEX: index } = env;
  if (index === undefined)
    return 'auto needs JOB_COMPLETION_INDEX in the environment, which an Indexed Job of Kubernetes sets: write 1/3 elsewhere';
  if (Number.isNaN(numberOfJob(env))) return `auto: JOB_COMPLETION_INDEX is ${formatValue(index)}, not a whole number`;
  return `auto: JOB_COMPLETION_INDEX is ${index}, which is not below the number of shards`;
}

/** @type {(env: NodeJS.ProcessEnv) => number} */
function numberOfJob({ JOB_COMPLETION_INDEX: index = '' }) {
  return /^\d+$/.test(index) ? Number(index) + 1 : NaN;
}

/**
 * The iterations of a shard: shard i of n takes INDEX i - 1, i - 1 + n, i - 1 + 2n, … So each INDEX runs once in all
 * shards, and a schedule, which is a function of INDEX, needs no messages between them.
 */
export class Stride {
  #first;
  #step;
  /** The run is not divided: an INDEX is its position. */
  isWhole;

  /** @param {Shard} [shard] */
  constructor({ number, of } = WHOLE) {
    this.#first = number - 1;
    this.#step = of;
    this.isWhole = of === 1;
  }

  /** Returns the INDEX of the shard's own iteration k. @type {(k: number) => number} */
  indexOf(k) {
    return this.#first + k * this.#step;
  }

  /** Returns the k of an INDEX of this shard. @type {(index: number) => number} */
  positionOf(index) {
    return (index - this.#first) / this.#step;
  }

  /**
   * Returns the part of one thread of this shard, at least 1: the whole is divided among the shards, and this shard's
   * part among its threads.
   * @type {(whole: number | undefined, thread: { worker: number, workers: number }) => number | undefined}
   */
  partOfThread(whole, { worker, workers }) {
    if (whole === undefined) return undefined;
    const own = new Stride({ number: worker + 1, of: workers }).countOf(this.countOf(whole));
    return Math.max(1, own);
  }

  /** Counts how many of the first iterations of the run belong to this shard. @type {(count: number) => number} */
  countOf(count) {
    return Math.max(0, Math.ceil((count - this.#first) / this.#step));
  }
}
