/**
 * @import { ErrorSample } from '../measure/types.js'
 * @import { Result } from './types.js'
 */

/**
 * The groups of errors as reports print them: with a hint where the whole run explains more than the error of one request.
 *
 * @param {{ errors: Pick<Result['errors'], 'samples'>, requests?: Pick<Result['requests'], 'answered'> }} result
 * @returns {ErrorSample[]}
 */
export function hintedErrors({ errors, requests }) {
  return errors.samples.map((group) =>
    isTlsWithoutHttps(group, requests?.answered)
      ? { ...group, message: `${group.message}; is this https? Then write https://` }
      : group,
  );
}

/** A server of TLS closes a connection that begins without it, or sends an alert (RFC 8446 6). @type {(group: ErrorSample, answered?: number) => boolean} */
function isTlsWithoutHttps({ code, message, exchange }, answered) {
  const isPlain = /^> \S+ http:/.test(exchange?.[0] ?? '');
  const isAlert = code === 'E_STATUS_LINE' && message.includes('\\x15\\x03');
  const isClosed = code === 'E_RESET_BEFORE_HEAD' && answered === 0;
  return isPlain && (isAlert || isClosed);
}
