import { makeError } from '../../core/ground/errors.js';
import { commonNow as now } from '../../core/run/clock.js';
import { measureOffset } from './start.js';
import { shardRequest } from './shard-request.js';
import { KEYS, PROTOCOL, Pauses, readMessage, readValue, reportedError, reportedOutcome } from './protocol.js';
import { isNotStored } from './queue.js';
import { removeReport, writeReport } from './report.js';
import { ControlWatch } from './run-control.js';

/** @import { ShardContext, Control, Report } from './types.js' */
/** @import { Stats } from '../../core/contracts/stats.js' */
/** @import { RunnerListener, ClockOffset } from '../../core/run/types.js' */

/** How long reports are kept: a coordinator that is cut off finds them afterwards. */
const EXPIRY_MS = 60_000;
/** Most refused controls that are printed. */
const MOST_REFUSALS = 20;

/** One shard that an agent runs: it follows the control of its run, and reports its whole state once per interval. */
export class ShardRun {
  #context;
  #engine;
  /** The clock of the queue: own time + offset = time of Redis; null: not measured. @type {ClockOffset | null} */
  #clock = null;
  /** @type {Report['state']} */
  #state = 'preparing';
  #sequence = 0;
  /**
   * What the engine has reported.
   * @type {Pick<Report, 'begun' | 'tick' | 'stats' | 'inFlight' | 'outcome' | 'error'>}
   */
  #known = { begun: null, tick: null, stats: null, inFlight: 0, outcome: null, error: null };
  /** The start, time of Redis. @type {number | null} */
  #startAt = null;
  /** The start, own time. @type {number | null} */
  #startedAt = null;
  /** The last bytes of its last report that was stored. @type {Buffer | null} */
  #trailer = null;
  #lifeMs = EXPIRY_MS;
  /** The sequence of the control that it obeyed last. @type {number} */
  #controlled = -1;
  /** When the queue accepted a report last. */
  #reachedAt = now();
  /** The queue accepts no messages for now, and none of the coordinator either. */
  #isNotStored = false;
  /** Reasons why controls were refused, each of which is printed once. @type {Set<string>} */
  #refusals = new Set();
  /** The grace period of the last stop, ms; null: it was not stopped. @type {number | null} */
  #graceMs = null;
  #isAborted = false;
  /** Its reports would be refused: the shard was dropped, or its run is over. */
  #isUnwanted = false;
  /** The person at the agent does not wait any longer. */
  #isHurried = false;
  #isOver = false;
  #pauses = new Pauses();

  /** @param {ShardContext} context */
  constructor(context) {
    this.#context = context;
    this.#engine = context.createEngine(shardRequest(context), { log: context.log, ...this.#listener() });
  }

