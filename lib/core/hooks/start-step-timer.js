/** @import { HookEntry } from '../contracts/hooks.js' */

/** @type {HookEntry} */
export default {
  name: 'startStepTimer',
  about:
    'starts a timer for this operation, named step_N in main, <phase>_step_N in other phases, with <scenario>_ before it in scenarios',
  reads: 'head',
  timer: timerName,
  hook(all) {
    all.iterCtx.stepTimers ??= {};
    all.iterCtx.stepTimers[all.opIndex] = all.env.stats.timer(timerName(all)).start();
    return all;
  },
};

/** @type {(operation: { phase: string, opIndex: number, scenario?: string }) => string} */
function timerName({ phase, opIndex, scenario }) {
  const name = phase === 'main' ? `step_${opIndex}` : `${phase}_step_${opIndex}`;
  return scenario === undefined ? name : `${scenario}_${name}`;
}
