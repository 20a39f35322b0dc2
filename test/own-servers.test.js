import { readFileSync, readdirSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { join } from 'node:path';

import { expect } from 'chai';

import { startDashboard } from '../lib/addons/page/dashboard.js';
import { openServer } from '../lib/addons/own-server/open.js';
import { RecordingProxy } from '../lib/addons/record/proxy.js';
import { open as openPrometheus } from '../lib/addons/export/prometheus.js';
import { startTarget } from '../lib/addons/serve/server.js';
import { ROOT } from './support/command.js';
import { serving } from './support/serve.js';

/** The status of a request with these lines. */
const statusOf = (port, ...lines) =>
  new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
    socket.setEncoding('latin1').once('data', (text) => {
      resolve(Number(text.split(' ')[1]));
      socket.destroy();
    });
    socket.once('error', reject);
  });
const hostOf = (port, host, line = 'GET / HTTP/1.1') => statusOf(port, line, `Host: ${host}`);

/** Each server of this tool, as it is opened on this machine alone. */
const SERVERS = {
  'the dashboard': async () => {
    const { url, close } = await startDashboard(0);
    return { port: Number(new URL(url).port), close };
  },
  'that of Prometheus': async () => {
    const { to, close } = await openPrometheus({ host: '127.0.0.1', port: 0 }, { collect: () => null });
    return { port: Number(new URL(to).port), close };
  },
  'the embedded service': () => startTarget(),
  'the recording proxy': async () => {
    const target = new URL('http://127.0.0.1:9');
    const proxy = new RecordingProxy({ target, port: 0, host: '127.0.0.1' });
    const url = await proxy.start();
    return { port: Number(new URL(url).port), close: () => proxy.finish() };
  },
};

describe('own-server/open', () => {
  for (const [name, start] of Object.entries(SERVERS))
    it(`${name} answers requests for its own names alone`, async () => {
      const { port, close } = await start();
      try {
        for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`])
          expect(await hostOf(port, host), host).to.not.equal(403);
        for (const host of ['evil.example', `evil.example:${port}`, `localhost:1`, 'localhost', `a@localhost:${port}`])
          expect(await hostOf(port, host), host).to.equal(403);
        for (const host of [
          `127.0.0.1.evil.example:${port}`,
          `localhost.evil.example:${port}`,
          `192.0.2.1:${port}`,
          '',
        ])
          expect(await hostOf(port, host), host).to.equal(403);
      } finally {
        await close();
      }
    });

  it('refuses a handshake for a foreign host, too', async () => {
    const { port, close } = await SERVERS['the recording proxy']();
    try {
      const handshake = ['GET / HTTP/1.1', 'Host: evil.example', 'Connection: Upgrade', 'Upgrade: websocket'];
      expect(await statusOf(port, ...handshake)).to.equal(403);
    } finally {
      await close();
    }
  });

  it('a method that is not named is refused', async () => {
    const { port, close } = await SERVERS['the dashboard']();
    try {
      for (const method of ['POST', 'OPTIONS', 'HEAD', 'DELETE'])
        expect(await hostOf(port, `localhost:${port}`, `${method} / HTTP/1.1`), method).to.equal(405);
    } finally {
      await close();
    }
  });

  it('at all addresses it has any address, any port, and names without a dot', async () => {
    const server = http.createServer((request, response) => response.end());
    const { port } = await openServer(server, { port: 0, host: '0.0.0.0' });
    try {
      for (const host of ['192.0.2.1:80', '[2001:db8::1]', 'bench:9464', 'localhost:1'])
        expect(await hostOf(port, host), host).to.equal(200);
      expect(await hostOf(port, `evil.example:${port}`)).to.equal(403);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('a forward proxy gets requests for all servers, and answers none for itself', () =>
    serving(
      (request, response) => response.end('ok'),
      async (url) => {
        const proxy = new RecordingProxy({ target: null, port: 0, host: '127.0.0.1' });
        const port = Number(new URL(await proxy.start()).port);
        try {
          const { host } = new URL(url);
          expect(await statusOf(port, `GET ${url}/a HTTP/1.1`, `Host: ${host}`)).to.equal(200);
          expect(await hostOf(port, `evil.example:${port}`)).to.equal(400);
        } finally {
          await proxy.finish();
        }
      },
    ));

  it('no other file opens a server', () => {
    /** Servers of others, and those that no web page reaches. */
    const OTHERS = {
      'lib/addons/server/local-server.js': 'lets a server of the program listen',
      'lib/addons/server/preload-channel.js': 'a socket file in a folder of its own',
      'lib/addons/server/run-with-server.js': 'closes at once: is the port free?',
      'lib/addons/rehearsal/rehearsal.js': 'answers "ok" and nothing else, for 50 ms',
      'lib/addons/own-server/open.js': 'the one function',
    };
    const files = readdirSync(join(ROOT, 'lib'), { recursive: true }).filter((path) => path.endsWith('.js'));
    const found = files.filter((path) =>
      /erver(?:\(\))?\??\.listen\(/.test(readFileSync(join(ROOT, 'lib', path), 'utf8')),
    );
    expect(found.map((path) => `lib/${path}`).sort()).to.deep.equal(Object.keys(OTHERS).sort());
  });
});
