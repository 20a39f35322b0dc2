import { expect } from 'chai';

import { Deadlines } from '../../../lib/core/iteration/deadlines.js';
import { ConnectionShare, Lane } from '../../../lib/core/iteration/lane.js';
import { TIMES } from '../../../lib/core/iteration/lane-times.js';
import { UNCOUNTED } from '../../../lib/core/process/body-memory.js';

const to = (key) => ({ key, origin: `http://${key}` });

/** A lane on a clock that is moved by hand; `log` records what happens to its connections. */
function laneOn(options = {}) {
  const log = [];
  let now = 0;
  let tick = () => {};
  const timers = [];
  const after = (fn, ms) => {
    const timer = { fn, ms, isCancelled: false };
    timers.push(timer);
    return () => (timer.isCancelled = true);
  };
  let afterReads = () => {};
  const clock = {
    now: () => now,
    every: (fn) => ((tick = fn), () => {}),
    after,
    afterReads: (fn) => ((afterReads = fn), () => {}),
  };
  const groups = [];
  const connect = ({ key }, bodies, group) => {
    groups.push(group);
    const ends = (entry) => ((connection.isDead = true), log.push(entry));
    const connection = {
      isDead: false,
      isConnecting: true,
      abort: ({ code, message }) => ends(`${code}: ${message}`),
      close: () => ends(`close ${key}`),
    };
    log.push(`connect ${key}`);
    return connection;
  };
  const deadlines = new Deadlines(clock);
  return {
    log,
    groups,
    timers,
    lane: new Lane({
      transport: { connect },
      deadlines,
      clock,
      readDelay: { at: () => 0, busyAt: () => 0 },
      bodies: UNCOUNTED,
      share: new ConnectionShare(),
      mostConnections: 16,
      ...options,
    }),
    moveTo: (ms) => {
      // without a standstill: the last tick was on time
      now = ms - 5;
      deadlines.restart();
      now = ms;
      tick();
      afterReads();
    },
  };
}

/** A lane that waits for a response since 0. */
function waiting() {
  const made = laneOn();
  made.lane.deadline.applyTo(made.lane.useConnection(to('a')), 'http://a');
  made.lane.deadline.startExchange(0, 300, 100);
  made.log.length = 0;
  return made;
}

