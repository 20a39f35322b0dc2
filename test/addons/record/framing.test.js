import net from 'node:net';

import { expect } from 'chai';

import { MOST_IN_ALL, Recorder } from '../../../lib/addons/record/recorder.js';
import { FrameReader } from '../../../lib/addons/record/upgrade.js';
import { recording } from '../../support/recording.js';
import { itSlow } from '../../support/slow.js';
import { until } from '../../support/until.js';
import { heapInUse } from '../../faults/ground.js';

/** A server that keeps what it gets, as bytes, and answers with a text. */
async function listening(answer) {
  const got = [];
  const server = net.createServer((socket) => {
    let text = '';
    got.push(() => text);
    socket.on('error', () => {});
    socket.setEncoding('latin1').on('data', (piece) => {
      text += piece;
      socket.write(answer);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, got, url: `http://127.0.0.1:${server.address().port}` };
}

/** What the target gets of raw requests, and what the client gets of the proxy. */
async function forwarded(lines, answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok') {
  const { server, got, url } = await listening(answer);
  let answered = '';
  const { lacks } = await recording(url, async (proxyUrl) => {
    const { port, host } = new URL(proxyUrl);
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.setEncoding('latin1').on('data', (text) => (answered += text));
    socket.write(lines(host).join('\r\n'));
    await until(() => answered !== '');
    socket.destroy();
  });
  server.close();
  return { target: got.map((text) => text()).join('|'), answered, lacks };
}

describe('framing of recorded messages', () => {
  for (const named of ['content-length', 'Content-Length, host', 'close, content-length', 'host'])
    it(`a request stays whole, whatever its field Connection lists: ${named}`, async () => {
      const body = 'GET /admin HTTP/1.1\r\nHost: x\r\n\r\n';
      const { target } = await forwarded((host) => [
        ...['DELETE /a HTTP/1.1', `Host: ${host}`, `Connection: ${named}`, `Content-Length: ${body.length}`, '', body],
      ]);
      expect(target)
        .to.match(/^DELETE \/a HTTP\/1\.1\r\n/)
        .and.match(new RegExp(`content-length: ${body.length}\r\n`, 'i'));
      expect(target).to.match(/host: 127\.0\.0\.1:\d+\r\n/i);
    });

  for (const [what, fields] of [
    ['both lengths', ['Content-Length: 4', 'Transfer-Encoding: chunked']],
    ['two lengths', ['Content-Length: 4', 'Content-Length: 5']],
    ['another coding', ['Transfer-Encoding: gzip, chunked']],
    ['a coding that is not the last', ['Transfer-Encoding: chunked, identity']],
    ['two hosts', ['Host: evil.example', 'Content-Length: 4']],
  ])
    it(`a request whose end or server is not certain is refused: ${what}`, async () => {
      const { target, answered } = await forwarded((host) => [
        'POST /a HTTP/1.1',
        `Host: ${host}`,
        ...fields,
        '',
        '0\r\n\r\n',
      ]);
      expect(answered).to.match(/^HTTP\/1\.1 400 /);
      expect(target).to.equal('');
    });

  const handshake = (fields) => (host) => [
    ...['GET /ws HTTP/1.1', `Host: ${host}`, 'Connection: Upgrade', 'Upgrade: websocket', ...fields, ''],
    'GET /admin HTTP/1.1\r\nHost: x\r\n\r\n',
  ];
  for (const [what, fields] of [
    ['a length', ['Content-Length: 4']],
    ['a transfer coding', ['Transfer-Encoding: chunked']],
    ['two hosts', ['Host: evil.example']],
  ])
    it(`the handshake of a WebSocket is refused if its end or server is not certain: ${what}`, async () => {
      const { target, answered, lacks } = await forwarded(handshake(fields));
      expect(answered).to.match(/^HTTP\/1\.1 400 /);
      expect(target).to.equal('');
      expect(lacks).to.have.lengthOf(1);
    });

  it('a handshake keeps Upgrade and loses what Connection lists; bytes after it wait for the answer', async () => {
    const lines = handshake(['Connection: X-Hop', 'X-Hop: 1', 'Keep-Alive: 5', 'Content-Length: 0']);
    const { target } = await forwarded(lines, 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
    expect(target)
      .to.match(/^GET \/ws /)
      .and.match(/upgrade: websocket/i);
    expect(target).to.not.match(/x-hop|keep-alive|\/admin/i);
  });

  it('a request that asks for another protocol is forwarded whole, without asking', async () => {
    const { target } = await forwarded((host) => [
      ...['POST /a HTTP/1.1', `Host: ${host}`, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c'],
      ...['HTTP2-Settings: AA', 'Content-Length: 4', '', 'body'],
    ]);
    expect(target)
      .to.match(/^POST \/a /)
      .and.match(/\r\n\r\nbody$/);
    expect(target).to.not.match(/upgrade|http2-settings/i);
  });

  it('fields that Connection lists are not forwarded', async () => {
    const lines = (host) => ['GET /a HTTP/1.1', `Host: ${host}`, 'Connection: X-Hop', 'X-Hop: 1', 'X-End: 2', '', ''];
    const { target } = await forwarded(lines);
    expect(target).to.include('X-End: 2').and.not.include('X-Hop');
  });

  it('an unasked status 101 becomes a 502 with its reason', async () => {
    const answer = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
    const { answered, lacks } = await forwarded((host) => ['GET /a HTTP/1.1', `Host: ${host}`, '', ''], answer);
    expect(answered).to.match(/^HTTP\/1\.1 502 /);
    expect(lacks[0].why).to.match(/did not answer: 101, though the request asks for no other protocol/);
  });

  it('heads count towards the bytes that a recording keeps', () => {
    const recorder = new Recorder();
    const headers = [['X-A', 'x'.repeat(1e6)]];
    const request = { method: 'GET', url: 'http://h/', headers, body: Buffer.alloc(0) };
    const count = Math.ceil(MOST_IN_ALL / 1e6) + 1;
    for (let i = 0; i < count; i++) recorder.add({ startedAt: i, endedAt: i, client: '', request, response: null });
    expect(recorder.lacks()[0].why).to.match(/is above the 512 MiB that a recording keeps/);
  });

  for (const [what, add] of [
    ['a body in pieces of a byte', (recorder) => recorder.bytes()],
    [
      'a WebSocket message in fragments of a byte',
      () => {
        const reader = new FrameReader(() => {});
        let first = 1;
        return { add: (piece) => (reader.read(Buffer.from([first, 1, piece[0]])), (first = 0)) };
      },
    ],
  ])
    itSlow(`${what} takes the memory of its bytes`, () => {
      const kept = [];
      const before = heapInUse() + process.memoryUsage().external;
      for (let i = 0; i < 4; i++) {
        const one = add(new Recorder());
        for (let n = 0; n < 100_000; n++) one.add(Buffer.alloc(1, 'x'));
        kept.push(one);
      }
      // A Buffer for each byte was 100 bytes or more: 40 MB.
      expect(heapInUse() + process.memoryUsage().external - before).to.be.below(10e6);
      expect(kept).to.have.lengthOf(4);
    });

  itSlow('fragments of WebSocket messages without bytes take no memory', () => {
    const reader = new FrameReader(() => {});
    const before = process.memoryUsage().heapUsed + process.memoryUsage().external;
    reader.read(Buffer.from([0x01, 0x00]));
    const empty = Buffer.alloc(2 * 50_000);
    for (let i = 0; i < 20; i++) reader.read(empty);
    expect(process.memoryUsage().heapUsed + process.memoryUsage().external - before).to.be.below(60e6);
  });
});
