// Gain of writing the requests of a turn together: node bench/micro/transport/wire/socket.js URL
import { performance } from 'node:perf_hooks';

import { createEndpoints } from '../../../../lib/http/endpoint.js';
import { open } from '../../../../lib/transport/wire/index.js';

const [url = 'http://127.0.0.1:8000/', count = '300000', lanes = '50'] = process.argv.slice(2);
const realSetImmediate = globalThis.setImmediate;

for (let round = 0; round < 3; round++) {
  for (const [how, schedule] of [
    ['at the end of the turn', realSetImmediate],
    ['at once', (flush) => flush()],
  ]) {
    globalThis.setImmediate = schedule;
    console.log(`written ${how}: ${Math.round(await rate())} requests/s`);
    globalThis.setImmediate = realSetImmediate;
  }
}

async function rate() {
  const transport = open({ maxBodySize: 1e6, maxHeaderSize: 65_536, maxHeaderFields: 1000 });
  const endpoint = createEndpoints()(new URL(url), {});
  const request = { endpoint, method: 'GET', path: '/', fields: [], extra: null, body: null };
  let left = Number(count);
  const started = performance.now();
  await Promise.all(
    Array.from({ length: Number(lanes) }, async () => {
      const connection = transport.connect(endpoint);
      while (left-- > 0)
        await new Promise((onResponse, onError) => connection.send(request, 'status', { onResponse, onError }));
    }),
  );
  const took = performance.now() - started;
  await transport.close();
  return (Number(count) * 1000) / took;
}
