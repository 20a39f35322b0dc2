import { inspect, isDeepStrictEqual } from 'node:util';

import { makeError } from '../ground/errors.js';
import { typeName } from '../text/format-value.js';
import { HookResponse, decodeBody, parseBody, withoutMark } from './response-reader.js';

/**
 * @import { Response } from '../contracts/response.js'
 * @import { Changed, Operation, Rules, Step } from '../contracts/step.js'
 * @import { BodyAccount } from '../process/body-memory.js'
 * @import { Env } from './iteration.js'
 * @import { ExchangeTimes } from './response-reader.js'
 *
 * @typedef {'end' | 'skip'} Departure how hooks leave an operation: the iteration is complete; the operation is not
 *   sent
 */

/**
 * The argument of hooks, whose properties `All` of contracts/hooks.d.ts describes. Request options and body are created
 * when a hook reads them; hooks may change both.
 */
export class All {
  #step;
  #lane;
  #stop;
  /** The original: a hook may overwrite the public property. */
  #env;
  #runCtx;
  /** Those of the step, unless a before-hook changed them. @type {Rules} */
  #rules;
  /** @type {Operation | null} */
  #requestOptions = null;
  /** The Authorization field that the flow or the run sets, as hooks first got it. @type {unknown} */
  #authorization = undefined;
  /** A hook has set `requestOptions` itself, not their properties. */
  #isReplaced = false;
  /** @type {Buffer | null} */
  #bytes = null;
  /** Of a WebSocket. @type {(string | Buffer)[] | undefined} */
  #messages = undefined;
  /** The body as received, once a hook has read it. @type {any} */
  #body = undefined;
  #hasBody = false;
  /** The body that a hook has set in its place. @type {{ body: any } | null} */
  #ownBody = null;
  #parsesJson = false;
  /** The received body was parsed as JSON: a string is its value, not its text. */
  #isValue = false;
  /** The function `cb` was called. */
  #isDone = false;
  /** The current hook, one of bench-rest 1, has read `cb`: it may call it later. */
  #isCbTaken = false;
  /** @type {() => void} */
  #onDone = () => {};
  #wasSent = false;
  /** Figures of the exchange; undefined before it. @type {number | undefined} */
  #serviceTime = undefined;
  /** @type {number | undefined} */
  #ttfb = undefined;
  /** @type {number | undefined} */
  #bodyBytes = undefined;
  /** @type {Departure | null} */
  departure = null;
  /** @type {any} */
  err = null;
  /** @type {any} */
  response = undefined;

  /**
   * @param {Step} step
   * @param {Env} env
   * @param {{ bodies: BodyAccount, exchange: { ms: number, ttfb: number, times: ExchangeTimes } }} lane what the
   *   public types need not know of it
   * @param {{ runCtx: Record<string, any>, stop: () => void }} run
   */
  constructor(step, env, lane, { runCtx, stop }) {
    this.#step = this.#rules = step;
    this.#lane = lane;
    this.#stop = stop;
    this.env = this.#env = env;
    this.runCtx = this.#runCtx = runCtx;
    this.opIndex = step.opIndex;
    this.phase = step.phase;
    this.scenario = env.scenario;
  }

  get iterCtx() {
    return this.#env.iterCtx;
  }

  set iterCtx(iterCtx) {
    this.#env.iterCtx = iterCtx;
  }

  get vars() {
    return this.#env.vars;
  }

  get data() {
    return this.#env.data;
  }

  get vu() {
    return this.#env.vu;
  }

  get vuCtx() {
    return this.#env.vuCtx;
  }

  set vuCtx(vuCtx) {
    this.#env.vuCtx = vuCtx;
  }

  /** The service time of the exchange, or the time until it failed; undefined before. @returns {number | undefined} */
  get serviceTime() {
    return this.#serviceTime;
  }

  /** The time from sending the last request to the first byte of its response. @returns {number | undefined} */
  get ttfb() {
    return this.#ttfb;
  }

  get bodyBytes() {
    return this.#bodyBytes;
  }

