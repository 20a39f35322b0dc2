import { given, number, optional, rebuild, record, tagged, text, where } from '../../shape.js';

/**
 * The messages of workers. Only their own properties are checked: reports are made five times per second, and code of the
 * flow, which runs in the same thread, could change what they contain anyway.
 *
 * @import { FromWorker } from './types.js'
 */

const whole = number({ least: 0, isWhole: true });
const long = text({ most: Infinity });
const ERROR = record({
  name: long,
  message: long,
  stack: optional(long),
  code: optional(given),
  kind: optional(given),
});

const FROM_WORKER = tagged('type', {
  report: {
    state: given,
    traffic: given,
    addresses: where(given, Array.isArray, 'an array'),
    thread: given,
    inFlight: whole,
    running: given,
    log: given,
    errors: where(given, Array.isArray, 'an array'),
  },
  responses: { rows: where(given, (rows) => rows instanceof Float64Array, 'a Float64Array'), missed: whole },
  begun: { at: number() },
  stop: {},
  answer: { result: given },
  refused: { error: ERROR },
});

/**
 * Reads a message of a worker. Code of the flow can post other ones.
 *
 * @param {unknown} message
 * @returns {FromWorker}
 * @throws {import('../../shape.js').ShapeError}
 */
export function readFromWorker(message) {
  return rebuild(FROM_WORKER, message, { name: 'message' });
}
