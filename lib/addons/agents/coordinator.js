import { randomUUID } from 'node:crypto';
import os from 'node:os';

import { PrecisionWatch } from '../../core/measure/confidence.js';
import { AGENTS_TIMEOUT, POOL } from './options/agents.js';
import { exportersOf } from '../export/options.js';
import { plannedLoad } from '../../core/run/plan.js';
import { agreeStart } from './start.js';
import { LiveView } from './live-view.js';
import { mergedResult } from './merged-state.js';
import { packFlow } from './pack-flow.js';
import { logLayer, packOptions, precisionLayer } from './pack-options.js';
import { PoolLock, awaitAgents, confirmPool, lockPool } from './pool.js';
import { KEYS, PROTOCOL, Pauses, TIMING } from './protocol.js';
import { Queue, Reachability, isQueueError } from './queue.js';
import { ReportReader } from './report.js';
import { RunControl } from './run-control.js';
import { earlyEndOf, endOf, isStartDue, wholePlan } from './run-course.js';
import { ShardTable, wholeSeconds } from './shard-table.js';
import { Submission, checkRun } from './submission.js';

/** @import { RunnerOutcome, ReportedPlan, Runner, StatsOutcome } from '../../core/run/types.js' */
/** @import { Figures } from '../export/metrics.js' */
/** @import { Layer } from '../../core/run/options/types.js' */
/** @import { CheckedRun, CoordinatorListener, CoordinatorRequest, PoolContext } from './types.js' */
/** @import { Presence, SumOptions, Work } from './types.js' */

/** Longest time until a stop of this process is complete, ms. */
const CLOSE_MS = 1000;
/** Reports of other programs that are named. */
const MOST_NOTICES = 20;

/**
 * A {@link Runner} on several agents: one start, one live view, one exact result.
 *
 *     #work (checkRun, Queue.open) -> #perform: #gatherAgents -> packFlow -> #submit -> #start -> #lead -> endOf
 *
 * `#start` and `#lead` are loops: each turn reads the reports into the table, which decides what is lost, and orders
 * what follows from that by the control, which all agents read.
 */
export class Coordinator {
  #request;
  #listener;
  #timing;
  #run = randomUUID();
  #table;
  #control;
  /** The queue, once it is open. @type {Queue | null} */
  #queue = null;
  /** @type {PoolLock | null} */
  #lock = null;
  /** @type {Submission | null} */
  #submission = null;
  /** @type {CheckedRun['options'] | null} */
  #options = null;
  /** The precision that ends the run; null: it has none. @type {PrecisionWatch | null} */
  #precision = null;
  /** What the latest sum is made of, for exporters. @type {Figures | null} */
  #figures = null;
  /** The reachability, once the shards are submitted. @type {Reachability | null} */
  #reachability = null;
  /** The reader, once the shards are submitted. @type {ReportReader | null} */
  #reader = null;
  /** Notices that were printed: each is printed once. @type {Set<string>} */
  #notices = new Set();
  #isAborted = false;
  #isOver = false;
  #pauses = new Pauses();
  /** The first call counts. @type {(outcome: RunnerOutcome) => void} */
  #settle = () => {};

