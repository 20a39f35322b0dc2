import { hideSecretsOf } from '../text/mask.js';
import { exemplarOf } from './exemplar.js';
import { describe } from './failure.js';
import { secretsOf } from './secrets.js';

/**
 * @import { Phase } from '../flow/types.js'
 * @import { Response } from '../transport/types.js'
 * @import { Env } from './env.js'
 * @import { Lane } from './lane.js'
 * @import { BoundStep, PhaseContext } from './phase.js'
 * @import { StepResult } from './step.js'
 *
 * @typedef {object} FailedOperation
 * @property {Pick<BoundStep, 'step' | 'operation'>} failed
 * @property {Phase} phase
 * @property {string} code see {@link classify}
 * @property {number | null} status
 * @property {StepResult | { statusCode: number | null }} [result] what is known of the response
 */

/**
 * Counts the failure of an operation, keeps it as an example, and passes it on. Texts about it hide the secrets of the iteration.
 *
 * @param {any} error
 * @param {FailedOperation} operation
 * @param {{ context: PhaseContext, lane: Lane, env: Env }} run
 */
export function reportFailure(
  error,
  { failed: { step, operation }, phase, code, status, result },
  { context, lane, env },
) {
  const { recorder, origin, onError } = context;
  const response = result && responseOf(result);
  if (operation !== null) operation.errors++;
  if (operation !== null && response !== undefined) operation.answeredWithError(...lane.lastTimes);
  if (lane.iteration.countError()) recorder.iterations.furtherErrors++;
  const outer = hideSecretsOf({ secrets: () => [...lane.exchange.secrets(response), ...secretsOf({ env })] });
  try {
    if (recorder.exemplars.accepts(code, `${step.where} ${step.name}`)) {
      const exemplar = exemplarOf(step, lane, { now: lane.now, origin: origin(), status });
      recorder.exemplars.addFailed({ ...exemplar, code, error: describe(error, code) });
    }
    const exchange = () => lane.exchange.linesOf(response, error, describe(error, code));
    onError(error, phase, step, lane.iteration.index, exchange);
  } finally {
    hideSecretsOf(outer);
  }
  // listeners of the run take their time
  lane.readClock();
}

/**
 * The response of a step with hooks, which keep it apart, or of one without; other functions know its status alone.
 * @type {(result: StepResult | { statusCode: number | null }) => Response | undefined}
 */
function responseOf(result) {
  if ('rules' in result) return result.response;
  return 'headers' in result ? /** @type {Response} */ (result) : undefined;
}
