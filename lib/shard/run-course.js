import { COMPLETED } from '../ground/end-reasons.js';
import { ERRORS, makeError } from '../ground/errors.js';
import { failsByThreshold } from '../measure/thresholds.js';
import { createErrorLimits } from '../run/load/ending.js';
import { Stride } from '../run/options/shard.js';
import { loadsOf } from '../run/plan.js';
import { mergedPoints, mergedState, mergedTick, signalOf } from './merged-state.js';
import { isFinal } from './shard-table.js';

/** @import { RunOptions } from '../contracts/run-options.js' */
/** @import { Stats } from '../contracts/stats.js' */
/** @import { EndReason } from '../ground/end-reasons.js' */
/** @import { PrecisionWatch } from '../measure/confidence.js' */
/** @import { ReportedPlan, StatsOutcome } from '../run/types.js' */
/** @import { ShardTable } from './shard-table.js' */
/** @import { CoordinatorListener, Report, ShardState, SumOptions, Timing } from './types.js' */

// What the coordinator decides by its table in the course of a run: the start, the view and its limits, the end, and
// which agents take over the load of lost ones.

/**
 * Reports whether the wait for the start is over: all shards are ready, or one has ended already.
 * @throws {Error} a shard was refused, with the code of its reason, or E_AGENT_REFUSED; E_AGENT_LOST
 * @type {(table: ShardTable) => boolean}
 */
export function isStartDue({ all, lost, reports }) {
  const refused = reports.find(({ state, error }) => state === 'refused' && error !== null);
  if (refused) throw refusalOf(refused);
  if (lost.length > 0) throw lostBeforeStart(lost[0]);
  if (reports.some(({ state }) => state === 'ended')) return true;
  return reports.length === all.length && reports.every(({ state }) => state === 'ready');
}

/** Makes the plan of the run of that of one shard. @type {(begun: ReportedPlan, agents: number) => ReportedPlan} */
export function wholePlan({ plan, ...begun }, agents) {
  const { shard: _shard, runId: _run, options, ...rest } = plan;
  const { shard: _one, runId: _id, ...shown } = options;
  return { ...begun, plan: { ...rest, shape: `${plan.shape}, by ${agents} agents`, options: { ...shown, agents } } };
}

/**
 * @typedef {object} ViewContext
 * @property {Pick<CoordinatorListener, 'onProgress' | 'onTick' | 'onState'>} listener
 * @property {number} everyMs
 * @property {number} tolerated how many agents may be lost
 * @property {RunOptions} options
 * @property {SumOptions} sum
 * @property {() => number} [now] ms
 */

/**
 * The sum of many agents with many operations takes long: after a view, and after a judgement, this multiple of it is
 * for other things.
 */
const REST_OF_VIEW = 4;
const REST_OF_JUDGEMENT = 2;

/**
 * The live view of a run on agents: the exact sum of all shards, once per interval. Limits and thresholds are judged by
 * a sum of what they need, which takes a tenth of the time after ten minutes.
 */
export class LiveView {
  #context;
  #now;
  #shownAt;
  /** Time without a view after one that took long, ms. */
  #restMs = 0;
  /** Settles when the current view is complete; null: nothing is added up. @type {Promise<void> | null} */
  #showing = null;
  /** Iterations that had ended at the last view. */
  #ended = 0;
  /** The instant of the last judgement. */
  judgedAt;
  /** Time without a judgement after one that took long, ms. */
  #unjudgedMs = 0;

  /** @param {ViewContext} context */
  constructor(context) {
    this.#context = context;
    this.#now = context.now ?? (() => performance.now());
    this.#shownAt = this.#now();
    this.judgedAt = this.#shownAt;
  }

