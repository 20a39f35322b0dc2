import { existsSync, writeFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';

import { IS_FULL } from '../scale.js';

/** Acts when the file exists that `WORKER_MARK` names. @type {(act: () => void) => void} */
function whenMarked(act) {
  const timer = setInterval(() => {
    if (!existsSync(process.env.WORKER_MARK)) return;
    clearInterval(timer);
    act();
  }, 5);
}

/** What `act` in the environment says befalls the worker that performs iteration 30. */
const acts = {
  exit: () => whenMarked(() => process.exit(3)),
  spin: () => {
    writeFileSync(process.env.WORKER_MARK, 'spinning');
    // waiting in a loop that does not end blocks the thread too, and takes no CPU
    for (const word = new Int32Array(new SharedArrayBuffer(4)); ;) if (!IS_FULL) Atomics.wait(word, 0, 0, 5);
  },
  hang: () => new Promise(() => {}),
};

export default {
  before: [{ get: '/before', afterHooks: [(all) => void (all.runCtx.token = 'secret of before')] }],
  main: [
    {
      get: '/#{INDEX}',
      beforeHooks: [
        (all) => {
          Object.assign(all.requestOptions.headers, { 'x-token': all.runCtx.token, 'x-thread': `${threadId}` });
          if (all.env.index === 30) return acts[process.env.WORKER_ACT]?.();
        },
      ],
      afterHooks: [(all) => void all.env.stats.timer('mine').update(all.env.index + 1)],
    },
  ],
  afterMain: ['/tidy'],
  after: ['/after'],
};
