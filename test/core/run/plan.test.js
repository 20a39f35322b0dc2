import { expect } from 'chai';

import { readFlow } from '../../../lib/core/flow/compile.js';
import { originOf } from '../../../lib/core/run/flow-source.js';
import { programLayers } from '../../../lib/core/run/options/layers.js';
import { readRunOptions } from '../../support/run-options.js';
import { createPlan } from '../../../lib/core/run/plan.js';

const URL = 'http://127.0.0.1:9/';

function planOf(flow, given) {
  const read = readFlow(flow);
  return createPlan(read, readRunOptions(programLayers(read.flow, given)), originOf(flow));
}

describe('run/plan', () => {
  const shapes = [
    [{ iterations: 1000 }, '1,000 iterations, 5 virtual users'],
    [{ forever: true, workers: 2 }, 'until stopped, 5 virtual users, 2 workers'],
    [{ rate: 50, duration: '10s', warmup: '2s' }, '10 s, 50/s, up to 5 virtual users, after a warm-up of 2 s'],
    [{ iterations: 9, pipelining: 2 }, '9 iterations, 5 virtual users, 2 in flight per connection'],
  ];
  for (const [given, shape] of shapes)
    it(`describes ${shape}`, () => expect(planOf(URL, { limit: 5, ...given }).summary.shape).to.equal(shape));

  it('counts a connection for each virtual user, not for each request in flight', () => {
    const { shortage = '' } = planOf(URL, { limit: 1e5, pipelining: 1000, iterations: 1 }).summary;
    expect(shortage).to.match(/^(100,000 virtual users .*)?$/);
  });

  it('names origins and operations of every phase', () => {
    const flow = { before: [{ post: 'http://a/login' }], main: ['http://b/1', { get: 'http://b/2', name: 'second' }] };
    expect(planOf(flow, { limit: 1, iterations: 1 }).summary).to.deep.include({
      origins: ['http://a', 'http://b'],
      operations: { before: ['POST /login'], beforeMain: [], main: ['GET /1', 'second'], afterMain: [], after: [] },
    });
  });

  it('holds the schedules of the run and of its warm-up', () => {
    const { schedule, warmUp, loads } = planOf(URL, {
      limit: 5,
      rate: 10,
      duration: 1000,
      warmup: { duration: 500, limit: 2 },
    });
    expect([schedule.end, schedule.arrival(3), schedule.most]).to.deep.equal([1000, 300, 5]);
    const [load] = loads;
    expect(load.schedule).to.equal(schedule);
    expect([warmUp.duration, load.warmUp.end, load.warmUp.most]).to.deep.equal([500, 500, 2]);
    expect(planOf(URL, { limit: 5, iterations: 1 }).warmUp).to.equal(null);
  });

  it('refuses workers for a flow that cannot leave this thread, and names the reason', () => {
    const flow = { main: [{ get: URL, afterHooks: [() => {}] }] };
    expect(() => planOf(flow, { limit: 2, iterations: 1, workers: 2 })).to.throw(
      'runOptions.workers: flow.main[0].afterHooks[0] is a function, which cannot be sent to another thread',
    );
  });
});
