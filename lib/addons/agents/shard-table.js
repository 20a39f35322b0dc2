import { Silence } from '../../core/run/silence.js';
import { shortened } from '../../core/text/format-value.js';
import { safe } from '../../core/text/safe.js';
import { COMMAND_MS } from './queue.js';

/** @import { LossCode } from '../../core/measure/load-generators.js' */
/** @import { Report, ShardState, Timing, Unreadable } from './types.js' */

/** Most leases of copies that are kept. */
const MOST_COPIES = 1000;
/** Characters of a reason. */
const MAX_REASON = 200;

/** The shards of a run: accepts their reports, and decides which of them are lost. */
export class ShardTable {
  #timing;
  #now;
  /** @type {ShardState[]} */
  #shards;
  count;
  /** Leases of agents that run a shard that another one has begun. @type {Set<string>} */
  #copies = new Set();

  /**
   * @param {number} count
   * @param {Pick<Timing, 'reportMs' | 'stalledMs' | 'silentMs' | 'untakenMs' | 'unreachableMs' | 'orphanMs'>} timing
   * @param {() => number} [now] ms
   */
  constructor(count, timing, now = () => performance.now()) {
    this.#timing = timing;
    this.#now = now;
    this.count = count;
    this.#shards = Array.from({ length: count }, (_, i) => stateOf(i + 1, timing));
  }

  /** @type {readonly ShardState[]} */
  get all() {
    return this.#shards;
  }

  /** Lists the shards that may still report. @type {ShardState[]} */
  get open() {
    return this.#shards.filter(({ lost, report }) => lost === null && !isFinal(report));
  }

  /** @type {ShardState[]} */
  get lost() {
    return this.#shards.filter(({ lost }) => lost !== null);
  }

  /** The leases whose reports are refused: of lost shards, and of copies of jobs. @type {string[]} */
  get dropped() {
    return [...new Set(this.lost.flatMap(({ lease }) => lease ?? [])), ...this.#copies];
  }

  /** Lists the latest report of each shard that has reported. @type {Report[]} */
  get reports() {
    return this.#shards.flatMap(({ report }) => report ?? []);
  }

  /**
   * Reads the reports that the queue had at one time.
   * @param {Map<number, Report | Unreadable>} reports by number of the shard
   * @param {number} now ms
   * @param {object} [options]
   * @param {boolean} [options.isCutOff] no report could arrive
   * @param {Set<number>} [options.unread] numbers of shards whose new reports are read later
   */
  take(reports, now, { isCutOff = false, unread = new Set() } = {}) {
    this.#dropUnreadable(reports);
    for (const shard of this.open) {
      const isRead = this.#accept(shard, reports.get(shard.number));
      const isNew = isRead || unread.has(shard.number);
      if (isRead) shard.reportedAt = now;
      // Its agent could not renew the lock of its job meanwhile, so BullMQ may have given it up.
      if (isCutOff) shard.hasLostJob = true;
      shard.uncountedMs = this.#uncountedMs(shard, now);
      shard.silence.look(now, { hasReported: isNew, isCutOff });
      // The first report after a cut-off may have been written before it: it does not show that the agent still runs.
      if (isNew && !shard.silence.wasCutOff) shard.suspicion = null;
      this.#judge(shard, now);
    }
  }

  /** @type {(reports: Map<number, Report | Unreadable>) => void} */
  #dropUnreadable(reports) {
    for (const [number, report] of reports)
      if (isUnreadable(report)) this.drop(number, `its report is refused: ${report.fault}`, 'refused');
  }

  /**
   * Accepts a report, unless an agent wrote it that runs a copy of the job.
   * @type {(shard: ShardState, report: Report | Unreadable | undefined) => boolean} whether it is new
   */
  #accept(shard, report) {
    if (!report || isUnreadable(report)) return false;
    shard.lease ??= report.lease;
    if (report.lease !== shard.lease) {
      if (this.#copies.size < MOST_COPIES) this.#copies.add(report.lease);
      return false;
    }
    if (report.sequence <= (shard.report?.sequence ?? 0)) return false;
    shard.report = report;
    return true;
  }