describe('iteration/lane', () => {
  it('keeps one connection per endpoint until it is dead', () => {
    const { lane, log } = laneOn();
    const first = lane.useConnection(to('a'));
    expect(lane.useConnection(to('b'))).not.to.equal(first);
    expect(lane.useConnection(to('a'))).to.equal(first);
    first.isDead = true;
    expect(lane.useConnection(to('a'))).not.to.equal(first);
    expect(log).to.deep.equal(['connect a', 'connect b', 'connect a']);
  });

  it('has the instant of its last event: a response, the end of a pause', async () => {
    const { lane, moveTo } = laneOn();
    moveTo(100);
    lane.readClock();
    expect(lane.now).to.equal(100);
    lane.responded(90.5);
    expect(lane.now).to.equal(90.5);
    const slept = lane.sleep(50);
    moveTo(150);
    lane.wake();
    await slept;
    expect(lane.now).to.equal(150);
  });

  it('closes the oldest of 16 connections, and all of them at the end', () => {
    const { lane, log } = laneOn();
    for (let i = 0; i < 17; i++) lane.useConnection(to(`h${i}`));
    expect(log.slice(-2)).to.deep.equal(['close h0', 'connect h16']);
    lane.useConnection(to('h1')).isDead = true;
    lane.useConnection(to('h1'));
    expect(log.at(-1), 'a dead one leaves room for the new one').to.equal('connect h1');
    lane.close();
    expect(log.slice(19)).to.have.lengthOf(16).and.include('close h16');
  });

  it('closes the least recently used connection at its maximum', () => {
    const { lane, log } = laneOn({ mostConnections: 3 });
    const visit = (key) => lane.useConnection(to(key));
    for (const key of ['main', 'a', 'main', 'b', 'main', 'c', 'main', 'd', 'main', 'c']) visit(key);
    expect(log).to.deep.equal([
      ...['connect main', 'connect a', 'connect b'],
      ...['close a', 'connect c', 'close b', 'connect d'],
    ]);
  });

  it('cancel aborts what it waits for, and a closed lane waits for nothing', () => {
    const { lane, log, moveTo } = waiting();
    lane.cancel(500);
    expect([log, lane.isCancelled]).to.deep.equal([['E_CANCELLED: cancelled: the run was over'], true]);
    const closed = waiting();
    closed.lane.close();
    closed.moveTo(1e6);
    moveTo(1e6);
    expect(closed.log).to.deep.equal(['close a']);
  });

  it('a cancelled lane starts nothing but a teardown, until the limit of that', () => {
    const { lane } = laneOn();
    expect([lane.isCutOff(false, 0), lane.isCutOff(true, 0)]).to.deep.equal([false, false]);
    lane.cancel(500);
    const states = [lane.isCutOff(false, 0), lane.isCutOff(true, 499), lane.isCutOff(true, 500)];
    expect(states).to.deep.equal([true, false, true]);
  });

  it('after a warm-up it may start again, and has used and answered nothing yet', () => {
    const { lane } = laneOn();
    lane.wasUsed = lane.wasAnswered = true;
    lane.cancel(-Infinity);
    lane.resume();
    expect([lane.isCutOff(false, 0), lane.wasUsed, lane.wasAnswered]).to.deep.equal([false, false, false]);
  });

  it('isInFlight is true from sending a request until its response ends', () => {
    const { lane } = laneOn();
    const connection = lane.useConnection(to('a'));
    lane.deadline.applyTo(connection, 'http://a');
    const states = [{ wasSent: false }, { wasSent: true, sentAt: 2, endedAt: 1 }, { endedAt: 3 }].map((state) => {
      Object.assign(connection, state);
      return lane.isInFlight;
    });
    lane.deadline.end();
    expect([states, lane.isInFlight]).to.deep.equal([[false, true, false], false]);

    lane.deadline.applyTo(Object.assign(connection, { endedAt: 1 }), 'http://a');
    void lane.sleep(50);
    expect(lane.isInFlight, 'a stream was lost, and waits to be opened again').to.equal(false);
  });

  it('has the busy time of the event loop until its last event, and how long a response waited', () => {
    const { lane } = laneOn({ readDelay: { at: (now) => now / 100, busyAt: (now) => now / 2 } });
    lane.responded(90);
    const { [TIMES.BUSY]: busyMs, [TIMES.READ_DELAY]: delayMs } = lane.times;
    expect([delayMs, busyMs, lane.hasWaited]).to.deep.equal([0.9, 45, true]);
  });

  it('lanes of one share open their connections anew together, each before its next request', () => {
    const share = new ConnectionShare({ requestsPerConnection: 3 });
    const [one, other] = [laneOn({ share }), laneOn({ share })];
    for (let i = 0; i < 4; i++) {
      one.lane.useConnection(to('a'));
      other.lane.useConnection(to('b'));
    }
    expect(one.log).to.deep.equal(['connect a', 'close a', 'connect a', 'close a', 'connect a']);
    expect(other.log).to.deep.equal(['connect b', 'close b', 'connect b', 'close b', 'connect b']);
    expect(new Set(one.groups.concat(other.groups)).size).to.equal(3);
  });

  it('sleeps until the time is over, or it is woken or cancelled', async () => {
    for (const end of ['time', 'wake', 'cancel']) {
      const { lane, timers, moveTo } = laneOn();
      const slept = lane.sleep(50);
      expect(timers).to.have.lengthOf(1);
      moveTo(50);
      if (end === 'time') timers[0].fn();
      else if (end === 'wake') lane.wake();
      else lane.cancel(1000);
      await slept;
      expect(lane.hasWaited).to.equal(true);
      expect(lane.deadline.hasPassed(Infinity)).to.equal(false);
    }
  });

  it('the end of a pause that was woken does not end the next one', async () => {
    const { lane, timers, moveTo } = laneOn();
    const slept = lane.sleep(50);
    lane.wake();
    await slept;
    const woken = [];
    lane.pause(100, { onWake: () => woken.push(lane.now) });
    moveTo(50);
    timers[0].fn();
    expect(woken).to.deep.equal([]);
    moveTo(100);
    timers.at(-1).fn();
    expect(woken).to.deep.equal([100]);
  });
});
