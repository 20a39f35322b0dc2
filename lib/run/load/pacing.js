import { availableCores } from '../options/workers.js';

/**
 * @import { Clock } from '../clock.js'
 * @import { Schedule } from '../../schedule/types.js'
 * @import { Alarm } from './pacer.js'
 * @import { PacingMemory } from './pacing-thread.js'
 *
 * @typedef {'timer' | 'thread' | 'poll'} Pacing how an open run waits until iterations are due
 */

/**
 * A thread needs a core for itself where the event loop polls: without one it would take time from the load, or from the
 * service if that runs on this machine.
 *
 * @param {{ pacing?: 'auto' | Pacing, workers?: number }} options
 * @param {Pick<Schedule, 'arrived'>} schedule
 * @param {() => number} [cores] that this process may use
 * @returns {Pacing | null} null in a closed run, which waits for nothing
 */
export function choosePacing({ pacing = 'auto', workers = 1 }, { arrived }, cores = availableCores) {
  if (arrived === null) return null;
  if (pacing !== 'auto') return pacing;
  return cores() > workers ? 'thread' : 'timer';
}

/**
 * @param {Pacing | null} pacing
 * @param {object} context
 * @param {Clock} context.clock
 * @param {PacingMemory | null} [context.memory] of the thread that wakes all load threads; default: starts one
 * @param {number} [context.part] number of the load thread
 * @returns {Promise<{ alarm: Alarm, close: () => Promise<void> | undefined }>}
 * @throws {Error} the thread cannot be started
 */
export async function openAlarm(pacing, { clock, memory, part = 0 }) {
  if (pacing !== 'thread') return { alarm: pacing === 'poll' ? NO_ALARM : timerAlarm(clock), close: () => undefined };
  const { PacingThread, ThreadAlarm } = await import('./pacing-thread.js');
  const thread = memory ? null : await PacingThread.start(1);
  const shared = /** @type {PacingMemory} */ (memory ?? thread?.memory);
  return { alarm: new ThreadAlarm(clock, shared, part), close: () => thread?.close() };
}

/** Timers of Node have a resolution of 1 ms. @type {(clock: Clock) => Alarm} */
export function timerAlarm(clock) {
  return { leadMs: 0, set: (at, wake) => clock.after(wake, Math.max(1, Math.ceil(at - clock.now()))) };
}

/** The event loop never sleeps. @type {Alarm} */
const NO_ALARM = { leadMs: Infinity, set: () => () => {} };
