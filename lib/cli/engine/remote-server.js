/**
 * @import { MessagePort } from 'node:worker_threads'
 * @import { StartServer } from '../../run/server/run-with-server.js'
 */

/**
 * Starts servers in the main thread, for the thread of a run: see EngineServer. The main thread ends them, too.
 *
 * @param {MessagePort} port
 * @returns {StartServer}
 */
export function remoteServer(port) {
  return (settings) =>
    new Promise((resolve, reject) => {
      /** @type {(end: any) => void} */
      let onEnd;
      const hasEnded = new Promise((ended) => (onEnd = ended));
      port.on('message', ({ type, ...message }) => {
        if (type === 'serverReady')
          resolve({ ...message, onEnd: (listener) => void hasEnded.then(listener), stop: async () => {} });
        else if (type === 'serverEnded') onEnd(message.end);
        else if (type === 'serverRefused') reject(Object.assign(new Error(message.error.message), message.error));
      });
      port.postMessage({ type: 'start', settings });
    });
}
