import { makeError } from '../errors.js';
import { kindOf } from '../show.js';

/**
 * @import { Operation, Request, Step } from '../flow/types.js'
 * @import { Response } from '../transport/types.js'
 * @import { Env } from './env.js'
 */

/**
 * What a hook is given. Request options and body are made when a hook looks at them; what is looked at may be changed.
 */
export class All {
  #step;
  /** @type {Operation | null} */
  #requestOptions = null;
  /** @type {Buffer | null} */
  #bytes = null;
  /** @type {any} */
  #body = undefined;
  #hasBody = false;
  #isDone = false;
  /** @type {any} */
  err = null;
  /** @type {any} */
  response = undefined;

  /**
   * @param {Step} step
   * @param {Env} env
   * @param {Record<string, any>} runCtx
   */
  constructor(step, env, runCtx) {
    this.#step = step;
    this.env = env;
    this.iterCtx = env.iterCtx;
    this.runCtx = runCtx;
    this.opIndex = step.opIndex;
    this.phase = step.phase;
  }

  /** @returns {any} what will be sent: uri, method, headers, json, body, … */
  get requestOptions() {
    return (this.#requestOptions ??= this.#step.options(this.env));
  }

  set requestOptions(options) {
    this.#requestOptions = options;
  }

  /** The response's body: text, a Buffer for `encoding: null`, a value where the operation has `json` and it is JSON. */
  get body() {
    if (!this.#hasBody) {
      this.#hasBody = true;
      if (this.#bytes) this.#body = this.#read(this.#bytes);
    }
    return this.#body;
  }

  set body(body) {
    this.#hasBody = true;
    this.#body = body;
  }

  /** Ends the operation, with an error if one is given; only the first call counts. @returns {(error?: unknown) => void} */
  get cb() {
    return (error) => {
      if (this.#isDone) return;
      this.#isDone = true;
      if (error) this.err = error;
    };
  }

  /** The request that before-hooks made, null if none looked. @type {() => Request | null} */
  changedRequest() {
    const options = this.#requestOptions ?? null;
    if (options === null) return null;
    if (typeof options !== 'object')
      throw makeError('E_REQUEST_FIELD', {
        place: `${this.#step.where}.requestOptions`,
        reason: `expected an object, got ${kindOf(options)}`,
      });
    return this.#step.renderOptions(options, this.env);
  }

  /** @type {(response: Response | undefined, error: unknown) => void} */
  received(response, error) {
    this.err = error ?? null;
    this.response = response && new HookResponse(response);
    this.#bytes = response?.body ?? null;
  }

  /**
   * Takes what a hook returned: nothing, this object, or another with some of its properties.
   * @type {(result: unknown, where: string) => void}
   */
  adopt(result, where) {
    if (result === undefined || result === null || result === this) return;
    if (typeof result !== 'object') throw makeError('E_HOOK_RESULT', { hook: where, got: kindOf(result) });
    const { err, response, body, requestOptions, iterCtx } = /** @type {any} */ (result);
    if ('err' in result) this.err = err;
    if (response !== undefined) this.response = response;
    if ('body' in result) this.body = body;
    if (requestOptions !== undefined) this.#requestOptions = requestOptions;
    if (iterCtx !== undefined) this.iterCtx = iterCtx;
  }

  /** @type {(bytes: Buffer) => any} */
  #read(bytes) {
    if (this.#step.asBuffer) return bytes;
    const text = bytes.toString(this.#step.encoding);
    if (!this.#step.parsesJson) return text;
    try {
      return JSON.parse(text);
    } catch {
      // as the request library did: what is not JSON stays text
      return text;
    }
  }
}

/** What hooks see of a response; its status may be written over, the real one stays beside it. */
class HookResponse {
  #response;
  /** @type {Record<string, any> | null} */
  #headers = null;

  /** @param {Response} response */
  constructor(response) {
    this.#response = response;
    this.statusCode = response.statusCode;
    this.originalStatusCode = response.statusCode;
  }

  /** A private copy. */
  get headers() {
    return (this.#headers ??= this.#response.headers);
  }

  set headers(headers) {
    this.#headers = headers;
  }
}
