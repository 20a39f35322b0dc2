// What traceparent costs, per request: node bench/micro/iteration/trace-context.js
import { randomBytes } from 'node:crypto';

import { tracingContext } from '../../../lib/addons/trace-context/trace-context.js';
import { createEncoder } from '../../../lib/core/transport/wire/index.js';

const COUNT = 1_000_000;
const endpoint = { host: 'localhost' };
const request = { endpoint, method: 'GET', path: '/', fields: ['accept', '*/*', 'user-agent', 'bench'], extra: null };
const exchange = { role: 'count', trace: null };
const encodeHead = createEncoder();
const head = encodeHead({ ...request, body: null }, 0);
const bytes = Buffer.alloc(1000);
const write = (text) => bytes.latin1Write(text);
const connection = { encode: () => ({ text: head, headEnd: head.length - 2, bytes: null }) };
const send = (_request, _connection, _exchange, _receiver, { text }) => write(text);
const all = tracingContext({ share: 1, link: undefined }, send);
const some = tracingContext({ share: 0.1, link: undefined }, send);
const each = (given) => {
  const value = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
  write(encodeHead({ ...given, body: null, extra: ['traceparent', value] }, 0));
};

for (const [name, fn] of Object.entries({
  'no field': () => write(head),
  all,
  some,
  'a head for each request': each,
})) {
  for (let round = 0; round < 3; round++) {
    const start = performance.now();
    for (let i = 0; i < COUNT; i++) fn(request, connection, exchange);
    const ns = ((performance.now() - start) * 1e6) / COUNT;
    if (round === 2) console.log(`${name.padEnd(24)} ${ns.toFixed(0)} ns`);
  }
}
