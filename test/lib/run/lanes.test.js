import { expect } from 'chai';

import { createArrivals } from '../../../lib/run/arrivals.js';
import { clock } from '../../../lib/run/clock.js';
import { runLanes } from '../../../lib/run/lanes.js';
import closed from '../../../lib/schedule/closed.js';

/** Runs lanes whose iterations take one turn of the event loop; `log` is what happened. */
async function lanes({ iterations, limit, ending = { isOver: false, onOver: () => () => {} }, onStart = () => {} }) {
  const log = { indexes: [], most: 0, opened: 0, closed: 0, yields: 0 };
  let active = 0;
  const schedule = closed.create({ iterations, limit });
  await runLanes({
    start: 0,
    schedule,
    arrivals: createArrivals(schedule, { elapsed: () => 0 }),
    ending,
    pacer: { wakeAll: () => {} },
    clock,
    createLane: () => (log.opened++, { close: () => log.closed++ }),
    async perform(index) {
      log.indexes.push(index);
      log.most = Math.max(log.most, ++active);
      onStart(index, ending);
      await new Promise((resolve) => setImmediate(resolve));
      active--;
    },
    mustYield: () => (log.yields++, false),
  });
  return log;
}

describe('run/lanes', () => {
  for (const [iterations, limit, most] of [[10, 3, 3], [2, 50, 2], [1, 1, 1], [500, 50, 50]]) {
    it(`${iterations} iterations at ${limit}: each index once, ${most} at a time, every lane closed`, async () => {
      const log = await lanes({ iterations, limit });
      expect(log.indexes).to.deep.equal(Array.from({ length: iterations }, (_, i) => i));
      expect(log).to.include({ most, opened: most, closed: most });
    });
  }

  it('start nothing after the end, and let what runs end', async () => {
    const log = await lanes({ iterations: 100, limit: 4, onStart: (index, ending) => { if (index === 9) ending.isOver = true; } });
    expect(log.indexes.at(-1)).to.equal(9);
    expect(log.closed).to.equal(4);
  });

  it('start nothing at all when it was over before', async () => {
    const log = await lanes({ iterations: 100, limit: 4, ending: { isOver: true, onOver: () => () => {} } });
    expect(log).to.deep.include({ indexes: [], opened: 4, closed: 4 });
  });
});
