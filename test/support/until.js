import { setTimeout as wait } from 'node:timers/promises';

/** Waits until a condition holds. If it never does, the timeout of the test ends the wait. */
export async function until(holds) {
  while (!holds()) await wait(2);
}

/**
 * Lets the client of this process read what a server of this process has sent: each turn of the event loop polls the
 * sockets once.
 */
export async function turns(count = 3) {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
}
