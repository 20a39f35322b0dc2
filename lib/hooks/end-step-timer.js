/** @import { HookEntry } from './types.js' */

/** @type {HookEntry} */
export default {
  name: 'endStepTimer',
  about: 'ends the timer that startStepTimer started',
  reads: 'head',
  hook(all) {
    const stopwatch = all.iterCtx.stepTimers?.[all.opIndex];
    if (!stopwatch) throw new Error('endStepTimer without startStepTimer: add it to beforeHooks');
    stopwatch.end();
    return all;
  },
};
