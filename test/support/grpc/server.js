import { fileURLToPath } from 'node:url';

import grpc from '@grpc/grpc-js';
import loader from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';

/** Refuses calls, those of reflection too, without the token. */
const asking = (token) => (_, call) =>
  new grpc.ServerInterceptingCall(call, {
    start: (next) =>
      next({
        onReceiveMetadata(metadata, pass) {
          if (metadata.get('authorization').includes(token)) return pass(metadata);
          return call.sendStatus({ code: grpc.status.UNAUTHENTICATED, details: 'no token' });
        },
      }),
  });

export const PROTO = fileURLToPath(new URL('orders.proto', import.meta.url));

/**
 * A service of orders by grpc-js, on a free port: `act(target, seen)` runs while it listens. `seen` has the metadata and
 * the messages of each call.
 */
export async function servingGrpc(
  act,
  {
    handlers = {},
    address = '127.0.0.1:0',
    credentials = grpc.ServerCredentials.createInsecure(),
    reflects = false,
    token,
  } = {},
) {
  const definition = loader.loadSync(PROTO, { keepCase: true, longs: String, enums: String, defaults: true });
  const { shop } = /** @type {any} */ (grpc.loadPackageDefinition(definition));
  const seen = [];
  const see = (call, messages) =>
    seen.push({ metadata: call.metadata.getMap(), messages, deadline: call.getDeadline() });
  const server = new grpc.Server({ interceptors: token === undefined ? [] : [asking(token)] });
  server.addService(shop.Orders.service, {
    Create(call, answer) {
      see(call, [call.request]);
      if (call.request.user === 'nobody')
        return answer({ code: grpc.status.NOT_FOUND, details: 'no such user: nobody' });
      return answer(null, { id: `o-${seen.length}`, request: call.request });
    },
    Watch(call) {
      see(call, [call.request]);
      for (const item of call.request.items) call.write({ id: item.sku });
      if (call.request.user === 'nobody') call.emit('error', { code: grpc.status.NOT_FOUND, details: 'gone' });
      else call.end();
    },
    Upload(call, answer) {
      const messages = [];
      call.on('data', (message) => messages.push(message));
      call.on('end', () => {
        see(call, messages);
        answer(null, { id: String(messages.length) });
      });
    },
    Talk(call) {
      const messages = [];
      call.on('data', (message) => {
        messages.push(message);
        call.write({ id: message.user });
      });
      call.on('end', () => {
        see(call, messages);
        call.end();
      });
    },
    ...handlers,
  });
  if (reflects) new ReflectionService(definition).addToServer(server);
  const port = await new Promise((resolve, reject) =>
    server.bindAsync(address, credentials, (error, bound) => (error ? reject(error) : resolve(bound))),
  );
  try {
    return await act(`127.0.0.1:${port}`, seen);
  } finally {
    server.forceShutdown();
  }
}