  /**
   * Runs the shard, and tells how it ended, in a few words.
   * @throws {Error} the result could not be reported
   * @type {() => Promise<string>}
   */
  async run() {
    const loops = [this.#follow(), this.#reportRegularly()];
    try {
      this.#onOutcome(await this.#engine.outcome);
      this.#isOver = true;
      this.#pauses.wake();
      await Promise.all(loops);
      await this.#reportEnd();
    } finally {
      this.#isOver = true;
      this.#pauses.wake();
      await this.#engine.close();
    }
    const { queue, shard } = this.#context;
    if (this.#isUnwanted && this.#trailer) await removeReport(queue, shard, this.#trailer).catch(() => {});
    const { error, outcome } = this.#known;
    const how = error ? `refused: ${error.message}` : (outcome?.why ?? outcome?.kind ?? 'ended');
    return this.#isUnwanted ? `${how}; its run no longer wants the result` : how;
  }

  /** Stops it, or shortens the grace period. @type {(reason: string, options?: { within?: number }) => void} */
  stop(reason, options = {}) {
    const { within = Infinity } = options;
    // Each control repeats the stop.
    if (this.#graceMs !== null && within >= this.#graceMs) return;
    this.#graceMs = within;
    this.#engine.stop(reason, options);
  }

  /** Aborts it, and does not wait for a queue that does not answer. */
  abort() {
    this.#isHurried = true;
    this.#abort();
  }

  #abort() {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#engine.abort();
  }

  /** @type {() => RunnerListener & { onExchange: () => void }} */
  #listener() {
    return {
      onBegin: ({ plan, from, hash, notices, hints }) => (this.#known.begun = { plan, from, hash, notices, hints }),
      onProgress: () => {},
      onExchange: () => {},
      onTick: (tick) => (this.#known.tick = tick),
      onReport: ({ stats, inFlight }) => Object.assign(this.#known, { stats, inFlight }),
      onReady: () => this.#onReady(),
      onStarted: (time) => (this.#startedAt = time),
    };
  }

  /** Measures the clock of the queue, and reports that the shard is ready, unless it ends meanwhile. */
  async #onReady() {
    const { queue } = this.#context;
    while (!this.#isOver && this.#state === 'preparing') {
      try {
        this.#clock = await measureOffset(() => queue.time(), now);
        if (this.#state === 'preparing') this.#state = 'ready';
      } catch {
        await this.#pauses.wait(this.#context.timing.pollMs);
      }
    }
    this.#pauses.wake();
  }

  /** @type {(outcome: any) => void} */
  #onOutcome({ kind, stats = null, why, message, error }) {
    this.#state = kind === 'refused' ? 'refused' : 'ended';
    if (kind === 'refused') this.#known.error = reportedError(error);
    else
      Object.assign(this.#known, {
        outcome: reportedOutcome({ kind, why, message }),
        stats: stats ?? this.#known.stats,
        inFlight: 0,
      });
  }

  /** Follows the orders of the coordinator, until the shard is over. */
  async #follow() {
    const { timing } = this.#context;
    const watch = new ControlWatch(timing);
    while (!this.#isOver) {
      const askedAt = now();
      const control = await this.#readControl().catch(() => undefined);
      // If it stores nothing, the coordinator cannot renew its control either.
      const hasAnswered = control !== undefined && !(control === null && this.#isNotStored);
      watch.read(now(), { hasControl: Boolean(control), hasAnswered, tookMs: now() - askedAt });
      if (control) this.#obey(control);
      // Its run is most likely over: nothing removes its reports, so they expire earlier.
      if (watch.lost === 'coordinator') this.#lifeMs = timing.unreachableMs;
      // Its engine keeps the counts, as the coordinator may come back.
      if (watch.lost !== null) this.stop(watch.lost, { within: timing.orphanMs });
      await this.#pauses.wait(timing.pollMs);
    }
  }

  /** Reads the control; null: none of this run's coordinator. @type {() => Promise<Control | null>} */
  async #readControl() {
    const { queue, shard, notify } = this.#context;
    const [given, time] = await Promise.all([
      readValue(queue.redis, 'control', KEYS.control(shard.run)),
      queue.sealTime(),
    ]);
    if (given === null) return null;
    try {
      const { message, sequence } = readMessage(queue.seal, 'control', shard.run, { given, now: time });
      if (sequence < this.#controlled) throw olderControl();
      this.#controlled = sequence;
      return message;
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      if (!this.#refusals.has(message) && this.#refusals.size < MOST_REFUSALS) {
        this.#refusals.add(message);
        notify(`refused: ${message}`);
      }
      return null;
    }
  }

  /** @type {(control: Control) => void} */
  #obey({ order, startAt, reason, within, dropped }) {
    if (dropped.includes(this.#context.lease)) {
      this.#isUnwanted = true;
      this.#abort();
    } else if (order === 'abort') this.#abort();
    else if (order === 'stop') this.stop(reason ?? 'stopped', within === null ? {} : { within });
    else if (order === 'start' && startAt !== null && this.#clock !== null && this.#state === 'ready') {
      this.#state = 'running';
      this.#startAt = startAt;
      this.#engine.startAt(startAt - this.#clock.offsetMs);
    }
  }

  async #reportRegularly() {
    while (!this.#isOver) {
      const state = this.#state;
      await this.#report().catch(() => {});
      // A change is reported at once.
      if (state === this.#state) await this.#pauses.wait(this.#context.timing.reportMs);
    }
  }

  /** Reports the end. The result is kept until the queue accepts it, or its run is over. */
  async #reportEnd() {
    const { queue, timing, notify } = this.#context;
    const until = now() + timing.keepMs;
    let hasFailed = false;
    /** The instant from which on the queue answers that the run has no control. @type {number | null} */
    let overSince = null;
    while (!this.#isUnwanted) {
      try {
        if (await this.#report()) return;
        // The run has no control: it is over, or its coordinator is suspended.
        overSince ??= now();
        if (this.#isHurried || now() - overSince > timing.unreachableMs) this.#isUnwanted = true;
      } catch (error) {
        overSince = null;
        if (this.#isHurried || now() > until) throw queue.errorOf(error);
        if (!hasFailed) notify(`${queue.errorOf(error).message}; the result is kept until it is back`);
        hasFailed = true;
        // The coordinator waits no longer.
        if (now() - this.#reachedAt > timing.unreachableMs + timing.collectMs && this.#save()) return;
      }
      if (this.#isUnwanted) return;
      await new Promise((resolve) => setTimeout(resolve, timing.pollMs));
      const control = await this.#readControl().catch(() => null);
      if (control?.dropped.includes(this.#context.lease)) this.#isUnwanted = true;
    }
  }

  /** Writes the result into a file. @type {() => boolean} */
  #save() {
    const { shard, saveResult, notify } = this.#context;
    const { begun, stats, outcome } = this.#known;
    if (!saveResult || !begun || !stats) return false;
    const path = saveResult(shard, { begun, stats, why: outcome?.why ?? outcome?.kind ?? 'queue' });
    if (path === null) return false;
    notify(
      `the result of shard ${shard.number} of ${shard.of} is in ${path}: bench-rest merge adds up those of all agents`,
    );
    return true;
  }

  /** @type {() => Promise<boolean>} whether it was stored: its run goes on, and wants it */
  async #report() {
    const { queue, shard } = this.#context;
    if (this.#isUnwanted) return false;
    try {
      const trailer = await writeReport(queue, shard, this.#message(), this.#lifeMs);
      this.#trailer = trailer ?? this.#trailer;
      this.#isNotStored = false;
      this.#reachedAt = now();
      return trailer !== null;
    } catch (error) {
      this.#isNotStored = isNotStored(error);
      throw error;
    }
  }

  /** @type {() => Report} */
  #message() {
    const { lease, presence } = this.#context;
    const { offsetMs, roundTripMs } = this.#clock ?? { offsetMs: 0, roundTripMs: 0 };
    const startDelayMs =
      this.#startedAt === null || this.#startAt === null ? null : this.#startedAt + offsetMs - this.#startAt;
    return {
      protocol: PROTOCOL,
      lease,
      sequence: ++this.#sequence,
      state: this.#state,
      agent: { ...presence(), roundTripMs },
      // Date.now() is a whole number, half a ms too early on average.
      clockOffsetMs: this.#clock === null ? null : Date.now() + 0.5 - (now() + offsetMs),
      startDelayMs,
      ...this.#known,
      stats: withoutOperationSeries(this.#known.stats),
    };
  }
}

/** Removes percentiles over time, which cannot be added up. @type {(stats: Stats | null) => Stats | null} */
function withoutOperationSeries(stats) {
  if (!stats?.series.operations) return stats;
  const { operations: _left, ...series } = stats.series;
  return { ...stats, series };
}

/** @type {() => Error} */
function olderControl() {
  const cure = 'another program wrote it: only agents and commands should reach the queue';
  return makeError('E_MESSAGE', { what: 'control of a run', reason: 'is a copy of an older one', cure });
}
