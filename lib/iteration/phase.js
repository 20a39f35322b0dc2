import { isTeardown } from '../phases.js';
import { selectorOf } from '../slots.js';
import { prepareFunction } from './function-run.js';
import { StepControl } from './step-control.js';
import { prepareStep } from './step.js';

/**
 * @import { Phase, Step } from '../flow/types.js'
 * @import { OperationRecorder } from '../measure/operations.js'
 * @import { TransactionRecorder } from '../measure/transactions.js'
 * @import { ExchangeContext } from './exchange-plan.js'
 * @import { PerformStep } from './step.js'
 *
 * @typedef {object} PhaseOptions
 * @property {(error: Error, phase: Phase, step: Step, index: number | undefined, exchange: () => string[] | null) => void} onError
 *   exchange: lines of the request and its response, if the error has to do with them
 * @property {boolean} isPaced requests of a lane have a maximum rate
 * @property {() => number} random 0 to 1
 * @property {() => Record<string, any>} createIterCtx a copy of the flow's `iterCtx`
 *
 * @typedef {ExchangeContext & PhaseOptions} PhaseContext
 *
 * @typedef {object} BoundStep
 * @property {Step} step
 * @property {PerformStep} perform
 * @property {OperationRecorder | null} operation null: a function, which is measured by its requests
 * @property {boolean} isPlain it is performed once and at once: no control, no turn to wait for, no groups in its phase
 * @property {StepControl | null} control null: it is performed once
 * @property {TransactionRecorder | null} group that it is measured with
 *
 * @typedef {object} BoundPhase the steps of a phase, bound to a run
 * @property {Phase} name
 * @property {BoundStep[]} steps
 * @property {((index: number, scenario: number) => BoundStep[]) | null} select the steps that an iteration performs; null: all
 * @property {boolean} isEmpty
 * @property {boolean} hasGroups
 * @property {boolean} isTeardown
 */

/**
 * @param {Phase} name
 * @param {Step[]} steps
 * @param {PhaseContext} context
 * @returns {BoundPhase}
 */
export function preparePhase(name, steps, context) {
  const hasGroups = steps.some(({ group }) => group !== null);
  const bound = steps.map((step) => {
    const operation = step.call === null ? context.recorder.operations.add(step.name, name) : null;
    return {
      step,
      operation,
      isPlain: step.control === null && !context.isPaced && !hasGroups,
      perform: operation === null ? prepareFunction(step, context) : prepareStep(step, context, operation),
      control: step.control === null ? null : new StepControl(step, context),
      group: step.group === null ? null : context.recorder.groups.add(step.group),
    };
  });
  return {
    name,
    steps: bound,
    select: selectorOf(steps, bound),
    isEmpty: steps.length === 0,
    hasGroups,
    isTeardown: isTeardown(name),
  };
}
