// bench-rest -r 100 -t 30s examples/clients/queue.js --arg url=redis://127.0.0.1:6379
// Jobs of a queue: how long it takes to add one, and until a worker has done it. Needs: npm install bullmq
import { Queue, QueueEvents, Worker } from 'bullmq';

const NAME = 'bench-rest-jobs';

export default ({ args: { url = 'redis://127.0.0.1:6379' } }) => {
  const connection = { url: String(url) };
  return {
    beforeUser: async ({ vuCtx }) => {
      vuCtx.queue = new Queue(NAME, { connection });
      // From the beginning: it would miss a job that is done before it has begun to listen.
      vuCtx.events = new QueueEvents(NAME, { connection, lastEventId: '0' });
      // Your service has its workers: remove this one.
      vuCtx.worker = new Worker(NAME, async ({ data }) => data.index, { connection });
      await Promise.all([vuCtx.queue, vuCtx.events, vuCtx.worker].map((one) => one.waitUntilReady()));
    },
    main: [
      async function job({ vuCtx, index, measure }) {
        const added = await measure('add', () => vuCtx.queue.add('job', { index }, { removeOnComplete: 100 }));
        await measure('done', () => added.waitUntilFinished(vuCtx.events), {
          expect: { json: { $: { type: 'integer' } } },
        });
      },
    ],
    afterUser: ({ vuCtx }) => Promise.all([vuCtx.worker, vuCtx.events, vuCtx.queue].map((one) => one.close())),
    thresholds: { 'done p95': '<5s' },
  };
};
