// Gain of delivering responses in groups and of writing requests together: node bench/micro/transport/wire/socket.js URL
import { performance } from 'node:perf_hooks';

import { createEndpoints } from '../../../../lib/core/http/endpoint.js';
import { open } from '../../../../lib/core/transport/wire/index.js';
import { Inbox, Outbox } from '../../../../lib/core/transport/wire/socket.js';

const [url = 'http://127.0.0.1:8000/', count = '300000', lanes = '1000'] = process.argv.slice(2);
const inGroups = Inbox.prototype.add;
const together = Outbox.prototype.add;

/** What `add` of the inbox and of the outbox do. */
const WAYS = {
  'delivered in groups, written together': [inGroups, together],
  'delivered when read, written together': [(recipient) => recipient.deliver(), together],
  'delivered when read, written at once': [
    (recipient) => recipient.deliver(),
    (sender) => sender.flush(performance.now()),
  ],
};

for (let round = 0; round < 3; round++) {
  for (const [name, [deliver, write]] of Object.entries(WAYS)) {
    Inbox.prototype.add = deliver;
    Outbox.prototype.add = write;
    const { rate, cpuUs } = await measure();
    console.log(`${name}: ${Math.round(rate)} requests/s, ${cpuUs.toFixed(2)} us of CPU each`);
  }
}

async function measure() {
  const transport = open({ maxBodySize: 1e6, maxHeaderSize: 65_536, maxHeaderFields: 1000 });
  const endpoint = createEndpoints()(new URL(url), {});
  const request = { endpoint, method: 'GET', path: '/', fields: [], extra: null, body: null };
  let left = Number(count);
  const started = performance.now();
  const cpu = process.cpuUsage();
  await Promise.all(
    Array.from({ length: Number(lanes) }, () => {
      const connection = transport.connect(endpoint);
      return new Promise((resolve, onError) => {
        const onResponse = () => (left-- > 0 ? connection.send(request, 'status', { onResponse, onError }) : resolve());
        onResponse();
      });
    }),
  );
  const { user, system } = process.cpuUsage(cpu);
  const took = performance.now() - started;
  await transport.close();
  return { rate: (Number(count) * 1000) / took, cpuUs: (user + system) / Number(count) };
}
