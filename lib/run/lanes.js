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
 * @property {Arrivals} arrivals
 * @property {Ending} ending
 * @property {Pacer} pacer
 * @property {Clock} clock
 * @property {() => Lane} createLane
 * @property {(index: number, lane: Lane, due: number) => Promise<void>} perform never rejects; due: instant of the
 *   clock, NaN where the plan says none
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
export async function runLanes({ start, schedule, arrivals, ending, pacer, clock, createLane, perform, mustYield }) {
  const isOpen = schedule.arrived !== null;
  const admit = pLimit(Math.max(1, schedule.lanes(0)));
  const stopAdjusting = schedule.lanes(0) === schedule.most ? () => {} : clock.every(adjust, ADJUST_MS);
  const forget = ending.onOver(() => {
    // lanes that stand in line are let in, to see that it is over
    admit.concurrency = schedule.most;
    pacer.wakeAll();
  });
  await Promise.all(Array.from({ length: schedule.most }, () => keepWorking(createLane())));
  stopAdjusting();
  forget();

  /** A lane that left its place stands in line for another. @type {(lane: Lane) => Promise<void>} */
  async function keepWorking(lane) {
    while ((await admit(work, lane)) === 'left');
    lane.close();
  }

  /** @type {(lane: Lane) => Promise<'left' | 'done'>} */
  async function work(lane) {
    while (!ending.isOver) {
      if (admit.activeCount > admit.concurrency) return 'left';
      const after = arrivals.nextDue();
      if (after === Infinity) return 'done';
      const index = arrivals.claim();
      const due = isOpen ? start + after : NaN;
      if (isOpen && due > clock.now()) {
        await pacer.until(due);
        if (ending.isOver) return 'done';
      }
      await perform(index, lane, due);
      if (mustYield()) await new Promise((resolve) => setImmediate(resolve));
    }
    return 'done';
  }

  function adjust() {
    admit.concurrency = Math.max(1, schedule.lanes(clock.now() - start));
  }
}
