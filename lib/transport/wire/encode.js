/**
 * @import { Endpoint } from '../../endpoint.js'
 * @import { Request } from '../../flow/types.js'
 */

/**
 * Creates an encoder of request heads. Everything after the path is encoded once per list of fields that the iterations
 * of a step share. Such a list is recognized when it comes twice in a row, as it soon does with many lanes. A list of one
 * request, with tokens or changed by a hook, is not kept: in a WeakMap it would cost 2 us of CPU time, most of it garbage
 * collection (bench/micro/transport/wire/encode.js).
 *
 * @returns {(request: Request, size: number) => string}
 */
export function createEncoder() {
  /** @type {WeakMap<string[], { endpoint: Endpoint, text: string }>} */
  const known = new WeakMap();
  /** the last list that was not known @type {string[] | null} */
  let latest = null;

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
    if (fields === latest) known.set(fields, { endpoint, text });
    latest = fields;
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
