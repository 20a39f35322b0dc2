import { readdirSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { listeningSockets } from '../../../lib/addons/server/server-mark.js';

/** Listens at a place of this process while a story runs. */
async function listening(at, story) {
  const server = createServer();
  await new Promise((done) => server.listen(at, done));
  try {
    return story(server.address());
  } finally {
    await new Promise((done) => server.close(done));
  }
}

const ownSockets = () =>
  readdirSync('/proc/self/fd').flatMap((file) => {
    try {
      return [readlinkSync(`/proc/self/fd/${file}`)];
    } catch {
      return [];
    }
  });

describe('run/server/listening-sockets', () => {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  it('finds the socket of a process that listens at a port, until it is closed', async () => {
    let place;
    await listening({ port: 0, host: '127.0.0.1' }, ({ port }) => {
      place = { ports: [port] };
      const found = [...listeningSockets(place)];
      expect(found).to.have.lengthOf(1);
      expect(ownSockets()).to.include(found[0]);
    });
    expect(listeningSockets(place).size).to.equal(0);
  });

  it('finds that of a unix socket', async () => {
    const socketPath = join(tmpdir(), `bench-rest-${process.pid}-listening.sock`);
    await listening(socketPath, () => {
      const [found] = listeningSockets({ ports: [], socketPath });
      expect(ownSockets()).to.include(found);
    });
  });
});
