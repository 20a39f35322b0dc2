/** @import { HookEntry } from './types.js' */

/** @type {HookEntry} */
export default {
  name: 'startStepTimer',
  about: 'starts a timer for this operation, named step_N in main and <phase>_step_N in other phases',
  reads: 'head',
  hook(all) {
    const name = all.phase === 'main' ? `step_${all.opIndex}` : `${all.phase}_step_${all.opIndex}`;
    all.iterCtx.stepTimers ??= {};
    all.iterCtx.stepTimers[all.opIndex] = all.env.stats.timer(name).start();
    return all;
  },
};
