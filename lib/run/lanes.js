import pLimit from 'p-limit';

/**
 * @import { Schedule } from '../schedule/types.js'
 * @import { Lane } from '../iteration/lane.js'
 * @import { Ending } from './ending.js'
 *
 * @typedef {object} LanesOptions
 * @property {Schedule} schedule
 * @property {Ending} ending
 * @property {() => number} claim the next INDEX
 * @property {() => Lane} createLane
 * @property {(index: number, lane: Lane) => Promise<void>} perform never rejects
 * @property {() => boolean} mustYield something went wrong that took no time: let timers and signals have their turn
 */

/**
 * The loop of a run: each lane claims an index, performs its iteration, and claims the next, until there is none.
 *
 * @param {LanesOptions} options
 * @returns {Promise<void>}
 */
export async function runLanes({ schedule, ending, claim, createLane, perform, mustYield }) {
  const count = schedule.lanes(0);
  const admit = pLimit(count);
  await Promise.all(Array.from({ length: count }, () => admit(work)));

  async function work() {
    const lane = createLane();
    while (!ending.isOver) {
      const index = claim();
      if (schedule.arrival(index) === Infinity) break;
      await perform(index, lane);
      if (mustYield()) await new Promise((resolve) => setImmediate(resolve));
    }
    lane.close();
  }
}
