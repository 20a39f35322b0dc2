import { once } from 'node:events';
import net from 'node:net';

import { expect } from 'chai';

import { failWithoutTls } from '../../../lib/addons/agents/queue.js';

describe('a queue without TLS', () => {
  /** @type {net.Server} */
  let server;
  /** @type {AbortController} */
  let handshake;
  afterEach(() => {
    handshake.abort();
    server.close();
  });

  /** Answers each line. */
  const listen = async (answer) => {
    handshake = new AbortController();
    server = net.createServer((socket) => socket.on('data', (line) => socket.write(answer(String(line)))));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return { host: '127.0.0.1', port: server.address().port };
  };

  for (const answer of ['+PONG\r\n', '-NOAUTH Authentication required.\r\n']) {
    it(`a server that answers PING with ${answer.trim()} is a Redis without TLS`, async () => {
      const address = await listen((line) => (line === 'PING\r\n' ? answer : ''));
      const error = await failWithoutTls(address, { signal: handshake.signal, silentMs: 0 }).catch((cause) => cause);
      expect(error.message).to.equal('Redis answers without TLS');
    });
  }

  it('a server that answers with a TLS alert is none, and the connection ends with the handshake', async () => {
    const address = await listen(() => '\x15\x03\x03\x00\x02\x02\x46');
    const connected = once(server, 'connection');
    let isRefused = false;
    failWithoutTls(address, { signal: handshake.signal, silentMs: 0 }).catch(() => (isRefused = true));
    const [socket] = await connected;
    await once(socket, 'data');
    // a reset is an end, too
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    handshake.abort();
    await closed;
    expect(isRefused).to.equal(false);
  });
});
