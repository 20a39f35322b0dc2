import { expect } from 'chai';

import { clock } from '../../../../lib/core/run/clock.js';
import { Arrivals, localIndexes } from '../../../../lib/core/run/load/arrivals.js';
import { runLanes } from '../../../../lib/core/run/load/lanes.js';
import { Stride } from '../../../../lib/core/run/options/shard.js';
import closed from '../../../../lib/core/schedule/closed.js';

/** Runs lanes whose iterations take one turn of the event loop; `log` lists the events. */
async function running({
  iterations,
  limit,
  rampUp,
  ending = { isOver: false, onStop: () => () => {} },
  onStart = () => {},
  shareOf = (count) => count,
  waits = true,
  ...options
}) {
  const log = { indexes: [], most: 0 };
  let active = 0;
  const schedule = closed.create({ iterations, limit, rampUp });
  const start = clock.now();
  const createLane = () => ({
    claimed: 0,
    hasWaited: false,
    mayClaim(most) {
      return this.claimed < most;
    },
    claimIteration(most) {
      return ++this.claimed <= most;
    },
    readClock: () => {},
    wake: () => {},
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  await runLanes({
    start,
    schedule,
    shareOf,
    lanes: Array.from({ length: shareOf(schedule.most) }, createLane),
    arrivals: new Arrivals(schedule, { indexes: localIndexes(), stride: new Stride(), elapsed: () => 0, backlog: {} }),
    ending,
    pacer: { wakeAll: () => {} },
    clock,
    async perform(index, lane, due, wasIdle, listener) {
      log.indexes.push(index);
      log.most = Math.max(log.most, ++active);
      onStart(index, ending);
      if (waits) await new Promise((resolve) => setImmediate(resolve));
      lane.hasWaited = waits;
      active--;
      listener.onEnd('completed', lane);
    },
    ...options,
  });
  return log;
}
const upTo = (count) => Array.from({ length: count }, (_, i) => i);

describe('run/load/lanes', () => {
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

  it('lanes start nothing after the end and finish running iterations', async () => {
    const log = await running({
      iterations: 100,
      limit: 4,
      onStart: (index, ending) => {
        if (index === 9) ending.isOver = true;
      },
    });
    expect(log.indexes.at(-1)).to.equal(9);
  });

  it('lanes start nothing if the run is already over', async () => {
    const log = await running({ iterations: 100, limit: 4, ending: { isOver: true, onStop: () => () => {} } });
    expect(log.indexes).to.deep.equal([]);
  });

  describe('C52 the lanes of a closed model start in several turns of the event loop', () => {
    it('64 in the first one, as connections that open are noticed only between turns', async () => {
      let started = 0;
      const run = running({ iterations: 300, limit: 300, onStart: () => started++ });
      expect(started).to.equal(64);
      expect((await run).indexes).to.deep.equal(upTo(300));
    });

    it('with as many iterations as lanes, each lane has one', async () => {
      const used = new Set();
      await running({
        iterations: 300,
        limit: 300,
        perform(index, lane, due, wasIdle, listener) {
          used.add(lane);
          lane.hasWaited = true;
          setImmediate(() => listener.onEnd('completed', lane));
        },
      });
      expect(used.size).to.equal(300);
    });

    it('those that have not started when the run ends do not start', async () => {
      const stop = (index, ending) => (ending.isOver = index === 63);
      expect((await running({ iterations: 300, limit: 300, onStart: stop })).indexes).to.deep.equal(upTo(64));
    });

    it('an internal error of a later one rejects the run', async () => {
      const perform = (index, lane, due, wasIdle, listener) => {
        if (index === 200) throw new Error('internal');
        setImmediate(() => listener.onEnd('completed', lane));
      };
      const error = await running({ iterations: 300, limit: 300, perform }).catch((reason) => reason);
      expect(error.message).to.equal('internal');
    });
  });

  describe('C52 lanes that wait between their iterations start in several turns, too', () => {
    for (const [what, options] of [['pause', { pauseMs: () => 1 }]])
      it(`64 in each, if they ${what}, and each has one iteration`, async () => {
        const perTurn = [0];
        const used = new Set();
        let isOver = false;
        const countTurns = () => {
          perTurn.push(0);
          if (!isOver) setImmediate(countTurns);
        };
        setImmediate(countTurns);
        await running({
          iterations: 300,
          limit: 300,
          ...options,
          perform(index, lane, due, wasIdle, listener) {
            perTurn[perTurn.length - 1]++;
            used.add(lane);
            lane.hasWaited = true;
            setImmediate(() => listener.onEnd('completed', lane));
          },
        });
        isOver = true;
        expect(Math.max(...perTurn)).to.equal(64);
        expect(used.size).to.equal(300);
      });

    it('those that have not started when the run ends do not start', async () => {
      const stop = (index, ending) => (ending.isOver = index === 63);
      const log = await running({ iterations: 300, limit: 300, onStart: stop, pauseMs: () => 1 });
      expect(log.indexes).to.deep.equal(upTo(64));
    });
  });

  it('a thread runs its share of the lanes', async () => {
    const log = await running({ iterations: 100, limit: 9, shareOf: (count) => Math.floor(count / 2) });
    expect(log.most).to.equal(4);
  });

  it('a thread without a lane runs nothing', async () => {
    expect((await running({ iterations: 10, limit: 1, shareOf: () => 0 })).indexes).to.deep.equal([]);
  });

  for (const waits of [true, false]) {
    it(`a lane is done after its maximum of iterations that wait for ${waits ? 'something' : 'nothing'}`, async () => {
      expect((await running({ iterations: 1000, limit: 4, mostOfLane: 3, waits })).indexes).to.have.members(upTo(12));
    });
  }

  for (const [what, options] of [
    ['a steady number of lanes', {}],
    ['a ramp', { rampUp: 1 }],
  ])
    it(`a lane of ${what} pauses between its iterations, and not after the last one`, async () => {
      const pausesOf = async (own) => {
        let pauses = 0;
        const log = await running({ limit: 1, pauseMs: () => ((pauses += 1), 1), ...options, ...own });
        return [pauses, log.indexes.length];
      };
      expect(await pausesOf({ iterations: 6 })).to.deep.equal([5, 6]);
      expect(await pausesOf({ iterations: 100, limit: 2, mostOfLane: 3 })).to.deep.equal([4, 6]);
      expect(await pausesOf({ iterations: 2, limit: 2, pauseMs: undefined })).to.deep.equal([0, 2]);
    });

  describe('lanes that pause', () => {
    it('are done as soon as the run ends, or another lane has had the last iteration', async () => {
      const long = 3_600_000;
      let stop;
      const ending = { isOver: false, onStop: (fn) => ((stop = fn), () => {}) };
      const run = running({ iterations: 100, limit: 3, pauseMs: () => long, ending });
      await new Promise((resolve) => setTimeout(resolve, 20));
      ending.isOver = true;
      stop();
      expect((await run).indexes).to.deep.equal([0, 1, 2]);
      const pauses = [long, 1, 1];
      expect((await running({ iterations: 4, limit: 2, pauseMs: () => pauses.shift() })).indexes).to.deep.equal(
        upTo(4),
      );
    });

    it('an internal error at the end of a pause rejects the run', async () => {
      let performed = 0;
      const perform = (index, lane, due, wasIdle, listener) => {
        if (++performed === 2) throw new Error('internal');
        setImmediate(() => listener.onEnd('completed', lane));
      };
      const error = await running({ iterations: 3, limit: 1, pauseMs: () => 1, perform }).catch((reason) => reason);
      expect(error.message).to.equal('internal');
    });
  });

  it('timers run between iterations that wait for nothing', async () => {
    const ending = { isOver: false, onStop: () => () => {} };
    setTimeout(() => (ending.isOver = true), 5);
    const log = await running({ iterations: Infinity, limit: 200, waits: false, ending });
    expect(log.indexes).to.deep.equal(upTo(log.indexes.length));
  });

  it('an internal error of an iteration ends the loop with that error', async () => {
    const perform = (index, lane, due, wasIdle, listener) =>
      setImmediate(() => listener.onFault(new Error('internal')));
    const error = await running({ iterations: 10, limit: 2, perform }).catch((reason) => reason);
    expect(error.message).to.equal('internal');
  });

  it('a ramp starts lanes one after the other', async () => {
    const log = await running({
      iterations: 100_000,
      limit: 10,
      rampUp: 3_600_000,
      onStart: (index, ending) => {
        if (index === 30) ending.isOver = true;
      },
    });
    expect(log.most).to.equal(1);
  });

  it('a thread that has no lane at the start of a ramp waits for its first one', async () => {
    const begun = clock.now();
    const log = await running({ iterations: 10, limit: 2, rampUp: 200, shareOf: (count) => Math.floor(count / 2) });
    expect(clock.now() - begun).to.be.above(99);
    expect(log.indexes).to.deep.equal(upTo(10));
  });
});
