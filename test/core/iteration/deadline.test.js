import { expect } from 'chai';

import { Deadline } from '../../../lib/core/iteration/deadlines.js';

/** A deadline on a clock that is moved by hand; `log` lists the errors that connections were aborted with. */
function deadlineOn() {
  const log = [];
  const deadline = new Deadline({ expect() {}, limit() {}, remove() {} });
  const connection = { isConnecting: true, abort: ({ code, message }) => log.push(`${code}: ${message}`) };
  const moveTo = (ms) => {
    if (deadline.hasPassed(ms)) deadline.interrupt('timeout', ms);
  };
  return { log, deadline, connection, moveTo };
}

/** A deadline of an exchange that started at 0. */
function exchanging({ timeout = 300, connect = 100, isConnected = true } = {}) {
  const made = deadlineOn();
  made.connection.isConnecting = !isConnected;
  made.deadline.applyTo(made.connection, 'http://a');
  made.deadline.startExchange(0, timeout, connect);
  return made;
}

describe('time limits of exchanges', () => {
  const connectTimeout = (ms) => `E_TIMEOUT_CONNECT: no connection to http://a within ${ms} ms`;
  const requestTimeout = 'E_TIMEOUT_REQUEST: no complete response within 300 ms';
  const rows = [
    [{ isConnected: false }, 100, connectTimeout(100), 'connecting has its own timeout'],
    [
      { isConnected: false, timeout: 50 },
      50,
      connectTimeout(50),
      'connecting takes at most the timeout of the exchange',
    ],
    [
      { isConnected: false, timeout: 0 },
      100,
      connectTimeout(100),
      'connecting has its timeout even if the exchange has none',
    ],
    [{}, 300, requestTimeout, 'a connected exchange has its whole timeout'],
    [{ timeout: 0 }, 1e9, undefined, 'a timeout of 0 is no timeout'],
  ];
  for (const [options, at, message, title] of rows) {
    it(title, () => {
      const { log, moveTo } = exchanging(options);
      for (const early of [100, 200, at - 1]) if (early < at) moveTo(early);
      expect(log).to.deep.equal([]);
      moveTo(at);
      expect(log).to.deep.equal(message ? [message] : []);
    });
  }

  it('N7 a retry that is still connecting at the end of the exchange is a request timeout', () => {
    const { deadline, log, moveTo } = exchanging({ isConnected: false });
    deadline.startConnect(250);
    moveTo(299);
    expect([log, deadline.isExchangeOver(299), deadline.isExchangeOver(300)]).to.deep.equal([[], false, true]);
    moveTo(300);
    expect(log).to.deep.equal([requestTimeout]);
  });

  it('a second connection has the whole timeout for connecting', () => {
    const { deadline, log, moveTo } = exchanging({ isConnected: false });
    deadline.startConnect(150);
    moveTo(249);
    expect(log).to.deep.equal([]);
    moveTo(250);
    expect(log).to.deep.equal([connectTimeout(100)]);
  });

  it('an exchange that ended is neither timed out nor cancelled', () => {
    const { deadline, log, moveTo } = exchanging();
    deadline.end();
    moveTo(1e6);
    deadline.interrupt('cancelled', 1e6);
    expect([log, deadline.connection]).to.deep.equal([[], null]);
  });

  it('the limit cancels every later wait, however long its own timeout', () => {
    const { deadline, connection, log, moveTo } = exchanging();
    deadline.limitTo(500);
    deadline.end();
    deadline.applyTo(connection, 'http://a');
    deadline.startExchange(10, 60_000, 60_000);
    moveTo(499);
    expect([log, deadline.isPastLimit(499)]).to.deep.equal([[], false]);
    moveTo(500);
    expect([log, deadline.isPastLimit(500)]).to.deep.equal([['E_CANCELLED: cancelled: the run was over'], true]);
  });

  it('N9 a standstill extends an exchange by its length, and not a hook or a pause', () => {
    const { deadline, log, moveTo } = exchanging();
    expect(deadline.extend(350, 350)).to.equal(true);
    moveTo(649);
    expect(log).to.deep.equal([]);
    moveTo(650);
    expect(log).to.deep.equal([requestTimeout]);
    deadline.end();
    deadline.start(700, () => log.push('hook'));
    expect(deadline.extend(900, 200)).to.equal(false);
    moveTo(900);
    expect(log.at(-1)).to.equal('hook');
  });

  it('N9 an exchange that started during a standstill is extended by its own part of it', () => {
    const { deadline } = exchanging();
    deadline.startExchange(340, 300, 300);
    expect(deadline.extend(350, 350)).to.equal(false);
    expect([deadline.isExchangeOver(649), deadline.isExchangeOver(650)]).to.deep.equal([false, true]);
  });
});
