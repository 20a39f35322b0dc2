/** @import { HookEntry } from '../contracts/hooks.js' */

/** @type {HookEntry} */
export default {
  name: 'endStepTimer',
  about: 'stops the timer of startStepTimer',
  reads: 'head',
  hook(all) {
    const stopwatch = all.iterCtx.stepTimers?.[all.opIndex];
    if (!stopwatch) throw new Error('endStepTimer without startStepTimer: add it to beforeHooks');
    stopwatch.end();
    return all;
  },
};
