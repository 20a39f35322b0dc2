import { isOurs, makeError } from '../../core/ground/errors.js';
import { systemError } from '../../core/ground/system-errors.js';
import { messageOf } from '../../core/text/error-text.js';
import { typeName } from '../../core/text/format-value.js';
import { ExchangeProgress, NO_RECEIVER } from '../../core/transport/exchange-parts.js';
import { NO_TRAFFIC } from '../../core/transport/traffic.js';

/** @import { Connection, Transport } from '../../core/contracts/connection.js' */
/** @import { Request } from '../../core/contracts/request.js' */
/** @import { Kept, Receiver, Response } from '../../core/contracts/response.js' */

/** Opens the client of calls, which a flow or an add-on makes with clients of its own. @type {() => Transport} */
export function open() {
  const abandoned = new AbandonedCalls();
  const turns = new LoopTurns();
  const traffic = { ...NO_TRAFFIC };
  return {
    connect: () => new CallConnection({ abandoned, turns, traffic }),
    totals: () => ({ ...traffic, callsAbandoned: abandoned.count }),
    addresses: { toJSON: () => [], reset: () => abandoned.settle() },
    async close() {},
  };
}

/** Counts calls that were dropped, less those that then obeyed their signal: these have not gone on. */
class AbandonedCalls {
  count = 0;
  /** Calls that may still obey. @type {WeakSet<Call>} */
  #open = new WeakSet();

  /** @type {(call: Call) => void} */
  add(call) {
    this.count++;
    this.#open.add(call);
  }

  /** @type {(call: Call) => void} */
  remove(call) {
    if (this.#open.has(call)) this.count--;
  }

  /** Keeps the count so far: the one of the warm-up is subtracted as it is now. */
  settle() {
    this.#open = new WeakSet();
  }
}

/**
 * The measured calls of a virtual user, one at a time:
 *
 *     send -> (function of the flow) -> #settled -> (a turn of the event loop) -> #deliver -> receiver
 *     abort -> signal, receiver.onError; the result that comes later is dropped
 *
 * @implements {Connection}
 */
class CallConnection extends ExchangeProgress {
  #abandoned;
  #turns;
  #held;
  /** The running call. @type {Call | null} */
  #call = null;
  /** @type {Receiver} */
  #receiver = NO_RECEIVER;
  timeoutCode = 'E_TIMEOUT_CALL';

  /** @param {{ abandoned: AbandonedCalls, turns: LoopTurns, traffic: { opened: number } }} shared */
  constructor({ abandoned, turns, traffic }) {
    super();
    this.#abandoned = abandoned;
    this.#turns = turns;
    this.#held = new Held(traffic);
  }

  get hasArrived() {
    return this.#call !== null && this.#call.end !== null;
  }

