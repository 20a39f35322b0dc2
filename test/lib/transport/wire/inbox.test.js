import { expect } from 'chai';

import { makeError } from '../../../../lib/ground/errors.js';
import { Traffic, UNTIMED } from '../../../../lib/transport/traffic.js';
import { WireConnection } from '../../../../lib/transport/wire/connection.js';
import { HeadMemo } from '../../../../lib/transport/wire/head-memo.js';
import { ParserPool, createEncoder } from '../../../../lib/transport/wire/index.js';
import { WireResponse } from '../../../../lib/transport/wire/response.js';
import { Inbox, Outbox } from '../../../../lib/transport/wire/socket.js';
import { GOOD } from '../../../support/faulty-server.js';
import { RESPONSES } from '../../../support/responses.js';
import { requestTo } from '../../../support/transports.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const REQUEST = requestTo('http://a.example/');
const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\ncontent-length: 4\r\n\r\ngone';

/** Connections on sockets that a test plays, and what happened, in order. */
function playing() {
  const log = [];
  const arrivals = [];
  const written = [];
  let now = 0;
  const outbox = new Outbox(() => now);
  const limits = { maxBodySize: 1000, maxHeadBytes: 1000, maxFields: 100 };
  const memo = new HeadMemo();
  const traffic = new Traffic();
  const wire = {
    open: (endpoint, own, listener) => listener.dialled(),
    encodeHead: createEncoder(),
    encoded: { request: null, text: '', bytes: null },
    buffer: Buffer.alloc(1000),
    memo,
    parsers: new ParserPool({ ...limits, memo }),
    response: new WireResponse(),
    inbox: new Inbox(outbox, (at) => arrivals.push(at)),
    outbox,
    traffic,
    timings: UNTIMED,
    now: () => now,
    peerOf: () => null,
    limits,
  };
  /** A connection that has sent a request. */
  const connect = (name, options = {}) => {
    const { needs = 'status', request = REQUEST, onResponse = () => {}, readsExcerpt } = options;
    const connection = new WireConnection(REQUEST.endpoint, wire);
    let socket;
    connection.dialled = () => {
      log.push(`${name} opens`);
      const write = (text) => written.push(text) && log.push(`${name} writes`);
      return (socket = { writableLength: 0, write, destroy() {} });
    };
    const receiver = {
      onResponse(response, at) {
        log.push(`${name} ${response.statusCode} of ${at}`);
        onResponse(response);
      },
      onError: ({ code }) => log.push(`${name} ${code}`),
      readsExcerpt,
    };
    const send = (next = request) => connection.send(next, needs, receiver);
    send();
    connection.onOpen(socket, socket);
    return {
      connection,
      send,
      receives: (text = GOOD) => connection.onData(socket, wire.buffer.write(text, 'latin1')),
      ends: () => connection.onEnd(socket),
      resets: () => connection.onError(socket, Object.assign(new Error('reset'), { code: 'ECONNRESET' })),
    };
  };
  return {
    log,
    arrivals,
    written,
    connect,
    totals: traffic.totals,
    wire,
    at: (ms) => void (now = ms),
    begin: () => void (log.length = 0),
  };
}

/** What a connection makes of a response, and of its socket. */
async function readingOf({ connect, totals }, { say, method = 'GET' }, needs) {
  const before = { ...totals };
  let read = null;
  const one = connect('a', {
    ...{ needs, request: { ...REQUEST, method } },
    onResponse: ({ statusCode, isPlain, bodyBytes, body, rawHeaders, statusMessage }) =>
      (read = { statusCode, isPlain, bodyBytes, body, ...(needs !== 'status' && { rawHeaders, statusMessage }) }),
  });
  one.receives(say);
  await turn();
  const closed = totals.closedByServer - before.closedByServer;
  return { read, closed, discarded: totals.discarded - before.discarded };
}

describe('transport/wire/inbox', () => {
  it('a response is the same whether its head is known or not', async () => {
    for (const row of RESPONSES.filter(({ code, say }) => !code && say.length <= 1000))
      for (const needs of ['status', 'head', 'body']) {
        const played = playing();
        const first = await readingOf(played, row, needs);
        expect(await readingOf(played, row, needs), `${row.what}, ${needs}`).to.deep.equal(first);
      }
  });

  it('each connection writes its own request, whichever was encoded last', async () => {
    const { connect, written } = playing();
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

  it('responses of a turn are delivered at its end, with the time of their arrival', async () => {
    const { log, arrivals, connect, at, begin } = playing();
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
    const { log, connect, begin } = playing();
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

  it('a request that was due during the turn is written with the next group', () => {
    const { log, wire } = playing();
    wire.outbox.add({ flush: () => log.push('the lane that was due writes') });
    for (let i = 0; i < 64; i++) wire.inbox.add({ deliver() {} }, 0);
    expect(log).to.deep.equal(['the lane that was due writes']);
  });

  it('a request that follows a response after a promise is written in the same turn', async () => {
    const { log, connect, begin } = playing();
    const a = connect('a', { onResponse: () => Promise.resolve().then(a.send) });
    begin();
    a.receives();
    setImmediate(() => log.push('the turn ends'));
    await turn();
    await turn();
    expect(log).to.deep.equal(['a 200 of 0', 'a writes', 'the turn ends']);
  });

  it('a receiver that throws keeps no other from its response', async () => {
    const { log, connect, wire } = playing();
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
    const { log, connect, begin } = playing();
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
    const { log, connect, begin } = playing();
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
        const played = playing();
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
