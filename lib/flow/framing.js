/**
 * @import { Request } from './types.js'
 *
 * @typedef {{ key: string, reason: string }} FramingProblem
 */

/**
 * Reports whether a field says where a body ends (RFC 9112 6). Without one in `headers`, the length is computed.
 *
 * @param {string} name
 * @returns {boolean}
 */
export function isFramingField(name) {
  const { length } = name;
  return (length === 14 || length === 17) && /^(?:content-length|transfer-encoding)$/i.test(name);
}

/**
 * Explains why fields of the user's own would break the framing: the server would read the next request as part of this
 * body, or wait for the rest of it.
 *
 * @param {string[]} fields names and values in turn
 * @param {Request['body']} body
 * @returns {FramingProblem | null} null if they describe the body
 */
export function refuseFraming(fields, body) {
  const lengths = valuesOf(fields, 'content-length');
  const codings = valuesOf(fields, 'transfer-encoding');
  if (lengths.length > 0 && codings.length > 0)
    return problem('Content-Length', 'and Transfer-Encoding contradict each other: remove one of them');
  const size = body === null ? 0 : Buffer.byteLength(body);
  if (lengths.length > 1) return problem('Content-Length', 'is there twice: a request has one');
  if (lengths.length === 1 && !(/^\d+$/.test(lengths[0]) && Number(lengths[0]) === size))
    return problem(
      'Content-Length',
      `is ${lengths[0] || 'empty'}, and the body has ${size} bytes: remove it, the length is computed`,
    );
  const all = codings.join(',').toLowerCase().split(',');
  if (codings.length > 0 && all.findIndex((coding) => coding.trim() === 'chunked') !== all.length - 1)
    return problem('Transfer-Encoding', 'does not end with chunked, so that the end of the body could not be found');
  return null;
}

/**
 * The body as it is sent: one chunk, if the fields say that it comes in chunks.
 *
 * @param {string[]} fields which {@link refuseFraming} accepts
 * @param {Request['body']} body
 * @returns {Request['body']}
 */
export function framedBody(fields, body) {
  if (valuesOf(fields, 'transfer-encoding').length === 0) return body;
  const size = body === null ? 0 : Buffer.byteLength(body);
  if (body === null || size === 0) return '0\r\n\r\n';
  const [head, tail] = [`${size.toString(16)}\r\n`, '\r\n0\r\n\r\n'];
  return typeof body === 'string' ? head + body + tail : Buffer.concat([Buffer.from(head), body, Buffer.from(tail)]);
}

/** @type {(key: string, reason: string) => FramingProblem} */
function problem(key, reason) {
  return { key: `headers.${key}`, reason };
}

/** @type {(fields: string[], name: string) => string[]} */
function valuesOf(fields, name) {
  return fields.flatMap((field, i) => (i % 2 === 0 && field.toLowerCase() === name ? fields[i + 1].trim() : []));
}
