/**
 * @import { Endpoint } from '../../endpoint.js'
 * @import { Request } from '../../flow/types.js'
 */

/**
 * Creates an encoder of request heads. Everything after the path is encoded once per list of fields, which all iterations
 * of a step share.
 *
 * @returns {(request: Request, size: number) => string}
 */
export function createEncoder() {
  /** @type {WeakMap<string[], { endpoint: Endpoint, text: string }>} */
  const known = new WeakMap();

  /**
   * @param {Request} request
   * @param {number} size of the body in bytes
   * @returns {string} all bytes before the body, as latin1
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

/** Methods whose requests have a Content-Length even without a body (RFC 9110 8.6). */
const MAY_HAVE_BODY = new Set(['POST', 'PUT', 'PATCH']);

/** @type {(fields: string[]) => string} */
function encodeFields(fields) {
  let text = '';
  for (let i = 0; i < fields.length; i += 2) text += `${fields[i]}: ${fields[i + 1]}\r\n`;
  return text;
}
