import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../../../index.js';
import { startGrpcTarget } from '../../../lib/addons/serve/grpc.js';
import { inFolder } from '../../support/in-folder.js';

const FILE = `syntax = "proto3"; package shop;
message Item { string sku = 1; } message CreateRequest { string user = 1; repeated Item items = 2; }
message Order { string id = 1; CreateRequest request = 2; }
service Orders { rpc Create(CreateRequest) returns (Order); rpc Watch(CreateRequest) returns (stream Order); rpc No(Item) returns (Item); }`;

describe('the embedded gRPC service', () => {
  it('makes orders, and watches them', () =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, 'a.proto'), FILE);
      const target = await startGrpcTarget({ port: 0 });
      const call = { target: target.url, proto: join(folder, 'a.proto') };
      const message = { user: 'ann', items: [{ sku: 'a' }, { sku: 'b' }] };
      const main = [
        { ...call, grpc: 'shop.Orders/Create', message, expect: { json: { '$.id': /^o-/, '$.request.user': 'ann' } } },
        { ...call, grpc: 'shop.Orders/Watch', message, expect: { events: 2 } },
        { ...call, grpc: 'shop.Orders/Watch', expect: { events: 5 } },
        { ...call, grpc: 'shop.Orders/No', expect: { status: 'UNIMPLEMENTED' } },
      ];
      try {
        const { stats } = await benchrest({ main }, { iterations: 2, limit: 1 });
        expect(stats.errors.details).to.deep.equal([]);
        expect(stats.iterations.completed).to.equal(2);
      } finally {
        await target.close();
      }
    }));

  it('a port in use is refused', async () => {
    const target = await startGrpcTarget({ port: 0 });
    const port = Number(target.url.split(':')[2]);
    let error;
    await startGrpcTarget({ port }).catch((thrown) => (error = thrown));
    await target.close();
    expect(error.message).to.match(/cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE/);
  });
});
