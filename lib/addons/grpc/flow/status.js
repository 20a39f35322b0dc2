import { makeError } from '../../../core/ground/errors.js';
import { detailsIn, printable } from '../schema/details.js';
import { errorOfStatus, nameOfStatus } from '../schema/statuses.js';
import { statusOf, trailer } from './trailers.js';

/** @import { Ended } from './trailers.js' */

/** Returns an error if the operation does not expect the status of the call. @type {(ended: Ended) => Error | null} */
export function statusError(ended) {
  const status = statusOf(ended);
  if (status === null || status === 0) return null;
  const text = printable(percentDecoded(trailer(ended, 'grpc-message') ?? ''));
  const reason = [text, ...detailsIn(trailer(ended, 'grpc-status-details-bin'))].filter((one) => one !== '').join('; ');
  return makeError(errorOfStatus(nameOfStatus(status)), { reason: reason === '' ? '' : `: ${reason}` });
}

/** Decodes the text of a status, perhaps badly encoded (gRPC over HTTP/2). @type {(text: string) => string} */
function percentDecoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
