import { randomUUID } from 'node:crypto';
import os from 'node:os';

import { makeError } from '../../core/ground/errors.js';
import { PrivateFolder } from '../processes/private-folder.js';
import { commonNow } from '../../core/run/clock.js';
import { measureOffset } from './start.js';
import { maskText } from '../../core/text/mask.js';
import { unpackFlow } from './flow-packet.js';
import { agentLog, checkReceivedOptions } from './pack-options.js';
import { endPresence, reportPresence, takeName } from './pool.js';
import { KEYS, LONGEST_ROUND_TRIP_MS, PROTOCOL, TIMING, readMessage, readValue, reportedError } from './protocol.js';
import { inTime, isQueueError } from './queue.js';
import { writeReport } from './report.js';
import { ShardRun } from './shard-run.js';

/** @import { Layer } from '../../core/run/options/types.js' */
/** @import { Allowed, Presence, Report, Shard, Work, CreateEngine, SaveResult, Timing } from './types.js' */
/** @import { RunBounds } from '../../core/cli/types.js' */
/** @import { Queue } from './queue.js' */
/** @import { Job, Queue as JobQueue, Worker } from 'bullmq' */

/**
 * @typedef {object} AgentOptions
 * @property {Queue} queue connected
 * @property {string} name several agents of one name get numbers
 * @property {string} pool
 * @property {string} version of bench-rest
 * @property {number | string} workers threads of each run that does not decide itself
 * @property {Allowed} allowed what flows from the queue may do
 * @property {RunBounds} [bounds] what a shard may use at most
 * @property {string | null} logFolder absolute; null: it writes no logs of requests
 * @property {string} cwd of flows on its own disk
 * @property {Layer} secrets run options from the environment
 * @property {CreateEngine} createEngine
 * @property {NodeJS.WritableStream} log receives the output of the flows' own code
 * @property {(text: string) => void} notify prints a line
 * @property {SaveResult} [saveResult]
 * @property {Timing} [timing]
 */

/** Most shards that are remembered: jobs of older ones have expired. */
const MOST_BEGUN = 1000;

/**
 * Waits on a queue, and runs one shard at a time. BullMQ calls `#tryJob` with each job, and with the lease, its token
 * of this attempt.
 */
export class Agent {
  #options;
  #timing;
  #id = randomUUID();
  /** The name, unique in its pool when it has started. */
  name;
  #roundTripMs = 0;
  /** @type {Worker | null} */
  #worker = null;
  /** The queue of runs, whose shards are the jobs. @type {JobQueue | null} */
  #runs = null;
  /** @type {ShardRun | null} */
  #shard = null;
  /** Settles when the current job is over. @type {Promise<unknown> | null} */
  #job = null;
  /** Shards that it began: a copy of their jobs is refused. @type {Set<string>} */
  #begun = new Set();
  /** Settles when the reports of its presence are over. @type {Promise<unknown>} */
  #reporting = Promise.resolve();
  /** Settles when it is closed; null: it is open. @type {Promise<void> | null} */
  #closing = null;
  #isReachable = true;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @param {AgentOptions} options */
  constructor(options) {
    this.#options = options;
    this.#timing = options.timing ?? TIMING;
    this.name = options.name;
  }

