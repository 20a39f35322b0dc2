import { shortened } from '../text/format-value.js';
import { safe } from '../text/safe.js';

/**
 * @import { Report } from './protocol.js'
 * @import { Timing } from './timing.js'
 *
 * @typedef {object} ShardState what the coordinator knows of a shard
 * @property {number} number from 1
 * @property {Report | null} report the latest; only this one is kept
 * @property {string | null} lease of the first report: reports with another one are refused
 * @property {number} silentMs since its last report, without times in which the queue was not read
 * @property {string | null} suspicion why it may be lost
 * @property {string | null} lost why it was dropped
 */

/** Characters of a reason. */
const MAX_REASON = 200;

/** The shards of a run: accepts their reports, and decides which of them are lost. */
export class ShardTable {
  #timing;
  /** @type {ShardState[]} */
  #shards;
  /** @type {number | null} */
  #polledAt = null;

  /**
   * @param {number} count
   * @param {Pick<Timing, 'reportMs' | 'stalledMs' | 'silentMs' | 'untakenMs'>} timing
   */
  constructor(count, timing) {
    this.#timing = timing;
    this.#shards = Array.from({ length: count }, (_, i) => ({
      number: i + 1,
      report: null,
      lease: null,
      silentMs: 0,
      suspicion: null,
      lost: null,
    }));
  }

  /** @returns {readonly ShardState[]} */
  get all() {
    return this.#shards;
  }

  /** @returns {ShardState[]} that may still report */
  get open() {
    return this.#shards.filter(({ lost, report }) => lost === null && !isFinal(report));
  }

  /** @returns {ShardState[]} */
  get lost() {
    return this.#shards.filter(({ lost }) => lost !== null);
  }

  /** @returns {string[]} leases whose reports are refused */
  get dropped() {
    return this.lost.flatMap(({ lease }) => lease ?? []);
  }

  /** @returns {Report[]} the latest of each shard that has reported */
  get reports() {
    return this.#shards.flatMap(({ report }) => report ?? []);
  }

  /**
   * Takes the reports that the queue had at one time.
   *
   * @param {Map<number, Report | null>} reports by number of the shard; null: it is no report
   * @param {number} now ms
   */
  take(reports, now) {
    const elapsed = this.#polledAt === null ? 0 : now - this.#polledAt;
    this.#polledAt = now;
    // the queue, or this process, did not respond: no report could arrive
    const wasCutOff = elapsed > 2 * this.#timing.reportMs;
    for (const [number, report] of reports) if (report === null) this.drop(number, 'it sent a report that is not one');
    for (const shard of this.open) {
      const isNew = accept(shard, reports.get(shard.number));
      if (isNew || wasCutOff) shard.silentMs = 0;
      // a pause of this machine delays the reports of its agents, too: they follow the first poll after it
      else shard.silentMs += Math.min(elapsed, this.#timing.reportMs);
      if (isNew && !wasCutOff) shard.suspicion = null;
      this.#judge(shard);
    }
  }

  /** Something suggests that a shard is lost; it is, unless it still reports. @type {(number: number, reason: string) => void} */
  suspect(number, reason) {
    const shard = this.#shards[number - 1];
    if (shard && shard.lost === null) shard.suspicion ??= bounded(reason);
  }

  /** @type {(number: number, reason: string) => void} */
  drop(number, reason) {
    this.#shards[number - 1].lost ??= reason;
  }

  /** Drops a shard, and the state that it has reported. @type {(number: number, reason: string) => void} */
  discard(number, reason) {
    const shard = this.#shards[number - 1];
    this.drop(number, reason);
    if (shard.report) shard.report = { ...shard.report, stats: null, tick: null };
  }

  /** @type {(shard: ShardState) => void} */
  #judge(shard) {
    const { report, suspicion, silentMs } = shard;
    if (isFinal(report)) return;
    const { stalledMs, silentMs: longestMs, untakenMs } = this.#timing;
    // many agents that begin on one machine take its time from each other, and nothing is measured yet
    const isStarting = report?.state === 'preparing' || report?.state === 'ready';
    if (suspicion !== null && silentMs >= (isStarting ? longestMs : stalledMs)) shard.lost = suspicion;
    else if (report !== null && silentMs >= longestMs)
      shard.lost = `it has not reported for ${(silentMs / 1000).toFixed(0)} s`;
    else if (report === null && silentMs >= untakenMs)
      shard.lost = `no agent has begun it for ${(silentMs / 1000).toFixed(0)} s`;
  }
}

/** @type {(report: Report | null) => boolean} nothing follows it */
export function isFinal(report) {
  return report !== null && (report.state === 'ended' || report.state === 'refused');
}

/** @type {(shard: ShardState, report: Report | null | undefined) => boolean} whether it is new, and of the same attempt */
function accept(shard, report) {
  if (!report) return false;
  shard.lease ??= report.lease;
  if (report.lease !== shard.lease || report.sequence <= (shard.report?.sequence ?? 0)) return false;
  shard.report = report;
  return true;
}

/** Another machine wrote it. @type {(reason: string) => string} */
function bounded(reason) {
  return shortened(safe(reason), MAX_REASON);
}
