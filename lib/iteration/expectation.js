import { makeError } from '../errors.js';
import { blaming } from './failure.js';

/**
 * @import { Mismatch, NamedCheck, Received } from '../flow/checks/types.js'
 * @import { Scope, Step } from '../flow/types.js'
 * @import { CheckPlace, CheckRecorder } from '../measure/checks.js'
 * @import { Recorder } from '../measure/recorder.js'
 *
 * @typedef {Pick<Step, 'checks' | 'where' | 'name' | 'phase' | 'scenario'>} CheckedStep
 *
 * @typedef {(received: Received, scope: Scope) => Error | null} CheckResponse null if the response is as expected
 */

/**
 * Joins the checks of an operation. All of them are evaluated and counted.
 *
 * @param {CheckedStep} step
 * @param {Pick<Recorder, 'checks'>} recorder
 * @returns {CheckResponse | null} null if there are none; otherwise, its error is that of the first check that fails
 */
export function expectationOf(step, recorder) {
  const { checks, where } = step;
  if (checks.length === 0) return null;
  const all = checks.map((check) => ({
    parts: check.parts,
    counter: recorder.checks.add(placeOf(check, step)),
  }));
  // a hook may have put anything into env, which tokens read
  return blaming(`${where}.expect`, (/** @type {Received} */ received, /** @type {Scope} */ scope) => {
    /** @type {PlacedMismatch | null} */
    let first = null;
    let failures = 0;
    for (const { parts, counter } of all) {
      const mismatch = mismatchOf(parts, received, scope);
      if (mismatch === null) counter.passes++;
      else {
        counter.fail(scope.index, messageOf(mismatch));
        first ??= mismatch;
        failures++;
      }
    }
    return first === null ? null : errorOf(first, received.statusCode, failures - 1);
  });
}

/**
 * The check of the messages of a WebSocket.
 *
 * @param {CheckedStep} step
 * @param {Pick<Recorder, 'checks'>} recorder
 * @returns {CheckRecorder | null} null if the step expects none
 */
export function messagesCheckOf(step, recorder) {
  const [check] = step.checks;
  return check ? recorder.checks.add(placeOf(check, step)) : null;
}

/** @type {(check: NamedCheck, step: CheckedStep) => CheckPlace} */
function placeOf({ name, where }, { name: operation, phase, scenario }) {
  return { name, where, operation, phase, ...(scenario && { scenario: scenario.name }) };
}

/** @typedef {Mismatch & { where: string }} PlacedMismatch */

/** @type {(parts: NamedCheck['parts'], received: Received, scope: Scope) => PlacedMismatch | null} */
function mismatchOf(parts, received, scope) {
  for (const { where, check } of parts) {
    const mismatch = check(received, scope);
    if (mismatch !== null) return { where, ...mismatch };
  }
  return null;
}

/** @type {(mismatch: Mismatch) => string} */
function messageOf({ expected, received }) {
  return `expected ${expected}, received ${received}`;
}

/** @type {(mismatch: PlacedMismatch, status: number, others: number) => Error} */
function errorOf(mismatch, status, others) {
  return makeError('E_EXPECT', {
    where: mismatch.where,
    mismatch: messageOf(mismatch),
    status: mismatch.received === String(status) ? '' : ` with status ${status}`,
    others: others === 0 ? '' : `; ${others} more ${others === 1 ? 'check' : 'checks'} of this response failed`,
  });
}
