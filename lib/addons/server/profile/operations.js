import { pathOf } from './place.js';

/** @import { ProfileFunction, ProfileOperations } from '../profile.js' */
/** @import { Call } from './place.js' */

/**
 * @typedef {{ times: number[], operations: number[] }} Followed the operation whose code ran from each instant on, by
 *   the clock of the profile, µs, in order; -1: it is not known
 *
 * @typedef {object} KnownCall a call in a stack: of code of the service or of a package, or a mark, which is a function
 *   of the preload that calls the handlers of one operation
 * @property {KnownCall | null} by
 * @property {string} place of the function, the same in all profiles; of a mark empty
 * @property {boolean} isOwn code of the service
 * @property {number} operation of the nearest mark; -1: there is none
 *
 * @typedef {Map<number, number>} Weights by operation
 *
 * @typedef {{ value: number, weight: number, followed: Map<number, { value: number, weight: number }> }} Sampled
 *   `followed`: the parts whose operation is known, by operation
 */

const NO_OPERATION = -1;
/** A function needs so many samples of operations to belong to them. */
const LEAST_WEIGHT = 3;
/** The time of a function is divided by operation if it has so many followed samples. */
const LEAST_DIVIDING_WEIGHT = 12;

/**
 * Divides the samples of a service by operation. Those with a mark in their stack, and those that were followed, belong
 * to one. Others, which run after an `await` or in a callback, belong to that of their outermost function, if all that
 * is known of the function is of one operation. If it is of several, the calls within it decide, and then the followed
 * samples of the function: its time is divided as theirs.
 */
export class OperationShares {
  #names;
  /** @type {Map<KnownCall, Sampled>} */
  #samples = new Map();
  /** Of each function. @type {Map<string, Weights>} */
  #weights = new Map();
  /** Of each function in samples that were followed. @type {Map<string, Weights>} */
  #followed = new Map();

  /** @param {string[]} names of the operations; the next number stands for all others */
  constructor(names) {
    this.#names = names;
  }

