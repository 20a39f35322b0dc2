import http from 'node:http';
import https from 'node:https';

import { expect } from 'chai';

import { openTarget } from '../../../lib/run/target.js';
import { listen, ok, shut } from '../../support/serve.js';

const listening = (address) => ({ listening: true, address: () => address });

describe('run/target', () => {
  it('a server that does not listen is made to, on 127.0.0.1, and is closed afterwards', async () => {
    const server = http.createServer(ok);
    const { url, leave } = await openTarget(server);
    expect(url).to.equal(`http://127.0.0.1:${server.address().port}`);
    expect(await (await fetch(url)).text()).to.equal('ok');
    expect(server.listenerCount('error')).to.equal(0);
    await leave();
    expect(server.listening).to.equal(false);
  });

  it('can be opened again after it was left', async () => {
    const server = http.createServer(ok);
    await (await openTarget(server)).leave();
    const { leave } = await openTarget(server);
    expect(server.listening).to.equal(true);
    await leave();
  });

  it('a server that listens already is left as it was found', async () => {
    const server = http.createServer(ok);
    const at = await listen(server);
    const { url, leave } = await openTarget(server);
    await leave();
    expect([url, server.listening]).to.deep.equal([at, true]);
    await shut(server);
  });

  it('one that begins to listen elsewhere is waited for, and left listening', async () => {
    const server = http.createServer(ok);
    server.listen(0, 'localhost');
    const { url, leave } = await openTarget(server);
    expect(url).to.match(/:\d+$/);
    await leave();
    expect(server.listening).to.equal(true);
    await shut(server);
  });

  it('an https.Server has an https: URL', async () => {
    const { url, leave } = await openTarget(https.createServer());
    expect(url).to.match(/^https:\/\/127\.0\.0\.1:\d+$/);
    await leave();
  });

  const rows = [
    ['/run/app.sock', 'http://unix:/run/app.sock', 'a unix socket is reached by its path'],
    [{ address: '::', family: 'IPv6', port: 81 }, 'http://127.0.0.1:81', 'all addresses are reached by the local one'],
    [{ address: '0.0.0.0', family: 'IPv4', port: 81 }, 'http://127.0.0.1:81', 'also those of IPv4'],
    [{ address: '::1', family: 'IPv6', port: 81 }, 'http://[::1]:81', 'an address of IPv6 stands in brackets'],
    [{ address: '10.0.0.7', family: 'IPv4', port: 80 }, 'http://10.0.0.7:80', 'one address is taken as it is'],
  ];
  for (const [address, expected, why] of rows)
    it(why, async () => expect((await openTarget(listening(address))).url).to.equal(expected));

  it('a server that cannot listen says why', async () => {
    const server = http.createServer(ok);
    server.listen = () =>
      process.nextTick(() => server.emit('error', Object.assign(new Error('no'), { code: 'EACCES' })));
    expect(await openTarget(server).catch(({ code }) => code)).to.equal('EACCES');
  });
});
