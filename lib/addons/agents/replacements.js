import { Stride } from '../../core/run/options/shard.js';
import { loadsOf } from '../../core/run/plan.js';

/** @import { RunOptions } from '../../core/contracts/run-options.js' */
/** @import { ShardTable } from './shard-table.js' */
/** @import { ShardState, Timing } from './types.js' */

/** A lost part is divided among at most so many agents. */
const MOST_TAKERS = 16;
/** The iterations of a closed run are due at no time: this many, more than an agent can start until its next report. */
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
 * Iterations before that number which the lost agent has not reported are missing in the result. A part has its stride
 * of every load, of each load from another iteration on.
 */
export class Replacements {
  #agents;
  #permitMs;
  #loads;
  /** The time of the last permits, since the start of the run. */
  #ms = 0;

  /**
   * @param {number} agents
   * @param {RunOptions} options of the run
   * @param {Pick<Timing, 'permitMs'>} timing permitMs: how far permits reach ahead, so that agents go on for this long
   *   if they are cut off from the queue
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
   * Returns for each load the number below which agents may start iterations. `ms`: since the start of the run.
   * @type {(ms: number, table: ShardTable) => number[]}
   */
  permitted(ms, table) {
    this.#ms = Math.max(this.#ms, ms);
    return this.#loads.map(({ place, from: startMs, schedule: { arrived } }) => {
      if (arrived === null) return highestOf(table, this.#agents, place) + this.#agents * AHEAD_INDEXES;
      const ownMs = this.#ms + this.#permitMs - startMs;
      return ownMs < 0 ? 0 : arrived(ownMs);
    });
  }

  /**
   * Divides the rest of lost shards among the agents that run, adds the parts to the table, and reports whether there
   * are any. `below`: for each load the first iteration that no control has permitted yet. A lost agent that still runs
   * cannot start the iterations from there on: the controls that permit them also tell it that it is lost.
   * @type {(table: ShardTable, below: number[]) => boolean}
   */
  replace(table, below) {
    let hasNew = false;
    // The other agents could not run what one of them has refused.
    for (const shard of table.lost.filter(({ isReplaced, report }) => !isReplaced && report?.state !== 'refused')) {
      const takers = takersIn(table);
      const free = table.freeFrom(shard, below);
      // `free` is empty before the first renewal of the control: nothing is permitted then.
      const from = this.#loads.map(({ place }) => Math.max(shard.part?.from[place] ?? 0, free[place] ?? 0));
      const left = this.#leftFrom(from);
      if (takers.length === 0 || left.length === 0) continue;
      this.#divide(table, shard, { takers, from, left });
      hasNew = true;
    }
    return hasNew;
  }

  /**
   * Lists the loads that have iterations from these on, with the time when the first of them is due (of a closed load:
   * now), and the most virtual users.
   * @type {(from: number[]) => { fromMs: number, most: number }[]}
   */
  #leftFrom(from) {
    return this.#loads.flatMap(({ place, from: startMs, schedule: { arrived, arrival, end, most } }) => {
      const ownMs = arrived === null ? Math.max(0, this.#ms - startMs) : arrival(from[place]);
      return ownMs < end ? [{ fromMs: startMs + ownMs, most }] : [];
    });
  }

  /**
   * Adds the parts of a lost shard to the table: its stride `number` of `of` is divided into `count` strides, with
   * the numbers `number + i * of`, of `of * count` (see the example above).
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

/**
 * Lists the agents that can take over a part, first those that have taken over the smallest share of the run.
 * @type {(table: ShardTable) => ShardState[]}
 */
function takersIn(table) {
  const takenShare = (/** @type {ShardState} */ { number }) =>
    table.open.reduce((sum, { part }) => sum + (part?.taker === number ? 1 / part.of : 0), 0);
  return table.all
    .filter(({ part, lost, report }) => !part && lost === null && report?.state === 'running')
    .map((shard) => ({ shard, taken: takenShare(shard) }))
    .sort((a, b) => a.taken - b.taken || a.shard.number - b.shard.number)
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
