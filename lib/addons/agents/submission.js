import { hashFlow } from '../../core/flow/source/load.js';
import { openFlow } from '../../core/run/flow-source.js';
import { fitToData } from '../../core/run/options/fit-to-data.js';
import { commandLayers, hintsOf } from '../../core/run/options/layers.js';
import { inspectRunOptions } from '../../core/run/options/read-options.js';
import { prepare } from '../../core/run/prepare.js';
import { lacksVariable } from './pack-flow.js';
import { KEYS, PREFIX, PROTOCOL, writeMessage } from './protocol.js';
import { inTime, throwFirst } from './queue.js';

/** @import { Queue as Jobs, QueueEvents, Worker } from 'bullmq' */
/** @import { FlowInput } from '../../core/flow/source/types.js' */
/** @import { Layer } from '../../core/run/options/types.js' */
/** @import { Work, Timing, CheckedRun } from './types.js' */
/** @import { Queue } from './queue.js' */

/**
 * Reads the flow and the options of a run on agents before they get it, so that mistakes are reported once and at once.
 * @throws {Error} any error of the flow and the options
 * @type {(given: FlowInput, context: { cwd: string, config: Layer, commandLine: Layer[], agents: number }) =>
 *   Promise<CheckedRun>}
 */
export async function checkRun(given, { cwd, config, commandLine, agents }) {
  /** @type {Layer[]} */
  const own = [...commandLine, { name: '--agents', options: { shard: { number: 1, of: agents } }, joinsShards: true }];
  const { raw, read, from, notices, origin } = await openFlow(given, [config, ...own], { cwd });
  const layers = commandLayers({ config, flow: read.flow, from, commandLine: own });
  try {
    const { summary } = prepare(read, layers, origin, { onNotice: (text) => void notices.push(text) });
    const inspected = inspectRunOptions(layers, process.env, read.flow).options;
    const feeders = read.openFeeders(inspected);
    const isOnce = feeders?.all().some(({ isUnique }) => isUnique) ?? false;
    const options = isOnce ? fitToData(inspected, feeders, read.compile(inspected, feeders)) : inspected;
    if (summary === null) return { begun: null, options };
    return { begun: { plan: summary, from, hash: hashFlow(raw), notices, hints: hintsOf(layers) }, options };
  } catch (error) {
    // Agents may have the variable: they compile the flow, and one of them reports the plan.
    if (!lacksVariable(error)) throw error;
    const { options } = inspectRunOptions(layers, process.env, read.flow);
    return { begun: null, options };
  }
}

/** @typedef {{ sealed: string }} JobData see writeMessage */

/** How long a job is valid, ms; a shard that no agent begins is lost earlier (`untakenMs`). */
const LIFE_MS = 60_000;

/** Suffixes of BullMQ for keys of a job that has children, and of its queue. */
const JOB_SUFFIXES = ['', ':lock', ':logs', ':dependencies', ':processed', ':failed', ':unsuccessful'];
const QUEUE_KEYS = [
  ...['wait', 'paused', 'active', 'waiting-children', 'prioritized', 'pc', 'delayed', 'completed', 'failed', 'marker'],
  ...['stalled', 'stalled-check', 'meta', 'id', 'events', 'limiter'],
];

/**
 * The jobs of a run: a parent that has the flow and the options, and a child for each shard. BullMQ hands each child to
 * one agent, renews its lock and reports agents that stop renewing it. The parent is never processed, as the result is
 * not in the jobs: BullMQ copies what a job reports into a stream of events, where states of megabytes would fill
 * Redis.
 */
export class Submission {
  #queue;
  #pool;
  #timing;
  #onSuspicion;
  /** @type {QueueEvents | null} */
  #events = null;
  /** Checks for stalled jobs, also if no agent is left to do so. @type {Worker | null} */
  #checker = null;
  /** Numbers of shards by the id of their job. @type {Map<string, number>} */
  #numbers = new Map();
  /** The id of the job that has the flow. @type {string | null} */
  #parent = null;

  /**
   * @param {{ queue: Queue, pool: string, timing: Timing, onSuspicion: (number: number, reason: string) => void }}
   *   options onSuspicion: the job of a shard ended, or its agent does not renew the lock
   */
  constructor({ queue, pool, timing, onSuspicion }) {
    this.#queue = queue;
    this.#pool = pool;
    this.#timing = timing;
    this.#onSuspicion = onSuspicion;
  }

