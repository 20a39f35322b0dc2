import { expect } from 'chai';

import { createArrivals } from '../../../lib/run/arrivals.js';
import { localClaims } from '../../../lib/run/claims.js';
import { clock } from '../../../lib/run/clock.js';
import { runLanes } from '../../../lib/run/lanes.js';
import closed from '../../../lib/schedule/closed.js';

/** Runs lanes whose iterations take one turn of the event loop; `log` is what happened. */
async function running({
  iterations,
  limit,
  rampUp,
  ending = { isOver: false, onOver: () => () => {} },
  onStart = () => {},
  shareOf = (count) => count,
  ...options
}) {
  const log = { indexes: [], most: 0, yields: 0, rests: [] };
  let active = 0;
  const schedule = closed.create({ iterations, limit, rampUp });
  const claims = localClaims();
  const start = clock.now();
  const createLane = () => ({
    iterations: 0,
    wake: () => {},
    sleep: (ms) => (log.rests.push(ms), new Promise((resolve) => setTimeout(resolve, ms))),
  });
  await runLanes({
    start,
    schedule,
    shareOf,
    lanes: Array.from({ length: shareOf(schedule.most) }, createLane),
    arrivals: createArrivals(schedule, { claims, elapsed: () => 0, books: {} }),
    ending,
    pacer: { wakeAll: () => {} },
    clock,
    async perform(index) {
      log.indexes.push(index);
      log.most = Math.max(log.most, ++active);
      onStart(index, ending);
      await new Promise((resolve) => setImmediate(resolve));
      active--;
    },
    mustYield: () => (log.yields++, false),
    ...options,
  });
  return log;
}
const upTo = (count) => Array.from({ length: count }, (_, i) => i);

describe('run/lanes', () => {
  for (const [iterations, limit, most] of [
    [10, 3, 3],
    [2, 50, 2],
    [1, 1, 1],
    [500, 50, 50],
  ]) {
    it(`${iterations} iterations at ${limit}: each index once, ${most} at a time`, async () => {
      const log = await running({ iterations, limit });
      expect(log.indexes).to.deep.equal(upTo(iterations));
      expect(log.most).to.equal(most);
    });
  }

  it('start nothing after the end, and let what runs end', async () => {
    const log = await running({
      iterations: 100,
      limit: 4,
      onStart: (index, ending) => {
        if (index === 9) ending.isOver = true;
      },
    });
    expect(log.indexes.at(-1)).to.equal(9);
  });

  it('start nothing at all when it was over before', async () => {
    const log = await running({ iterations: 100, limit: 4, ending: { isOver: true, onOver: () => () => {} } });
    expect(log.indexes).to.deep.equal([]);
  });

  it('of a thread are its share', async () => {
    const log = await running({ iterations: 100, limit: 9, shareOf: (count) => Math.floor(count / 2) });
    expect(log.most).to.equal(4);
  });

  it('a thread without a lane has nothing to do', async () => {
    expect((await running({ iterations: 10, limit: 1, shareOf: () => 0 })).indexes).to.deep.equal([]);
  });

  it('have done with so many iterations each', async () => {
    expect((await running({ iterations: 1000, limit: 4, mostOfLane: 3 })).indexes).to.deep.equal(upTo(12));
  });

  it('rest after each iteration', async () => {
    const log = await running({ iterations: 6, limit: 2, pauseMs: () => 1 });
    expect(log.rests).to.deep.equal([1, 1, 1, 1, 1, 1]);
  });

  it('start one after the other in the time of a ramp', async () => {
    const log = await running({
      iterations: 100_000,
      limit: 10,
      rampUp: 60_000,
      onStart: (index, ending) => {
        if (index === 30) ending.isOver = true;
      },
    });
    expect(log.most).to.equal(1);
  });

  it('a ramp that gives a thread nothing yet lets it wait', async () => {
    const begun = clock.now();
    const log = await running({ iterations: 10, limit: 2, rampUp: 200, shareOf: (count) => Math.floor(count / 2) });
    expect(log.rests.length).to.be.above(0);
    expect(clock.now() - begun).to.be.above(99);
    expect(log.indexes).to.deep.equal(upTo(10));
  });
});
