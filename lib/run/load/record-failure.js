import { classify, describe } from '../../iteration/failure.js';
import { clock } from '../clock.js';
import { codePlace } from '../code-place.js';

/**
 * @import { Phase, Step } from '../../flow/types.js'
 * @import { Recorder } from '../../measure/recorder.js'
 */

/**
 * Counts an error of a flow in the group of its kind, code and operation.
 *
 * @param {Pick<Recorder, 'failure'>} recorder
 * @param {Error} error
 * @param {{ phase: Phase, step?: Step, index?: number, exchange?: () => string[] | null }} at step: none if no operation
 *   caused it; index: none outside of iterations; exchange: lines of the request and its response
 * @param {string | null} flowPath the module of the flow, if it is one
 */
export function recordFailure(recorder, error, { phase, step, index, exchange = () => null }, flowPath) {
  const { kind, code } = classify(error);
  recorder.failure({
    kind,
    code,
    context: phase,
    operation: step ? `${step.where} ${step.name}` : '',
    name: step?.name,
    index,
    now: clock.now(),
    message: () => describe(error, code),
    place: () => codePlace(error, flowPath),
    exchange,
  });
}
