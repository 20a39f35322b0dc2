import { fieldAt } from '../../../core/http/field-values.js';

/** @typedef {{ trailers?: string[] | null }} Ended a response, or what checks read of it */

/** The value of a trailer; undefined: there is none. @type {(ended: Ended, name: string) => string | undefined} */
export function trailer({ trailers = null }, name) {
  const at = trailers === null ? -1 : fieldAt(trailers, name);
  return at < 0 ? undefined : /** @type {string[]} */ (trailers)[at + 1];
}

/** The status of a call; null: its end has not arrived. @type {(ended: Ended) => number | null} */
export function statusOf(ended) {
  const text = trailer(ended, 'grpc-status');
  return text === undefined ? null : /^\d{1,3}$/.test(text) ? Number(text) : NaN;
}
