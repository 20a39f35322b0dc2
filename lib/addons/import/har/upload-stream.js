import { anyText } from '../../../core/text/format-value.js';

/** The fields of the upload stream of a form, which Firefox writes in front of its body. */
const STREAM_FIELDS = /^(?:content-(?:type|length):[^\r\n]*\r\n)+\r\n/i;
/** A request has each of these once. */
const ONCE = ['content-type', 'content-length'];

/**
 * Removes what the developer tools of Firefox add to a request with a body: the fields of the upload stream in front of
 * the body, and those of the stream, or of its first part, behind the fields of the request.
 * @template {{ headers?: any, postData?: any }} R
 * @param {R} request
 * @returns {R}
 */
export function withoutStreamFields(request) {
  const { headers, postData } = request;
  if (typeof postData?.text !== 'string' || postData.text === '' || !Array.isArray(headers)) return request;
  /** @type {Set<string>} */
  const seen = new Set();
  const own = headers.filter((field) => {
    const name = anyText(field?.name).toLowerCase();
    if (name === 'content-disposition') return !/^form-data\b/i.test(anyText(field.value));
    if (!ONCE.includes(name)) return true;
    const isFirst = !seen.has(name);
    seen.add(name);
    return isFirst;
  });
  return { ...request, headers: own, postData: { ...postData, text: postData.text.replace(STREAM_FIELDS, '') } };
}

/**
 * Returns the bytes of the body of a request, as its entry or Content-Length has them; not positive: not recorded.
 * @type {(request: { headers?: any, bodySize?: any }) => number}
 */
export function sentSize({ headers, bodySize }) {
  if (typeof bodySize === 'number' && bodySize > 0) return bodySize;
  const field = Array.isArray(headers) && headers.find((one) => /^content-length$/i.test(anyText(one?.name)));
  return Number(anyText(field?.value)) || 0;
}
