import { isMainThread, workerData } from 'node:worker_threads';

/** The second worker ends in its fifth iteration of the load a. */
let count = 0;
const end = (all) => {
  if (!isMainThread && workerData.data.worker === 1 && ++count === 5) process.exit(3);
  return all;
};

export default {
  scenarios: {
    a: { load: { iterations: 400, limit: 4 }, main: [{ get: '/a', beforeHooks: [end] }] },
    b: { load: { iterations: 400, limit: 4 }, main: [{ get: '/b' }] },
  },
};
