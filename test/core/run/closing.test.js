import http from 'node:http';
import net from 'node:net';
import { once } from 'node:events';

import { expect } from 'chai';

import { followConnections, settlesWithin } from '../../../lib/core/run/closing.js';
import { listen } from '../../support/serve.js';

describe('run/closing', () => {
  it('a promise that resolves or rejects in time counts as settled', async () => {
    expect(await settlesWithin(Promise.resolve(), 10_000)).to.equal(true);
    expect(await settlesWithin(Promise.reject(new Error('no')), 10_000)).to.equal(true);
  });

  it('a promise that never settles is not awaited', async () => {
    expect(await settlesWithin(new Promise(() => {}), 1)).to.equal(false);
  });

  it('a server is closed with its idle, upgraded and silent connections', async () => {
    const server = http
      .createServer()
      .on('upgrade', (_request, socket) => socket.write('HTTP/1.1 101 Upgrade\r\n\r\n'));
    const close = followConnections(server);
    const { port } = new URL(await listen(server));
    const texts = ['', 'GET / HT', 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'];
    const clients = texts.map(() =>
      net
        .connect(Number(port), '127.0.0.1')
        .on('error', () => {})
        .resume(),
    );
    await Promise.all(clients.map((client, i) => once(client, 'connect').then(() => client.write(texts[i]))));
    await once(server, 'upgrade');
    const ended = clients.map((client) => once(client, 'close'));
    await close();
    await Promise.all(ended);
    expect(server.listening).to.equal(false);
  });
});