  /**
   * Shows the sum, if the interval is over and anything was reported; resolves when it is shown. It takes long, so
   * judgements do not wait for it.
   * @type {(table: ShardTable) => Promise<void>}
   */
  show(table) {
    const from = this.#now();
    const elapsedMs = from - this.#shownAt;
    const isDue = elapsedMs >= Math.max(this.#context.everyMs, this.#restMs) && table.reports.length > 0;
    if (this.#showing !== null || !isDue) return this.#showing ?? Promise.resolve();
    this.#showing = this.#show(table, elapsedMs).then(() => {
      this.#shownAt = from;
      this.#restMs = REST_OF_VIEW * (this.#now() - from);
      this.#showing = null;
    });
    return this.#showing;
  }

  /**
   * Judges the sum, if the interval is over, and returns why the run has to stop: limits of errors and thresholds hold
   * for the sum.
   * @type {(table: ShardTable) => Promise<string | null>}
   */
  async judge(table) {
    const { everyMs, tolerated, options, sum } = this.#context;
    const from = this.#now();
    if (from - this.judgedAt < Math.max(everyMs, this.#unjudgedMs)) return null;
    const { precision } = sum;
    const isPrecise =
      precision?.isDue(mergedTick(table)?.elapsedMs ?? 0) === true && (await isReached(table, precision));
    if (!isPrecise && !mayStop(table, options)) return null;
    const stats = isPrecise ? null : await mergedState(table, tolerated, { ...sum, isJudged: true });
    this.judgedAt = from;
    this.#unjudgedMs = REST_OF_JUDGEMENT * (this.#now() - from);
    if (isPrecise) return 'precision';
    return stats && stopReasonOf(stats, options, mergedTick(table)?.elapsedMs ?? 0);
  }

  /** @type {(table: ShardTable, elapsedMs: number) => Promise<void>} */
  async #show(table, elapsedMs) {
    const { listener, tolerated, sum } = this.#context;
    const tick = mergedTick(table);
    const stats = await mergedState(table, tolerated, sum);
    if (tick) listener.onTick(tick);
    if (!stats) return;
    const { started, completed, failed, cancelled } = stats.iterations;
    const ended = completed + failed + cancelled;
    listener.onState(stats);
    listener.onProgress({
      stats,
      percent: Math.round((tick?.share ?? 1) * 100),
      concurrent: started - ended,
      ips: Math.round((1000 * (ended - this.#ended)) / elapsedMs),
    });
    this.#ended = ended;
  }
}

/** Judges the precision of the sum. @type {(table: ShardTable, precision: PrecisionWatch) => Promise<boolean>} */
async function isReached(table, precision) {
  const merged = await mergedPoints(table);
  return merged !== null && precision.isReached(merged.elapsedMs, () => merged.points);
}

/**
 * Reports whether the run may stop: without an error only a threshold can stop it.
 * @type {(table: ShardTable, options: RunOptions) => boolean}
 */
function mayStop({ reports }, { abortOnFail, abortOnFailOf = [] }) {
  return (
    abortOnFail === true ||
    abortOnFailOf.length > 0 ||
    reports.some(({ stats }) => stats !== null && stats.errors.count > 0)
  );
}

/**
 * Returns why the sum ends the run: a limit of errors, or a threshold.
 * @type {(stats: Stats, options: RunOptions, elapsedMs: number) => EndReason | null} elapsedMs: since the start of the
 *   measured iterations
 */
function stopReasonOf(stats, { abortAfter = 0, bailout, keepGoing, ...options }, elapsedMs) {
  const { errors, iterations, requests } = stats;
  const limit = createErrorLimits({ bailout, keepGoing });
  const sum = { errorCount: errors.count, iterations, requests, errors: () => errors };
  const reason = limit(sum, () => stats.connections.opened);
  if (reason) return reason;
  return elapsedMs >= abortAfter && failsByThreshold(stats, options) ? 'threshold' : null;
}

/**
 * Returns how a run has ended whose shards have all ended, or are lost. `stats` is the sum of all shards, `reason` that
 * of a stop.
 * @throws {Error} E_AGENT_LOST: an agent was lost, and nothing was measured
 * @type {(table: ShardTable, known: { stats: Stats | null, isAborted: boolean, reason: string | null }) =>
 *   StatsOutcome}
 */
export function endOf({ lost, reports }, { stats, isAborted, reason }) {
  if (isAborted) return { kind: 'aborted', stats };
  if (stats === null) {
    const refused = reports.find(({ state, error }) => state === 'refused' && error !== null);
    if (refused) throw refusalOf(refused);
    if (lost.length > 0) throw lostBeforeStart(lost[0]);
    return { kind: 'aborted', stats: null };
  }
  const why = reports.map(whyOf).find((one) => one !== undefined && one !== COMPLETED);
  return { kind: 'ended', stats, why: reason ?? why ?? COMPLETED };
}

/** Explains why the other shards stop: one did not end as planned. @type {(reports: Report[]) => string | null} */
export function earlyEndOf(reports) {
  const early = reports.find(({ outcome }) => outcome && outcome.why !== COMPLETED);
  return early ? (whyOf(early) ?? 'agent') : null;
}

/** Creates E_AGENT_LOST for a shard that was lost before the start. @type {(shard: ShardState) => Error} */
function lostBeforeStart({ number, report, lost }) {
  return makeError('E_AGENT_LOST', { name: report?.agent.name ?? `of shard ${number}`, reason: lost });
}

/** Explains why a shard is lost that was ready, and then could not run. @type {(report: Report) => string} */
export function refusedLate({ error }) {
  return `it could not run the flow: ${error?.message}`;
}

/** The refusal of a shard. Without a code of ours it is about the agent. @type {(report: Report) => Error} */
function refusalOf({ agent: { name }, error }) {
  const { code = '', message } = /** @type {NonNullable<Report['error']>} */ (error);
  if (!Object.hasOwn(ERRORS, code)) return makeError('E_AGENT_REFUSED', { name, reason: message });
  return Object.assign(new Error(`agent ${name}: ${message}`), { code });
}

/** Returns why a shard has ended; `agent`: a signal there. @type {(report: Report) => string | undefined} */
function whyOf(report) {
  return signalOf(report) !== null ? 'agent' : report.outcome?.why;
}

/** A lost part is divided among at most so many agents. */
const MOST_TAKERS = 16;
/** In a closed run iterations have no time: more than an agent starts until its next report. */
const AHEAD_INDEXES = 1e7;

/**
 * Decides which agents take over the loads of one that was lost. Every agent may start the iterations of a load below a
 * number that the coordinator raises as the run goes on; from there on, the stride of a lost shard is divided into
 * strides of its own:
 *
 *     shard 2 of 3:  1 4 7 10 | 13 16 19 22 25 ...
 *                             |  part 2 of 6:  13    19    25
 *                             |  part 5 of 6:     16    22
 *
 * Iterations before that are in no report are missing. A part has its stride of every load, each from another iteration
 * on.
 */
export class Replacements {
  #agents;
  #permitMs;
  #loads;
  /** The time of the last permits, since the start. */
  #ms = 0;

  /**
   * @param {number} agents
   * @param {RunOptions} options of the run
   * @param {Pick<Timing, 'permitMs'>} timing permitMs: agents that are cut off from the queue go on for this long
   */
  constructor(agents, options, { permitMs }) {
    this.#permitMs = permitMs;
    this.#agents = agents;
    this.#loads = loadsOf(options);
  }

  /** How many loads need permits. */
  get loads() {
    return this.#loads.length;
  }

  /**
   * Returns for each load the number below which agents may start iterations. `ms`: the time since the start.
   * @type {(ms: number, table: ShardTable) => number[]}
   */
  permitted(ms, table) {
    this.#ms = Math.max(this.#ms, ms);
    return this.#loads.map(({ place, from, schedule: { arrived } }) => {
      if (arrived === null) return highestOf(table, this.#agents, place) + this.#agents * AHEAD_INDEXES;
      const permittedMs = this.#ms + this.#permitMs - from;
      return permittedMs < 0 ? 0 : arrived(permittedMs);
    });
  }

  /**
   * Divides the rest of lost shards among the agents that run, and reports whether there are new parts, which the table
   * gets. No agent was permitted to start the iterations `below` of each load; controls that permit more name the lost
   * ones.
   * @type {(table: ShardTable, below: number[]) => boolean}
   */
  replace(table, below) {
    let hasNew = false;
    // A part that one agent cannot run is not given to others, which could not either.
    for (const shard of table.lost.filter(({ isReplaced, report }) => !isReplaced && report?.state !== 'refused')) {
      const takers = takersIn(table);
      const free = table.freeFrom(shard, below);
      // Before the first renewal nothing is permitted.
      const from = this.#loads.map(({ place }) => Math.max(shard.part?.from[place] ?? 0, free[place] ?? 0));
      const left = this.#leftFrom(from);
      if (takers.length === 0 || left.length === 0) continue;
      this.#divide(table, shard, { takers, from, left });
      hasNew = true;
    }
    return hasNew;
  }

  /**
   * Lists the loads that go on from these iterations on, with the time when theirs is due; of a closed load, now.
   * @type {(from: number[]) => { fromMs: number, most: number }[]}
   */
  #leftFrom(from) {
    return this.#loads.flatMap((load, at) => {
      const { arrived, arrival, end, most } = load.schedule;
      const ownMs = arrived === null ? Math.max(0, this.#ms - load.from) : arrival(from[at]);
      return ownMs < end ? [{ fromMs: load.from + ownMs, most }] : [];
    });
  }

  /**
   * Adds the parts of a lost shard to the table. `of * count` strides from `number + i * of` are its stride again.
   * @type {(table: ShardTable, lost: ShardState, found: { takers: ShardState[], from: number[], left: { fromMs: number,
   *   most: number }[] }) => void}
   */
  #divide(table, lost, { takers, from, left }) {
    const { number, of } = lost.part ?? { number: lost.number, of: this.#agents };
    const stride = new Stride({ number, of });
    // Each part has a virtual user of each load that the lost one had users of.
    const users = left.map(({ most }) => stride.countOf(most)).filter((own) => own > 0);
    const count = users.length === 0 ? 0 : Math.min(MOST_TAKERS, takers.length, ...users);
    const fromMs = Math.min(...left.map((load) => load.fromMs));
    for (let i = 0; i < count; i++)
      table.add({
        part: { number: number + i * of, of: of * count, from },
        fromMs,
        replaces: lost.number,
        taker: takers[i],
      });
    lost.isReplaced = true;
  }
}

/** Lists agents for a part, those that have taken over least first. @type {(table: ShardTable) => ShardState[]} */
function takersIn(table) {
  const taken = (/** @type {ShardState} */ { number }) =>
    table.open.reduce((sum, { part }) => sum + (part?.taker === number ? 1 / part.of : 0), 0);
  return table.all
    .filter(({ part, lost, report }) => !part && lost === null && report?.state === 'running' && !isFinal(report))
    .map((shard) => ({ shard, load: taken(shard) }))
    .sort((a, b) => a.load - b.load || a.shard.number - b.shard.number)
    .map(({ shard }) => shard);
}

/**
 * Returns a bound above all iterations of a load that the reports count as started. `place`: of the load in the run.
 * @type {(table: ShardTable, agents: number, place: number) => number}
 */
function highestOf({ all }, agents, place) {
  const ends = all.map(({ report, part }) => {
    const { of, from } = part ?? { of: agents, from: [] };
    const stats = report?.stats;
    const { iterations } = stats?.loads?.[place] ?? stats ?? { iterations: { started: 0 } };
    return (from[place] ?? 0) + of * iterations.started;
  });
  return Math.max(0, ...ends);
}
