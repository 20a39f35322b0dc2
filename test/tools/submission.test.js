import { expect } from 'chai';

import { KEYS, PREFIX, PROTOCOL } from '../../lib/shard/protocol.js';
import { Queue } from '../../lib/shard/queue.js';
import { Submission } from '../../lib/shard/submission.js';
import { TIMING } from '../../lib/shard/timing.js';
import { withRedis } from '../support/redis.js';

const POOL = 'p';
const waiting = (redis) => redis.llen(`${PREFIX}:${KEYS.shards(POOL, { mark: '' })}:wait`);

describe('jobs of a run', () => {
  let queue;
  const submit = async (run, count) => {
    const submission = new Submission({ queue, pool: POOL, timing: TIMING, onSuspicion() {} });
    await submission.open({ protocol: PROTOCOL, run }, count);
    return submission;
  };
  const stage = (story) =>
    withRedis(async ({ url, redis }) => {
      queue = await Queue.open(url, {});
      try {
        await story(redis);
      } finally {
        queue.close();
      }
    });

  it('the shards of a killed coordinator do not wait for agents of the next one', () =>
    stage(async (redis) => {
      const killed = await submit('first', 3);
      expect(await waiting(redis)).to.equal(3);
      const next = await submit('second', 1);
      expect(await waiting(redis)).to.equal(1);
      await next.close();
      await killed.close();
    }));

  it('shards that no agent has begun are removed with their run', () =>
    stage(async (redis) => {
      await (await submit('first', 3)).close();
      expect(await waiting(redis)).to.equal(0);
      const keys = await redis.keys(`${PREFIX}:*`);
      expect(keys.filter((key) => key.includes('runs.') || /:(\d|[0-9a-f-]{36})/.test(key))).to.deep.equal([]);
    }));
});
