import { createServer } from 'node:http2';
import net from 'node:net';

import { expect } from 'chai';

import { answers } from '../../../lib/addons/grpc/health.js';
import { startGrpcTarget } from '../../../lib/addons/serve/grpc.js';
import { StartedServer } from '../../../lib/addons/server/started-server.js';
import { listen } from '../../support/serve.js';

/** Answers a health check with a state, or with another status of the call. */
async function answering(state, status, story) {
  const server = createServer();
  let asked;
  server.on('stream', (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('data', (bytes) => (asked = bytes.subarray(7).toString()));
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': status, 'grpc-message': 'why' }));
    stream.on('end', () => stream.end(Buffer.from([0, 0, 0, 0, 2, 8, state])));
  });
  const { host } = new URL(await listen(server));
  try {
    return await story(`grpc://${host}`, () => asked);
  } finally {
    server.close();
  }
}

describe('gRPC: health of a server', () => {
  it('is ready if it serves', async () => {
    const target = await startGrpcTarget({ port: 0 });
    expect(await answers(target.url, {})).to.deep.equal({ isReady: true, what: 'answered SERVING' });
    await target.close();
  });

  for (const [what, state, status, expected] of [
    ['a service that does not serve', 2, 0, 'answered NOT_SERVING'],
    ['a service that is not known', 1, 5, 'answered NOT_FOUND why'],
    ['a server without health checks', 1, 12, 'answered UNIMPLEMENTED why'],
  ])
    it(`${what} is not ready`, () =>
      answering(state, status, async (url, asked) => {
        expect(await answers(`${url}/shop.Orders`, {})).to.deep.equal({ isReady: false, what: expected });
        expect(asked()).to.equal('shop.Orders');
      }));

  it('the message of a server that does not get ready has the service', async () => {
    const server = new StartedServer({
      command: [process.execPath, '-e', 'setTimeout(() => {}, 60_000)'],
      ready: 'grpc://127.0.0.1:1/shop.Orders',
      env: {},
      cwd: '.',
      timeout: 1,
      origins: ['http://127.0.0.1:1'],
      tls: {},
      port: '1',
      isPortFree: false,
    });
    const error = await server.start().catch((reason) => reason);
    await server.stop();
    expect(error.code).to.equal('E_START_TIMEOUT');
    expect(error.message).to.match(
      /waited for SERVING of grpc:\/\/127\.0\.0\.1:1\/shop\.Orders, which failed: connect ECONNREFUSED/,
    );
  });

  it('a connection that fails rejects with its reason', async () => {
    const error = await answers('grpc://127.0.0.1:1', {}).catch((reason) => reason);
    expect(error.message).to.match(/^connect ECONNREFUSED 127\.0\.0\.1:1/);
  });

  it('a server that never answers is asked until the signal aborts', async () => {
    const server = net.createServer((socket) => socket.on('error', () => {}).resume());
    const { host } = new URL(await listen(server));
    const ending = new AbortController();
    server.once('connection', () => ending.abort());
    const error = await answers(`grpc://${host}`, { signal: ending.signal }).catch((reason) => reason);
    expect(error.name).to.equal('AbortError');
    server.close();
  });
});
