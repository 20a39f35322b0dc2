import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { accepts, answers } from '../../../../lib/run/server/probe.js';
import { listen, serving, shut } from '../../../support/serve.js';

describe('run/server/probe', () => {
  for (const { status, isReady } of [
    { status: 200, isReady: true },
    { status: 204, isReady: true },
    { status: 302, isReady: true },
    { status: 404, isReady: false },
    { status: 503, isReady: false },
  ]) {
    it(`a server that answers ${status} is ${isReady ? '' : 'not '}ready`, () =>
      serving(
        (_, response) => response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(),
        async (url) =>
          expect(await answers(`${url}/health`, {})).to.deep.equal({ isReady, what: `answered ${status}` }),
      ));
  }

  it('a server that closes the connection, or does not listen, is not ready, with the reason', async () => {
    const server = createSocketServer((socket) => socket.destroy());
    const url = await listen(server);
    expect(await accepts({ origin: url })).to.equal(true);
    expect(await answers(url, {})).to.deep.equal({ isReady: false, what: 'failed: socket hang up' });
    await shut(server);
    expect(await accepts({ origin: url })).to.equal(false);
    expect((await answers(url, {})).what).to.match(/^failed: connect ECONNREFUSED/);
  });

  it('a server at a unix socket is found', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    const socketPath = join(folder, 's');
    const server = createServer((_, response) => response.end());
    expect(await accepts({ origin: 'http://localhost', socketPath })).to.equal(false);
    await new Promise((resolve) => server.listen(socketPath, resolve));
    expect(await accepts({ origin: 'http://localhost', socketPath })).to.equal(true);
    expect(await answers('http://localhost/', { socketPath })).to.deep.equal({ isReady: true, what: 'answered 200' });
    await shut(server);
    rmSync(folder, { recursive: true });
  });
});
