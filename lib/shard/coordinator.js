import { randomUUID } from 'node:crypto';
import os from 'node:os';

import { makeError } from '../errors.js';
import { failsByThreshold } from '../measure/thresholds.js';
import { AGENTS_TIMEOUT, POOL } from '../run/options/agents.js';
import { createErrorLimits } from '../run/error-limits.js';
import { checkRun } from './check-run.js';
import { mergedResult, mergedState, mergedTick } from './merged-state.js';
import { packFlow } from './pack-flow.js';
import { packOptions } from './pack-options.js';
import { PoolLock, awaitAgents, confirmPool, lockPool } from './pool.js';
import { KEYS, PROTOCOL } from './protocol.js';
import { Queue } from './queue.js';
import { readReports } from './read-reports.js';
import { ShardTable } from './shard-table.js';
import { agreeStart } from './start-agreement.js';
import { Submission } from './submission.js';
import { TIMING } from './timing.js';

/**
 * @import { FlowInput } from '../flow/source/load.js'
 * @import { Stats } from '../measure/types.js'
 * @import { Layer } from '../run/options/layers.js'
 * @import { CheckedRun } from './check-run.js'
 * @import { PoolContext } from './pool.js'
 * @import { Control, Report, ReportedPlan } from './protocol.js'
 * @import { Timing } from './timing.js'
 *
 * @typedef {object} CoordinatorRequest
 * @property {FlowInput} source
 * @property {string} cwd
 * @property {Layer} config run options of the configuration file
 * @property {Layer[]} commandLine run options of flags, weakest first
 * @property {AgentOptions} own
 * @property {NodeJS.ProcessEnv} env
 * @property {Timing} [timing]
 *
 * @typedef {object} AgentOptions
 * @property {number} agents
 * @property {string} queue URL
 * @property {string} [pool]
 * @property {number} [agentsTimeout] ms
 * @property {number} [tolerateLost]
 *
 * @typedef {object} CoordinatorListener
 * @property {(text: string) => void} notice prints a line
 * @property {(begun: ReportedPlan) => void} onBegin
 * @property {(progress: { stats: Stats, percent: number, concurrent: number, ips: number }) => void} onProgress
 * @property {(tick: any) => void} onTick
 * @property {(stats: Stats) => void} onState
 *
 * @typedef {{ kind: 'ended', stats: Stats, why: string }
 *   | { kind: 'refused', error: { code?: string, message: string, stack?: string } }
 *   | { kind: 'aborted', stats: Stats | null }
 *   | { kind: 'lost', stats: Stats | null, message: string, isFault: boolean }} Outcome as of an engine
 */

/** Why a shard ended as planned. */
const DONE = 'done';
/** The sum of many agents with many operations takes long: this part of the time is for other things. */
const SHARE = 4;
/** Longest time until a stop of this process is complete, ms. */
const CLOSE_MS = 1000;

/** Runs a flow on several agents: one start, one live view, one exact result. It is used like the engine of a local run. */
export class Coordinator {
  #request;
  #listener;
  #timing;
  #run = randomUUID();
  /** @type {ShardTable} */
  #table;
  /** @type {Control} */
  #control = { protocol: PROTOCOL, order: 'prepare', startAt: null, reason: null, within: null, dropped: [] };
  /** set when it is open @type {Queue | null} */
  #queue = null;
  /** @type {PoolLock | null} */
  #lock = null;
  /** @type {Submission | null} */
  #submission = null;
  /** @type {CheckedRun['options'] | null} */
  #options = null;
  #isSubmitted = false;
  /** renews the control @type {NodeJS.Timeout | undefined} */
  #renewal;
  /** why the last renewal failed @type {unknown} */
  #renewalError = null;
  /** instant of the last exchange with the queue */
  #reachedAt = Infinity;
  #isAborted = false;
  #isOver = false;
  #wake = () => {};
  /** The first call counts. @type {(outcome: Outcome) => void} */
  #settle = () => {};

