import { parentPort, workerData } from 'node:worker_threads';

import { startTarget } from './server.js';

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);

startTarget(workerData.options).then(
  ({ url }) => port.postMessage({ url }),
  ({ message }) => port.postMessage({ problems: message }),
);
