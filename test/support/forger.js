import { randomUUID } from 'node:crypto';

import { FlowProducer } from 'bullmq';

import { KEYS, PREFIX, PROTOCOL } from '../../lib/addons/agents/protocol.js';
import { PREPARE } from '../../lib/addons/agents/run-control.js';
import { Seal } from '../../lib/addons/agents/seal.js';
import { until } from './until.js';

export const LAYER = { name: 'flags', options: { iterations: 1, limit: 1 } };
const POOL = 'default';
const LIFE_MS = 60_000;

/** A data flow of one URL, with other properties of its source. */
export const urlsOf = (url, source = {}) => ({
  ...{ kind: 'data', name: 'x', hash: 'x', folder: '', files: [], disk: null },
  source: { kind: 'urls', urls: [url], ...source },
});

/** A data flow in a file. */
export const fileOf = (flow) => ({
  ...{ kind: 'data', name: 'x', hash: 'x', folder: '', disk: null, source: { kind: 'file', file: 'flow.json' } },
  files: [{ name: 'flow.json', encoding: 'utf8', content: JSON.stringify(flow) }],
});

/**
 * A program that is no command of ours, and can write to the Redis: it orders what it likes.
 *
 * @param {{ url: string, redis: import('ioredis').Redis }} queue
 * @param {{ secret?: string | null, pool?: string, target?: string | null }} [options] pool: that the messages are signed for; target: the
 *   secret of the agents that it writes to, the name of whose queue everyone can read
 */
export function forgerOf({ url, redis }, { secret = null, pool = POOL, target = secret } = {}) {
  const seal = new Seal({ secret, pool });
  const time = async () => {
    const [seconds, micros] = await redis.time();
    return seconds * 1000 + micros / 1000;
  };
  const sealed = async (purpose, name, message, { lifeMs = LIFE_MS, sequence = 1 } = {}) =>
    seal.write(purpose, name, typeof message === 'string' ? message : JSON.stringify(message), {
      ...{ now: await time(), lifeMs, sequence },
    });

  return {
    sealed,
    control: async (run, message, options) =>
      redis.set(KEYS.control(run), await sealed('control', run, message, options), 'PX', LIFE_MS),

    /** Orders one shard; `raw` are the data of the two jobs as they are. Resolves with the run. */
    async order(work, { run = randomUUID(), shard = {}, control = PREPARE, raw = {}, options } = {}) {
      const { hostname: host, port } = new URL(url);
      const producer = new FlowProducer({ connection: { host, port: Number(port) }, prefix: PREFIX });
      const whole = { protocol: PROTOCOL, run, config: LAYER, commandLine: [], ...work };
      const job = { protocol: PROTOCOL, run, number: 1, of: 1, ...shard };
      if (control) await this.control(run, control);
      await producer.add({
        name: run,
        queueName: KEYS.runs(POOL),
        data: raw.work ?? { sealed: await sealed('work', pool, whole, options) },
        children: [
          {
            name: 'shard 1',
            queueName: KEYS.shards(POOL, new Seal({ secret: target, pool: POOL })),
            data: raw.shard ?? { sealed: await sealed('shard', pool, job, options) },
            opts: { ignoreDependencyOnFailure: true, removeOnComplete: true, removeOnFail: true },
          },
        ],
      });
      await producer.close();
      return run;
    },

    /** Waits until an agent has printed as many refusals, and returns the last one. */
    async refusal(agent, count) {
      const found = () => [...agent.said.text.matchAll(/^(?:bench-rest: )?.*refused: .*(?:\n {2}.*)*$/gm)];
      await until(() => found().length >= count);
      return found()[count - 1][0];
    },
  };
}
