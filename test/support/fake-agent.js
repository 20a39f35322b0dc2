import { reportPresence } from '../../lib/addons/agents/pool.js';
import { KEYS, PROTOCOL, readMessage } from '../../lib/addons/agents/protocol.js';
import { Queue } from '../../lib/addons/agents/queue.js';
import { writeReport } from '../../lib/addons/agents/report.js';

const POOL = 'default';
const EVERY_MS = 300;
const LIFE_MS = 10_000;

/**
 * Runs a story with an agent that runs nothing, and reports these states in turn.
 *
 * @param {string} url of the queue
 * @param {string[]} states
 * @param {object} error of the last one
 * @param {() => Promise<void>} story
 */
export async function withFakeAgent(url, states, error, story) {
  const queue = await Queue.open(url, {}, POOL);
  const agent = {
    ...{ protocol: PROTOCOL, id: 'fake', name: 'fake', version: '2.0.0', cores: 1 },
    ...{ allowsCode: false, isBusy: false, roundTripMs: 1 },
  };
  const present = () => reportPresence(queue, POOL, agent, LIFE_MS);
  const worker = new queue.bullmq.Worker(
    KEYS.shards(POOL, queue.seal),
    async ({ data }, lease) => {
      const { message: shard } = readMessage(queue.seal, 'shard', POOL, { given: data.sealed, now: 0 });
      for (const [i, state] of states.entries()) {
        const isLast = i === states.length - 1;
        const report = {
          ...{ protocol: PROTOCOL, lease, sequence: i + 1, state, agent, clockOffsetMs: 0, startDelayMs: null },
          ...{ begun: null, tick: null, stats: null, inFlight: 0, outcome: null, error: isLast ? error : null },
        };
        await writeReport(queue, shard, report, LIFE_MS);
        await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
        // the start was agreed on
        while (state === 'ready' && !(await isStarted(queue, shard.run))) continue;
      }
      return 'done';
    },
    queue.settings,
  );
  worker.on('error', () => {});
  await present();
  const timer = setInterval(present, 1000);
  try {
    await story();
  } finally {
    clearInterval(timer);
    await worker.close(true);
    queue.close();
  }
}

async function isStarted({ redis, seal }, run) {
  const given = await redis.get(KEYS.control(run));
  return given === null || readMessage(seal, 'control', run, { given, now: 0 }).message.order === 'start';
}
