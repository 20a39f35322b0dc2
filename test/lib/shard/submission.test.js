import { expect } from 'chai';

import { isQueueError } from '../../../lib/shard/queue.js';
import { Submission } from '../../../lib/shard/submission.js';
import { connectionOf } from '../../support/seal.js';

const never = () => new Promise(() => {});

/** BullMQ while Redis is unreachable. */
class Unreachable {
  on() {}
  close = async () => {};
  drain = never;
  obliterate = never;
  add = never;
  waitUntilReady = never;
}

describe('shard/submission', () => {
  it('A17 ends with an error of the queue if Redis is lost meanwhile', async () => {
    const bullmq = { Queue: Unreachable, QueueEvents: Unreachable, FlowProducer: Unreachable, Worker: Unreachable };
    const submission = new Submission({
      queue: { bullmq, settings: {}, ...connectionOf({}) },
      pool: 'p',
      timing: { unreachableMs: 1 },
      onSuspicion() {},
    });
    const error = await submission.open({ run: 'r' }, 2).catch((thrown) => thrown);
    expect(isQueueError(error)).to.equal(true);
  });
});
