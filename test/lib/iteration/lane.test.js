import { expect } from 'chai';

import { createDeadlines } from '../../../lib/iteration/deadlines.js';
import { Lane } from '../../../lib/iteration/lane.js';

const to = (key) => ({ key, origin: `http://${key}` });

/** A lane on a clock that is moved by hand; `log` says what befell its connections. */
function laneOn(options = {}) {
  const log = [];
  let now = 0;
  let tick = () => {};
  const timers = [];
  const after = (fn, ms) => {
    const timer = { fn, ms, isPrevented: false };
    timers.push(timer);
    return () => (timer.isPrevented = true);
  };
  const clock = { now: () => now, every: (fn) => ((tick = fn), () => {}), after };
  const connect = ({ key }) => {
    const ends = (words) => ((connection.isDead = true), log.push(words));
    const connection = {
      isDead: false,
      isConnecting: true,
      abort: ({ code, message }) => ends(`${code}: ${message}`),
      close: () => ends(`close ${key}`),
    };
    log.push(`connect ${key}`);
    return connection;
  };
  const deadlines = createDeadlines(clock);
  return {
    log,
    timers,
    lane: new Lane({ transport: { connect }, deadlines, clock, ...options }),
    moveTo: (ms) => {
      now = ms;
      tick();
    },
  };
}

/** A lane that waits for a response since 0. */
function waiting({ timeout = 300, connect = 100, isConnected = true } = {}) {
  const made = laneOn();
  made.lane.watch(made.lane.connection(to('a'))).isConnecting = !isConnected;
  made.lane.startExchange(0, timeout, connect);
  made.log.length = 0;
  return made;
}

describe('iteration/lane', () => {
  it('keeps one connection for each endpoint until it is dead', () => {
    const { lane, log } = laneOn();
    const first = lane.connection(to('a'));
    expect(lane.connection(to('b'))).not.to.equal(first);
    expect(lane.connection(to('a'))).to.equal(first);
    first.isDead = true;
    expect(lane.connection(to('a'))).not.to.equal(first);
    expect(log).to.deep.equal(['connect a', 'connect b', 'connect a']);
  });

  it('closes the oldest when it has 16, and all of them at the end', () => {
    const { lane, log } = laneOn();
    for (let i = 0; i < 17; i++) lane.connection(to(`h${i}`));
    expect(log.slice(-2)).to.deep.equal(['close h0', 'connect h16']);
    lane.connection(to('h1')).isDead = true;
    lane.connection(to('h1'));
    expect(log.at(-1), 'a dead one makes room itself').to.equal('connect h1');
    lane.close();
    expect(log.slice(19)).to.have.lengthOf(16).and.include('close h16');
  });

  const connectTimeout = (ms) => `E_TIMEOUT_CONNECT: no connection to http://a within ${ms} ms`;
  const rows = [
    [{ isConnected: false }, 100, connectTimeout(100), 'connecting has its own limit'],
    [{ isConnected: false, timeout: 50 }, 50, connectTimeout(50), 'which is never above the whole'],
    [{ isConnected: false, timeout: 0 }, 100, connectTimeout(100), 'and counts where the whole has none'],
    [{}, 300, 'E_TIMEOUT_REQUEST: no complete response within 300 ms', 'who is connected has the whole time'],
    [{ timeout: 0 }, 1e9, undefined, 'a timeout of 0 is none'],
  ];
  for (const [options, at, message, why] of rows) {
    it(why, () => {
      const { log, moveTo } = waiting(options);
      for (const early of [100, 200, at - 1]) if (early < at) moveTo(early);
      expect(log).to.deep.equal([]);
      moveTo(at);
      expect(log).to.deep.equal(message ? [message] : []);
    });
  }

  it('who waits no longer is late no more', () => {
    const { lane, log, moveTo } = waiting();
    lane.endWait();
    moveTo(1e6);
    lane.cancel(1e6);
    expect(log).to.deep.equal([]);
  });

  it('cancel ends what is waited for; what tear-down waits for ends at the limit, however long its timeout', () => {
    const { lane, log, moveTo } = waiting();
    lane.cancel(500);
    expect(log).to.deep.equal(['E_CANCELLED: cancelled: the run was over']);
    expect(lane.isCancelled).to.equal(true);
    lane.endWait();
    lane.watch(lane.connection(to('a'))).isConnecting = false;
    lane.startExchange(10, 60_000, 60_000);
    moveTo(499);
    expect(log).to.have.lengthOf(2);
    moveTo(500);
    expect(log.at(-1)).to.match(/^E_CANCELLED/);
  });

  it('a lane that was closed is looked at no more', () => {
    const { lane, log, moveTo } = waiting();
    lane.close();
    moveTo(1e6);
    expect(log).to.deep.equal(['close a']);
  });

  it('opens its connections anew after so many requests', () => {
    const { lane, log } = laneOn({ reconnectRate: 2 });
    for (let i = 0; i < 5; i++) lane.connection(to('a'));
    expect(log).to.deep.equal(['connect a', 'close a', 'connect a', 'close a', 'connect a']);
  });

  it('with a rate of its own waits its turn, and does not make up for what it missed', () => {
    const { lane, moveTo } = laneOn({ connectionRate: 100 });
    expect([lane.takeTurn(), lane.takeTurn(), lane.takeTurn()]).to.deep.equal([0, 10, 20]);
    moveTo(500);
    expect([lane.takeTurn(), lane.takeTurn()]).to.deep.equal([0, 10]);
  });

  it('sleeps until it is time, woken, or cancelled', async () => {
    for (const end of ['time', 'wake', 'cancel']) {
      const { lane, timers } = laneOn();
      const slept = lane.sleep(50);
      expect(timers).to.have.lengthOf(1);
      if (end === 'time') timers[0].fn();
      else if (end === 'wake') lane.wake();
      else lane.cancel(1000);
      await slept;
      expect(timers[0].isPrevented).to.equal(true);
      expect(lane.deadline.interrupt).to.equal(null);
    }
  });
});
