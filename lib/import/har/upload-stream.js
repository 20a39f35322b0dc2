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
    const name = String(field?.name).toLowerCase();
    if (name === 'content-disposition') return !/^form-data\b/i.test(String(field.value));
    return !ONCE.includes(name) || seen.size < seen.add(name).size;
  });
  return { ...request, headers: own, postData: { ...postData, text: postData.text.replace(STREAM_FIELDS, '') } };
}

/**
 * Returns the bytes of a body that is not in the recording; 0 if the request has none.
 * @type {(request: { headers?: any, bodySize?: any }) => number}
 */
export function missingBytes({ headers, bodySize }) {
  if (bodySize > 0) return bodySize;
  const field = Array.isArray(headers) && headers.find((one) => /^content-length$/i.test(String(one?.name)));
  return Number(field?.value) || 0;
}
