import { PHASES } from '../ground/phases.js';
import { asPhases } from './normalize.js';
import { isContainer, isEmpty } from './record.js';
import { Snapshot } from './snapshot.js';

/** @import { Phase } from '../ground/phases.js' */
/** @import { Problems } from '../ground/types.js' */
/** @import { CompileOptions } from './compile.js' */
/** @import { RawFlow } from './types.js' */

/** What all operations have in common, beside run options. */
const AROUND = ['headers', 'beforeHooks', 'afterHooks'];

/** The keys of a flow that are read again; the others, such as `vars`, belong to the start of the run. */
const LIVE_KEYS = [...PHASES, ...AROUND, 'scenarios', 'baseUrl', 'socketPath', 'tokens', 'beforeUser', 'afterUser'];

/** The phases that 1.2.4 added to a flow, so that its hooks can push operations. */
const ADDED = ['before', 'beforeMain', 'afterMain', 'after'];

/**
 * The flow of the user as code can change it while it runs. Each phase is compiled as the flow is when that phase
 * begins.
 */
export class LiveFlow {
  #raw;
  /** The flow as it was planned. */
  #planned;
  /** @type {unknown[]} */
  #values = [];
  #snapshot = new Snapshot([]);
  /** The phases that were compiled before the last change. @type {Set<Phase>} */
  #stale = new Set();
  /** The phases whose operations may have no URL yet. @type {Phase[]} */
  #awaited = [];

  /** @param {unknown} raw @param {RawFlow} planned */
  constructor(raw, planned) {
    this.#raw = raw;
    this.#planned = planned;
    if (asPhases(raw) === raw) addPhases(/** @type {object} */ (raw));
    this.read(PHASES);
  }

  /** Returns the flow, of which these phases are compiled now. @type {(phases: readonly Phase[]) => unknown} */
  read(phases) {
    for (const phase of phases) this.#stale.delete(phase);
    this.#awaited = phases.includes('before') ? this.#completedPhases() : [];
    this.#values = this.#currentValues();
    this.#snapshot = new Snapshot(this.#values);
    return this.#raw;
  }

  /** @type {(phases: readonly Phase[]) => boolean} */
  hasChanged(phases) {
    const isSame = this.#currentValues().every((value, i) => value === this.#values[i]) && this.#snapshot.isSame();
    if (!isSame) for (const phase of PHASES) this.#stale.add(phase);
    return phases.some((phase) => this.#stale.has(phase));
  }

  /**
   * Reports whether code will have run before the phase, which can complete an operation without a URL. The phase is
   * compiled again when it begins.
   * @type {(phase: Phase) => boolean}
   */
  awaitsUrl(phase) {
    const isAwaited = this.#awaited.includes(phase);
    if (isAwaited) this.#stale.add(phase);
    return isAwaited;
  }

  /** Returns the objects that all operations read. @type {() => Record<string, unknown>} */
  around() {
    const flow = asPhases(this.#raw);
    return Object.fromEntries(AROUND.filter((key) => !isEmpty(flow[key])).map((key) => [key, flow[key]]));
  }

  /** @type {<O extends CompileOptions>(options: O, now: Pick<RawFlow, 'headers' | 'baseUrl' | 'socketPath'>) => O} */
  optionsNow(options, now) {
    const then = this.#planned;
    const above = Object.entries(options.headers ?? {}).filter(([name, value]) => then.headers[name] !== value);
    const replaced = new Set(above.map(([name]) => name.toLowerCase()));
    const own = Object.entries(now.headers).filter(([name]) => !replaced.has(name.toLowerCase()));
    return {
      ...options,
      baseUrl: options.baseUrl === then.baseUrl ? now.baseUrl : options.baseUrl,
      socketPath: options.socketPath === then.socketPath ? now.socketPath : options.socketPath,
      headers: Object.fromEntries([...own, ...above]),
    };
  }

  /** Refuses changes that would need another plan. @type {(now: RawFlow, problems: Problems) => void} */
  refuseChanges(now, problems) {
    const namesOf = (/** @type {RawFlow} */ { scenarios }) =>
      JSON.stringify(scenarios.map(({ name, weight, load, startAfter }) => [name, weight, load, startAfter]));
    if (namesOf(now) !== namesOf(this.#planned))
      problems.add(
        'flow.scenarios',
        'has other scenarios, weights or loads than at the start of the run, which planned them: change operations only',
      );
  }

  /** Returns what is read again, by its key. @type {() => Record<string, any>} */
  values() {
    const flow = asPhases(this.#raw);
    return Object.fromEntries(LIVE_KEYS.filter((key) => flow[key] !== undefined).map((key) => [key, flow[key]]));
  }

  /**
   * Reports whether functions of `before` or `after` may share variables with functions of iterations, which other
   * threads do not have: those of an author who uses `runCtx` do not.
   */
  get sharesVariables() {
    const { before, after, ...others } = this.values();
    const own = [before, after].flat().flatMap((entry) => [entry, entry?.beforeHooks, entry?.afterHooks].flat());
    const functions = own.filter((one) => typeof one === 'function');
    return functions.length > 0 && !functions.some((one) => /\brunCtx\b/.test(String(one))) && hasFunction(others);
  }

  /** Replaces values of the flow. @type {(values: Record<string, unknown>) => void} */
  assign(values) {
    if (asPhases(this.#raw) !== this.#raw) return;
    const given = /** @type {object} */ (this.#raw);
    // Code cannot change a frozen flow, and does not notice that another one takes its place.
    const raw = Object.isExtensible(given) ? given : Object.assign(Object.create(Object.getPrototypeOf(given)), given);
    for (const [key, value] of Object.entries(values)) {
      const { enumerable = true } = Object.getOwnPropertyDescriptor(raw, key) ?? {};
      Object.defineProperty(raw, key, { value, enumerable, configurable: true, writable: true });
    }
    this.#raw = raw;
  }

  /** As in 1.2.4, hooks of an iteration complete operations of `after` alone. @type {() => Phase[]} */
  #completedPhases() {
    const { scenarios, after: _after, ...flow } = asPhases(this.#raw);
    if ([flow.before].flat().some(hasCode)) return ['beforeMain', 'main', 'afterMain', 'after'];
    return scenarios || PHASES.some((phase) => [flow[phase]].flat().some(hasCode)) ? ['after'] : [];
  }

  #currentValues() {
    const flow = asPhases(this.#raw);
    return LIVE_KEYS.map((key) => flow[key]);
  }
}

/** @type {(entry: any) => boolean} */
function hasCode(entry) {
  return [entry, entry?.beforeHooks, entry?.afterHooks].flat().some((one) => typeof one === 'function');
}

/** @type {(value: any, seen?: Set<unknown>) => boolean} */
function hasFunction(value, seen = new Set()) {
  if (typeof value === 'function') return true;
  if (!isContainer(value) || seen.has(value)) return false;
  seen.add(value);
  // Getters are not read: one may throw until code has run.
  return Object.values(Object.getOwnPropertyDescriptors(value)).some((one) => hasFunction(one.value, seen));
}

/** They are not enumerable, so that a flow looks as its author wrote it. @type {(flow: Record<string, any>) => void} */
function addPhases(flow) {
  for (const phase of ADDED.filter((name) => !flow[name]))
    Reflect.defineProperty(flow, phase, { value: [], writable: true, configurable: true });
}
