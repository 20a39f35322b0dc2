import { prepareIteration } from '../../iteration/iteration.js';
import { Recorder } from '../../measure/recorder.js';
import { clock } from '../clock.js';
import { DONE, Ending } from './ending.js';
import { runLanes } from './lanes.js';

/**
 * @import { CompiledFlow } from '../../flow/types.js'
 * @import { Context } from './iteration-context.js'
 * @import { LanesOptions } from './lanes.js'
 *
 * @typedef {{ iterations: number, errors: number }} WarmUpResult
 */

/** Far from every INDEX of the run, so that data created by the warm-up does not collide with data of the run. */
const FIRST_INDEX = 1e12;

/**
 * Runs the flow without measuring it. Connections stay open for the run.
 *
 * @param {CompiledFlow} flow
 * @param {Context} context of the measured iterations
 * @param {object} options
 * @param {number} options.duration ms
 * @param {Ending} options.runEnding ends the warm-up too
 * @param {(recorder: Recorder) => Omit<LanesOptions, 'ending' | 'perform'>} options.lanesFor
 * @returns {Promise<WarmUpResult>}
 */
export async function runWarmUp(flow, context, { duration, runEnding, lanesFor }) {
  const recorder = new Recorder();
  let errors = 0;
  const iteration = prepareIteration(flow, {
    ...context,
    recorder,
    onError: () => errors++,
    onResponse: undefined,
    log: undefined,
  });
  const ending = new Ending({ clock, gracefulStopMs: Infinity, teardownMs: 0, cancel() {} });
  const unsubscribe = runEnding.onStop((reason) => ending.stop(reason));
  const cancelTimer = clock.after(() => ending.stop(DONE), duration);
  await runLanes({
    ...lanesFor(recorder),
    ending,
    perform: (index, lane, due, _, listener) => iteration.perform(FIRST_INDEX + index, lane, due, 0, listener),
  });
  cancelTimer();
  unsubscribe();
  ending.close();
  recorder.close();
  return { iterations: recorder.iterations.started, errors };
}
