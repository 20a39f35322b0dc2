// bench-rest -n 10000 -c 10 examples/clients/redis.js --arg url=redis://127.0.0.1:6379
// Calls of Redis. Needs: npm install ioredis
import { Redis } from 'ioredis';

export default ({ args: { url = 'redis://127.0.0.1:6379' } }) => ({
  beforeUser: async ({ vuCtx }) => {
    vuCtx.redis = new Redis(String(url), { lazyConnect: true, retryStrategy: null });
    // Each call that fails has the error, too.
    vuCtx.redis.on('error', () => {});
    await vuCtx.redis.connect();
  },
  main: [
    { measure: 'SET', run: ({ vuCtx, index }) => vuCtx.redis.set(`bench:${index % 1000}`, `item ${index % 1000}`) },
    {
      measure: 'GET',
      run: ({ vuCtx, index }) => vuCtx.redis.get(`bench:${index % 1000}`),
      expect: { json: { $: { matches: '^item ' } } },
    },
  ],
  afterUser: ({ vuCtx }) => vuCtx.redis.quit(),
  thresholds: { 'GET p95': '<1s' },
});
