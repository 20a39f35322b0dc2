// The service of bench/clients/grpc by grpc-js: it answers Create with an Order, and Watch with a hundred of them.
import { fileURLToPath } from 'node:url';

import { Server, ServerCredentials, loadPackageDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const PROTO = fileURLToPath(new URL('../../test/support/grpc/orders.proto', import.meta.url));
const MESSAGES = 100;
const ORDER = { id: 'o' };
const { shop } = /** @type {any} */ (loadPackageDefinition(loadSync(PROTO)));

const server = new Server();
server.addService(shop.Orders.service, {
  Create: (_, callback) => callback(null, ORDER),
  Watch(call) {
    for (let i = 0; i < MESSAGES; i++) call.write(ORDER);
    call.end();
  },
});
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`127.0.0.1:${port}\n`);
});
