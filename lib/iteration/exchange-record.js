import { beginningOf, exchangeLines } from '../text/exchange-lines.js';
import { decodeBeginning } from './session/decode.js';

/**
 * @import { Request } from '../flow/types.js'
 * @import { Beginning } from '../text/exchange-lines.js'
 * @import { Response } from '../transport/types.js'
 */

/**
 * A request as it was sent.
 *
 * @param {Request} request
 * @returns {{ method: string, url: string, headers: string[][], body: Request['body'] }}
 */
export function recordOf({ method, endpoint, path, fields, extra, body }) {
  return { method, url: endpoint.origin + path, headers: pairs([...fields, ...(extra ?? [])]), body };
}

/**
 * A request that failed and what came back, as lines without secrets.
 *
 * @param {Request} request
 * @param {Response | undefined} response what is kept of it
 * @param {string} error its message
 * @returns {string[]}
 */
export function linesOfFailure(request, response, error) {
  return exchangeLines({
    request: { ...recordOf(request), body: beginningOf(request.body) },
    ...(response && {
      response: {
        statusCode: response.statusCode,
        headers: { ...response.headers },
        body: receivedBody(response),
      },
    }),
    error,
  });
}

/** @type {(fields: string[]) => string[][]} */
function pairs(fields) {
  return fields.flatMap((name, i) => (i % 2 === 0 ? [[name, fields[i + 1]]] : []));
}

/** The body of a response, or what is kept of it. @type {(response: Response) => Beginning | null} */
function receivedBody({ body, excerpt, bodyBytes, contentEncoding = '' }) {
  if (body !== null || !excerpt) return beginningOf(body);
  const decoded = contentEncoding === '' ? excerpt : decodeBeginning(excerpt, contentEncoding);
  return excerpt.length < bodyBytes ? beginningOf(decoded, bodyBytes) : beginningOf(decoded);
}
