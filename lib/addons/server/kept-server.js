/** @import { ServicePort } from '../../core/run/types.js' */
/** @import { ServerChannel } from './server-link.js' */
/** @import { StartServer } from './types.js' */

/** Starts a server in the thread that keeps it: see `ServerKeeper`. @type {(port: ServicePort) => StartServer} */
export function startKept(port) {
  return (settings) =>
    new Promise((resolve, reject) => {
      /** @type {(end: any) => void} */
      let onEnd;
      const hasEnded = new Promise((ended) => (onEnd = ended));
      port.listen(({ type, ...message }) => {
        if (type === 'ready')
          resolve({
            ...message,
            channel: channelOf(port, message.folder),
            onEnd: (listener) => void hasEnded.then(listener),
            stop: async () => {},
          });
        else if (type === 'ended') onEnd(message.end);
        else if (type === 'refused') reject(Object.assign(new Error(message.error.message), message.error));
      });
      port.post({ type: 'start', settings });
    });
}

/** @type {(port: ServicePort, folder: string | null) => ServerChannel} */
function channelOf(port, folder) {
  const post = (/** @type {any} */ message) => port.post({ type: 'send', message });
  return {
    folder,
    post,
    listen(listener) {
      port.listen(({ type, message }) => {
        if (type === 'received') listener(message);
      });
      post({ kind: 'listen', body: {} });
    },
  };
}
