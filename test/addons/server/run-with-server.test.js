import { once } from 'node:events';
import { createServer } from 'node:net';

import { expect } from 'chai';

import { freePort, runWithServer } from '../../../lib/addons/server/run-with-server.js';

describe('a run with a server', () => {
  it('a flow is planned before its server is started, and the server gets its place', async () => {
    const log = [];
    const start = { command: 'node app.js', env: { A: '1' }, cwd: 'app', timeout: 5, ready: '/health' };
    const problem = new Error('not started');
    const work = runWithServer(
      { isStopped: false },
      {
        options: { start, insecure: true, ca: 'PEM' },
        planFor(baseUrl) {
          log.push('planned');
          return { summary: { origins: [baseUrl] } };
        },
        perform: () => log.push('ready'),
        hosting: {
          startServer: async (settings, isCancelled) => {
            log.push('started');
            const { origins, port, ...others } = settings;
            expect(origins[0]).to.equal(`http://127.0.0.1:${port}`);
            expect(others).to.deep.equal({
              ...start,
              socketPath: undefined,
              tls: { ca: 'PEM', rejectUnauthorized: false },
              isPortFree: true,
              hasPreload: true,
            });
            expect(isCancelled()).to.equal(false);
            throw problem;
          },
        },
      },
    );
    expect(await work.catch((error) => error)).to.equal(problem);
    expect(log).to.deep.equal(['planned', 'started']);
  });

  it('its port is none that Linux gives to another program, and none that is in use at any address', async () => {
    const { random } = Math;
    const port = await freePort();
    expect(port).to.be.within(10_000, 32_767);
    const others = ['127.0.0.1', '0.0.0.0'].map((host, i) => createServer().listen(port + i, host));
    await Promise.all(others.map((other) => once(other, 'listening')));
    let next = port;
    Math.random = () => (next++ - 10_000 + 0.5) / 22_768;
    try {
      expect(await freePort()).to.be.at.least(port + others.length);
    } finally {
      Math.random = random;
      for (const other of others) other.close();
    }
  });
});
