import { makeError } from '../errors.js';
import { isErrorStatus } from './failure.js';

/**
 * @import { Capture } from '../flow/captures/types.js'
 * @import { Step } from '../flow/types.js'
 * @import { Env } from './env.js'
 * @import { ResponseReader } from './response-reader.js'
 *
 * @typedef {(received: ResponseReader[], env: Pick<Env, 'vars'>) => Error | null} Capturing of a response, or of each message
 */

/**
 * Joins the captures of an operation. All values that the response has are captured, also after one that is missing: a teardown
 * may need them.
 *
 * @param {Pick<Step, 'captures' | 'acceptsStatus'>} step
 * @returns {Capturing | null} null if there are none; its error is that of the first value that is missing, unless the status is
 *   an error by itself
 */
export function capturingOf(step) {
  const { captures } = step;
  if (captures.length === 0) return null;
  return (received, { vars }) => {
    /** @type {Capture | null} */
    let missing = null;
    for (const capture of captures) {
      const value = firstOf(received, capture.read);
      if (value !== undefined) vars[capture.name] = value;
      else if (capture.fallback !== null) vars[capture.name] = capture.fallback.value;
      else missing ??= capture;
    }
    return missing === null ? null : errorOf(missing, received, step);
  };
}

/** @type {(missing: Capture, received: ResponseReader[], step: Pick<Step, 'acceptsStatus'>) => Error | null} */
function errorOf({ where, explain }, received, step) {
  const last = received.at(-1);
  const status = last?.statusCode ?? 0;
  if (isErrorStatus(status, step)) return null;
  return makeError('E_CAPTURE', { where, reason: last ? explain(last) : 'no message was received', status });
}

/** @type {(received: ResponseReader[], read: Capture['read']) => unknown} */
function firstOf(received, read) {
  for (const one of received) {
    const value = read(one);
    if (value !== undefined) return value;
  }
  return undefined;
}
