import { EventEmitter } from 'node:events';

import { expect } from 'chai';

import { Addresses } from '../../../lib/core/transport/addresses.js';

describe('transport/addresses', () => {
  it('an error of a local address counts as a failure of no address of the server', async () => {
    const endpoint = { hostname: 'one.test', port: 80 };
    const found = ['10.0.0.1', '10.0.0.2'].map((address) => ({ address, family: 4 }));
    const addresses = new Addresses({ lookup: (_name, _options, callback) => callback(null, found) });
    const to = addresses.to(endpoint);
    await new Promise((resolve) => to.lookup('one.test', { all: true }, resolve));
    for (const error of [
      { syscall: 'bind', address: '10.9.9.9', code: 'EADDRNOTAVAIL' },
      { syscall: 'connect', address: '10.0.0.2', code: 'ECONNREFUSED' },
    ]) {
      const socket = new EventEmitter();
      addresses.follow(socket, to);
      socket.emit('error', error);
    }
    const failed = addresses.toJSON().map((one) => [one.address, one.failed]);
    expect(failed).to.deep.equal([
      ['10.0.0.1', 0],
      ['10.0.0.2', 1],
    ]);
  });

  it('an address that appears later, or again, gets as many connections as the others from then on', async () => {
    let found = [];
    const lookup = (_name, _options, callback) => callback(null, found);
    const addresses = new Addresses({ lookup, dnsCache: false });
    const connect = async (times, ...names) => {
      found = names.map((address) => ({ address, family: 4 }));
      const first = [];
      for (let i = 0; i < times; i++)
        await new Promise((resolve) =>
          addresses
            .to({ hostname: 'one.test', port: 80 })
            .lookup('one.test', { all: true }, (_error, [{ address }]) => {
              first.push(address);
              resolve();
            }),
        );
      return names.map((name) => first.filter((one) => one === name).length);
    };
    expect(await connect(20, 'a', 'b')).to.deep.equal([10, 10]);
    expect(await connect(30, 'a', 'b', 'c')).to.deep.equal([10, 10, 10]);
    expect(await connect(30, 'a')).to.deep.equal([30]);
    expect(await connect(9, 'a', 'b', 'c')).to.deep.equal([3, 3, 3]);
  });
});
