import { exemplarOf } from './exemplar.js';
import { blaming } from './failure.js';
import { MIDDLEWARE } from './session/index.js';
import { tracing } from './trace.js';

/**
 * @import { Request, Rules, Step } from '../flow/types.js'
 * @import { OperationRecorder } from '../measure/operations.js'
 * @import { Recorder, Role } from '../measure/recorder.js'
 * @import { Clock } from '../run/clock.js'
 * @import { Connection, Response } from '../transport/types.js'
 * @import { Env } from './env.js'
 * @import { Lane } from './lane.js'
 * @import { Middleware, Session, SessionOptions } from './session/index.js'
 * @import { Trace } from './trace.js'
 *
 * @typedef {object} ExchangeOptions
 * @property {Clock} clock
 * @property {Recorder} recorder
 * @property {number} timeoutMs of operations without their own timeout; 0: no limit
 * @property {number} connectTimeoutMs
 * @property {Record<string, any>} runCtx
 * @property {() => number} origin instant from which the times of exemplars count
 * @property {Trace} [trace] called with every request and its response
 *
 * @typedef {ExchangeOptions & SessionOptions} ExchangeContext
 *
 * @typedef {object} BoundMiddleware the middleware for one set of rules
 * @property {NonNullable<Middleware['before']>[]} before
 * @property {NonNullable<Middleware['after']>[]} after
 */

/**
 * The exchange of one step: sends a request through its middleware, follows redirects, retries once, keeps the deadline.
 *
 * Each hop starts from the operation's own request: what middleware adds for one hop (cookies of the jar, credentials of
 * env) is added to a copy, so that the next hop cannot inherit it.
 */
export class Exchange {
  #step;
  #context;
  #operation;
  #clock;
  #recorder;
  #send;
  /** for the rules of the step */
  #middleware;

  /**
   * @param {Step} step
   * @param {ExchangeContext} context
   * @param {OperationRecorder} operation
   */
  constructor(step, context, operation) {
    this.#step = step;
    this.#context = context;
    this.#operation = operation;
    this.#clock = context.clock;
    this.#recorder = context.recorder;
    /** @type {(request: Request, connection: Connection) => Promise<Response>} */
    const plain = (request, connection) => connection.send(request, step.needs);
    this.#send = context.trace ? tracing(step, this.#clock, context.trace) : plain;
    this.#middleware = this.#middlewareFor(step);
  }

  /**
   * @param {Request} template the operation's request
   * @param {Env} env
   * @param {Lane} lane
   * @param {Rules} [rules] those of the step, unless a before-hook changed them
   * @returns {Promise<Response>} rejects with the error of the exchange
   */
  async perform(template, env, lane, rules = this.#step) {
    const context = this.#context;
    const recorder = this.#recorder;
    const { deadline, bodies } = lane;
    const middleware = rules === this.#step ? this.#middleware : this.#middlewareFor(rules);
    /** @type {Session} */
    const session = { run: context, env, rules, bodies, own: template, next: null, redirects: 0, isElsewhere: false };
    /** @type {Role} */
    let role = 'count';
    let isAnswered = false;
    let connection = lane.connection(template.endpoint);
    const started = this.#clock.now();
    deadline.startExchange(started, rules.timeoutMs ?? context.timeoutMs, context.connectTimeoutMs);
    try {
      let request = this.#requestOf(session, middleware);
      for (;;) {
        let response;
        try {
          response = await this.#send(request, lane.watch(connection));
          lane.responded();
          recorder.answered(response.statusCode, role);
        } catch (error) {
          if (connection.wasSent) recorder.unanswered(/** @type {any} */ (error).code === 'E_CANCELLED', role);
          if (role === 'retries' || lane.isCancelled || !mayRetry(request, connection, error)) throw error;
          role = 'retries';
          connection = this.#reconnect(request, lane);
          continue;
        }
        let pending;
        for (const after of middleware.after) pending = after(request, response, session);
        if (session.next === null) {
          isAnswered = true;
          this.#measure(response, connection.endedAt, started, lane);
          if (pending) await pending;
          return response;
        }
        session.own = session.next;
        session.next = null;
        request = this.#requestOf(session, middleware);
        role = 'redirects';
        connection = lane.connection(request.endpoint);
        deadline.startConnect(this.#clock.now());
      }
    } catch (error) {
      if (!isAnswered) this.#operation.unanswered();
      throw error;
    } finally {
      deadline.end();
    }
  }

  /** What one hop sends: the operation's own request, or a copy that middleware changed. @type {(session: Session, middleware: BoundMiddleware) => Request} */
  #requestOf(session, { before }) {
    if (!this.#addsToRequest(session.env)) return session.own;
    const request = { ...session.own };
    for (const add of before) add(request, session);
    return request;
  }

  /** Cookies or credentials of this iteration may have to be added. @type {(env: Env) => boolean} */
  #addsToRequest(env) {
    const { user, password } = this.#context;
    return env.hasJar || env.user !== user || env.password !== password;
  }

  /** The connection for a retry. @type {(request: Request, lane: Lane) => Connection} */
  #reconnect(request, lane) {
    const now = this.#clock.now();
    if (lane.deadline.isExchangeOver(now)) throw lane.deadline.requestTimeout();
    const connection = lane.connection(request.endpoint);
    lane.deadline.startConnect(now);
    return connection;
  }

  /** @type {(response: Response, now: number, started: number, lane: Lane) => void} */
  #measure({ statusCode: status }, now, started, lane) {
    const { exemplars } = this.#recorder;
    lane.answered();
    this.#operation.answered(status, now - started);
    if (now - started > exemplars.bar)
      exemplars.addSlow(exemplarOf(this.#step, lane, { now, origin: this.#context.origin(), status }));
  }

  /** @type {(rules: Rules) => BoundMiddleware} */
  #middlewareFor(rules) {
    const needed = MIDDLEWARE.filter((entry) => entry.needed(rules));
    // a hook may have set any value in env
    const where = `${this.#step.where}.env`;
    return {
      before: needed.flatMap(({ before }) => (before ? [blaming(where, before)] : [])),
      after: needed.flatMap(({ after }) => (after ? [blaming(where, after)] : [])),
    };
  }
}

/**
 * A request is retried once, on a new connection, if the server closed a kept-alive connection before the first byte
 * of a response and the method is idempotent (RFC 9110 9.2.2).
 *
 * @type {(request: Request, connection: Connection, error: any) => boolean}
 */
function mayRetry(request, connection, error) {
  return (
    connection.wasReused &&
    !connection.sawBytes &&
    (error.code === 'E_RESET_BEFORE_HEAD' || error.code === 'E_PIPELINE') &&
    isIdempotent(request.method)
  );
}

/** @type {(method: string) => boolean} */
function isIdempotent(method) {
  return method === 'GET' || method === 'HEAD' || method === 'PUT' || method === 'DELETE' || method === 'OPTIONS';
}
