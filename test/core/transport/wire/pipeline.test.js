import { expect } from 'chai';

import { BodyMemory } from '../../../../lib/core/process/body-memory.js';
import { WireConnection } from '../../../../lib/core/transport/wire/connection.js';
import { HeadMemo } from '../../../../lib/core/transport/wire/head-memo.js';
import { EncodedRequests, ParserPool } from '../../../../lib/core/transport/wire/index.js';
import { Pipeline } from '../../../../lib/core/transport/wire/pipeline.js';
import { UNTIMED } from '../../../../lib/core/transport/traffic.js';

const OPTIONS = { maxHeadBytes: 1000, maxFields: 10 };
const REQUEST = { method: 'GET', body: null };

/** It knows no head. */
const NO_MEMO = { find: () => null, findWhole: () => null, shouldKeep: () => false };

/** A wire whose sockets do nothing: the test calls what they call, and reads what a receiver gets. */
function wired(fields = '') {
  const socket = { cork() {}, write() {}, uncork() {}, destroy() {}, writableLength: 0 };
  const totals = { reused: 0, closedByServer: 0, discarded: 0 };
  const got = [];
  const wire = {
    open: () => socket,
    encodeHead: () => `GET / HTTP/1.1\r\n${fields}\r\n`,
    encoded: new EncodedRequests(),
    buffer: Buffer.alloc(1000),
    parsers: new ParserPool(OPTIONS),
    memo: NO_MEMO,
    inbox: { add: (connection) => connection.deliver() },
    outbox: { add: (sender) => sender.flush(1) },
    traffic: { totals, linkOf: () => null },
    timings: UNTIMED,
    now: () => 1,
    peerOf: () => null,
    connectFailed() {},
    limits: { maxBodySize: 1000, ...OPTIONS },
  };
  const receiver = {
    onResponse: ({ statusCode }) => got.push(statusCode),
    onError: (error) => got.push(error.code),
    readerOf: () => ({ add() {}, take: () => null, isOver: true }),
  };
  const reads = (listener, text) => listener.onData(socket, wire.buffer.write(text));
  return { socket, totals, got, wire, receiver, reads };
}

describe('transport/wire', () => {
  for (const [title, fields, act, expected] of [
    ['counts a reset by the server', '', { error: 'ECONNRESET' }, ['E_RESET_BEFORE_HEAD', 1]],
    ['reports an alert of TLS as itself', '', { error: 'ERR_SSL_ALERT' }, ['ERR_SSL_ALERT', 0]],
    ['counts a server that closes', '', { text: 'connection: close' }, [200, 1]],
    [
      'counts no close that the request asked for',
      'connection: te, close\r\n',
      { text: 'connection: close' },
      [200, 0],
    ],
  ])
    it(`a pipeline, like any connection, ${title}`, () => {
      for (const isPipelined of [true, false]) {
        const { socket, totals, got, wire, receiver, reads } = wired(fields);
        const endpoint = { proxy: null };
        const listener = isPipelined ? new Pipeline(endpoint, wire) : new WireConnection(endpoint, wire);
        const connection = isPipelined ? listener.addSlot() : listener;
        connection.send(REQUEST, 'head', receiver);
        listener.onOpen(socket, socket);
        if (act.error) listener.onError(socket, Object.assign(new Error('failed'), { code: act.error }));
        else reads(listener, `HTTP/1.1 200 OK\r\n${act.text}\r\ncontent-length: 0\r\n\r\n`);
        expect([...got, totals.closedByServer], isPipelined ? 'pipeline' : 'connection').to.deep.equal(expected);
      }
    });

  it('a stream that is finished before its head is complete ends at the head', () => {
    const { socket, got, wire, receiver, reads } = wired();
    const connection = new WireConnection({ proxy: null }, wire);
    connection.send(REQUEST, 'reader', receiver);
    connection.onOpen(socket, socket);
    reads(connection, 'HTTP/1.1 200 OK\r\n');
    connection.finish();
    expect(got).to.deep.equal([]);
    reads(connection, 'transfer-encoding: chunked\r\n\r\n');
    expect(got).to.deep.equal([200]);
  });

  it('a reader of a body that ends the exchange ends it once', () => {
    const { socket, got, wire, receiver, reads } = wired();
    const connection = new WireConnection({ proxy: null }, wire);
    const readerOf = () => {
      connection.abort(Object.assign(new Error('ended'), { code: 'E_CANCELLED' }));
      return null;
    };
    connection.send(REQUEST, 'reader', { ...receiver, readerOf });
    connection.onOpen(socket, socket);
    reads(connection, 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc');
    expect(got).to.deep.equal(['E_CANCELLED']);
  });

  for (const [title, about, ...expected] of [
    ['is kept', {}, '200 abc', '200 xyz', '200 123'],
    ['may be empty', { texts: ['', '', ''] }, '200 ', '200 ', '200 '],
    ['is not kept if only the head is read', { needs: 'head' }, '200 null', '200 null', '200 null'],
    ['is that of another status, too', { status: 201 }, '201 abc', '201 xyz', '201 123'],
    ['may be as long as is allowed', { maxBodySize: 3 }, '200 abc', '200 xyz', '200 123'],
    ['is refused if it is longer', { maxBodySize: 2 }, 'E_BODY_TOO_LARGE', 'E_BODY_TOO_LARGE', 'E_BODY_TOO_LARGE'],
    ['is refused if there is no memory for it', { memory: 0 }, 'E_BODY_MEMORY', 'E_BODY_MEMORY', 'E_BODY_MEMORY'],
    ['ends before bytes that follow', { excess: 'HTTP' }, '200 abc', '200 xyz', '200 123'],
  ])
    it(`a body behind a head that was seen before ${title}, as one behind a new head`, () => {
      const { needs = 'body', status = 200, maxBodySize = 1000, memory = 4096, texts = ['abc', 'xyz', '123'] } = about;
      const outcomes = [new HeadMemo(), NO_MEMO].map((memo) => {
        const { socket, totals, wire, reads } = wired();
        const limits = { ...wire.limits, maxBodySize };
        const account = new BodyMemory(memory).open();
        const parsers = new ParserPool({ ...OPTIONS, memo });
        const connection = new WireConnection({ proxy: null }, { ...wire, memo, parsers, limits }, account);
        const got = [];
        const receiver = { onResponse: (response) => got.push(response), onError: ({ code }) => got.push(code) };
        for (const text of texts) {
          connection.send(REQUEST, needs, receiver);
          if (!connection.wasSent) connection.onOpen(socket, socket);
          reads(
            connection,
            `HTTP/1.1 ${status} X\r\nContent-Length: ${text.length}\r\n\r\n${text}${about.excess ?? ''}`,
          );
        }
        account.release();
        // Each hook may change its body: none is shared.
        const bodies = new Set(got.map(({ body }) => body)).size;
        return { got: got.map((one) => (one.statusCode ? `${one.statusCode} ${one.body}` : one)), totals, bodies };
      });
      expect(outcomes[0].got).to.deep.equal(expected);
      expect(outcomes[0]).to.deep.equal(outcomes[1]);
    });
});