  /** @type {(request: Pick<Request, 'task'>, needs: Kept, receiver: Receiver) => void} */
  send({ task }, _needs, receiver) {
    this.restart();
    this.bytesIn = NaN;
    this.#receiver = receiver;
    const call = new Call(/** @type {any} */ (task), this.#turns.current(), this.#held);
    this.#call = call;
    this.wasSent = true;
    this.sentAt = performance.now();
    call.start().then(
      (value) => this.#settled(call, { value }),
      (error) => this.#settled(call, { error }),
    );
  }

  /** Drops the running call; a result that is there is delivered. @type {(error: Error) => void} */
  abort(error) {
    const call = this.#call;
    if (call === null) return;
    if (call.end !== null) {
      this.#deliver(call.end);
      return;
    }
    this.#call = null;
    this.#abandoned.add(call);
    call.drop(error);
    this.#held.drop();
    this.#receiver.onError(error);
  }

  close() {
    this.isDead = true;
    this.#held.drop();
  }

  /** @type {(call: Call, end: CallEnd) => void} */
  #settled(call, end) {
    if (call !== this.#call) {
      if (call.wasEndedBySignal(end)) this.#abandoned.remove(call);
      return;
    }
    this.sawBytes = true;
    this.firstByteAt = this.endedAt = performance.now();
    call.end = end;
    // Calls that end in the turn in which they began would follow each other forever, and timers and signals would
    // never be served.
    if (call.turn < this.#turns.count) this.#deliver(end);
    else setImmediate(() => call === this.#call && this.#deliver(end));
  }

  /** @type {(end: CallEnd) => void} */
  #deliver(end) {
    this.#call = null;
    try {
      if ('error' in end) this.#receiver.onError(callError(end.error));
      else this.#receiver.onResponse(new CallResponse(end.value), this.endedAt);
    } catch (error) {
      // An internal error of the receiver. As a rejection, which nothing handles, it would be counted as the flow's.
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}

/**
 * @typedef {{ call: (scope: any, held: Held) => unknown, env: unknown }} CallTask a call in place of a request; it may
 *   return a promise. env: the state of the iteration
 *
 * @typedef {{ value: unknown } | { error: any }} CallEnd
 */

/** The connection that an add-on keeps between the calls of a virtual user to a server. */
export class Held {
  #traffic;
  /** @type {{ connection: unknown, close: (connection: any) => unknown } | null} */
  #open = null;
  /** How often it was dropped: what was opened for an earlier one is closed at once. */
  #drops = 0;

  /** @param {{ opened: number }} traffic */
  constructor(traffic) {
    this.#traffic = traffic;
  }

  /**
   * Returns the connection that is open, or opens one.
   * @type {(open: () => unknown, close: (connection: any) => unknown) => Promise<unknown>}
   */
  async connection(open, close) {
    if (this.#open !== null) return this.#open.connection;
    const drops = this.#drops;
    const connection = await open();
    this.#traffic.opened++;
    this.#open = { connection, close };
    if (drops !== this.#drops) this.drop();
    return connection;
  }

  /** Closes it; the next call opens another one. */
  drop() {
    this.#drops++;
    const open = this.#open;
    this.#open = null;
    // A close that fails is no error of the run.
    if (open !== null) new Promise((resolve) => resolve(open.close(open.connection))).catch(() => {});
  }
}

class Call {
  #task;
  #held;
  /** Created when the signal is first read: most functions do not read it. @type {AbortController | null} */
  #controller = null;
  /** Why it was dropped. @type {Error | null} */
  #reason = null;
  /** @type {CallEnd | null} */
  end = null;

  /**
   * @param {CallTask} task
   * @param {number} turn of the event loop, in which it starts
   * @param {Held} held
   */
  constructor(task, turn, held) {
    this.#task = task;
    this.#held = held;
    this.turn = turn;
  }

  /** Calls the function. @type {() => Promise<unknown>} */
  start() {
    const { call, env } = this.#task;
    return new Promise((resolve) => resolve(call(new CallScope(env, () => this.#signal()), this.#held)));
  }

  /** @type {(reason: Error) => void} */
  drop(reason) {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }

  /** Reports whether the signal has ended a call that was dropped. @type {(end: CallEnd) => boolean} */
  wasEndedBySignal(end) {
    if (this.#controller === null || !('error' in end)) return false;
    const { error } = end;
    try {
      return error === this.#reason || error?.cause === this.#reason || error?.name === 'AbortError';
    } catch {
      // A thrown value may throw when it is read.
      return false;
    }
  }

  #signal() {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#reason !== null) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }
}

/** The argument of a measured function: the state of its iteration, and a signal that ends it. */
class CallScope {
  #signal;

  /**
   * @param {any} env
   * @param {() => AbortSignal} signal
   */
  constructor(env, signal) {
    this.env = env;
    this.#signal = signal;
  }

  /** Aborted when its time is over, or the run. */
  get signal() {
    return this.#signal();
  }
}

/** The parts of the state that a call may replace, and those that it may read. */
const REPLACEABLE = ['vuCtx', 'iterCtx'];
const READABLE = ['index', 'vu', 'runCtx', 'vars', 'data', 'scenario', 'user', 'password', ...REPLACEABLE];

for (const name of READABLE) Object.defineProperty(CallScope.prototype, name, accessorsOf(name));

/** @type {(name: string) => PropertyDescriptor & ThisType<CallScope>} */
function accessorsOf(name) {
  /** @this {CallScope} @param {any} value */
  function replace(value) {
    this.env[name] = value;
  }
  return {
    get() {
      return this.env[name];
    },
    set: REPLACEABLE.includes(name) ? replace : undefined,
  };
}

/** @type {Record<string, any>} */
const NO_FIELDS = Object.freeze({});

/** What a call returned, in place of a response: it has no status, no fields and no bytes. @implements {Response} */
class CallResponse {
  statusCode = 0;
  isPlain = true;
  headers = NO_FIELDS;
  setCookies = null;
  contentEncoding = undefined;
  bodyBytes = 0;
  statusMessage = '';
  rawHeaders = /** @type {string[]} */ ([]);

  /** @param {unknown} value */
  constructor(value) {
    this.value = value;
  }

  /** The value as text, for people. */
  get body() {
    return this.value === undefined ? null : Buffer.from(textOf(this.value));
  }
}

/** Secrets are found in JSON, and in no other text of an object. @type {(value: unknown) => string} */
function textOf(value) {
  try {
    return JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one)) ?? typeName(value);
  } catch {
    // The value contains itself, or throws when it is read.
    return typeName(value);
  }
}

/** Returns the error of a failed call: E_CALL, or that of the system. @type {(cause: any) => Error} */
function callError(cause) {
  if (isOurs(cause) || isSystemError(cause)) return cause;
  return makeError('E_CALL', { reason: messageOf(cause) }, { cause });
}

/** @type {(error: any) => boolean} */
function isSystemError(error) {
  try {
    return error instanceof Error && 'code' in error && systemError(String(error.code)) !== null;
  } catch {
    // A thrown value may throw when it is read.
    return false;
  }
}

/** Counts turns of the event loop while calls start. */
class LoopTurns {
  /** Turns that have ended. */
  count = 0;
  #isWatching = false;

  /** Returns the current turn, and watches its end. */
  current() {
    if (!this.#isWatching) {
      this.#isWatching = true;
      setImmediate(() => {
        this.#isWatching = false;
        this.count++;
      });
    }
    return this.count;
  }
}