  /** Suspects that a shard is lost; it is, unless it still reports. @type {(number: number, reason: string) => void} */
  suspect(number, reason) {
    const shard = this.#shards[number - 1];
    if (shard.lost === null) shard.suspicion ??= bounded(reason);
  }

  /** @type {(number: number, reason: string, code: LossCode) => void} */
  drop(number, reason, code) {
    const shard = this.#shards[number - 1];
    if (shard.lost === null) this.#lose(shard, { reason: bounded(reason), code }, this.#now());
  }

  /** Drops a shard, and the state that it has reported. @type {(number: number, reason: string) => void} */
  discard(number, reason) {
    const shard = this.#shards[number - 1];
    this.drop(number, reason, 'refused');
    if (shard.report) shard.report = { ...shard.report, stats: null, tick: null };
  }

  /** @type {(shard: ShardState, loss: { reason: string, code: LossCode }, now: number) => void} */
  #lose(shard, loss, now) {
    shard.lost = loss.reason;
    shard.lostCode = loss.code;
    shard.uncountedMs = this.#uncountedMs(shard, now);
  }

  /** Returns how long a silent agent may have gone on, ms. @type {(shard: ShardState, now: number) => number} */
  #uncountedMs({ reportedAt }, now) {
    const { unreachableMs, orphanMs } = this.#timing;
    return reportedAt === null ? 0 : Math.min(now - reportedAt, unreachableMs + orphanMs + COMMAND_MS);
  }

  /** @type {(shard: ShardState, now: number) => void} */
  #judge(shard, now) {
    if (isFinal(shard.report) || shard.lost !== null) return;
    const isBegun = shard.report !== null;
    const reason = isBegun ? this.#whySilent(shard) : this.#whyNotBegun(shard);
    if (reason !== null) this.#lose(shard, { reason, code: isBegun ? 'noSignal' : 'notBegun' }, now);
  }

  /** @type {(shard: ShardState) => string | null} why a shard is lost that no agent has begun */
  #whyNotBegun({ suspicion, silence: { ms: silentMs }, hasLostJob }) {
    const { stalledMs, silentMs: longestMs, untakenMs } = this.#timing;
    if (suspicion !== null && silentMs >= (hasLostJob ? longestMs : stalledMs)) return suspicion;
    return silentMs >= untakenMs ? `no agent has begun it for ${wholeSeconds(silentMs)}` : null;
  }

  /** @type {(shard: ShardState) => string | null} */
  #whySilent({ report, suspicion, silence: { ms: silentMs }, hasLostJob }) {
    const { stalledMs, silentMs: longestMs } = this.#timing;
    // Many agents that begin on one machine take CPU from each other, and nothing is measured yet.
    const isStarting = report?.state === 'preparing' || report?.state === 'ready';
    const isWatched = !isStarting && !hasLostJob;
    if (suspicion !== null && silentMs >= (isWatched ? stalledMs : longestMs)) return suspicion;
    return silentMs >= longestMs ? `it has not reported for ${wholeSeconds(silentMs)}` : null;
  }
}

/** @type {(number: number, timing: Pick<Timing, 'reportMs'>) => ShardState} */
function stateOf(number, { reportMs }) {
  return {
    number,
    report: null,
    lease: null,
    silence: new Silence({ mostMs: reportMs }),
    reportedAt: null,
    uncountedMs: 0,
    suspicion: null,
    hasLostJob: false,
    lost: null,
    lostCode: 'noSignal',
  };
}

/** @type {(report: Report | null) => boolean} nothing follows it */
function isFinal(report) {
  return report !== null && (report.state === 'ended' || report.state === 'refused');
}

/** @type {(report: Report | Unreadable) => report is Unreadable} */
function isUnreadable(report) {
  return 'fault' in report;
}

/** Shortens a text that another machine wrote. @type {(reason: string) => string} */
function bounded(reason) {
  return shortened(safe(reason), MAX_REASON);
}

/** @type {(ms: number) => string} `10 s` */
export function wholeSeconds(ms) {
  return `${Math.round(ms / 1000)} s`;
}