  /** Begins to wait for work. @throws {Error} E_QUEUE */
  async start() {
    const { queue, pool } = this.#options;
    const { lockMs, stalledCheckMs } = this.#timing;
    try {
      ({ roundTripMs: this.#roundTripMs } = await measureOffset(() => queue.time(), commonNow));
      await this.#takeName();
      await this.#reportPresence();
    } catch (error) {
      throw queue.errorOf(error);
    }
    this.#timer = setInterval(() => this.#report(), this.#timing.reportMs);
    const { Queue: Jobs, Worker } = queue.bullmq;
    this.#runs = new Jobs(KEYS.runs(pool), queue.settings);
    this.#runs.on('error', () => {});
    this.#worker = new Worker(
      KEYS.shards(pool, queue.seal),
      (job, token = '') => this.#track(this.#tryJob(job, token)),
      {
        ...queue.settings,
        concurrency: 1,
        lockDuration: lockMs,
        stalledInterval: stalledCheckMs,
        // A shard cannot be repeated: its load would come late.
        maxStalledCount: 0,
        drainDelay: 2,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
      },
    );
    // An outage is reported by #tryPresence.
    this.#worker.on('error', () => {});
    try {
      await inTime(this.#worker.waitUntilReady(), this.#timing.unreachableMs);
    } catch (error) {
      throw queue.errorOf(error);
    }
  }

  /** Stops the shard that runs. @type {(reason: string, options?: { within?: number }) => void} */
  stop(reason, options) {
    this.#shard?.stop(reason, options);
  }

  abort = () => this.#shard?.abort();

  /** Accepts no more work, and waits for the shard that runs. @type {() => Promise<void>} */
  close() {
    return (this.#closing ??= this.#close());
  }

  async #close() {
    clearInterval(this.#timer);
    const isClosed = Promise.all([this.#endPresence(), this.#closeQueues()]);
    await this.#job;
    await Promise.race([isClosed, new Promise((resolve) => setTimeout(resolve, this.#timing.closeMs))]);
  }

  /** Waits for a report that is on its way, which would come after the end. */
  async #endPresence() {
    const { queue, pool } = this.#options;
    await this.#reporting;
    await endPresence(queue.redis, pool, { id: this.#id, name: this.name }).catch(() => {});
  }

  /** Accepts no more jobs at once, and waits for the one that runs. */
  async #closeQueues() {
    await this.#worker?.close().catch(() => {});
    await this.#runs?.close().catch(() => {});
  }

  /** @type {(job: Promise<string>) => Promise<string>} */
  #track(job) {
    this.#job = job.catch(() => {});
    return job;
  }

  /** @type {() => Presence} */
  #presence() {
    const { version, allowed } = this.#options;
    return {
      protocol: PROTOCOL,
      id: this.#id,
      name: this.name,
      version,
      cores: os.availableParallelism(),
      allowsCode: allowed.code,
      isBusy: this.#shard !== null,
      roundTripMs: Math.min(this.#roundTripMs, LONGEST_ROUND_TRIP_MS),
    };
  }

  async #reportPresence() {
    const { queue, pool, notify } = this.#options;
    if (await reportPresence(queue, pool, this.#presence(), this.#timing.presenceMs)) return;
    const { name } = this;
    await this.#takeName();
    notify(`another agent has the name ${name} now; this one is ${this.name}`);
  }

  async #takeName() {
    const { queue, pool, name } = this.#options;
    this.name = await takeName(queue, pool, { id: this.#id, name }, this.#timing.presenceMs);
  }

  #report() {
    // Without a value: that of each report would keep those of all before it.
    this.#reporting = Promise.all([this.#reporting, this.#tryPresence()]).then(() => {});
  }

  async #tryPresence() {
    const { queue, notify } = this.#options;
    if (this.#closing) return;
    try {
      await this.#reportPresence();
      if (!this.#isReachable) notify(`the queue at ${queue.address} is reachable again`);
      this.#isReachable = true;
    } catch (error) {
      if (this.#isReachable && !this.#closing) notify(`${queue.errorOf(error).message}; trying again`);
      this.#isReachable = false;
    }
  }

  /** Tries a job. The person at the agent sees its error. @type {(job: Job, lease: string) => Promise<string>} */
  async #tryJob(job, lease) {
    try {
      return await this.#process(job, lease);
    } catch (/** @type {any} */ thrown) {
      const { queue, notify } = this.#options;
      if (thrown.code === 'E_MESSAGE') {
        notify(`refused: ${thrown.message}`);
        return `refused: ${thrown.message}`;
      }
      const error = isQueueError(thrown) ? queue.errorOf(thrown) : thrown;
      notify(`a shard failed: ${maskText(String(error?.message ?? error))}`);
      throw thrown;
    }
  }

  /** Runs the shard of a job. @type {(job: Job, lease: string) => Promise<string>} how it ended */
  async #process(job, lease) {
    const { notify } = this.#options;
    const received = await this.#receive(job);
    if (received === null) return 'refused: its run is over';
    const { shard, work } = received;
    /** @type {PrivateFolder} */
    let folder;
    try {
      folder = await PrivateFolder.open();
    } catch (error) {
      const how = await this.#refuse(shard, lease, error);
      notify(`shard ${shard.number} of ${shard.of}: ${how}`);
      return how;
    }
    try {
      notify(`runs shard ${shard.number} of ${shard.of} of ${work.flow.name}`);
      const how = await this.#run({ shard, work, lease, folder: folder.path });
      notify(`shard ${shard.number} of ${shard.of}: ${how}`);
      return how;
    } finally {
      this.#shard = null;
      await folder.remove();
      this.#report();
    }
  }

  /**
   * Reads the shard of a job and the work of its run; null: the run is over, or the shard is lost.
   * @throws {Error} E_MESSAGE: a message is refused, or the job is a copy, as its run or shard has begun before
   * @type {(job: Job) => Promise<{ shard: Shard, work: Work } | null>}
   */
  async #receive({ data, parent, attemptsStarted }) {
    const { queue, pool } = this.#options;
    const { redis, seal } = queue;
    const now = await queue.sealTime();
    const { message: shard } = readMessage(seal, 'shard', pool, { given: data?.sealed, now });
    const { run, number } = shard;
    const [given, time] = await Promise.all([readValue(redis, 'control', KEYS.control(run)), queue.sealTime()]);
    if (given === null) return null;
    // The queue gives a job again whose agent was lost: its shard is lost, too.
    if (attemptsStarted > 1) return null;
    const { order } = readMessage(seal, 'control', run, { given, now: time }).message;
    const id = `${run}:${number}`;
    // A run starts when all its shards are ready: a job that comes after that is a copy.
    if (order === 'start' || this.#begun.has(id)) throw replayed(shard);
    this.#begun.add(id);
    if (this.#begun.size > MOST_BEGUN) this.#begun.delete(String(this.#begun.values().next().value));
    const parentJob = parent?.id ? await this.#runs?.getJob(parent.id) : undefined;
    if (!parentJob) return null;
    const { message: work } = readMessage(seal, 'work', pool, { given: parentJob.data?.sealed, now });
    if (work.run !== run) throw replayed(shard);
    return { shard, work };
  }

  /** @type {(given: { shard: Shard, work: Work, lease: string, folder: string }) => Promise<string>} */
  async #run({ shard, work, lease, folder }) {
    const { queue, workers, secrets, allowed, bounds, logFolder, createEngine, cwd: disk, log, notify } = this.#options;
    const { saveResult } = this.#options;
    try {
      const layers = [work.config, ...work.commandLine];
      checkReceivedOptions(layers);
      const requestLog = agentLog(layers, logFolder);
      const { cwd, ...source } = await unpackFlow(work.flow, { allowed, folder, disk });
      // A stop that came before could not reach the shard.
      if (this.#closing) throw new Error('it was stopped');
      this.#shard = new ShardRun({
        shard,
        work,
        lease,
        source,
        cwd,
        requestLog,
        workers,
        bounds,
        secrets,
        queue,
        createEngine,
        log,
        notify,
        saveResult,
        presence: () => this.#presence(),
        timing: this.#timing,
      });
    } catch (error) {
      return this.#refuse(shard, lease, error);
    }
    this.#report();
    return this.#shard.run();
  }

  /** Reports and returns a refusal of a shard. @type {(shard: Shard, lease: string, error: any) => Promise<string>} */
  async #refuse(shard, lease, error) {
    /** @type {Report} */
    const report = {
      protocol: PROTOCOL,
      lease,
      sequence: 1,
      state: 'refused',
      agent: this.#presence(),
      clockOffsetMs: null,
      startDelayMs: null,
      begun: null,
      tick: null,
      stats: null,
      inFlight: 0,
      outcome: null,
      error: reportedError(error),
    };
    const { queue, notify } = this.#options;
    const refused = `refused: ${maskText(error.message)}`;
    await writeReport(queue, shard, report, this.#timing.unreachableMs).catch((/** @type {unknown} */ thrown) => {
      // The queue fails, so the command gets no report: the agent prints the reason beside the error of the queue.
      notify(refused);
      throw thrown;
    });
    return refused;
  }
}

/** The error of a copied job: its shard has run, or its run has begun. @type {(shard: Shard) => Error} */
function replayed({ number, of }) {
  return makeError('E_MESSAGE', {
    what: `job of shard ${number} of ${of}`,
    reason: 'has begun before: it may be a copy of an old one',
    cure: 'run the command again',
  });
}
