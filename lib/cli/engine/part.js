import { toCommonTime } from '../../run/workers/common-time.js';

/**
 * @import { MessagePort } from 'node:worker_threads'
 * @import { Counters, Run } from '../../run/run.js'
 */

/**
 * Makes a run a part of one on several machines: when it is ready, it waits for the start that all parts agree on, and then
 * reports when it really started. See `Engine.startAt`.
 *
 * @param {Run} run
 * @param {MessagePort} port to the main thread
 * @returns {{ tick: (counters: Counters | null) => void }} called several times per second
 */
export function startPart(run, port) {
  let hasStarted = false;
  run.agreeStart = () => {
    const agreed = new Promise((resolve) => {
      port.on('message', ({ type, time }) => {
        if (type === 'startAt') resolve(time);
      });
    });
    port.postMessage({ type: 'part', startedAt: null });
    return agreed;
  };
  return {
    tick(counters) {
      if (hasStarted || !counters || counters.elapsedMs === null) return;
      hasStarted = true;
      port.postMessage({ type: 'part', startedAt: toCommonTime(performance.now() - counters.elapsedMs) });
    },
  };
}