  /**
   * Adds a sample. `followed` is its operation, if it is known.
   * @type {(call: KnownCall, sample: { value: number, weight: number, followed?: number }) => void}
   */
  add(call, { value, weight, followed = NO_OPERATION }) {
    // Code of the service can write marks, too.
    if (call.operation > this.#names.length) return;
    const known = this.#samples.get(call) ?? { value: 0, weight: 0, followed: new Map() };
    known.value += value;
    known.weight += weight;
    if (followed !== NO_OPERATION && call.operation === NO_OPERATION) {
      const part = known.followed.get(followed) ?? { value: 0, weight: 0 };
      known.followed.set(followed, { value: part.value + value, weight: part.weight + weight });
    }
    this.#samples.set(call, known);
  }

  /** Undefined: no request of an operation was seen. @type {() => ProfileOperations | undefined} */
  result() {
    for (const [call, sampled] of this.#samples) this.#learn(call, sampled);
    const rows = [...this.#names, ''].map((name) => ({ name, value: 0, direct: 0 }));
    let shared = 0;
    for (const [call, { value, followed }] of this.#samples) {
      if (call.operation !== NO_OPERATION) {
        rows[call.operation].value += value;
        rows[call.operation].direct += value;
        continue;
      }
      let rest = value;
      for (const [operation, part] of followed) {
        rows[operation].value += part.value;
        rest -= part.value;
      }
      const division = this.#divisionOf(callsOf(call));
      const sum = sumOf(division);
      if (sum > 0) for (const [operation, weight] of division) rows[operation].value += (rest * weight) / sum;
      // A stack counts for no operation if none is known to have run its functions.
      else if (division.size > 0) shared += rest;
    }
    const others = rows.pop()?.value ?? 0;
    const own = rows.filter((row) => row.value > 0).sort((a, b) => b.value - a.value);
    return own.length === 0 ? undefined : { rows: own, others, shared };
  }

  /**
   * In a stack with marks, the functions below a mark belong to its operation, and those above the first mark to the
   * operation of that one. In a followed sample, all functions belong to its operation.
   * @type {(call: KnownCall, sampled: Sampled) => void}
   */
  #learn(call, { weight, followed }) {
    const calls = chainOf(call);
    const places = new Set(calls.map(({ place }) => place));
    for (const [operation, part] of followed)
      for (const place of places) {
        add(this.#weights, place, operation, part.weight);
        add(this.#followed, place, operation, part.weight);
      }
    const first = calls.find(({ operation }) => operation !== NO_OPERATION)?.operation;
    if (first === undefined) return;
    const marked = new Map(
      calls.map(({ place, operation }) => [place, operation === NO_OPERATION ? first : operation]),
    );
    for (const [place, operation] of marked) if (place !== '') add(this.#weights, place, operation, weight);
  }

  /**
   * How the time of a stack is divided: the operations that all known functions have, from the outermost one to the
   * first that is not known, with the weights of the innermost of these functions that was followed in them often
   * enough. Weights of 0: none was.
   * @type {(calls: KnownCall[]) => Weights}
   */
  #divisionOf(calls) {
    /** @type {number[]} */
    let found = [];
    const known = [];
    for (const { place } of calls) {
      const weights = this.#weights.get(place) ?? new Map();
      if (sumOf(weights) < LEAST_WEIGHT) break;
      const both = found.length === 0 ? [...weights.keys()] : found.filter((one) => weights.has(one));
      if (both.length === 0) break;
      found = both;
      if (found.length === 1) return new Map([[found[0], 1]]);
      known.push(place);
    }
    for (const place of known.reverse()) {
      const followed = this.#followed.get(place);
      const own = new Map(found.map((operation) => [operation, followed?.get(operation) ?? 0]));
      if (sumOf(own) >= LEAST_DIVIDING_WEIGHT) return own;
    }
    return new Map(found.map((operation) => [operation, 0]));
  }
}

/** @type {(all: Map<string, Weights>, place: string, operation: number, weight: number) => void} */
function add(all, place, operation, weight) {
  const weights = all.get(place) ?? new Map();
  all.set(place, weights.set(operation, (weights.get(operation) ?? 0) + weight));
}

/** @type {(weights: Weights) => number} */
function sumOf(weights) {
  return [...weights.values()].reduce((sum, one) => sum + one, 0);
}

/** The calls of a stack, the outermost first. @type {(call: KnownCall) => KnownCall[]} */
function chainOf(call) {
  const calls = [];
  for (let at = /** @type {KnownCall | null} */ (call); at !== null; at = at.by) calls.push(at);
  return calls.reverse();
}

/** The calls of the service in a stack; without one, those of packages. @type {(call: KnownCall) => KnownCall[]} */
function callsOf(call) {
  const calls = chainOf(call);
  const own = calls.filter(({ isOwn }) => isOwn);
  return own.length > 0 ? own : calls;
}

/**
 * A call of code that belongs to the service or to a package; calls of other code count for their caller.
 * @type {(by: KnownCall | null, call: Call, frame: Pick<ProfileFunction, 'origin'>) => KnownCall | null}
 */
export function knownCall(by, call, { origin }) {
  if (origin !== 'own' && origin !== 'package') return by;
  const { file = '', line, column } = call;
  const place = `${pathOf(file)}:${line}:${column}`;
  return { by, place, isOwn: origin === 'own', operation: by?.operation ?? NO_OPERATION };
}

/** A call of the code of an operation. @type {(by: KnownCall | null, operation: number) => KnownCall} */
export function markedCall(by, operation) {
  return { by, place: '', isOwn: false, operation };
}

/** The operations of samples, by when they began. @type {(starts: number[], followed: Followed) => number[]} */
export function operationsAt(starts, { times, operations }) {
  let next = 0;
  return starts.map((start) => {
    while (times[next] <= start) next++;
    // V8 corrects its clock, so it may go back.
    while (times[next - 1] > start) next--;
    return next > 0 ? operations[next - 1] : NO_OPERATION;
  });
}

/**
 * Reads what the preload followed in the process of a service: nothing, if other code of the service wrote it. `most`:
 * the number of operations.
 * @type {(bytes: Uint8Array | undefined, most: number) => Followed}
 */
export function readFollowed(bytes, most) {
  const { times = null, operations = null } = jsonOf(bytes) ?? {};
  const isFollowed = isWholes(times, 0) && isWholes(operations, NO_OPERATION) && times.length === operations.length;
  if (!isFollowed) return { times: [], operations: [] };
  let at = 0;
  return {
    times: times.map((/** @type {number} */ past) => (at += past)),
    operations: operations.map((/** @type {number} */ one) => (one <= most ? one : NO_OPERATION)),
  };
}

/** @type {(bytes: Uint8Array | undefined) => any} null: it is no JSON */
function jsonOf(bytes) {
  try {
    return JSON.parse(Buffer.from(bytes ?? '').toString());
  } catch {
    return null;
  }
}

/** @type {(value: unknown, least: number) => value is number[]} */
function isWholes(value, least) {
  return Array.isArray(value) && value.every((one) => Number.isSafeInteger(one) && one >= least);
}
