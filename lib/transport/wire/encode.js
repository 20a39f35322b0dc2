/**
 * @import { Endpoint } from '../../endpoint.js'
 * @import { Request } from '../../flow/types.js'
 *
 * @typedef {{ endpoint: Endpoint, text: string, isFramed: boolean }} EncodedFields isFramed: one of them says where the body ends
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
  /** @type {WeakMap<string[], EncodedFields>} */
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
    const rest = shared?.endpoint === endpoint ? shared : encodeRest(fields, endpoint);
    const own = extra === null ? '' : encodeFields(extra);
    const needsLength = !rest.isFramed && (body !== null || !HAS_NO_BODY.has(method));
    const length = needsLength ? `content-length: ${size}\r\n\r\n` : '\r\n';
    return `${method} ${path}${rest.text}${own}${length}`;
  };

  /** @type {(fields: string[], endpoint: Endpoint) => EncodedFields} */
  function encodeRest(fields, endpoint) {
    let namesHost = false;
    let isFramed = false;
    for (let i = 0; i < fields.length; i += 2) {
      const { length } = fields[i];
      if (length === 4) namesHost ||= fields[i].toLowerCase() === 'host';
      else if (length === 14 || length === 17) isFramed ||= FRAMING.has(fields[i].toLowerCase());
    }
    const host = namesHost ? '' : `host: ${endpoint.host}\r\n`;
    const encoded = { endpoint, text: ` HTTP/1.1\r\n${host}${encodeFields(fields)}`, isFramed };
    if (fields === latest) known.set(fields, encoded);
    latest = fields;
    return encoded;
  }
}

/** Fields that say where the body ends, in place of a computed length. */
const FRAMING = new Set(['content-length', 'transfer-encoding']);

/** Methods whose requests have no Content-Length without a body; those of others have one (RFC 9110 8.6). */
const HAS_NO_BODY = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** @type {(fields: string[]) => string} */
function encodeFields(fields) {
  let text = '';
  for (let i = 0; i < fields.length; i += 2) text += `${fields[i]}: ${fields[i + 1]}\r\n`;
  return text;
}
