import { expect } from 'chai';

import { benchrest } from '../../../../index.js';
import { choosePacing } from '../../../../lib/run/load/pacer.js';
import { PacingThread } from '../../../../lib/run/load/pacing-thread.js';
import { quotaIn } from '../../../../lib/run/options/machine.js';
import { ok, serving } from '../../../support/serve.js';

const OPEN = { arrived: () => 0 };
const CLOSED = { arrived: null };

describe('run/load/pacing', () => {
  for (const { options, schedule = OPEN, cores, chosen, because } of [
    { options: {}, cores: 2, chosen: 'thread', because: 'a core is left for the thread' },
    { options: {}, cores: 1, chosen: 'timer', because: 'the load needs the only core' },
    { options: { workers: 4 }, cores: 4, chosen: 'timer', because: 'each core has a worker' },
    { options: { workers: 3 }, cores: 4, chosen: 'thread', because: 'one core has no worker' },
    { options: { rate: 10_000 }, cores: 2, chosen: 'poll', because: 'the event loop hardly sleeps' },
    { options: { rate: 10_000, workers: 2 }, cores: 3, chosen: 'thread', because: 'each worker starts 5,000/s' },
    {
      options: { rate: 20_000, shard: { number: 2, of: 4 } },
      cores: 2,
      chosen: 'thread',
      because: 'it starts 5,000/s',
    },
    { options: { rate: 10_000, arrival: 'poisson' }, cores: 2, chosen: 'poll', because: 'a thread would be late' },
    { options: { rate: 10_000 }, cores: 1, chosen: 'timer', because: 'no core is free, at any rate' },
    { options: { pacing: 'poll' }, cores: 1, chosen: 'poll', because: 'the option decides' },
    { options: { pacing: 'thread' }, cores: 8, schedule: CLOSED, chosen: null, because: 'a closed run never waits' },
  ])
    it(`${JSON.stringify(options)} on ${cores} cores: ${chosen ?? 'none'}, because ${because}`, () => {
      expect(choosePacing(options, schedule, () => cores)).to.equal(chosen);
    });

  for (const [text, cores] of [
    ['max 100000\n', Infinity],
    ['200000 100000\n', 2],
    ['50000 100000\n', 0.5],
    ['', Infinity],
  ])
    it(`the quota ${JSON.stringify(text)} of a container is ${cores} cores`, () => {
      expect(quotaIn(text)).to.equal(cores);
    });
});

describe('pacing of a run', () => {
  for (const pacing of ['timer', 'thread', 'poll'])
    for (const workers of [undefined, 2])
      it(`${pacing}${workers ? ` with ${workers} workers` : ''} starts every iteration, and the result names it`, () =>
        serving(ok, async (url) => {
          const { stats } = await benchrest(
            { main: [{ get: url }] },
            { limit: 5, rate: 200, iterations: 40, pacing, workers },
          );
          expect(stats.iterations.completed).to.equal(40);
          const { startDelay, spacing } = stats.loadGenerator;
          expect(stats.loadGenerator.pacing).to.equal(pacing);
          expect(spacing.count).to.equal(startDelay.count);
        }));

  /** @returns the threads that were started and not closed meanwhile */
  async function leftOpen(run) {
    const { start } = PacingThread;
    const open = new Set();
    PacingThread.start = async (parts) => {
      const thread = await start.call(PacingThread, parts);
      const { close } = thread;
      open.add(thread);
      thread.close = () => (open.delete(thread), close.call(thread));
      return thread;
    };
    try {
      const started = await run(open);
      return { started, open: open.size };
    } finally {
      PacingThread.start = start;
    }
  }

  it('a closed run has no pacing, and starts no thread', () =>
    serving(ok, async (url) => {
      const { started, open } = await leftOpen(async (threads) => {
        const { stats } = await benchrest(url, { limit: 1, iterations: 1, pacing: 'auto' });
        expect(stats.loadGenerator).to.not.have.property('pacing');
        return threads.size;
      });
      expect([started, open]).to.deep.equal([0, 0]);
    }));

  it('a run that is refused after its thread was started ends it, as it would keep the process alive', async () => {
    const flow = { main: [{ post: 'http://127.0.0.1:1/', body: '#{INDEX}'.padEnd(1000) }] };
    const load = { limit: 1, iterations: 1000, rate: 1000, pacing: 'thread' };
    const { open } = await leftOpen(async () => {
      const error = await benchrest(flow, { ...load, prealloc: 1000, maxBodyMemory: '100k' }).catch((one) => one);
      expect(error.code).to.equal('E_RUN_OPTIONS');
    });
    expect(open).to.equal(0);
  });

  it('an idle virtual user that starts late delays no response time', () =>
    serving(ok, async (url) => {
      const block = setInterval(() => {
        const until = performance.now() + 30;
        while (performance.now() < until);
      }, 50);
      const { stats } = await benchrest(url, { limit: 40, rate: 100, iterations: 40, pacing: 'timer' });
      clearInterval(block);
      expect(stats.loadGenerator.startDelay.max).to.be.above(10);
      expect(stats.loadGenerator.startDelay.count).to.equal(40);
      expect(stats.main.histogram).to.deep.equal(stats.main.serviceTime);
    }));
});
