import { makeError } from '../../errors.js';

/** @typedef {Record<string, any>} RequestProperties properties of an operation, beside its URL */

/**
 * Adds to a URL what the command line says about its request.
 *
 * @param {unknown} flow as its format read it: a URL, several of them, or anything else
 * @param {RequestProperties} request
 * @param {string} from where the flow comes from, for messages
 * @returns {unknown}
 * @throws {Error} E_USAGE if the flow describes its requests itself
 */
export function withRequest(flow, request, from) {
  if (typeof flow === 'string') return { url: flow, ...request };
  if (Array.isArray(flow) && flow.every(isText)) return flow.map((url) => ({ url, ...request }));
  const urls = /** @type {any} */ (flow)?.oneOf;
  if (Array.isArray(urls) && urls.every(isText)) return { oneOf: urls.map((url) => ({ url, ...request })) };
  const operation = "{ method: 'POST', url: '/items', body: 'text' }";
  throw makeError('E_USAGE', {
    problem: `${from} describes its requests itself: -m, -b, -T, -F and -E are for a URL; write an operation such as ${operation} in the flow`,
  });
}

/** @type {(value: unknown) => boolean} */
function isText(value) {
  return typeof value === 'string';
}
