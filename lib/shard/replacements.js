import { Stride } from '../run/options/shard.js';
import { scheduleOf } from '../run/plan.js';
import { isFinal } from './shard-table.js';

/** @import { RunOptions } from '../contracts/run-options.js' */
/** @import { ShardTable } from './shard-table.js' */
/** @import { ShardState, Timing } from './types.js' */

/** A lost part is divided among at most so many agents. */
const MOST_TAKERS = 16;
/** In a closed run iterations have no time: more than an agent starts until its next report. */
const AHEAD_INDEXES = 1e7;

/**
 * Decides which agents take over the load of one that was lost. Every agent may start iterations below an INDEX that
 * the coordinator raises as the run goes on; from there on, the stride of a lost shard is divided into strides of its
 * own:
 *
 *     shard 2 of 3:  1 4 7 10 | 13 16 19 22 25 ...
 *                             |  part 2 of 6:  13    19    25
 *                             |  part 5 of 6:     16    22
 *
 * Iterations before that are in no report are missing.
 */
export class Replacements {
  #agents;
  #permitMs;
  #options;
  #schedule;
  #users;
  #ms = 0;

  /**
   * @param {number} agents
   * @param {RunOptions} options of the run
   * @param {Pick<Timing, 'permitMs'>} timing permitMs: agents that are cut off from the queue go on for this long
   */
  constructor(agents, options, { permitMs }) {
    this.#permitMs = permitMs;
    this.#agents = agents;
    this.#options = options;
    this.#schedule = scheduleOf(options);
    this.#users = Math.floor(options.limit / (options.pipelining ?? 1));
  }

  /**
   * Returns the INDEX below which agents may start iterations, ms after the start of the run.
   * @type {(ms: number, table: ShardTable) => number}
   */
  permitted(ms, table) {
    this.#ms = Math.max(this.#ms, ms);
    const { arrived } = this.#schedule;
    return arrived === null
      ? highestOf(table, this.#agents) + this.#agents * AHEAD_INDEXES
      : arrived(this.#ms + this.#permitMs);
  }

  /**
   * Divides the rest of lost shards among the agents that run, and reports whether there are new parts, which the table
   * gets. No agent was permitted to start the INDEX `below`; controls that permit more name the lost ones.
   * @type {(table: ShardTable, below: number) => boolean}
   */
  replace(table, below) {
    let hasNew = false;
    // A part that one agent cannot run is not given to others, which could not either.
    for (const shard of table.lost.filter(({ isReplaced, report }) => !isReplaced && report?.state !== 'refused')) {
      const takers = takersIn(table);
      const from = Math.max(shard.part?.from ?? 0, table.freeFrom(shard, below));
      const fromMs = this.#dueAt(from);
      if (takers.length === 0 || fromMs >= this.#schedule.end) continue;
      this.#divide(table, shard, { takers, from, fromMs });
      hasNew = true;
    }
    return hasNew;
  }

  /** Returns when an INDEX is due; in a closed run, now. @type {(index: number) => number} ms */
  #dueAt(index) {
    // It is a schedule of its own, as its INDEX may not decrease.
    return this.#schedule.arrived === null ? this.#ms : scheduleOf(this.#options).arrival(index);
  }

  /**
   * @type {(table: ShardTable, lost: ShardState, found: { takers: ShardState[], from: number, fromMs: number }) =>
   *   void}
   */
  #divide(table, lost, { takers, from, fromMs }) {
    const { number, of } = lost.part ?? { number: lost.number, of: this.#agents };
    // Each part has a virtual user.
    const count = Math.min(MOST_TAKERS, takers.length, new Stride({ number, of }).countOf(this.#users));
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

/**
 * Lists the agents that can take over a part, those that have taken over least first.
 * @type {(table: ShardTable) => ShardState[]}
 */
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
 * Returns the highest INDEX that the reports know of, at least.
 * @type {(table: ShardTable, agents: number) => number}
 */
function highestOf({ all }, agents) {
  const ends = all.map(({ report, part }) => {
    const { of, from } = part ?? { of: agents, from: 0 };
    return from + of * (report?.stats?.iterations.started ?? 0);
  });
  return Math.max(0, ...ends);
}
