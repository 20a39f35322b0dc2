import pLimit from 'p-limit';

/**
 * @import { Schedule } from '../schedule/types.js'
 * @import { Lane } from '../iteration/lane.js'
 * @import { Arrivals } from './arrivals.js'
 * @import { Clock } from './clock.js'
 * @import { Ending } from './ending.js'
 * @import { Pacer } from './pacer.js'
 *
 * @typedef {object} LanesOptions
 * @property {number} start instant of the clock
 * @property {Schedule} schedule
 * @property {Lane[]} lanes
 * @property {(count: number) => number} shareOf how many of the lanes of the schedule are of this thread
 * @property {Arrivals} arrivals
 * @property {Pick<Ending, 'isOver' | 'onOver'>} ending
 * @property {Pacer} pacer
 * @property {Clock} clock
 * @property {(index: number, lane: Lane, due: number, wasFree: boolean) => Promise<void>} perform never rejects; due:
 *   instant of the clock, NaN where the plan says none; wasFree: the lane waited for that instant
 * @property {number} [mostOfLane] iterations after which a lane is done
 * @property {(() => number) | null} [pauseMs] how long a lane rests between iterations
 * @property {() => boolean} mustYield something went wrong that took no time: let timers and signals have their turn
 */

const ADJUST_MS = 50;

/**
 * The loop of a run: each lane claims an iteration, waits until it is due, performs it, and claims the next, until there
 * is none. A lane that comes late finds the instant in the past.
 *
 * @param {LanesOptions} options
 * @returns {Promise<void>}
 */
export async function runLanes(options) {
  const {
    start,
    schedule,
    lanes,
    shareOf,
    arrivals,
    ending,
    pacer,
    clock,
    perform,
    mustYield,
    mostOfLane = Infinity,
    pauseMs = null,
  } = options;
  const isOpen = schedule.arrived !== null;
  const lanesAt = (/** @type {number} */ now) => shareOf(schedule.lanes(now - start));
  const isSteady = schedule.lanes(0) === schedule.most;
  const admit = pLimit(Math.max(1, lanesAt(start)));
  const stopAdjusting = isSteady ? () => {} : clock.every(adjust, ADJUST_MS);
  /** @type {Set<Lane>} */
  const resting = new Set();
  const forget = ending.onOver(() => {
    // lanes that stand in line are let in, to see that it is over
    admit.concurrency = Math.max(1, lanes.length);
    pacer.wakeAll();
    for (const lane of resting) lane.wake();
  });
  await Promise.all(lanes.map(keepWorking));
  stopAdjusting();
  forget();

  /** A lane that left its place stands in line for another. @type {(lane: Lane) => Promise<void>} */
  async function keepWorking(lane) {
    while ((await admit(work, lane)) === 'left');
  }

  /** @type {(lane: Lane) => Promise<'left' | 'done'>} */
  async function work(lane) {
    while (!ending.isOver && lane.iterations < mostOfLane) {
      if (admit.activeCount > admit.concurrency) return 'left';
      // p-limit lets one in at least, where it is another thread's turn
      if (!isSteady && lanesAt(clock.now()) === 0) {
        await rest(lane, ADJUST_MS);
        continue;
      }
      const index = arrivals.take();
      if (index < 0) return 'done';
      const due = isOpen ? start + arrivals.due : NaN;
      const wasFree = isOpen && due > clock.now();
      if (wasFree) {
        await pacer.until(due);
        // who was free at its instant starts, though the plan may end before the timer comes
        if (ending.isOver && due > clock.now()) return 'done';
      }
      lane.iterations++;
      await perform(index, lane, due, wasFree);
      if (pauseMs) await rest(lane, pauseMs());
      if (mustYield()) await new Promise((resolve) => setImmediate(resolve));
    }
    return 'done';
  }

  /** @type {(lane: Lane, ms: number) => Promise<void>} */
  async function rest(lane, ms) {
    if (ending.isOver) return;
    resting.add(lane);
    await lane.sleep(ms);
    resting.delete(lane);
  }

  function adjust() {
    admit.concurrency = Math.max(1, lanesAt(clock.now()));
  }
}
