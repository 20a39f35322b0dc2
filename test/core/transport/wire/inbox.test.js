import { expect } from 'chai';

import { makeError } from '../../../../lib/core/ground/errors.js';
import { GOOD } from '../../../support/faulty-server.js';
import { REQUEST, playWire, turn } from '../../../support/played-wire.js';

const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\ncontent-length: 4\r\n\r\ngone';

describe('responses in groups', () => {
  it('each connection writes its own request, whichever was encoded last', async () => {
    const { connect, written } = playWire();
    const [one, other] = ['/1', '/2'].map((path) => ({ ...REQUEST, path }));
    const [a, b] = [connect('a', { request: one }), connect('b', { request: other })];
    for (const next of [one, { ...one, path: '/3' }, other]) {
      a.receives();
      b.receives();
      await turn();
      a.send(next);
      b.send(other);
      await turn();
    }
    const paths = written.map((text) => text.split(' ')[1]);
    expect(paths).to.deep.equal(['/1', '/2', '/1', '/2', '/3', '/2', '/2', '/2']);
  });

  it('a connection that is closed before its request is written opens no other one', async () => {
    const { log, connect, begin } = playWire();
    const a = connect('a');
    a.receives();
    await turn();
    begin();
    a.send();
    a.connection.close();
    await turn();
    expect(log).to.deep.equal([]);
  });

  it('F17 the end that a response announced for its connection does not hold after a response without one', async () => {
    const { log, connect, at, begin } = playWire();
    const a = connect('a');
    a.receives(GOOD.replace('\r\n\r\n', '\r\nKeep-Alive: timeout=5\r\n\r\n'));
    await turn();
    at(1000);
    a.send();
    await turn();
    a.receives();
    await turn();
    at(10_000);
    begin();
    a.send();
    await turn();
    expect(log).to.deep.equal(['a writes']);
  });

  it('responses of a turn are delivered at its end, with the time of their arrival', async () => {
    const { log, arrivals, connect, at, begin } = playWire();
    const [a, b] = [connect('a'), connect('b')];
    begin();
    for (const [ms, one] of [[5, a], [7, b]]) at(ms) ?? one.receives(); // prettier-ignore
    at(9);
    expect(log).to.deep.equal([]);
    expect([a.connection.hasArrived, a.connection.endedAt]).to.deep.equal([true, 5]);
    await turn();
    expect(log).to.deep.equal(['a 200 of 5', 'b 200 of 7']);
    expect(a.connection.hasArrived).to.equal(false);
    expect(arrivals, 'the first of the turn').to.deep.equal([5]);
  });

  it('64 responses are delivered before the end of the turn, and the requests that follow are written', async () => {
    const { log, connect, begin } = playWire();
    const all = Array.from({ length: 65 }, (_, i) => {
      const one = connect(i, { onResponse: () => one.send() });
      return one;
    });
    begin();
    for (const one of all.slice(0, 63)) one.receives();
    expect(log).to.deep.equal([]);
    all[63].receives();
    expect(log.slice(0, 64)).to.deep.equal(Array.from({ length: 64 }, (_, i) => `${i} 200 of 0`));
    expect(log.slice(64)).to.deep.equal(Array.from({ length: 64 }, (_, i) => `${i} writes`));
    all[64].receives();
    expect(log).to.have.lengthOf(128);
    await turn();
    expect(log.slice(128)).to.deep.equal(['64 200 of 0', '64 writes']);
  });

  it('C51 after 1,024 responses of a turn, requests wait for its end: answers to them would prolong it', async () => {
    const { wire } = playWire();
    const counts = [];
    for (let next = 0; next < 2; next++) {
      let written = 0;
      const recipient = { deliver: () => wire.outbox.add({ flush: () => written++ }) };
      for (let i = 0; i < 2000; i++) wire.inbox.add(recipient, 0);
      counts.push(written);
      await turn();
      counts.push(written);
    }
    expect(counts).to.deep.equal([1024, 2000, 1024, 2000]);
  });

  it('a request that was due during the turn is written with the next group', () => {
    const { log, wire } = playWire();
    wire.outbox.add({ flush: () => log.push('the lane that was due writes') });
    for (let i = 0; i < 64; i++) wire.inbox.add({ deliver() {} }, 0);
    expect(log).to.deep.equal(['the lane that was due writes']);
  });

  it('a request that follows a response after a promise is written in the same turn', async () => {
    const { log, connect, begin } = playWire();
    const a = connect('a', { onResponse: () => Promise.resolve().then(a.send) });
    begin();
    a.receives();
    setImmediate(() => log.push('the turn ends'));
    await turn();
    await turn();
    expect(log).to.deep.equal(['a 200 of 0', 'a writes', 'the turn ends']);
  });

  it('a receiver that throws keeps no other from its response', async () => {
    const { log, connect, wire } = playWire();
    const recipient = (name) => ({ deliver: () => log.push(name) });
    const fail = () => {
      throw new Error('thrown by a listener');
    };
    connect('a');
    for (let i = 0; i < 62; i++) wire.inbox.add(recipient(i), 0);
    wire.inbox.add({ deliver: fail }, 0);
    expect(() => wire.inbox.add(recipient('last'), 0)).to.throw('thrown by a listener');
    wire.inbox.add(recipient('later'), 0);
    await turn();
    expect(log.slice(-2)).to.deep.equal(['last', 'later']);
  });

  it('each response of a group has its own status, and the excerpt of its error', async () => {
    const { log, connect, begin } = playWire();
    let excerpt;
    const onResponse = (response) => ({ excerpt } = response);
    const [a, b, c] = [connect('a'), connect('b', { readsExcerpt: () => true, onResponse }), connect('c')];
    begin();
    a.receives();
    b.receives(NOT_FOUND);
    c.receives(NOT_FOUND);
    await turn();
    expect(log).to.deep.equal(['a 200 of 0', 'b 404 of 0', 'c 404 of 0']);
    expect(String(excerpt)).to.equal('gone');
  });

  it('C50 a receiver that aborts another connection goes on with its own response', async () => {
    const { log, connect, begin } = playWire();
    const statuses = [];
    const onResponse = (response) => {
      b.connection.abort(makeError('E_CANCELLED'));
      statuses.push(response.statusCode);
    };
    const [a, b] = [connect('a', { onResponse }), connect('b')];
    begin();
    a.receives(NOT_FOUND);
    b.receives();
    await turn();
    expect(log).to.deep.equal(['a 404 of 0', 'b 200 of 0']);
    expect(statuses).to.deep.equal([404]);
  });

  for (const needs of ['status', 'body']) {
    describe(`between the arrival of a response and its delivery, if its ${needs} is needed:`, () => {
      const arriving = () => {
        const played = playWire();
        const a = played.connect('a', { needs });
        played.begin();
        a.receives();
        return { ...played, a };
      };

      for (const [what, event, counted] of [
        ['FIN', 'ends', 'closedByServer'],
        ['RST', 'resets', 'closedByServer'],
        ['surplus bytes', 'receives', 'discarded'],
      ])
        it(`F150 ${what} count, the response too, and the next request opens a connection`, async () => {
          const { log, totals, a } = arriving();
          a[event]();
          expect(totals[counted]).to.equal(1);
          await turn();
          expect(log).to.deep.equal(['a 200 of 0']);
          a.send();
          expect(log).to.deep.equal(['a 200 of 0', 'a opens']);
        });

      for (const code of ['E_CANCELLED', 'E_TIMEOUT_REQUEST'])
        it(`C50 an abort with ${code} delivers it at once, and once`, async () => {
          const { log, a } = arriving();
          a.connection.abort(makeError(code, { ms: 1 }));
          expect(log).to.deep.equal(['a 200 of 0']);
          expect(a.connection.isDead).to.equal(false);
          await turn();
          expect(log).to.have.lengthOf(1);
        });

      it('C50 a second abort ends the request that followed the response', async () => {
        const { log, a } = arriving();
        a.connection.abort(makeError('E_CANCELLED'));
        a.send();
        a.connection.abort(makeError('E_CANCELLED'));
        await turn();
        expect(log).to.deep.equal(['a 200 of 0', 'a E_CANCELLED']);
      });

      it('nothing is called after the connection was closed', async () => {
        const { log, a } = arriving();
        a.connection.close();
        await turn();
        expect(log).to.deep.equal([]);
      });
    });
  }
});
