import { PROPERTIES } from './properties.js';
import { isSentAsJson } from './bodies/index.js';
import { Snapshot, copyOf } from './snapshot.js';

/** @import { Operation, Step } from '../contracts/step.js' */

/** The properties in which 1.2.4 replaced `#{INDEX}`, in all operations of a phase, when an iteration began it. */
const READ_AT_START = ['get', 'head', 'put', 'post', 'del', 'patch', 'json', 'body'];

/**
 * An operation that code can change while its phase runs. Its properties are those of the time at which its phase was
 * compiled; the objects in them are read again if they have changed:
 *
 *     a text or an object with #{INDEX}    when an iteration begins the phase, from the operation of the user
 *     any other object                     before each request
 */
export class LiveOperation {
  #source;
  #around;
  #compile;
  #own;
  /** The properties that are read when an iteration begins the phase, as they were given. @type {Operation} */
  #given;
  #atStart;
  #atRequest;
  /** The operation to compile. @type {Operation} */
  operation;

  /**
   * @param {Operation} source of the user
   * @param {object} context
   * @param {unknown[]} context.around objects of the flow that all operations read
   * @param {(operation: Operation, live: LiveOperation) => Step} context.compile throws E_FLOW with all problems
   * @param {Operation} [own] its properties; default: as they are now, before a request
   * @param {string[]} [early] properties that are read when an iteration begins the phase, whatever they have become
   */
  constructor(source, { around, compile }, own, early) {
    const isPlanned = own === undefined;
    own ??= { ...source };
    early ??= namesWithIndex(own);
    this.#source = source;
    this.#around = around;
    this.#compile = compile;
    // Hooks get properties of the user's own as they are.
    const later = Object.keys(own).filter((name) => !early.includes(name) && Object.hasOwn(PROPERTIES, name));
    this.#given = Object.fromEntries(early.map((name) => [name, own[name]]));
    this.#atStart = new Snapshot(Object.values(this.#given));
    this.#atRequest = new Snapshot([...later.map((name) => own[name]), ...around]);
    this.#own = { ...own, ...copyOf(this.#given, true) };
    this.operation = this.#atRequest.isVolatile ? copiesIn(this.#own, isPlanned) : this.#own;
  }

  /** Reports whether code can change it at all. */
  get canChange() {
    return this.isReadAtStart || !this.#atRequest.isEmpty;
  }

  /** Reports whether an iteration reads it when it begins the phase. */
  get isReadAtStart() {
    return Object.keys(this.#given).length > 0;
  }

  /** Reports whether an object has changed that is read before each request. */
  isStale() {
    return !this.#atRequest.isSame();
  }

  /** Reports whether something has changed that is read when an iteration begins the phase. */
  isStaleAtStart() {
    const given = this.#given;
    for (const name in given) if (this.#source[name] !== given[name]) return true;
    return !this.#atStart.isSame();
  }

  /** Compiles it with its objects as they are now. @throws {Error} E_FLOW @type {() => Step} */
  renewed() {
    return this.#renewed(this.#own);
  }

  /** The same, with what an iteration reads when it begins the phase. @throws {Error} E_FLOW @type {() => Step} */
  renewedAtStart() {
    const names = Object.keys(this.#given);
    return this.#renewed({ ...this.#own, ...Object.fromEntries(names.map((name) => [name, this.#source[name]])) });
  }

  /** @type {(own: Operation) => Step} */
  #renewed(own) {
    const context = { around: this.#around, compile: this.#compile };
    const live = new LiveOperation(this.#source, context, own, Object.keys(this.#given));
    return this.#compile(live.operation, live);
  }
}

/** @type {(own: Operation) => string[]} */
function namesWithIndex(own) {
  return READ_AT_START.filter((name) => hasIndex(own[name]));
}

/** @type {(value: unknown) => boolean} */
function hasIndex(value) {
  if (typeof value !== 'object') return typeof value === 'string' && value.includes('#{INDEX}');
  // bytes have no tokens, and ten million of them take a second as JSON
  if (ArrayBuffer.isView(value)) return false;
  try {
    return value !== null && (JSON.stringify(value)?.includes('#{INDEX}') ?? false);
  } catch {
    // A cyclic value is refused when it is compiled.
    return false;
  }
}

/**
 * Copies properties, so that each getter is read once. A getter may throw until code has run: before a request the rest
 * is checked.
 * @type {(own: Operation, isPlanned: boolean) => Operation}
 */
function copiesIn(own, isPlanned) {
  const copied = (/** @type {string} */ name) => {
    const value = own[name];
    try {
      return [[name, new Snapshot([value]).isVolatile ? copyOf(value, isSentAsJson(name, own)) : value]];
    } catch (error) {
      if (isPlanned) return [];
      throw error;
    }
  };
  return Object.fromEntries(Object.keys(own).flatMap(copied));
}
