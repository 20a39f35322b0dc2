import { spawn, spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

import { groupMembers } from '../processes/processes.js';

const IS_WINDOWS = process.platform === 'win32';
/** From SIGTERM to SIGKILL, if the load generator itself was killed. */
const GUARD_SECONDS = 2;
/** Time for processes to disappear after SIGKILL. */
const KILLED_MS = 1000;
const LONGEST_WAIT_MS = 250;

/**
 * Sends a signal to a process that was started with `detached`, and to all processes from it that stayed in its group.
 * Windows has neither groups nor signals: the tree of processes is ended.
 *
 * @param {number} leader
 * @param {NodeJS.Signals} signal
 * @param {{ isWindows: boolean, run: (file: string, args: string[], options: object) => unknown }} [system]
 */
export function signalGroup(leader, signal, { isWindows, run } = { isWindows: IS_WINDOWS, run: spawnSync }) {
  if (isWindows) run('taskkill', ['/pid', String(leader), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
  else sendSignal(-leader, signal);
}

/** Reports whether the group runs, without zombies that nothing reaps. @type {(leader: number) => boolean} */
export function isGroupAlive(leader) {
  if (!sendSignal(IS_WINDOWS ? leader : -leader, 0)) return false;
  return groupMembers(leader)?.length !== 0;
}

/** Sends SIGTERM, and SIGKILL after a grace period. @type {(leader: number, graceMs: number) => Promise<void>} */
export async function endGroup(leader, graceMs) {
  const isGone = () => !isGroupAlive(leader);
  signalGroup(leader, 'SIGTERM');
  if (await isTrueWithin(isGone, graceMs)) return;
  signalGroup(leader, 'SIGKILL');
  await isTrueWithin(isGone, KILLED_MS);
}

/**
 * Ends a group when this process ends in any way, SIGKILL included: another process waits for the end of a pipe that
 * only this one holds. It has a session of its own, so that Ctrl-C in the terminal does not end it first. The returned
 * function ends the guard: the group is gone.
 * @type {(leader: number) => () => void}
 */
export function guardGroup(leader) {
  if (IS_WINDOWS) return guardAtExit(leader);
  const guard = spawn('/bin/sh', ['-c', GUARD, 'sh', String(leader)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const input = /** @type {import('node:net').Socket} */ (guard.stdin);
  // Without a guard the server is still ended by the run.
  guard.on('error', () => {});
  input.on('error', () => {});
  guard.unref();
  input.unref?.();
  return () => input.end('done\n');
}

const GUARD = `read -r word; [ "$word" = done ] && exit
kill -TERM "-$1"
sleep ${GUARD_SECONDS}
kill -KILL "-$1"`;

/** @type {(leader: number) => () => void} */
function guardAtExit(leader) {
  const end = () => signalGroup(leader, 'SIGKILL');
  process.once('exit', end);
  return () => process.off('exit', end);
}

/** @type {(isTrue: () => boolean, ms: number) => Promise<boolean>} */
async function isTrueWithin(isTrue, ms) {
  const until = performance.now() + ms;
  for (let wait = 10; !isTrue(); wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    const left = until - performance.now();
    if (left <= 0) return false;
    await delay(Math.min(wait, left));
  }
  return true;
}

/** @type {(pid: number, signal: NodeJS.Signals | 0) => boolean} false if there is no such process */
function sendSignal(pid, signal) {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    // EPERM: it exists, and belongs to another user.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
