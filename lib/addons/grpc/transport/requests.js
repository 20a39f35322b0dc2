import { ACCEPTED } from './message-sink.js';

/** @import { Request } from '../../../core/contracts/request.js' */
/** @import { CallTask } from '../types.js' */

/** Fields that HTTP has for its bodies, and those of the protocol. */
const REPLACED = /^(?:accept|content-type|content-length|accept-encoding|te|grpc-timeout|grpc-accept-encoding)$/i;

/** The value of grpc-timeout has at most 8 digits (gRPC over HTTP/2, Timeout). */
const MOST_DIGITS = 99_999_999;

/**
 * Creates a function that writes requests as calls: with the fields of gRPC, and messages in place of JSON. What all
 * iterations send is written once.
 * @type {(timeoutMs?: number) => (request: Request) => Request}
 */
export function createRequestWriter(timeoutMs) {
  /** @type {WeakMap<Request, Request>} */
  const written = new WeakMap();
  /** @type {WeakMap<string[], string[]>} */
  const fitted = new WeakMap();
  /** A request that comes again is one of all iterations. @type {Request | null} */
  let latest = null;

  return function write(request) {
    const known = written.get(request);
    if (known !== undefined) return known;
    const task = /** @type {CallTask} */ (request.task);
    const call = { ...request, fields: fieldsOf(request.fields, task), body: task.bytes };
    if (request === latest) written.set(request, call);
    latest = request;
    return call;
  };

  /** @type {(fields: string[], task: CallTask) => string[]} */
  function fieldsOf(fields, task) {
    const known = fitted.get(fields);
    if (known !== undefined) return known;
    const own = ['te', 'trailers', 'content-type', 'application/grpc+proto', 'grpc-accept-encoding', ACCEPTED];
    if (task.compression !== null) own.push('grpc-encoding', task.compression);
    const ms = task.timeoutMs ?? timeoutMs ?? 0;
    if (ms > 0) own.push('grpc-timeout', timeoutText(ms));
    for (let i = 0; i < fields.length; i += 2) if (!REPLACED.test(fields[i])) own.push(fields[i], fields[i + 1]);
    fitted.set(fields, own);
    return own;
  }
}

/** @type {(ms: number) => string} */
function timeoutText(ms) {
  const whole = Math.max(1, Math.round(ms));
  return whole <= MOST_DIGITS ? `${whole}m` : `${Math.min(MOST_DIGITS, Math.ceil(whole / 1000))}S`;
}