  /**
   * The request to send: uri, method, headers, json, body, … It is rendered when a hook first reads it, as few hooks
   * do: if that is an after-hook, with the variables of that time.
   * @returns {any}
   */
  get requestOptions() {
    if (this.#requestOptions === null && !this.#isReplaced) {
      this.#requestOptions = this.#step.options(this.#env);
      if (!this.#step.hasCredentials) this.#authorization = this.#requestOptions.headers.Authorization;
    }
    return /** @type {any} */ (this.#requestOptions);
  }

  set requestOptions(options) {
    if (options === this.#requestOptions && options !== null) return;
    this.#requestOptions = options;
    this.#isReplaced = true;
  }

  /** Text, a Buffer for `encoding: null`, or the value of JSON for operations with `json`. */
  get body() {
    return this.#ownBody === null ? this.#receivedBody() : this.#ownBody.body;
  }

  set body(body) {
    this.#ownBody = { body };
  }

  /**
   * Ends the operation, with an error or without; only the first call counts. In a before-hook nothing is sent. A hook
   * that calls it later returns false meanwhile.
   *
   * @returns {(error?: unknown) => void}
   */
  get cb() {
    this.#isCbTaken = true;
    return (error) => {
      if (this.#isDone) return;
      this.#isDone = true;
      if (error) this.err = error;
      else if (!this.#wasSent) this.departure ??= 'skip';
      this.#onDone();
    };
  }

  /** Completes the iteration: what follows in it is not sent, except afterMain. @returns {() => void} */
  get end() {
    return () => {
      this.departure = 'end';
    };
  }

  /** Leaves out this operation. @returns {() => void} throws after the request was sent */
  get skip() {
    return () => {
      if (this.#wasSent) throw new Error('skip() was called after the request was sent: call it in a before-hook');
      this.departure ??= 'skip';
    };
  }

  /** Stops the run gracefully. @returns {() => void} */
  get stop() {
    return this.#stop;
  }

  /** The properties of bench-rest 1: JSON and console.log show these. */
  toJSON() {
    const { env, opIndex, iterCtx, requestOptions, err, response, body } = this;
    return { env, opIndex, iterCtx, requestOptions, err, response, body };
  }

  [inspect.custom]() {
    return this.toJSON();
  }

  /** What hooks have set in `requestOptions` stays. @type {(step: Step) => void} */
  follow(step) {
    const options = this.#requestOptions;
    if (options !== null)
      this.#requestOptions = merged(options, this.#step.options(this.#env), step.options(this.#env));
    this.#step = step;
  }

  /**
   * Returns the request as the before-hooks left it; null: none has read the options.
   * @returns {Changed | null}
   * @throws {Error} E_REQUEST_FIELD
   */
  changed() {
    this.#refuseReplaced('env', this.#env);
    this.#refuseReplaced('runCtx', this.#runCtx);
    const options = this.#requestOptions ?? null;
    if (options === null && this.#isReplaced)
      throw makeError('E_REQUEST_FIELD', {
        place: `${this.#step.where}.requestOptions`,
        reason: `is ${this.#requestOptions}: a hook that leaves the operation out calls all.skip()`,
      });
    if (options === null) return null;
    if (typeof options !== 'object')
      throw makeError('E_REQUEST_FIELD', {
        place: `${this.#step.where}.requestOptions`,
        reason: `expected an object, got ${typeName(options)}`,
      });
    const original = { authorization: this.#authorization, isReplaced: this.#isReplaced };
    const changed = this.#step.renderOptions(options, this.#env, original);
    if (changed.rules) this.#rules = changed.rules;
    return changed;
  }

  /** @type {(response: Response | undefined, error: unknown) => void} */
  received(response, error) {
    const { exchange } = this.#lane;
    // All of it is read now: a later operation of the iteration has values of its own.
    this.#wasSent = true;
    this.#serviceTime = exchange.ms;
    this.#ttfb = response && exchange.ttfb;
    this.#bodyBytes = response?.bodyBytes;
    this.err = error ?? null;
    this.response = response && new HookResponse(response, () => this.#receivedBody(), exchange.times);
    this.#messages = response?.messages;
    const { parsesJson } = this.#rules;
    this.#parsesJson = typeof parsesJson === 'function' ? parsesJson(this.#env) : parsesJson;
    this.#bytes = this.#messages === undefined ? (response?.body ?? null) : null;
    this.#hasBody = false;
    this.#isValue = false;
    this.#ownBody = null;
  }

  /**
   * Applies the result of a hook.
   *
   * @param {unknown} result nothing, this object, or another one with some of its properties
   * @param {string} where the hook
   * @returns {Promise<void> | null} a hook that returned false calls `cb` later
   * @throws {Error} E_HOOK_RESULT
   */
  adopt(result, where) {
    const callsLater = result === false && this.#isCbTaken;
    this.#isCbTaken = false;
    if (callsLater) return this.#isDone ? null : this.#done();
    if (result !== undefined && result !== null && result !== this) this.#assign(result, where);
    return null;
  }

  /** @type {(result: NonNullable<unknown>, where: string) => void} */
  #assign(result, where) {
    if (typeof result !== 'object') throw makeError('E_HOOK_RESULT', { hook: where, got: typeName(result) });
    const {
      err,
      response,
      body,
      requestOptions,
      iterCtx,
      env = this.env,
      runCtx = this.runCtx,
    } = /** @type {any} */ (result);
    Object.assign(this, { env, runCtx });
    if ('err' in result) this.err = err;
    if (response !== undefined) this.response = response;
    if ('body' in result) this.body = body;
    if (requestOptions !== undefined) this.requestOptions = requestOptions;
    if (iterCtx !== undefined) this.iterCtx = iterCtx;
  }

  /** @type {() => Promise<void>} */
  #done() {
    return new Promise((resolve) => {
      this.#onDone = resolve;
    });
  }

  /** Requests and captures use the original. @type {(name: 'env' | 'runCtx', original: object) => void} */
  #refuseReplaced(name, original) {
    if (this[name] === original || this[name] === undefined) return;
    throw makeError('E_REQUEST_FIELD', {
      place: `${this.#step.where}.${name}`,
      reason: 'cannot be replaced by a hook: change its properties',
    });
  }

  #receivedBody() {
    if (!this.#hasBody) {
      if (this.#bytes) this.#body = this.#read(this.#bytes);
      else if (this.#messages) this.#body = this.#readMessages(this.#messages);
      this.#hasBody = true;
    }
    return this.#body;
  }

  /**
   * Returns what a function that requested the operation gets. After-hooks, as those for 1.2.4, may have replaced the
   * public `env`. `isValue`: the body was parsed as JSON.
   * @param {All} all
   */
  static outcomeOf(all) {
    const { response, body } = all;
    return { env: all.#env, response, body, isValue: all.#isValue && all.#ownBody === null };
  }

  /** One message, or a list of several. @type {(messages: (string | Buffer)[]) => any} */
  #readMessages(messages) {
    const values = messages.map((message) =>
      typeof message === 'string' && this.#parsesJson ? this.#parse(message) : message,
    );
    return values.length > 1 ? values : values[0];
  }

  /** @type {(bytes: Buffer) => any} */
  #read(bytes) {
    const { asBuffer, encoding, dropsMark } = this.#rules;
    if (asBuffer && !this.#parsesJson) return bytes;
    const { length } = bytes;
    if (this.#parsesJson && length === 0) return undefined;
    const decoded = decodeBody(bytes, encoding, this.#lane.bodies);
    const text = dropsMark ? withoutMark(decoded) : decoded;
    if (!this.#parsesJson) return text;
    const value = this.#parse(text);
    if (asBuffer || value !== text) this.#lane.bodies.free(length);
    return asBuffer && value === text ? bytes : value;
  }

  /** Like the request library, text that is not JSON stays text. @type {(text: string) => any} */
  #parse(text) {
    const parsed = parseBody(text, this.#lane.bodies);
    this.#isValue = parsed !== null;
    return parsed === null ? text : parsed.value;
  }
}

/** Applies to `now` what changed between `then` and `own`. @type {(own: any, then: any, now: any) => any} */
function merged(own, then, now) {
  if (isDeepStrictEqual(own, then)) return now;
  if (![own, then, now].every((value) => Object.prototype.toString.call(value) === '[object Object]')) return own;
  const result = { ...now };
  for (const name of Object.keys({ ...then, ...own })) {
    if (!Object.hasOwn(own, name)) delete result[name];
    else if (Object.hasOwn(now, name) || !isDeepStrictEqual(own[name], then[name]))
      result[name] = merged(own[name], then[name], now[name]);
  }
  return result;
}
