// bench-rest -n 10000 -c 10 examples/clients/grpc.js --arg address=localhost:50051
// Calls of a gRPC service, unary and streamed. Needs: npm install @grpc/grpc-js @grpc/proto-loader
import { fileURLToPath } from 'node:url';

import grpc from '@grpc/grpc-js';
import loader from '@grpc/proto-loader';

const { shop } = grpc.loadPackageDefinition(
  loader.loadSync(fileURLToPath(new URL('shop.proto', import.meta.url)), { keepCase: true, longs: Number }),
);

/** A unary call as a promise, which the signal ends. */
const unary = (client, method, request, signal) =>
  new Promise((resolve, reject) => {
    const call = client[method](request, (error, response) => (error ? reject(error) : resolve(response)));
    signal.addEventListener('abort', () => call.cancel(), { once: true });
  });

/** Reads a stream of the server to its end, and returns its messages. */
async function streamed(client, method, request, signal) {
  const call = client[method](request);
  signal.addEventListener('abort', () => call.cancel(), { once: true });
  const messages = [];
  for await (const message of call) messages.push(message);
  return messages;
}

export default ({ args: { address = 'localhost:50051' } }) => ({
  beforeUser: ({ vuCtx }) => {
    // Clients of the same address share a connection, unless their options differ.
    vuCtx.client = new shop.Items(String(address), grpc.credentials.createInsecure(), {
      'grpc.use_local_subchannel_pool': 1,
    });
  },
  main: [
    {
      measure: 'Get',
      run: ({ vuCtx, index, signal }) => unary(vuCtx.client, 'Get', { id: index }, signal),
      expect: { json: { '$.name': 'item #{INDEX}' } },
    },
    {
      measure: 'List',
      run: ({ vuCtx, signal }) => streamed(vuCtx.client, 'List', { count: 5 }, signal),
      expect: { json: { $: { length: 5 } } },
    },
  ],
  afterUser: ({ vuCtx }) => vuCtx.client.close(),
  thresholds: { 'Get p95': '<1s', checks: '>99%' },
});
