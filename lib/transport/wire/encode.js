/**
 * @import { Endpoint, Request } from '../../flow/types.js'
 */

/**
 * The head of a request up to the fields that are its own. What follows the path is encoded once for each list of
 * fields: steps share theirs over all iterations.
 */
export function createEncoder() {
  /** @type {WeakMap<string[], { endpoint: Endpoint, text: string }>} */
  const known = new WeakMap();

  /**
   * The bytes of a request before its body, as latin1.
   *
   * @param {Request} request
   * @param {number} size of the body in bytes
   * @returns {string}
   */
  return function encodeHead({ endpoint, method, path, fields, extra, body }, size) {
    const shared = known.get(fields);
    const rest = shared?.endpoint === endpoint ? shared.text : encodeRest(fields, endpoint);
    const own = extra === null ? '' : encodeFields(extra);
    const length = body !== null || MAY_HAVE_BODY.has(method) ? `content-length: ${size}\r\n\r\n` : '\r\n';
    return `${method} ${path}${rest}${own}${length}`;
  };

  /** @type {(fields: string[], endpoint: Endpoint) => string} */
  function encodeRest(fields, endpoint) {
    const namesHost = fields.some((name, i) => i % 2 === 0 && name.toLowerCase() === 'host');
    const host = namesHost ? '' : `host: ${endpoint.host}\r\n`;
    const text = ` HTTP/1.1\r\n${host}${encodeFields(fields)}`;
    known.set(fields, { endpoint, text });
    return text;
  }
}

/** Where a missing body is said to be one of no bytes (RFC 9110 8.6). */
const MAY_HAVE_BODY = new Set(['POST', 'PUT', 'PATCH']);

/** @type {(fields: string[]) => string} */
function encodeFields(fields) {
  let text = '';
  for (let i = 0; i < fields.length; i += 2) text += `${fields[i]}: ${fields[i + 1]}\r\n`;
  return text;
}
