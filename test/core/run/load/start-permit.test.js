import { expect } from 'chai';

import { Arrivals, StartPermit, localIndexes, permitMemory } from '../../../../lib/core/run/load/arrivals.js';
import { runLanes } from '../../../../lib/core/run/load/lanes.js';
import { Stride } from '../../../../lib/core/run/options/shard.js';
import { scheduleFor } from '../../../../lib/core/schedule/index.js';

/** Runs lanes on a clock of its own: each wait is over at once, and takes its time. `onWait(now, permit)` may extend the permit. */
async function running({ below, until = 1e9, onWait = () => {}, ...options }) {
  const clock = { now: () => at, every: () => () => {} };
  let at = 0;
  const permit = new StartPermit(permitMemory(1), () => at);
  permit.extend([below], until);
  const started = [];
  const backlog = { late: 0, maxBacklog: 0, dropped: 0, unpermitted: 0 };
  const schedule = scheduleFor(options).create({ limit: 1, ...options });
  const ending = { isOver: false, onStop: () => () => {} };
  const pass = async (ms) => {
    at += ms;
    onWait(at, permit, ending);
  };
  const lane = {
    hasWaited: true,
    claimIteration: () => true,
    readClock: () => {},
    sleep: pass,
    wake: () => {},
  };
  await runLanes({
    ...{ start: 0, schedule, clock, permit: permit.ofLoad(0), ending, lanes: [lane], shareOf: (count) => count },
    arrivals: new Arrivals(schedule, { indexes: localIndexes(), stride: new Stride(), elapsed: () => at, backlog }),
    pacer: { until: (due) => pass(due - at), wakeAll: () => {} },
    perform(index, _lane, _due, _wasIdle, { onEnd }) {
      started.push([index, at]);
      onEnd();
    },
  });
  expect(backlog.unpermitted).to.equal(backlog.dropped);
  return { started, dropped: backlog.dropped };
}

describe('run/load/start-permit', () => {
  it('is extended, and its INDEX is never reduced', () => {
    const permit = new StartPermit(permitMemory(2), () => 0);
    const [first, second] = [0, 1].map((place) => permit.ofLoad(place));
    expect(first.allows(0)).to.equal(false);
    permit.extend([5, 2], 1);
    permit.extend([3, 4], 1);
    expect([first.allows(4), first.allows(5)]).to.deep.equal([true, false]);
    expect([second.allows(3), second.allows(4)]).to.deep.equal([true, false]);
  });

  it('ends with its time', () => {
    let time = 0;
    const permit = new StartPermit(permitMemory(1), () => time);
    const { allows } = permit.ofLoad(0);
    permit.extend([5], 3000);
    expect(allows(0)).to.equal(true);
    time = 3000;
    expect(allows(0)).to.equal(false);
    permit.extend([5], 6000);
    expect(allows(0)).to.equal(true);
  });

  it('is one for all threads', () => {
    const memory = permitMemory(1);
    new StartPermit(memory).extend([2 ** 40], Number.MAX_SAFE_INTEGER);
    expect(new StartPermit(memory).ofLoad(0).allows(2 ** 40 - 1)).to.equal(true);
  });

  it('a shard that was suspended starts nothing that it was permitted before', async () => {
    const onWait = (now, _permit, ending) => (ending.isOver = now >= 1000);
    const { started, dropped } = await running({ rate: 10, duration: 1000, below: 100, until: 250, onWait });
    expect(started.map(([index]) => index)).to.deep.equal([0, 1, 2]);
    expect(dropped).to.equal(0);
  });

  it('iterations without a permit do not start, and those that are late when it comes are dropped', async () => {
    const onWait = (now, permit) => now >= 500 && permit.extend([100], 1e9);
    const { started, dropped } = await running({ rate: 10, duration: 1000, below: 3, onWait });
    expect(started.map(([index]) => index)).to.deep.equal([0, 1, 2, 6, 7, 8, 9]);
    expect(dropped).to.equal(3);
    for (const [index, at] of started) expect(at).to.be.closeTo(index * 100, 1e-6);
  });

  it('virtual users of a closed run wait for it', async () => {
    const onWait = (now, permit) => now >= 500 && permit.extend([5], 1e9);
    const { started, dropped } = await running({ iterations: 5, below: 2, onWait });
    expect(started.map(([index]) => index)).to.deep.equal([0, 1, 2, 3, 4]);
    expect(started.map(([, at]) => at >= 500)).to.deep.equal([false, false, true, true, true]);
    expect(dropped).to.equal(0);
  });

  it('the end of the run ends the wait', async () => {
    const onWait = (now, _permit, ending) => (ending.isOver = now >= 300);
    const { started } = await running({ rate: 10, duration: 1000, below: 1, onWait });
    expect(started).to.deep.equal([[0, 0]]);
  });
});
