// Encoding of request heads whose fields are shared, or belong to one request: node bench/micro/transport/wire/index.js
import { createEncoder } from '../../../../lib/core/transport/wire/index.js';

const ROUNDS = 400;
const COUNT = 2000;
const shared = ['accept', '*/*', 'user-agent', 'bench-rest'];
const endpoint = { host: '127.0.0.1:8000' };
const encode = createEncoder();
/** as the native write of a socket does, which makes one text of the pieces */
const socket = Buffer.alloc(1000);
const send = (fields, i) =>
  socket.latin1Write(encode({ endpoint, method: 'GET', path: `/items/${i}`, fields, extra: null, body: null }, 0));

const ways = {
  'shared fields': (i) => send(shared, i),
  'fields of one request': (i) => send([...shared, 'if-none-match', `"${i}"`], i),
};

const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, way] of Object.entries(ways)) {
    const { user, system } = process.cpuUsage();
    for (let i = 0; i < COUNT; i++) way(i);
    const used = process.cpuUsage({ user, system });
    times[name].push(((used.user + used.system) * 1000) / COUNT);
  }
}
for (const [name, all] of Object.entries(times)) {
  const mean = all.reduce((sum, one) => sum + one, 0) / ROUNDS;
  all.sort((a, b) => a - b);
  console.log(
    `${name}: ${Math.round(all[0])} ns at least, median ${Math.round(all[ROUNDS >> 1])}, mean ${Math.round(mean)}`,
  );
}
