import { EventEmitter } from 'node:events';

import { expect } from 'chai';

import { Addresses } from '../../../lib/transport/addresses.js';

describe('transport/addresses', () => {
  it('an error of a local address counts as a failure of no address of the server', async () => {
    const endpoint = { hostname: 'one.test', port: 80 };
    const found = ['10.0.0.1', '10.0.0.2'].map((address) => ({ address, family: 4 }));
    const addresses = new Addresses({ lookup: (_name, _options, callback) => callback(null, found) });
    await new Promise((resolve) => addresses.to(endpoint).lookup('one.test', { all: true }, resolve));
    for (const error of [
      { syscall: 'bind', address: '10.9.9.9', code: 'EADDRNOTAVAIL' },
      { syscall: 'connect', address: '10.0.0.2', code: 'ECONNREFUSED' },
    ]) {
      const socket = new EventEmitter();
      addresses.follow(socket, endpoint);
      socket.emit('error', error);
    }
    const failed = addresses.toJSON().map((one) => [one.address, one.failed]);
    expect(failed).to.deep.equal([
      ['10.0.0.1', 0],
      ['10.0.0.2', 1],
    ]);
  });
});
