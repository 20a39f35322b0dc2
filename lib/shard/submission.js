import { writeMessage } from './messages.js';
import { KEYS, PROTOCOL } from './protocol.js';
import { inTime } from './queue.js';

/**
 * @import { Queue as Jobs, QueueEvents, Worker } from 'bullmq'
 * @import { Work } from './protocol.js'
 * @import { Queue } from './queue.js'
 * @import { Timing } from './timing.js'
 *
 * @typedef {{ sealed: string }} JobData see writeMessage
 */

/** A job is begun by then, or its shard is lost, ms. */
const LIFE_MS = 60_000;

/**
 * The jobs of a run: a parent that has the flow and the options, and a child for each shard. BullMQ hands each child to one
 * agent, renews its lock and reports agents that stop renewing it. The parent is never processed, as the result is not in
 * the jobs: BullMQ copies what a job reports into a stream of events, where states of megabytes would fill Redis.
 */
export class Submission {
  #queue;
  #pool;
  #timing;
  #onSuspicion;
  /** @type {QueueEvents | null} */
  #events = null;
  /** checks for stalled jobs, also if no agent is left to do so @type {Worker | null} */
  #checker = null;
  /** numbers of shards by the id of their job @type {Map<string, number>} */
  #numbers = new Map();

  /**
   * @param {{ queue: Queue, pool: string, timing: Timing, onSuspicion: (number: number, reason: string) => void }} options
   *   onSuspicion: the job of a shard ended, or its agent does not renew the lock
   */
  constructor({ queue, pool, timing, onSuspicion }) {
    this.#queue = queue;
    this.#pool = pool;
    this.#timing = timing;
    this.#onSuspicion = onSuspicion;
  }

  /**
   * Submits the work. The caller holds the lock of the pool.
   *
   * @param {Work} work
   * @param {number} count of shards
   * @throws {Error} of Redis: it was not reachable for too long
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
      const { children = [] } = await producer.add({
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

  /** Jobs of a run whose coordinator was killed, or of this one: shards that no agent has begun, and the run. */
  async #removeLeftovers() {
    await this.#withJobs(KEYS.shards(this.#pool, this.#queue.seal), (shards) => shards.drain());
    await this.#withJobs(KEYS.runs(this.#pool), (runs) => runs.obliterate({ force: true }));
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