  /**
   * @param {CoordinatorRequest} request
   * @param {CoordinatorListener} listener
   */
  constructor(request, listener) {
    this.#request = request;
    this.#listener = listener;
    this.#timing = request.timing ?? TIMING;
    this.#table = new ShardTable(request.own.agents, this.#timing);
    /** How the run ended. @type {Promise<Outcome>} */
    this.outcome = new Promise((resolve) => (this.#settle = resolve));
    this.#work().then(this.#settle, (error) =>
      this.#settle({ kind: 'refused', error: { code: error?.code, message: error?.message, stack: error?.stack } }),
    );
  }

  /** Stops all shards gracefully. @type {(reason: string, options?: { within?: number }) => void} */
  stop = (reason, { within } = {}) => {
    if (this.#isStopped) return;
    if (!this.#isSubmitted) this.#settle({ kind: 'aborted', stats: null });
    this.#order({ order: 'stop', reason, within: within ?? null });
  };

  /** Aborts all shards. A second call does not wait for them. */
  abort = () => {
    if (this.#isAborted || !this.#isSubmitted) this.#settle({ kind: 'aborted', stats: this.#endState() });
    this.#isAborted = true;
    this.#order({ order: 'abort' });
    setTimeout(() => this.#settle({ kind: 'aborted', stats: this.#endState() }), this.#timing.abortMs).unref();
  };

  /** Closes the connections, and removes what the run has stored. */
  close = async () => {
    this.#isOver = true;
    clearInterval(this.#renewal);
    this.#wake();
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

  /** A run on agents starts no server. */
  endServer = async () => {};
  serverOutput = '';

  /** @returns {Promise<Outcome>} */
  async #work() {
    const { source, cwd, config, commandLine, own, env } = this.#request;
    const [packedConfig, ...packedLine] = packOptions([config, ...commandLine], env);
    const checked = await checkRun(source, { cwd, config, commandLine, agents: own.agents });
    this.#options = checked.options;
    this.#queue = await Queue.open(own.queue, env);
    try {
      const agents = await this.#agents(this.#queue);
      if (this.#isStopped) return { kind: 'aborted', stats: null };
      const bundle = agents.some(({ allowsCode }) => allowsCode);
      const flow = await packFlow(source, { cwd, config, commandLine, bundle });
      await this.#submit({ protocol: PROTOCOL, run: this.#run, flow, config: packedConfig, commandLine: packedLine });
      await this.#start(checked.begun);
      if (!this.#isOver) await this.#lead();
    } catch (thrown) {
      const error = /** @type {any} */ (isOfQueue(thrown) ? this.#queue.errorOf(thrown) : thrown);
      if (error.code !== 'E_QUEUE') throw error;
      for (const { number } of this.#table.open) this.#table.drop(number, 'the queue was not reachable');
      const stats = this.#endState();
      if (stats === null) throw error;
      return { kind: 'lost', stats, message: error.message, isFault: false };
    }
    return this.#end();
  }

  /** @type {(queue: Queue) => Promise<import('./protocol.js').Presence[]>} the idle ones of the pool, which is locked for this run */
  async #agents(queue) {
    const { agents, pool = POOL, agentsTimeout = AGENTS_TIMEOUT } = this.#request.own;
    const { presenceMs, renewMs } = this.#timing;
    /** @type {PoolContext} */
    const context = {
      queue,
      pool,
      notify: this.#listener.notice,
      pause: (ms) => this.#pause(ms),
      isStopped: () => this.#isStopped,
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

  /** @type {(work: import('./protocol.js').Work) => Promise<void>} */
  async #submit(work) {
    const { agents, pool = POOL } = this.#request.own;
    const queue = /** @type {Queue} */ (this.#queue);
    await confirmPool(/** @type {PoolLock} */ (this.#lock), { queue, pool });
    this.#isSubmitted = true;
    await this.#renew();
    this.#reachedAt = performance.now();
    this.#renewal = setInterval(() => void this.#tryRenewal(), this.#timing.renewMs);
    this.#submission = new Submission({
      queue,
      pool,
      timing: this.#timing,
      onSuspicion: (number, reason) => {
        this.#table.suspect(number, reason);
        this.#wake();
      },
    });
    await this.#submission.open(work, agents);
  }

  /** Waits until all shards are ready, and agrees on a start. @type {(checked: ReportedPlan | null) => Promise<void>} */
  async #start(checked) {
    const queue = /** @type {Queue} */ (this.#queue);
    const { pollMs, leadMs } = this.#timing;
    while (!this.#isOver) {
      await this.#tryTurn();
      const { all, lost, reports } = this.#table;
      refuse(reports);
      if (lost.length > 0) throw lostBefore(lost[0]);
      const ended = reports.find(({ state }) => state === 'ended');
      if (ended || this.#isStopped) break;
      if (reports.length === all.length && reports.every(({ state }) => state === 'ready')) break;
      await this.#pause(pollMs);
    }
    const { reports } = this.#table;
    const begun = checked ?? reports.find((report) => report.begun)?.begun;
    if (begun) this.#listener.onBegin(wholeOf(begun, this.#request.own.agents));
    if (this.#isStopped || this.#isOver) return;
    const roundTrips = reports.map(({ agent }) => agent.roundTripMs);
    this.#order({ order: 'start', startAt: agreeStart(await queue.time(), roundTrips, leadMs) });
  }

  /** Follows the shards until all have ended, or are lost. */
  async #lead() {
    const { reportMs, renewMs } = this.#timing;
    let shownAt = performance.now();
    let pauseMs = 0;
    let ended = 0;
    while (!this.#isOver && this.#table.open.length > 0) {
      await this.#tryTurn();
      const from = performance.now();
      if (from - shownAt >= Math.max(reportMs, pauseMs) && this.#table.reports.length > 0) {
        ended = await this.#show(ended, from - shownAt);
        shownAt = from;
        pauseMs = SHARE * (performance.now() - from);
      }
      const early = this.#table.reports.find(({ outcome }) => outcome && outcome.why !== DONE);
      if (early) this.stop(whyOf(early) ?? 'agents');
      if (this.#table.open.length > 0) await this.#pause(renewMs);
    }
    // agents stop when the control is not renewed
    if (this.#table.lost.length > 0 && this.#renewalError !== null) throw this.#renewalError;
  }

  /** An unreachable queue may come back, and the agents go on meanwhile. */
  async #tryTurn() {
    try {
      await this.#turn();
      this.#reachedAt = performance.now();
    } catch (error) {
      const unreachedMs = performance.now() - this.#reachedAt;
      if (!isOfQueue(error) || unreachedMs > this.#timing.unreachableMs) throw error;
    }
  }

  async #turn() {
    await this.#readReports();
    if (this.#renewalError !== null) throw this.#renewalError;
    const { dropped } = this.#table;
    if (dropped.length > this.#control.dropped.length) this.#order({ dropped });
  }

  /** The next turn reports an error. */
  async #tryRenewal() {
    try {
      await this.#renew();
      this.#renewalError = null;
    } catch (error) {
      this.#renewalError = error;
    }
  }

  async #renew() {
    const { redis } = /** @type {Queue} */ (this.#queue);
    await redis.set(KEYS.control(this.#run), JSON.stringify(this.#control), 'PX', this.#timing.controlMs);
  }

  async #readReports() {
    const { redis } = /** @type {Queue} */ (this.#queue);
    const numbers = this.#table.open.map(({ number }) => number);
    if (numbers.length === 0) return;
    const read = await readReports(redis, this.#run, numbers);
    /** @type {Map<number, Report>} */
    const reports = new Map();
    for (const [number, report] of read) {
      if (report) reports.set(number, report);
      else this.#table.drop(number, 'it sent a report that is not one');
    }
    this.#table.take(reports, performance.now());
  }

  /** Shows the sum of all shards, and judges it. @type {(endedBefore: number, elapsedMs: number) => Promise<number>} iterations that have ended */
  async #show(endedBefore, elapsedMs) {
    const tick = mergedTick(this.#table);
    const stats = await mergedState(this.#table, this.#tolerated, this.#sumOptions);
    if (tick) this.#listener.onTick(tick);
    if (!stats) return endedBefore;
    const { started, completed, failed, cancelled } = stats.iterations;
    const ended = completed + failed + cancelled;
    this.#listener.onState(stats);
    this.#listener.onProgress({
      stats,
      percent: Math.round((tick?.share ?? 1) * 100),
      concurrent: started - ended,
      ips: Math.round((1000 * (ended - endedBefore)) / elapsedMs),
    });
    this.#judge(stats);
    return ended;
  }

  /** Limits of errors and thresholds hold for the sum. @type {(stats: Stats) => void} */
  #judge(stats) {
    const { abortOnFail, bailout, keepGoing } = /** @type {CheckedRun['options']} */ (this.#options);
    const { errors, iterations, requests } = stats;
    const limit = createErrorLimits({ bailout, keepGoing });
    const sum = /** @type {any} */ ({ errorCount: errors.count, iterations, errors: () => errors });
    const reason = limit(sum, () => requests.connections.opened);
    if (reason) this.stop(reason);
    else if (abortOnFail && failsByThreshold(stats)) this.stop('threshold');
  }

  /** @returns {Outcome} */
  #end() {
    const stats = this.#endState();
    const { lost, reports } = this.#table;
    if (this.#isAborted) return { kind: 'aborted', stats };
    if (stats === null) {
      if (lost.length > 0) throw lostBefore(lost[0]);
      return { kind: 'aborted', stats: null };
    }
    const why = reports.map(whyOf).find((one) => one !== undefined && one !== DONE);
    return { kind: 'ended', stats, why: this.#control.reason ?? why ?? DONE };
  }

  #endState() {
    return mergedResult(this.#table, this.#tolerated, this.#sumOptions);
  }

  get #tolerated() {
    return this.#request.own.tolerateLost ?? 0;
  }

  get #sumOptions() {
    return { expectedInterval: this.#options?.expectedInterval };
  }

  get #isStopped() {
    return this.#control.order === 'stop' || this.#control.order === 'abort';
  }

  /** @type {(change: Partial<Control>) => void} */
  #order(change) {
    this.#control = { ...this.#control, ...change };
    if (this.#isSubmitted && !this.#isOver) void this.#tryRenewal();
    this.#wake();
  }

  /** Waits, unless something changes. @type {(ms: number) => Promise<void>} */
  #pause(ms) {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(), ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Why a shard has ended: a signal that this process did not get has stopped its agent. @type {(report: Report) => string | undefined} */
export function whyOf({ outcome }) {
  return outcome?.why?.startsWith('SIG') ? 'agent' : outcome?.why;
}

/** An agent cannot run the flow. @type {(reports: Report[]) => void} */
function refuse(reports) {
  const refused = reports.find(({ state }) => state === 'refused');
  if (!refused?.error) return;
  const { code, message } = refused.error;
  throw Object.assign(new Error(`agent ${refused.agent.name}: ${message}`), { code: code ?? 'E_USAGE' });
}

/** @type {(shard: import('./shard-table.js').ShardState) => Error} */
function lostBefore({ number, report, lost }) {
  return makeError('E_AGENT_LOST', { name: report?.agent.name ?? `of shard ${number}`, reason: lost });
}

/** The plan of the whole run, as one of its shards has it. @type {(begun: ReportedPlan, agents: number) => ReportedPlan} */
function wholeOf({ plan, ...begun }, agents) {
  const { shard: _shard, runId: _run, options, ...rest } = plan;
  const { shard: _one, runId: _id, ...shown } = options;
  return { ...begun, plan: { ...rest, shape: `${plan.shape}, by ${agents} agents`, options: { ...shown, agents } } };
}

/** It comes from a command of Redis. @type {(error: any) => boolean} */
function isOfQueue(error) {
  const { name = '', message = '', code = '' } = error ?? {};
  return (
    name === 'ReplyError' ||
    name === 'MaxRetriesPerRequestError' ||
    name === 'AbortError' ||
    /^(Connection is closed|Command timed out|Stream isn't writeable)/.test(message) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'].includes(code)
  );
}
