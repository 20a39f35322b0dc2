import { expect } from 'chai';

import { Deadlines } from '../../../lib/core/iteration/deadlines.js';

/** Deadlines on a clock that is moved by hand; `ended` lists the interrupted waits. */
function waiting(thread) {
  const ended = [];
  let now = 0;
  let tick;
  let afterReads = null;
  const deadlines = new Deadlines(
    {
      now: () => now,
      every: (fn) => ((tick = fn), () => (tick = null)),
      afterReads: (fn) => ((afterReads = fn), () => (afterReads = null)),
    },
    thread,
  );
  const wait = (name, at) => {
    const deadline = deadlines.add();
    deadline.start(at, (why) => ended.push(`${name} ${why}`));
    return deadline;
  };
  const exchange = (name, from, timeoutMs) => {
    const deadline = deadlines.add();
    const connection = { isConnecting: false, abort: ({ code }) => ended.push(`${name} ${code}`) };
    deadline.applyTo(connection, 'http://a');
    deadline.startExchange(from, timeoutMs, timeoutMs);
    return deadline;
  };
  const runReads = () => {
    const fn = afterReads;
    afterReads = null;
    fn?.();
  };
  /** A standstill until `ms`; then timers run, sockets are read, immediates run. */
  const jumpTo = (ms, read = () => {}) => {
    now = ms;
    tick?.();
    read();
    runReads();
  };
  return {
    ended,
    wait,
    exchange,
    deadlines,
    isTicking: () => tick !== null,
    standFor: (ms) => void (now += ms),
    moveTo: (ms, read = () => {}) => {
      // timers are on time until shortly before
      while (now + 5 < ms) {
        now += 5;
        tick();
        runReads();
      }
      jumpTo(ms, read);
    },
    jumpTo,
  };
}

describe('iteration/deadlines', () => {
  it('interrupt waits that are too long, and no others', () => {
    const { ended, wait, moveTo } = waiting();
    wait('early', 100);
    wait('late', 200);
    wait('never', Infinity);
    moveTo(99);
    expect(ended).to.deep.equal([]);
    moveTo(100);
    expect(ended).to.deep.equal(['early timeout']);
    moveTo(1e4);
    expect(ended).to.include('late timeout').and.not.include('never timeout');
  });

  it('interrupt a wait that begins later and ends sooner than the others', () => {
    const { ended, wait, exchange, moveTo } = waiting();
    exchange('long', 0, 1000);
    moveTo(500);
    const short = wait('short', 550);
    moveTo(545);
    expect(ended).to.deep.equal([]);
    moveTo(550);
    expect(ended).to.deep.equal(['short timeout']);
    short.end();
    moveTo(1000);
    expect(ended).to.deep.equal(['short timeout', 'long E_TIMEOUT_REQUEST']);
  });

  it('C44 postpone the limit of a lane by the time in which the process was suspended', () => {
    let ranMs = 0;
    const { ended, wait, moveTo, jumpTo } = waiting({ runnableMs: () => ranMs });
    const over = wait('over', 1e6);
    over.limitTo(50);
    wait('lane', 1e6).limitTo(200);
    moveTo(50);
    over.end();
    moveTo(100);
    ranMs += 5;
    jumpTo(1110);
    expect(ended).to.deep.equal(['over timeout']);
    moveTo(1195);
    expect(ended).to.deep.equal(['over timeout']);
    moveTo(1200);
    expect(ended).to.deep.equal(['over timeout', 'lane timeout']);
  });

  it('N4 hooks that block in system calls, which look the same, postpone a limit three times', () => {
    const { ended, wait, jumpTo } = waiting({ runnableMs: () => 0 });
    wait('lane', 1e6).limitTo(200);
    for (let ms = 1000; ms <= 3000; ms += 1000) jumpTo(ms);
    expect(ended).to.deep.equal([]);
    jumpTo(4000);
    expect(ended).to.deep.equal(['lane timeout']);
  });

  it('a hook that blocks the thread postpones no limit', () => {
    const { ended, wait, jumpTo } = waiting();
    wait('lane', 1e6).limitTo(200);
    jumpTo(1000);
    expect(ended).to.deep.equal(['lane timeout']);
  });

  it('interrupt any wait at the limit of its lane', () => {
    const { ended, wait, moveTo } = waiting();
    wait('lane', 1000).limitTo(50);
    moveTo(50);
    expect(ended).to.deep.equal(['lane timeout']);
  });

  it('skip lanes that were removed or wait for nothing', () => {
    const { ended, wait, moveTo } = waiting();
    wait('removed', 10).remove();
    wait('idle', 10).end();
    moveTo(20);
    expect(ended).to.deep.equal([]);
  });

  it('N9 a response that is read after a late timer is in time', () => {
    const { ended, exchange, jumpTo } = waiting();
    const deadline = exchange('lane', 0, 20);
    jumpTo(24, () => deadline.end());
    jumpTo(29);
    expect(ended).to.deep.equal([]);
  });

  it('N9 a standstill while sockets are read counts for no other lane, even beside one that has timed out', () => {
    const { ended, exchange, jumpTo, moveTo, standFor } = waiting();
    const old = exchange('old', 0, 500);
    const recent = exchange('recent', 450, 500);
    moveTo(500, () => standFor(700));
    expect(ended).to.deep.equal(['old E_TIMEOUT_REQUEST']);
    old.end();
    jumpTo(1205);
    moveTo(1649);
    expect(ended).to.have.lengthOf(1);
    moveTo(1650);
    expect(ended).to.deep.equal(['old E_TIMEOUT_REQUEST', 'recent E_TIMEOUT_REQUEST']);
    recent.end();
  });

  it('N9 a standstill extends exchanges by its length, and no other wait', () => {
    const { ended, wait, exchange, deadlines, jumpTo, moveTo } = waiting();
    const old = exchange('old', 0, 500);
    exchange('recent', 650, 500);
    const hook = wait('hook', 600);
    jumpTo(705);
    expect(ended).to.deep.equal(['hook timeout']);
    expect(deadlines.stall).to.deep.equal({ longest: 700, extendedTimeouts: 1 });
    hook.end();
    moveTo(1199);
    expect(ended).to.deep.equal(['hook timeout']);
    moveTo(1200);
    expect(ended.slice(1)).to.deep.equal(['old E_TIMEOUT_REQUEST']);
    old.end();
    moveTo(1204);
    expect(ended).to.have.lengthOf(2);
    moveTo(1205);
    expect(ended.at(-1)).to.equal('recent E_TIMEOUT_REQUEST');
  });

  it('N9 a standstill does not extend the limit of a run, and restart discards earlier standstills', () => {
    const { ended, exchange, deadlines, jumpTo } = waiting();
    exchange('lane', 0, 5000).limitTo(600);
    jumpTo(700);
    expect(ended).to.deep.equal(['lane E_CANCELLED']);
    deadlines.restart();
    expect(deadlines.stall).to.deep.equal({ longest: 0, extendedTimeouts: 0 });
  });

  it('stop their timer when they are closed', () => {
    const { deadlines, isTicking } = waiting();
    deadlines.close();
    expect(isTicking()).to.equal(false);
  });
});
