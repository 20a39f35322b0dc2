/**
 * @import { CodePlace, ErrorSample, Exemplar, ExemplarsSummary } from '../contracts/summaries.js'
 * @import { RecorderState } from './state.js'
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

/** of a result */
export const MAX_SAMPLES = 20;
const MAX_GROUPS = 1000;
/** groups of the hooks of one operation: messages of one code, and all */
const MAX_MESSAGES = 5;
const MAX_HOOK_GROUPS = 100;
const OTHER_CODES = 'E_HOOK';
const OTHER_MESSAGES = 'other messages of this hook';
/** Of kinds whose codes clients or servers choose. @type {Record<string, { code: string, message: string }>} */
const OTHERS = {
  call: { code: 'E_CALL', message: 'other errors of this call' },
  graphql: { code: 'E_GRAPHQL', message: 'other errors of this operation' },
};

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
  /** groups of these kinds, by operation and by code @type {Map<string, number>} */
  #hookGroups = new Map();

  /** @type {(failure: RecordedFailure) => void} */
  add({ kind, code, phase, path, operation, index, message, location, exchange }) {
    this.count++;
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    const group = { phase, kind, code, ...(path && { path }), ...(operation && { operation }) };
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
    this.#hookGroups.clear();
    return state;
  }

  /** The largest groups, for a result. */
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

  /** @type {(sample: ErrorSample) => ErrorSample} */
  #bounded(sample) {
    const isHook = sample.kind === 'hook';
    const others = Object.hasOwn(OTHERS, sample.kind) ? OTHERS[sample.kind] : null;
    if ((!isHook && others === null) || this.#samples.has(keyOf(sample))) return sample;
    return others === null ? this.#withFewMessages(sample) : this.#withFewCodes(sample, others);
  }

  /** @type {(sample: ErrorSample, others: { code: string, message: string }) => ErrorSample} */
  #withFewCodes(sample, others) {
    const operation = baseOf({ ...sample, code: '' });
    const groups = this.#hookGroups.get(operation) ?? 0;
    if (groups >= MAX_HOOK_GROUPS) return { ...sample, ...others };
    this.#hookGroups.set(operation, groups + 1);
    return sample;
  }

  /** @type {(sample: ErrorSample) => ErrorSample} */
  #withFewMessages(sample) {
    const operation = baseOf({ ...sample, code: '' });
    const code = baseOf(sample);
    const operationGroups = this.#hookGroups.get(operation) ?? 0;
    const codeGroups = this.#hookGroups.get(code) ?? 0;
    if (operationGroups >= MAX_HOOK_GROUPS) return { ...sample, code: OTHER_CODES, message: OTHER_MESSAGES };
    if (codeGroups >= MAX_MESSAGES) return { ...sample, message: OTHER_MESSAGES };
    this.#hookGroups.set(operation, operationGroups + 1);
    this.#hookGroups.set(code, codeGroups + 1);
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
