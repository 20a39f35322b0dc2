import { setTimeout as wait } from 'node:timers/promises';

/** Waits until a condition, which may be a promise, holds. If it never does, the timeout of the test ends the wait. */
export async function until(holds) {
  while (!(await holds())) await wait(2);
}

/**
 * Lets the client of this process read what a server of this process has sent: each turn of the event loop polls the
 * sockets once.
 */
export async function turns(count = 3) {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
}

/**
 * Waits in steps: a suspension of this process takes one step at most, so that timers of the code under test that are
 * due earlier run first.
 */
export async function awake(ms, step = 50) {
  for (let left = ms; left > 0; left -= step) await wait(Math.min(step, left));
}

/**
 * Repeats a run that measures time until the machine let it run.
 *
 * @template {{ stats: import('../../lib/core/contracts/stats.js').Stats }} R
 * @param {() => Promise<R>} run
 * @param {number} [mostMs] the longest standstill of the client that does not matter
 * @returns {Promise<R>}
 */
export async function undisturbed(run, mostMs = 200) {
  for (let runs = 0; runs < MOST_RUNS; runs++) {
    const result = await run();
    if (result.stats.loadGenerator.stall.longest <= mostMs) return result;
  }
  throw new Error(`the client stood still for more than ${mostMs} ms in each of ${MOST_RUNS} runs`);
}

const MOST_RUNS = 20;
