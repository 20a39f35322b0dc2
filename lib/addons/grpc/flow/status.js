import { fieldAt } from '../../../core/http/field-values.js';
import { makeError } from '../../../core/ground/errors.js';
import { errorOfStatus } from '../schema/statuses.js';
import { detailsIn } from '../schema/details.js';

/** @typedef {{ trailers?: string[] | null }} Ended a response, or what checks read of it */

/** The value of a trailer; undefined: there is none. @type {(ended: Ended, name: string) => string | undefined} */
function trailer({ trailers = null }, name) {
  const at = trailers === null ? -1 : fieldAt(trailers, name);
  return at < 0 ? undefined : /** @type {string[]} */ (trailers)[at + 1];
}

/** The status of a call; null: its end has not arrived. @type {(ended: Ended) => number | null} */
export function statusOf(ended) {
  const text = trailer(ended, 'grpc-status');
  return text === undefined ? null : Number(text);
}

/**
 * Returns the error of a call whose status is none of those that its operation expects.
 * @type {(ended: Ended) => Error | null}
 */
export function statusError(ended) {
  const status = statusOf(ended);
  if (status === null || status === 0) return null;
  const text = percentDecoded(trailer(ended, 'grpc-message') ?? '');
  const reason = [text, ...detailsIn(trailer(ended, 'grpc-status-details-bin'))].filter((one) => one !== '').join('; ');
  return makeError(errorOfStatus(status), { reason: reason === '' ? '' : `: ${reason}` });
}

/**
 * The text of a status is percent-encoded, perhaps badly (gRPC over HTTP/2, Status-Message).
 * @type {(text: string) => string}
 */
function percentDecoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
