import { othersOf } from '../ground/errors.js';

/** @import { CodePlace, ErrorSample, Exemplar, ExemplarsSummary } from '../contracts/summaries.js' */
/** @import { RecorderState } from './state.js' */

/**
 * The single errors and requests that a result shows: groups of errors, each with the message of its first one, and
 * exemplars, which are the slowest and some failed requests.
 */

/**
 * @typedef {object} RecordedFailure
 * @property {string} kind
 * @property {string} code
 * @property {string} phase
 * @property {string} [path] `flow.main[0]`; undefined if no operation caused it
 * @property {string} [operation] its name, `GET /items`
 * @property {number | undefined} index
 * @property {number} now
 * @property {() => string} message
 * @property {() => CodePlace | null} location of the user's code; called for the first of a group
 * @property {() => string[] | null} [exchange] lines of the request and its response; called for the first of a group
 */

/** Groups in a result. */
export const MAX_SAMPLES = 20;
const MAX_GROUPS = 1000;
/** Groups of one code, by their messages, and of one operation, of the kinds whose codes have no fixed set. */
const MAX_MESSAGES = 5;
const MAX_OF_OPERATION = 100;

/**
 * Counts errors in groups of bounded number. They are keyed by kind, code and operation, not by text that varies,
 * except for the first few messages of a hook: what it checks is in them.
 */
export class ErrorGroups {
  /** all errors, in groups or not */
  count = 0;
  /** @type {Map<string, number>} */
  #kinds = new Map();
  /** @type {Map<string, ErrorSample>} */
  #samples = new Map();
  /** Counts groups of kinds whose codes have no fixed set, by operation and by code. @type {Map<string, number>} */
  #groups = new Map();

  /** @type {(failure: RecordedFailure) => void} */
  add({ kind, code, phase, path, operation, index, message, location, exchange }) {
    this.count++;
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    const group = { phase, kind, code, ...(path && { path }), ...(operation && { operation }) };
    // The message of a known group is not used; that of a hook is a part of its key.
    const isKnown = kind !== 'hook' && this.#samples.has(keyOf(group));
    this.#addSample(
      { message: isKnown ? '' : message(), ...group, count: 1, firstIndex: index ?? null },
      { location, exchange },
    );
  }

  /** @param {RecorderState['errors']} state of another recorder */
  addState({ count, kinds, details }) {
    this.count += count;
    for (const [kind, n] of Object.entries(kinds)) this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + n);
    for (const sample of details) this.#addSample(sample);
  }

  /** @returns {RecorderState['errors']} all groups; they are cleared */
  drain() {
    const state = { count: this.count, kinds: Object.fromEntries(this.#kinds), details: [...this.#samples.values()] };
    this.count = 0;
    this.#kinds.clear();
    this.#samples.clear();
    this.#groups.clear();
    return state;
  }

  /** The largest groups, for a result. @returns {RecorderState['errors']} */
  toJSON() {
    const samples = [...this.#samples.values()].sort((a, b) => b.count - a.count).slice(0, MAX_SAMPLES);
    return {
      count: this.count,
      kinds: Object.fromEntries(this.#kinds),
      details: samples.map((sample) => ({ ...sample })),
    };
  }

  /** @type {(given: ErrorSample, details?: Partial<Pick<RecordedFailure, 'location' | 'exchange'>>) => void} */
  #addSample(given, details = {}) {
    const sample = this.#bounded(given);
    const key = keyOf(sample);
    const known = this.#samples.get(key);
    if (!known) {
      if (this.#samples.size === MAX_GROUPS) return;
      const [location, exchange] = [details.location?.(), details.exchange?.()];
      this.#samples.set(key, { ...sample, ...(location && { location }), ...(exchange && { exchange }) });
      return;
    }
    known.count += sample.count;
    if (sample.firstIndex !== null && (known.firstIndex === null || sample.firstIndex < known.firstIndex))
      known.firstIndex = sample.firstIndex;
  }

  /**
   * Returns the sample, or that of the group of all others if its code or its operation has too many groups already.
   * @type {(sample: ErrorSample) => ErrorSample}
   */
  #bounded(sample) {
    const others = othersOf(sample.kind);
    // Kinds without such a group have codes of a fixed set.
    if (others === undefined || this.#samples.has(keyOf(sample))) return sample;
    const [operationKey, codeKey] = [baseOf({ ...sample, code: '' }), baseOf(sample)];
    const [ofOperation, ofCode] = [operationKey, codeKey].map((key) => this.#groups.get(key) ?? 0);
    if (ofOperation >= MAX_OF_OPERATION) return { ...sample, ...others };
    if (ofCode >= MAX_MESSAGES) return { ...sample, message: others.message };
    this.#groups.set(operationKey, ofOperation + 1);
    this.#groups.set(codeKey, ofCode + 1);
    return sample;
  }
}

/** @typedef {Pick<ErrorSample, 'kind' | 'code' | 'phase' | 'path' | 'operation'>} GroupKey */

/** @type {(group: GroupKey & { message?: string }) => string} */
function keyOf({ message = '', ...group }) {
  return group.kind === 'hook' ? `${baseOf(group)} ${message}` : baseOf(group);
}

/** @type {(group: GroupKey) => string} */
function baseOf({ kind, code, phase, path = '', operation = '' }) {
  return `${kind} ${code} ${phase} ${path} ${operation}`;
}

const MAX_EXEMPLARS = 10;
const MAX_OF_A_KIND = 3;

/** Keeps the 10 slowest requests, and the first 10 failed ones, at most 3 with the same code and operation. */
export class Exemplars {
  /** slowest first @type {Exemplar[]} */
  #slowest = [];
  /** @type {Exemplar[]} */
  #failed = [];
  /** only slower requests are kept, ms */
  bar = -1;

  /** @type {(exemplar: Exemplar) => void} */
  addSlow(exemplar) {
    if (exemplar.serviceTime <= this.bar) return;
    this.#slowest.push(exemplar);
    this.#slowest.sort((a, b) => b.serviceTime - a.serviceTime);
    this.#slowest.length = Math.min(MAX_EXEMPLARS, this.#slowest.length);
    if (this.#slowest.length === MAX_EXEMPLARS) this.bar = this.#slowest[MAX_EXEMPLARS - 1].serviceTime;
  }

  /** @type {(code: string, place: Pick<Exemplar, 'path' | 'operation'>) => boolean} */
  accepts(code, { path, operation }) {
    return (
      this.#failed.length < MAX_EXEMPLARS &&
      this.#failed.filter((one) => one.code === code && one.path === path && one.operation === operation).length <
        MAX_OF_A_KIND
    );
  }

  /** @type {(exemplar: Exemplar) => void} */
  addFailed(exemplar) {
    if (this.accepts(exemplar.code ?? '', exemplar)) this.#failed.push(exemplar);
  }

  /** @type {(others: ExemplarsSummary) => void} */
  add({ slowest, failed }) {
    for (const exemplar of slowest) this.addSlow(exemplar);
    for (const exemplar of failed) this.addFailed(exemplar);
  }

  /** Returns the exemplars kept since the last call. @returns {ExemplarsSummary} */
  drain() {
    const state = this.toJSON();
    this.#slowest = [];
    this.#failed = [];
    this.bar = -1;
    return state;
  }

  /** @type {() => ExemplarsSummary} */
  toJSON() {
    return { slowest: [...this.#slowest], failed: [...this.#failed] };
  }
}
