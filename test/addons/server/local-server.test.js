import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';

import { expect } from 'chai';

import { openLocalServer } from '../../../lib/addons/server/local-server.js';
import { listen, ok, shut } from '../../support/serve.js';

const listening = (address) => ({ listening: true, address: () => address });

describe('a server of this process', () => {
  it('a server that does not listen is started on 127.0.0.1 and closed afterwards', async () => {
    const server = http.createServer(ok);
    const { url, restore } = await openLocalServer(server);
    expect(url).to.equal(`http://127.0.0.1:${server.address().port}`);
    expect(await (await fetch(url)).text()).to.equal('ok');
    expect(server.listenerCount('error')).to.equal(0);
    await restore();
    expect(server.listening).to.equal(false);
  });

  it('a server can be started again after it was closed', async () => {
    const server = http.createServer(ok);
    await (await openLocalServer(server)).restore();
    const { restore } = await openLocalServer(server);
    expect(server.listening).to.equal(true);
    await restore();
  });

  it('a server that already listens keeps listening', async () => {
    const server = http.createServer(ok);
    const at = await listen(server);
    const { url, restore } = await openLocalServer(server);
    await restore();
    expect([url, server.listening]).to.deep.equal([at, true]);
    await shut(server);
  });

  for (const [how, ms] of [
    ['at once', 0],
    ['after longer than a server usually takes', 300],
  ]) {
    it(`a server whose host is resolved ${how} is waited for and keeps listening`, () =>
      resolving({ ms }, async (server) => {
        const { url, restore } = await openLocalServer(server);
        expect(url).to.equal(`http://127.0.0.1:${server.address().port}`);
        await restore();
        expect(server.listening).to.equal(true);
      }));
  }

  it('a server whose host has no address rejects with the reason', () =>
    resolving({ ms: 100, error: Object.assign(new Error('no'), { code: 'ENOTFOUND' }) }, async (server) => {
      expect(await openLocalServer(server).catch(({ code }) => code)).to.equal('ENOTFOUND');
    }));

  it('a server that its program closes while its host is resolved is started here', () =>
    resolving({ ms: 300 }, async (server) => {
      const opening = openLocalServer(server);
      server.close();
      const { restore } = await opening;
      expect(server.listening).to.equal(true);
      await restore();
      expect(server.listening).to.equal(false);
    }));

  it('a server that two runs use is closed after the last one', async () => {
    const server = http.createServer(ok);
    const [first, second] = await Promise.all([openLocalServer(server), openLocalServer(server)]);
    expect(first.url).to.equal(second.url);
    await first.restore();
    expect(await (await fetch(second.url)).text()).to.equal('ok');
    const closing = second.restore();
    const third = await openLocalServer(server);
    await closing;
    expect(await (await fetch(third.url)).text()).to.equal('ok');
    await third.restore();
    expect(server.listening).to.equal(false);
  });

  it('an https.Server has an https: URL', async () => {
    const { url, restore } = await openLocalServer(https.createServer());
    expect(url).to.match(/^https:\/\/127\.0\.0\.1:\d+$/);
    await restore();
  });

  const rows = [
    ['/run/app.sock', 'http://unix:/run/app.sock', 'a server on a Unix socket has its path as URL'],
    [
      { address: '::', family: 'IPv6', port: 81 },
      'http://127.0.0.1:81',
      'a server on all IPv6 addresses is reached at 127.0.0.1',
    ],
    [
      { address: '0.0.0.0', family: 'IPv4', port: 81 },
      'http://127.0.0.1:81',
      'a server on all IPv4 addresses is reached at 127.0.0.1',
    ],
    [{ address: '::1', family: 'IPv6', port: 81 }, 'http://[::1]:81', 'an IPv6 address is in brackets'],
    [{ address: '10.0.0.7', family: 'IPv4', port: 80 }, 'http://10.0.0.7:80', 'a single IPv4 address is used as it is'],
  ];
  for (const [address, expected, why] of rows)
    it(why, async () => expect((await openLocalServer(listening(address))).url).to.equal(expected));

  it('a server that cannot listen rejects with the reason', async () => {
    const server = http.createServer(ok);
    server.listen = () =>
      process.nextTick(() => server.emit('error', Object.assign(new Error('no'), { code: 'EACCES' })));
    expect(await openLocalServer(server).catch(({ code }) => code)).to.equal('EACCES');
    expect(['error', 'close'].map((name) => server.listenerCount(name))).to.deep.equal([0, 0]);
  });
});

/** A story about a server that has been told to listen at a name, which takes `ms` to resolve. */
async function resolving({ ms, error = null }, story) {
  const { lookup } = dns;
  dns.lookup = (_host, options, done = options) =>
    setTimeout(() => {
      if (error) done(error);
      else done(null, options.all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4);
    }, ms);
  const server = http.createServer(ok);
  try {
    server.listen(0, 'localhost');
    await story(server);
  } finally {
    dns.lookup = lookup;
    await shut(server);
  }
}
