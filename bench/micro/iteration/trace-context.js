// What traceparent costs, per request: node bench/micro/iteration/trace-context.js
import { randomBytes } from 'node:crypto';

import { tracingContext } from '../../../lib/iteration/trace-context.js';

const COUNT = 1_000_000;
const request = { fields: ['accept', '*/*', 'user-agent', 'bench'], extra: null };
const exchange = { role: 'count', trace: null };
let sent = 0;
const send = ({ extra }) => (sent += extra[1].length);
const all = tracingContext({ share: 1, link: undefined }, send);
const some = tracingContext({ share: 0.1, link: undefined }, send);
const each = (given) => {
  const value = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
  send({ ...given, extra: ['traceparent', value] });
};

for (const [name, fn] of Object.entries({ all, some, 'a call for each id': each })) {
  for (let round = 0; round < 3; round++) {
    const start = performance.now();
    for (let i = 0; i < COUNT; i++) fn(request, null, exchange);
    const ns = ((performance.now() - start) * 1e6) / COUNT;
    if (round === 2) console.log(`${name.padEnd(20)} ${ns.toFixed(0)} ns`);
  }
}
if (sent === 0) throw new Error('nothing was sent');
