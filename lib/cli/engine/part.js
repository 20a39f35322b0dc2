import { toCommonTime } from '../../run/common-time.js';

/**
 * @import { MessagePort } from 'node:worker_threads'
 * @import { StartAgreement } from '../../run/run.js'
 */

/**
 * The agreement on the start of a part of a run, with the main thread: see `Engine.startAt`.
 *
 * @param {MessagePort} port to the main thread
 * @param {Pick<StartAgreement, 'permitMemory'>} options
 * @returns {StartAgreement}
 */
export function startAgreement(port, { permitMemory }) {
  return {
    permitMemory,
    ready() {
      const agreed = new Promise((resolve) => {
        port.on('message', ({ type, time }) => {
          if (type === 'startAt') resolve(time);
        });
      });
      port.postMessage({ type: 'part', startedAt: null });
      return agreed;
    },
    started: (instant) => port.postMessage({ type: 'part', startedAt: toCommonTime(instant) }),
  };
}
