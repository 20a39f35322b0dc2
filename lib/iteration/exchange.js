import { exemplarOf } from './exemplar.js';
import { hookError } from './failure.js';
import { decode } from './session/decode.js';
import { ABILITIES } from './session/index.js';
import { followRedirect, isRedirect } from './session/redirects.js';

/**
 * @import { Endpoint, Request, Step } from '../flow/types.js'
 * @import { OperationRecorder } from '../measure/operations.js'
 * @import { Recorder, Role } from '../measure/recorder.js'
 * @import { Clock } from '../run/clock.js'
 * @import { Connection, Response } from '../transport/types.js'
 * @import { Env } from './env.js'
 * @import { Lane } from './lane.js'
 * @import { AbilityContext } from './session/index.js'
 *
 * @typedef {object} ExchangeContext
 * @property {Clock} clock
 * @property {Recorder} recorder
 * @property {(url: URL, tls: Record<string, unknown>, socketPath?: string) => Endpoint} endpointOf
 * @property {number} timeoutMs of an operation that gives none; 0: none
 * @property {number} connectTimeoutMs
 * @property {number} maxBodySize
 * @property {string} [user]
 * @property {string} [password]
 * @property {Record<string, any>} runCtx
 * @property {() => number} origin the instant from which the times of examples count
 * @property {(exchange: object) => void} [trace] is told of every request and what came back
 */

/**
 * Puts around the transport's send what this step needs: credentials, cookies, redirects, one retry, a deadline.
 *
 * @param {Step} step
 * @param {ExchangeContext} context
 * @param {OperationRecorder} operation
 * @returns {(request: Request, env: Env, lane: Lane) => Promise<Response>}
 */
export function prepareExchange(step, context, operation) {
  const { clock, recorder } = context;
  const abilities = ABILITIES.filter((ability) => ability.needed(step));
  const before = abilities.flatMap((ability) => ability.before ?? []);
  const after = abilities.flatMap((ability) => ability.after ?? []);
  const timeoutMs = step.timeoutMs ?? context.timeoutMs;
  /** @type {(request: Request, connection: Connection) => Promise<Response>} */
  const plain = (request, connection) => connection.send(request, step.wants);
  const send = context.trace ? traced(step, clock, context.trace) : plain;

  /** @type {(request: Request, session: AbilityContext) => void} */
  const actBefore = (request, session) => {
    try {
      for (const act of before) act(request, session);
    } catch (cause) {
      throw hookError(cause, `${step.where}.env`);
    }
  };
  /** @type {(request: Request, response: Response, session: AbilityContext) => void} */
  const actAfter = (request, response, session) => {
    try {
      for (const act of after) act(request, response, session);
    } catch (cause) {
      throw hookError(cause, `${step.where}.env`);
    }
  };

  return async function exchange(template, env, lane) {
    const session = { env, user: context.user, password: context.password, hasLeft: false };
    let request = isPlain(env, context) ? template : { ...template };
    let redirects = 0;
    let isAnswered = false;
    /** @type {Role} */
    let role = 'count';
    let connection = lane.connection(request.endpoint);
    const started = clock.now();
    lane.startExchange(started, timeoutMs, context.connectTimeoutMs);
    try {
      for (;;) {
        if (role !== 'retries') actBefore(request, session);
        let response;
        try {
          response = await send(request, lane.watch(connection));
          recorder.answered(response.statusCode, role);
        } catch (error) {
          if (connection.wasSent) recorder.unanswered(/** @type {any} */ (error).code === 'E_CANCELLED', role);
          if (role === 'retries' || lane.isCancelled || !mayRetry(request, connection, error)) throw error;
          role = 'retries';
          connection = lane.connection(request.endpoint);
          lane.startConnect(clock.now());
          continue;
        }
        actAfter(request, response, session);
        const next =
          step.maxRedirects > 0 && isRedirect(response.statusCode)
            ? followRedirect(request, response, { step, redirects, endpointOf: context.endpointOf })
            : null;
        if (!next) {
          isAnswered = true;
          lane.wasAnswered = true;
          const now = connection.endedAt;
          operation.answered(response.statusCode, now - started);
          if (now - started > recorder.exemplars.bar) {
            recorder.exemplars.addSlow(
              exemplarOf(step, lane, { now, origin: context.origin(), status: response.statusCode }),
            );
          }
          return step.decodes && response.body && response.contentEncoding
            ? await decoded(response, context.maxBodySize)
            : response;
        }
        session.hasLeft ||= next.endpoint.origin !== request.endpoint.origin;
        request = next;
        role = 'redirects';
        redirects++;
        connection = lane.connection(request.endpoint);
        lane.startConnect(clock.now());
      }
    } catch (error) {
      if (!isAnswered) operation.unanswered();
      throw error;
    } finally {
      lane.endWait();
    }
  };
}

/** @type {(step: Step, clock: Clock, trace: (exchange: object) => void) => (request: Request, connection: Connection) => Promise<Response>} */
function traced({ where, name }, clock, trace) {
  return async (request, connection) => {
    const started = clock.now();
    const sent = {
      method: request.method,
      url: request.endpoint.origin + request.path,
      headers: pairs(request.fields).concat(pairs(request.extra ?? [])),
      body: request.body,
    };
    try {
      const response = await connection.send(request, 'body');
      const { statusCode, headers, body } = response;
      trace({ where, name, request: sent, response: { statusCode, headers, body }, ms: clock.now() - started });
      return response;
    } catch (error) {
      trace({ where, name, request: sent, error, ms: clock.now() - started });
      throw error;
    }
  };
}

/** @type {(fields: string[]) => string[][]} */
function pairs(fields) {
  return fields.flatMap((name, i) => (i % 2 === 0 ? [[name, fields[i + 1]]] : []));
}

/** @type {(response: Response, limit: number) => Promise<Response>} */
async function decoded(response, limit) {
  response.body = await decode(
    /** @type {Buffer} */ (response.body),
    /** @type {string} */ (response.contentEncoding),
    limit,
  );
  return response;
}

/**
 * A kept-alive connection that the server closed before the first byte of a response is tried once more on a new one,
 * where the method is idempotent (RFC 9110 9.2.2).
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

/** Whether the request can be sent as the template has it: nothing of this iteration is added. @type {(env: Env, context: ExchangeContext) => boolean} */
function isPlain(env, { user, password }) {
  return !env.hasJar && env.user === user && env.password === password;
}

/** @type {(method: string) => boolean} */
function isIdempotent(method) {
  return method === 'GET' || method === 'HEAD' || method === 'PUT' || method === 'DELETE' || method === 'OPTIONS';
}
