import { makeError } from '../../errors.js';
import { isWebSocketUrl, messagesTo } from '../web-socket/url.js';

/** @typedef {Record<string, any>} RequestProperties properties of an operation, beside its URL */

/**
 * Adds to a URL what the command line says about its request.
 *
 * @param {unknown} flow as its format read it: a URL, several of them, or anything else
 * @param {RequestProperties} request
 * @param {string} from where the flow comes from, for messages
 * @returns {unknown}
 * @throws {Error} E_USAGE if the flow describes its requests itself, or a WebSocket has no use for an option
 */
export function withRequest(flow, request, from) {
  if (typeof flow === 'string') return operationOf(flow, request);
  if (Array.isArray(flow) && flow.every(isText)) return flow.map((url) => operationOf(url, request));
  const urls = /** @type {any} */ (flow)?.oneOf;
  if (Array.isArray(urls) && urls.every(isText)) return { oneOf: urls.map((url) => operationOf(url, request)) };
  const operation = "{ method: 'POST', url: '/items', body: 'text' }";
  throw makeError('E_USAGE', {
    problem: `${from} describes its requests itself: -m, -b, -T, -F and -E are for a URL; write an operation such as ${operation} in the flow`,
  });
}

/** @type {(url: string, request: RequestProperties) => Record<string, unknown>} */
function operationOf(url, request) {
  if (!isWebSocketUrl(url)) return { url, ...request };
  const { method, headers, body, formData, expect } = request;
  const refused = [
    { flag: '-T', isGiven: headers !== undefined },
    { flag: '-F', isGiven: formData !== undefined },
    { flag: '-b with a file', isGiven: body !== undefined && typeof body !== 'string' },
    // -b alone is a POST
    { flag: '-m', isGiven: method !== undefined && (body === undefined || method !== 'POST') },
  ].find(({ isGiven }) => isGiven);
  if (refused)
    throw makeError('E_USAGE', {
      problem: `${refused.flag} has no meaning for a WebSocket (${url}): -b <text> is the message to send, -E <text> the one to expect`,
    });
  return messagesTo(url, { ...(body !== undefined && { send: body }), ...(expect && { expect: expect.body }) });
}

/** @type {(value: unknown) => boolean} */
function isText(value) {
  return typeof value === 'string';
}