  /** @param {CoordinatorRequest} request @param {CoordinatorListener} listener */
  constructor(request, listener) {
    this.#request = request;
    this.#listener = listener;
    this.#timing = request.timing ?? TIMING;
    this.#table = new ShardTable(request.own.agents, this.#timing);
    this.#control = new RunControl(this.#run, this.#timing);
    /** How the run ended. @type {Promise<RunnerOutcome>} */
    this.outcome = new Promise((resolve) => (this.#settle = resolve));
    this.#settleWith(this.#work());
  }

  /** Stops all shards gracefully. @type {(reason: string, options?: { within?: number | null }) => void} */
  stop = (reason, { within = null } = {}) => {
    // No agent has an order yet.
    if (!this.#control.isOpen) this.#settle({ kind: 'aborted', stats: null });
    this.#control.stop(reason, within);
    this.#pauses.wake();
  };

  /** Aborts all shards. A second call does not wait for them. */
  abort = () => {
    if (this.#isAborted || !this.#control.isOpen) this.#settleWith(this.#aborted());
    this.#isAborted = true;
    this.#order({ order: 'abort' });
    setTimeout(() => this.#settleWith(this.#aborted()), this.#timing.abortMs).unref();
  };

  /** Closes the connections, and removes what the run has stored. */
  close = async () => {
    this.#isOver = true;
    this.#control.close();
    this.#pauses.wake();
    if (this.#queue === null) return true;
    const { redis } = this.#queue;
    const keys = [KEYS.control(this.#run), ...this.#table.all.map(({ number }) => KEYS.report(this.#run, number))];
    const cleanup = (async () => {
      await this.#submission?.close();
      await redis.del(keys);
      await this.#lock?.release();
    })().catch(() => {});
    await Promise.race([cleanup, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
    this.#queue.close();
    return true;
  };

  /** Settles the outcome, by a refusal if the promise rejects. @type {(outcome: Promise<RunnerOutcome>) => void} */
  #settleWith(outcome) {
    outcome.then(this.#settle, (error) =>
      this.#settle({ kind: 'refused', error: { code: error?.code, message: error?.message, stack: error?.stack } }),
    );
  }

  /** A run on agents starts no server. */
  lastKeeperOutput = async () => '';

  /** @type {() => Promise<RunnerOutcome>} */
  async #work() {
    const { source, cwd, config, commandLine, own, env, runLabel } = this.#request;
    const startedAt = new Date();
    const [packedConfig, ...packedLine] = packOptions([config, ...commandLine], env);
    const checked = await checkRun(source, { cwd, config, commandLine, agents: own.agents });
    this.#options = checked.options;
    packedLine.push(...logLayer(checked.options, runLabel), ...precisionLayer(checked.options));
    if (checked.options.precision) this.#precision = new PrecisionWatch(checked.options.precision);
    this.#queue = await Queue.open(own.agentsQueue, env, own.agentsPool);
    const perform = () => this.#perform(checked, { config: packedConfig, commandLine: packedLine });
    const rows = exportersOf(checked.options);
    if (rows.length === 0) return perform();
    const { collectedOf, exporting } = await import('../export/index.js');
    // `checkRun` has added the option of a shard.
    const identity = { id: this.#run, startedAt, options: { ...checked.options, shard: undefined } };
    const context = {
      options: checked.options,
      collect: () => this.#figures && collectedOf(this.#figures, identity),
      isAborted: () => this.#isAborted,
    };
    return exporting(rows, context, perform);
  }

  /** @type {(checked: CheckedRun, packed: { config: Layer, commandLine: Layer[] }) => Promise<StatsOutcome>} */
  async #perform(checked, packed) {
    const { source, cwd, config, commandLine, own } = this.#request;
    const queue = /** @type {Queue} */ (this.#queue);
    try {
      const agents = await this.#gatherAgents(queue);
      if (this.#control.isStopped) return { kind: 'aborted', stats: null };
      const bundle = agents.some(({ allowsCode }) => allowsCode);
      const flow = await packFlow(source, { cwd, config, commandLine, include: own.agentsInclude, bundle });
      await this.#submit({ protocol: PROTOCOL, run: this.#run, flow, ...packed });
      await this.#start(checked.begun);
      if (!this.#isOver) await this.#lead(checked.options);
    } catch (thrown) {
      const error = /** @type {any} */ (isQueueError(thrown) ? queue.errorOf(thrown) : thrown);
      if (error.code !== 'E_QUEUE') throw error;
      for (const { number } of this.#table.open) this.#table.drop(number, queue.reasonOf(thrown), 'queue');
      const stats = await this.#endState();
      if (stats === null) throw error;
      return { kind: 'lost', stats, message: error.message, isFault: false };
    }
    const { reason } = this.#control.value;
    return endOf(this.#table, { stats: await this.#endState(), isAborted: this.#isAborted, reason });
  }

  /** Locks the pool, and waits for agents. @type {(queue: Queue) => Promise<Presence[]>} the idle ones of the pool */
  async #gatherAgents(queue) {
    const { agents, agentsPool: pool = POOL, agentsTimeout = AGENTS_TIMEOUT } = this.#request.own;
    const { presenceMs, renewMs } = this.#timing;
    /** @type {PoolContext} */
    const context = {
      queue,
      pool,
      notify: this.#listener.notice,
      pause: (ms) => this.#pauses.wait(ms),
      isStopped: () => this.#control.isStopped,
      until: performance.now() + agentsTimeout,
      pollMs: renewMs,
    };
    this.#lock = new PoolLock(queue, pool, {
      owner: `${os.hostname()}:${process.pid} ${this.#run}`,
      expiryMs: presenceMs,
    });
    await lockPool(this.#lock, context);
    this.#lock.keep(renewMs);
    return awaitAgents(agents, context);
  }

  /** @type {(work: Work) => Promise<void>} */
  async #submit(work) {
    const { agents, agentsPool: pool = POOL } = this.#request.own;
    const queue = /** @type {Queue} */ (this.#queue);
    await confirmPool(/** @type {PoolLock} */ (this.#lock), { queue, pool });
    await this.#control.open(queue);
    this.#submission = new Submission({
      queue,
      pool,
      timing: this.#timing,
      onSuspicion: (number, reason) => {
        this.#table.suspect(number, reason);
        this.#pauses.wake();
      },
    });
    await this.#submission.open(work, agents);
    this.#reader = new ReportReader(queue, this.#run, (number, reason) =>
      this.#noticeOnce(`shard ${number}: ${reason}`),
    );
    const { unreachableMs, collectMs } = this.#timing;
    this.#reachability = new Reachability({
      limitMs: unreachableMs + collectMs,
      warnMs: unreachableMs,
      onWarning: (error) =>
        this.#listener.notice(
          `${queue.errorOf(error).message}; agents stop after ${wholeSeconds(unreachableMs)}, and keep what they counted: waiting for the queue for ${wholeSeconds(collectMs)} more (Ctrl-C twice ends)`,
        ),
    });
  }

  /** Agrees on a start when all shards are ready. @type {(checked: ReportedPlan | null) => Promise<void>} */
  async #start(checked) {
    const queue = /** @type {Queue} */ (this.#queue);
    const { pollMs, leadMs } = this.#timing;
    while (!this.#isOver) {
      await this.#attempt(() => this.#readReports());
      if (isStartDue(this.#table) || this.#control.isStopped) break;
      await this.#pauses.wait(pollMs);
    }
    const { reports } = this.#table;
    const begun = checked ?? reports.find((report) => report.begun)?.begun;
    if (begun) this.#listener.onBegin(wholePlan(begun, this.#request.own.agents));
    const roundTrips = reports.map(({ agent }) => agent.roundTripMs);
    while (!this.#control.isStopped && !this.#isOver) {
      const now = await this.#attempt(() => queue.time());
      if (now !== null) return this.#order({ order: 'start', startAt: agreeStart(now, roundTrips, leadMs) });
      await this.#pauses.wait(pollMs);
    }
  }

  /** Follows the shards until all have ended, or are lost. @type {(options: CheckedRun['options']) => Promise<void>} */
  async #lead(options) {
    const { reportMs, renewMs } = this.#timing;
    const view = new LiveView({
      listener: this.#listener,
      everyMs: reportMs,
      tolerated: this.#tolerated,
      options,
      sum: this.#sumOptions(),
    });
    let shown = Promise.resolve();
    while (!this.#isOver && this.#table.open.length > 0) {
      await this.#attempt(() => this.#readReports());
      const limit = await view.judge(this.#table);
      if (limit) this.stop(limit);
      shown = view.show(this.#table);
      // The promise is awaited at the end.
      shown.catch(() => {});
      for (const { number, report, lost } of this.#table.all)
        if (lost === null && report?.state === 'refused')
          this.#table.drop(number, `it could not run the flow: ${report.error?.message}`, 'refused');
      this.#orderLosses();
      const early = earlyEndOf(this.#table.reports);
      if (early) this.stop(early);
      if (this.#table.open.length > 0) await this.#pauses.wait(renewMs);
    }
    await shown;
    // Agents stop when the control is not renewed.
    if (this.#table.lost.length > 0 && this.#control.error !== null) throw this.#control.error;
  }

  /** @type {<T>(exchange: () => Promise<T>) => Promise<T | null>} null: the queue was not reachable */
  #attempt(exchange) {
    return /** @type {Reachability} */ (this.#reachability).attempt(exchange);
  }

  /** Reads the reports once, and orders what follows from losses. @throws {Error} of Redis */
  async #readReports() {
    const reader = /** @type {ReportReader} */ (this.#reader);
    const numbers = this.#table.open.map(({ number }) => number);
    const reports = await reader.read(numbers);
    // While the queue accepts no messages, agents cannot report.
    const isCutOff = this.#control.error !== null || this.#reachability?.hasFailed === true;
    if (numbers.length > 0) this.#table.take(reports, performance.now(), { isCutOff, unread: reader.unread });
    if (this.#control.error !== null) throw this.#control.error;
    this.#orderLosses();
  }

  /** Orders that lost agents stop. */
  #orderLosses() {
    const { dropped } = this.#table;
    if (dropped.length > this.#control.value.dropped.length) this.#order({ dropped });
  }

  /** @type {() => Promise<RunnerOutcome>} */
  async #aborted() {
    return { kind: 'aborted', stats: await this.#endState() };
  }

  /** @type {() => SumOptions} */
  #sumOptions() {
    const options = this.#options;
    // A run that was aborted before has no state to add up.
    if (options === null) return {};
    return {
      expectedInterval: options.expectedInterval,
      load: plannedLoad(options, this.#table.count),
      ...(this.#precision && { precision: this.#precision }),
      ...(exportersOf(options).length > 0 && {
        onSum: (/** @type {Figures} */ figures) => void (this.#figures = figures),
      }),
    };
  }

  #endState() {
    return mergedResult(this.#table, this.#tolerated, {
      ...this.#sumOptions(),
      stoppedBy: this.#control.value.reason,
      isAborted: this.#isAborted,
    });
  }

  /** @type {(text: string) => void} */
  #noticeOnce(text) {
    if (this.#notices.has(text) || this.#notices.size >= MOST_NOTICES) return;
    this.#notices.add(text);
    this.#listener.notice(text);
  }

  get #tolerated() {
    return this.#request.own.agentsMaxLost ?? 0;
  }

  /** @type {RunControl['change']} */
  #order(change) {
    this.#control.change(change);
    this.#pauses.wake();
  }
}
