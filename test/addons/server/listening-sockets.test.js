import { readdirSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';

import { expect } from 'chai';

import { listeningSockets } from '../../../lib/addons/server/listening-sockets.js';

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

describe('sockets that listen at a port', () => {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  it('finds the socket of a process that listens at a port, until it is closed', async () => {
    let closed;
    await listening({ port: 0, host: '127.0.0.1' }, ({ port }) => {
      closed = port;
      const found = [...listeningSockets(port)];
      expect(found).to.have.lengthOf(1);
      expect(ownSockets()).to.include(found[0]);
    });
    expect(listeningSockets(closed).size).to.equal(0);
  });
});
