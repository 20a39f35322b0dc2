import { makeError } from '../errors.js';
import { decode } from './session/decode.js';
import { ABILITIES } from './session/index.js';
import { followRedirect, isRedirect } from './session/redirects.js';

/**
 * @import { Endpoint, Request, Step } from '../flow/types.js'
 * @import { Recorder, Role } from '../measure/recorder.js'
 * @import { Clock } from '../run/clock.js'
 * @import { Connection, Response } from '../transport/types.js'
 * @import { Env } from './env.js'
 * @import { Lane } from './lane.js'
 *
 * @typedef {object} ExchangeContext
 * @property {Clock} clock
 * @property {Recorder} recorder
 * @property {(url: URL, tls: Record<string, unknown>) => Endpoint} endpointOf
 * @property {number} timeoutMs of an operation that gives none; 0: none
 * @property {number} connectTimeoutMs
 * @property {number} maxBodySize
 * @property {string} [user]
 * @property {string} [password]
 * @property {Record<string, any>} runCtx
 * @property {(exchange: object) => void} [trace]
 */

/**
 * Puts around the transport's send what this step needs: credentials, cookies, redirects, one retry, a deadline.
 *
 * @param {Step} step
 * @param {ExchangeContext} context
 * @returns {(request: Request, env: Env, lane: Lane) => Promise<Response>}
 */
export function prepareExchange(step, context) {
  const { clock, recorder } = context;
  const abilities = ABILITIES.filter((ability) => ability.needed(step));
  const before = abilities.flatMap((ability) => ability.before ?? []);
  const after = abilities.flatMap((ability) => ability.after ?? []);
  const wantsBody = step.wantsBody || context.trace !== undefined;
  const timeoutMs = step.timeoutMs ?? context.timeoutMs;

  return async function exchange(template, env, lane) {
    const session = { env, user: context.user, password: context.password };
    const deadline = lane.deadline;
    const startedAt = clock.now();
    const endsAt = timeoutMs > 0 ? startedAt + timeoutMs : Infinity;
    let request = isPlain(env, context) ? template : { ...template };
    let redirects = 0;
    try {
      for (;;) {
        for (const act of before) act(request, session);
        const response = await sendOnce(request, redirects === 0 ? 'count' : 'redirects');
        for (const act of after) act(request, response, session);
        const next = step.maxRedirects > 0 && isRedirect(response.statusCode)
          ? followRedirect(request, response, { step, redirects, endpointOf: context.endpointOf })
          : null;
        if (!next) return step.decodes && response.body && response.contentEncoding ? await decoded(response) : response;
        request = next;
        redirects++;
      }
    } finally {
      deadline.at = Infinity;
      deadline.interrupt = null;
    }

    /**
     * One request and its response; a kept-alive connection that the server closed before the first byte is tried
     * once more on a new one where the method is idempotent (RFC 9110 9.2.2).
     * @type {(request: Request, role: Role) => Promise<Response>}
     */
    async function sendOnce(request, role) {
      const connection = lane.connection(request.endpoint);
      try {
        return await transfer(connection, request, role);
      } catch (error) {
        const mayRetry = connection.wasReused && !connection.sawBytes && isIdempotent(request.method) && isReset(error);
        if (!mayRetry || lane.isCancelled) throw error;
        return await transfer(lane.connection(request.endpoint), request, 'retries');
      }
    }

    /** @type {(connection: Connection, request: Request, role: Role) => Promise<Response>} */
    async function transfer(connection, request, role) {
      watch(connection, request);
      try {
        const response = await connection.send(request, wantsBody);
        recorder.answered(response.statusCode, role);
        return response;
      } catch (error) {
        if (connection.wasSent) recorder.unanswered(/** @type {any} */ (error).code === 'E_CANCELLED', role);
        throw error;
      }
    }

    /** Arms the lane's deadline: for connecting first, then for the whole operation. @type {(connection: Connection, request: Request) => void} */
    function watch(connection, request) {
      const connectBy = startedAt + context.connectTimeoutMs;
      deadline.at = connectBy < endsAt ? connectBy : endsAt;
      deadline.interrupt = (why) => {
        if (why === 'cancelled') connection.abort(makeError('E_CANCELLED'));
        else if (connection.isConnecting) {
          connection.abort(makeError('E_TIMEOUT_CONNECT', { origin: request.endpoint.origin, ms: Math.min(timeoutMs || Infinity, context.connectTimeoutMs) }));
        } else if (deadline.limit <= clock.now()) connection.abort(makeError('E_CANCELLED'));
        else if (clock.now() < endsAt) deadline.at = endsAt;
        else connection.abort(makeError('E_TIMEOUT_REQUEST', { ms: timeoutMs }));
      };
    }

    /** @type {(response: Response) => Promise<Response>} */
    async function decoded(response) {
      const body = await decode(/** @type {Buffer} */ (response.body), /** @type {string} */ (response.contentEncoding), context.maxBodySize);
      response.body = body;
      return response;
    }
  };
}

/** Whether the request can be sent as the template has it: nothing of this iteration is added. @type {(env: Env, context: ExchangeContext) => boolean} */
function isPlain(env, { user, password }) {
  return !env.hasJar && env.user === user && env.password === password;
}

/** @type {(method: string) => boolean} */
function isIdempotent(method) {
  return method === 'GET' || method === 'HEAD' || method === 'PUT' || method === 'DELETE' || method === 'OPTIONS';
}

/** @type {(error: any) => boolean} */
function isReset(error) {
  return error.code === 'E_RESET_BEFORE_HEAD';
}
