import { selectorOf } from '../slots.js';
import { prepareStep } from './step.js';

/**
 * @import { Phase, Step } from '../flow/types.js'
 * @import { OperationRecorder } from '../measure/operations.js'
 * @import { ExchangeContext } from './exchange-plan.js'
 * @import { PerformStep } from './step.js'
 *
 * @typedef {object} PhaseOptions
 * @property {(error: Error, phase: Phase, step: Step, index: number | undefined) => void} onError
 * @property {boolean} isPaced requests of a lane have a maximum rate
 * @property {() => number} random 0 to 1
 * @property {() => Record<string, any>} createIterCtx a copy of the flow's `iterCtx`
 *
 * @typedef {ExchangeContext & PhaseOptions} PhaseContext
 *
 * @typedef {object} BoundStep
 * @property {Step} step
 * @property {PerformStep} perform
 * @property {OperationRecorder} operation
 *
 * @typedef {object} BoundPhase the steps of a phase, bound to a run
 * @property {Phase} name
 * @property {BoundStep[]} steps
 * @property {((index: number) => BoundStep[]) | null} select the steps that an iteration performs; null: all
 * @property {boolean} isEmpty
 * @property {boolean} isTeardown
 */

/**
 * @param {Phase} name
 * @param {Step[]} steps
 * @param {PhaseContext} context
 * @returns {BoundPhase}
 */
export function preparePhase(name, steps, context) {
  const bound = steps.map((step) => {
    const operation = context.recorder.operations.add(step.name, name);
    return { step, operation, perform: prepareStep(step, context, operation) };
  });
  return {
    name,
    steps: bound,
    select: selectorOf(steps, bound),
    isEmpty: steps.length === 0,
    isTeardown: name === 'afterMain' || name === 'after',
  };
}
