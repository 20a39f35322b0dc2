import { makeError } from '../../../core/ground/errors.js';
import { detailsIn, printable } from '../schema/details.js';
import { errorOfStatus, nameOfStatus } from '../schema/statuses.js';
import { statusOf, trailer } from './trailers.js';

/** @import { Ended } from './trailers.js' */

/** A status that its operation does not expect. @type {(ended: Ended) => Error | null} */
export function statusError(ended) {
  const status = statusOf(ended);
  if (status === null || status === 0) return null;
  const text = printable(percentDecoded(trailer(ended, 'grpc-message') ?? ''));
  const reason = [text, ...detailsIn(trailer(ended, 'grpc-status-details-bin'))].filter((one) => one !== '').join('; ');
  return makeError(errorOfStatus(nameOfStatus(status)), { reason: reason === '' ? '' : `: ${reason}` });
}

/** It may be encoded badly (gRPC over HTTP/2, Status-Message). @type {(text: string) => string} */
function percentDecoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