  /**
   * Submits the work to a number of shards. The caller holds the lock of the pool.
   * @throws {Error} of Redis: it was not reachable for too long
   * @type {(work: Work, count: number) => Promise<void>}
   */
  async open(work, count) {
    await inTime(this.#open(work, count), this.#timing.unreachableMs);
  }

  async close() {
    await this.#events?.close();
    await this.#checker?.close();
    await this.#removeLeftovers();
  }

  /** @type {(work: Work, count: number) => Promise<void>} */
  async #open(work, count) {
    const { bullmq, settings, seal } = this.#queue;
    const shards = KEYS.shards(this.#pool, seal);
    await this.#removeLeftovers();
    this.#events = new bullmq.QueueEvents(shards, settings);
    this.#events.on('error', () => {});
    // A job that is over is a suspicion, too: its shard is lost unless its last report says that it has ended.
    this.#events.on('stalled', ({ jobId }) => this.#suspect(jobId, 'its agent does not respond'));
    this.#events.on('failed', ({ jobId, failedReason }) => this.#suspect(jobId, failedReason));
    this.#events.on('completed', ({ jobId, returnvalue }) => this.#suspect(jobId, String(returnvalue)));
    await this.#events.waitUntilReady();
    const options = { now: await this.#queue.sealTime(), lifeMs: LIFE_MS };
    /** @type {(purpose: 'work' | 'shard', message: object) => JobData} */
    const sealed = (purpose, message) => ({ sealed: writeMessage(seal, purpose, this.#pool, message, options) });
    const producer = new bullmq.FlowProducer(settings);
    producer.on('error', () => {});
    try {
      const { job: parent, children = [] } = await producer.add({
        name: work.run,
        queueName: KEYS.runs(this.#pool),
        data: sealed('work', work),
        children: Array.from({ length: count }, (_, i) => ({
          name: `shard ${i + 1}`,
          queueName: shards,
          data: sealed('shard', { protocol: PROTOCOL, run: work.run, number: i + 1, of: count }),
          opts: { ignoreDependencyOnFailure: true, removeOnComplete: true, removeOnFail: true },
        })),
      });
      for (const [i, { job }] of children.entries()) this.#numbers.set(String(job.id), i + 1);
      this.#parent = String(parent.id);
      await this.#expireRun(this.#parent);
    } finally {
      await producer.close();
    }
    this.#checker = new bullmq.Worker(shards, null, {
      ...settings,
      autorun: false,
      stalledInterval: this.#timing.stalledCheckMs,
      maxStalledCount: 0,
    });
    this.#checker.on('error', () => {});
    await this.#checker.waitUntilReady();
    await this.#checker.startStalledCheckTimer();
  }

  /** Lets the run expire: if this process is killed, the flow does not stay. @type {(id: string) => Promise<void>} */
  async #expireRun(id) {
    const { redis } = this.#queue;
    const runs = this.#runsKey;
    const keys = [`${runs}:${id}`, `${runs}:${id}:dependencies`, `${runs}:waiting-children`];
    const commands = redis.pipeline();
    for (const key of keys) commands.pexpire(key, LIFE_MS);
    throwFirst(await commands.exec());
  }

  /**
   * Removes jobs of a run whose coordinator was killed, or of this one: shards that no agent has ended, and the run.
   * BullMQ itself leaves jobs that wait for others, and those whose agent has gone.
   */
  async #removeLeftovers() {
    const { redis, seal } = this.#queue;
    const shards = `${PREFIX}:${KEYS.shards(this.#pool, seal)}`;
    await this.#withJobs(KEYS.shards(this.#pool, seal), (jobs) => jobs.drain());
    const begun = [...this.#numbers.keys()];
    if (begun.length > 0) {
      const commands = redis.pipeline();
      for (const id of begun) commands.lrem(`${shards}:active`, 1, id).srem(`${shards}:stalled`, id);
      commands.del(begun.flatMap((id) => [`${shards}:${id}`, `${shards}:${id}:lock`]));
      throwFirst(await commands.exec());
    }
    await this.#removeRuns();
  }

  /** Removes runs. No agent processes them, so the keys of their queue are those of these jobs. */
  async #removeRuns() {
    const { redis } = this.#queue;
    const runs = this.#runsKey;
    const [waiting, begun, open] = await Promise.all([
      redis.lrange(`${runs}:wait`, 0, -1),
      redis.lrange(`${runs}:active`, 0, -1),
      redis.zrange(`${runs}:waiting-children`, 0, -1),
    ]);
    const ids = new Set([...waiting, ...begun, ...open, ...(this.#parent === null ? [] : [this.#parent])]);
    await redis.del([
      ...[...ids].flatMap((id) => JOB_SUFFIXES.map((suffix) => `${runs}:${id}${suffix}`)),
      ...QUEUE_KEYS.map((name) => `${runs}:${name}`),
    ]);
  }

  get #runsKey() {
    return `${PREFIX}:${KEYS.runs(this.#pool)}`;
  }

  /** @type {(name: string, work: (jobs: Jobs) => Promise<unknown>) => Promise<void>} */
  async #withJobs(name, work) {
    const { bullmq, settings } = this.#queue;
    const jobs = new bullmq.Queue(name, settings);
    jobs.on('error', () => {});
    try {
      await work(jobs);
    } finally {
      await jobs.close();
    }
  }

  /** @type {(jobId: string, reason: string) => void} */
  #suspect(jobId, reason) {
    const number = this.#numbers.get(jobId);
    if (number !== undefined) this.#onSuspicion(number, reason);
  }
}
