import { EventEmitter } from 'node:events';

import { expect } from 'chai';

import { SIGNALS, Signals } from '../../../lib/core/cli/exit-process.js';

/** Signals of a process that is not this one, and an engine that logs what it is asked for. */
function handled() {
  const io = new EventEmitter();
  const notices = [];
  const log = [];
  let end;
  const outcome = new Promise((resolve) => (end = resolve));
  const engine = { stop: (...given) => log.push(['stop', ...given]), abort: () => log.push(['abort']), outcome };
  const signals = new Signals(io, (text) => notices.push(text));
  const send = (name) => io.emit(name, name);
  return { io, notices, log, engine, signals, send, end };
}

describe('cli/exit-process: Signals', () => {
  it('the first SIGINT stops the run, the second aborts it', async () => {
    const { signals, engine, send, log, notices, end } = handled();
    const during = signals.direct(engine);
    send('SIGINT');
    send('SIGINT');
    end('outcome');
    expect(await during).to.equal('outcome');
    expect(log).to.deep.equal([['stop', 'SIGINT'], ['abort']]);
    expect(notices)
      .to.have.lengthOf(1)
      .and.match(/^Stopping: running iterations finish/);
    expect(signals.first).to.equal('SIGINT');
  });

  for (const name of ['SIGTERM', 'SIGHUP']) {
    it(`${name} stops the run with a time limit and without a notice`, async () => {
      const { signals, engine, send, log, notices, end } = handled();
      const during = signals.direct(engine);
      send(name);
      end();
      await during;
      expect(log[0]).to.have.lengthOf(3).and.include('stop').and.include(name);
      expect(log[0][2].within).to.be.above(0);
      expect(notices).to.deep.equal([]);
    });
  }

  it('a signal while results are written restores the default handlers', () => {
    const { io, signals, send, notices } = handled();
    expect(SIGNALS.map((name) => io.listenerCount(name))).to.deep.equal([1, 1, 1]);
    send('SIGINT');
    expect(SIGNALS.map((name) => io.listenerCount(name))).to.deep.equal([0, 0, 0]);
    expect(notices)
      .to.have.lengthOf(1)
      .and.match(/the result is being written/);
    expect(signals.first).to.equal('SIGINT');
  });

  it('without a signal there is no first one', async () => {
    const { signals, engine, end } = handled();
    end('outcome');
    expect(await signals.direct(engine)).to.equal('outcome');
    await signals.settled();
    expect(signals.first).to.equal(null);
  });
});
