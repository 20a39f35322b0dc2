// What a response with Server-Timing costs: node bench/micro/iteration/session/server-timing.js
import { MIDDLEWARE } from '../../../../lib/core/iteration/session/index.js';
import { UserMetrics } from '../../../../lib/core/measure/user-metrics.js';

const COUNT = 1_000_000;
const serverTiming = MIDDLEWARE.find(({ name }) => name === 'server timing');
const metrics = new UserMetrics();
const session = { run: { recorder: { metrics } } };

for (const field of [undefined, 'db;dur=53.2', 'db;dur=53.2;desc="main", cache;dur=0.4, app;dur=12.5']) {
  for (let round = 0; round < 3; round++) {
    const start = performance.now();
    for (let i = 0; i < COUNT; i++) serverTiming.after(null, { serverTiming: field }, session);
    const ns = ((performance.now() - start) * 1e6) / COUNT;
    if (round === 2) console.log(`${ns.toFixed(0).padStart(6)} ns  ${field}`);
  }
}
metrics.end();
