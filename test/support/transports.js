import { createEndpoints } from '../../lib/core/http/endpoint.js';
import { classify } from '../../lib/core/iteration/failure.js';
import { TRANSPORTS } from '../../lib/core/transport/index.js';
import { IS_FULL } from './scale.js';

const LIMITS = { maxBodySize: 64 * 1024 * 1024, maxHeaderSize: 64 * 1024, maxHeaderFields: 1000 };

/** Runs `story(transport, name)` with a transport that is closed afterwards. */
export async function transporting(name, story, options = {}) {
  const { open } = await TRANSPORTS.find((entry) => entry.name === name).load();
  const transport = open({ ...LIMITS, ...options });
  try {
    return await story(transport);
  } finally {
    await transport.close();
  }
}

export const NAMES = TRANSPORTS.map(({ name }) => name);

/**
 * Whether a test of workers runs with a transport: with both in the full counts, else with `quick` alone, as every
 * thread loads all modules. Its rows run with both transports in one thread.
 *
 * @param {string} transport
 * @param {string} quick
 * @returns {boolean}
 */
export const runsWorkers = (transport, quick) => IS_FULL || transport === quick;

/**
 * Whether a row of a table runs with a transport: with all in the full counts, else with one of them, in turn. It is
 * for rows that differ by nothing that a transport decides, such as those of redirects and of hooks.
 *
 * @type {(row: number, transport: string) => boolean}
 */
export const takesTurn = (row, transport) => IS_FULL || NAMES[row % NAMES.length] === transport;

/** A request like those of the compiler. */
export function requestTo(url, { method = 'GET', fields = [], body = null, tls = {}, socketPath, http2 } = {}) {
  const at = new URL(url);
  const endpoint = createEndpoints()(at, tls, { socketPath, version: http2 });
  return { endpoint, method, path: at.pathname + at.search, fields, extra: null, body };
}

/** The response of an exchange; rejects with its error. */
export function sending(connection, request, needs, readsExcerpt) {
  return new Promise((onResponse, onError) => connection.send(request, needs, { onResponse, onError, readsExcerpt }));
}

/** The outcome of an exchange: `{ status, headers, body }` or `{ code, kind }`; it must not take longer than 20 s. */
export async function exchange(connection, request) {
  const timer = setTimeout(() => connection.abort(Object.assign(new Error('too slow'), { code: 'TOO_SLOW' })), 20_000);
  try {
    const response = await sending(connection, request, 'body');
    return { status: response.statusCode, headers: { ...response.headers }, body: response.body.latin1Slice() };
  } catch (error) {
    return classify(error);
  } finally {
    clearTimeout(timer);
  }
}
