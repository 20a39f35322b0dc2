import { expect } from 'chai';

import { endPresence, takeName } from '../../lib/addons/agents/pool.js';
import { KEYS, PREFIX, PROTOCOL, TIMING } from '../../lib/addons/agents/protocol.js';
import { Queue } from '../../lib/addons/agents/queue.js';
import { TRAILER_BYTES, writeReport } from '../../lib/addons/agents/report.js';
import { RunControl } from '../../lib/addons/agents/run-control.js';
import { Submission } from '../../lib/addons/agents/submission.js';
import { withRedis } from '../support/redis.js';
import { until } from '../support/until.js';

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

  /** Keys that a run may not leave behind. */
  const left = async (redis) => {
    const keys = await redis.keys(`${PREFIX}:*`);
    return keys.filter((key) => key.includes('runs.') || /:(\d+|[0-9a-f-]{36})(:|$)/.test(key));
  };
  /** Begins the first job, as an agent does; it renews its lock unless it is lost. */
  const begin = async () => {
    const name = KEYS.shards(POOL, queue.seal);
    const worker = new queue.bullmq.Worker(name, null, { ...queue.settings, autorun: false, lockDuration: 60_000 });
    worker.on('error', () => {});
    await worker.waitUntilReady();
    return { worker, job: await worker.getNextJob('token:1') };
  };

  for (const [about, act] of [
    ['that no agent has begun', async () => {}],
    ['that an agent has done', async ({ job }) => job.moveToCompleted('done', 'token:1', false)],
    ['that failed', async ({ job }) => job.moveToFailed(new Error('lost'), 'token:1', false)],
    ['that an agent holds, which does not respond', async () => {}],
  ])
    it(`A92 shards ${about} leave no key behind, nor does their flow`, () =>
      stage(async (redis) => {
        const submission = await submit('first', 2);
        const begun = about.includes('no agent') ? null : await begin();
        if (begun) await act(begun);
        await submission.close();
        expect(await left(redis)).to.deep.equal([]);
        // an agent that comes back ends its job
        await begun?.job.moveToCompleted('late', 'token:1', false).catch(() => {});
        expect(await left(redis)).to.deep.equal([]);
        await begun?.worker.close(true);
      }));

  it('A92 the flow of a killed coordinator expires', () =>
    stage(async (redis) => {
      const killed = await submit('first', 2);
      const keys = (await left(redis)).filter((key) => key.includes('runs.'));
      const flows = [];
      for (const key of keys) if ((await redis.type(key)) === 'hash' && !/meta$/.test(key)) flows.push(key);
      expect(flows).to.have.lengthOf(1);
      expect(await redis.pttl(flows[0])).to.be.within(1, 60_000);
      await killed.close();
    }));

  it('A91 a report is stored while its run has a control that does not drop the lease, and not later', () =>
    stage(async (redis) => {
      const write = (lease) => writeReport(queue, { run: 'r', number: 1 }, { sequence: 1, lease }, 60_000);
      const control = new RunControl('r', TIMING);
      expect(await write('l:1')).to.equal(null);
      await control.open(queue);
      expect(await write('l:1')).to.have.lengthOf(TRAILER_BYTES);
      control.change({ dropped: ['l:1'] });
      await until(async () => (await redis.get(KEYS.control('r'))).includes('l:1'));
      expect(await write('l:1')).to.equal(null);
      expect(await write('l:2')).to.have.lengthOf(TRAILER_BYTES);
      control.close();
      await redis.del(KEYS.control('r'), KEYS.report('r', 1));
      expect(await write('l:2')).to.equal(null);
      expect(await redis.keys(KEYS.report('*', '*'))).to.deep.equal([]);
    }));

  it('A93 agents of one name get numbers, which are free when an agent has ended', () =>
    stage(async () => {
      const take = (id, name = 'vm') => takeName(queue, POOL, { id, name }, 60_000);
      expect([await take('a'), await take('b'), await take('c')]).to.deep.equal(['vm', 'vm-2', 'vm-3']);
      await endPresence(queue.redis, POOL, { id: 'b', name: 'vm-2' });
      expect(await take('d')).to.equal('vm-2');
      await endPresence(queue.redis, POOL, { id: 'b', name: 'vm-2' });
      expect(await take('e')).to.equal('vm-4');
      const long = 'x'.repeat(60);
      expect([await take('f', long), await take('g', long)]).to.deep.equal([long, `${'x'.repeat(58)}-2`]);
    }));

  it('shards that no agent has begun are removed with their run', () =>
    stage(async (redis) => {
      await (await submit('first', 3)).close();
      expect(await waiting(redis)).to.equal(0);
      const keys = await redis.keys(`${PREFIX}:*`);
      expect(keys.filter((key) => key.includes('runs.') || /:(\d|[0-9a-f-]{36})/.test(key))).to.deep.equal([]);
    }));
});
