import { spawn, spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

import { groupMembers, isRunning } from '../../core/process/processes.js';

/** @import { ProcessState } from '../../core/process/processes.js' */
/** @import { ServerMark } from './server-mark.js' */

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

/**
 * Ends a group and the processes with its mark, wherever they are: SIGTERM, and SIGKILL for those that run after a
 * grace period. Lists those that had left the group.
 * @type {(leader: number, graceMs: number, mark?: ServerMark) => Promise<ProcessState[]>}
 */
export async function endGroup(leader, graceMs, mark) {
  const known = mark?.processes() ?? [];
  signalGroup(leader, 'SIGTERM');
  const left = mark?.signalOutside('SIGTERM', leader, known) ?? [];
  const isGone = () => !isGroupAlive(leader) && !left.some(isRunning);
  const isEnded = await isTrueWithin(isGone, graceMs);
  if (!isEnded) signalGroup(leader, 'SIGKILL');
  // This includes one that was being started, and has missed the first signal.
  const killed = mark?.signalOutside('SIGKILL', leader, known) ?? [];
  if (!isEnded) await isTrueWithin(() => isGone() && !killed.some(isRunning), KILLED_MS);
  return [...left, ...killed.filter(({ pid }) => !left.some((one) => one.pid === pid))];
}

/**
 * Ends a group when this process ends in any way, SIGKILL included: another process waits for the end of a pipe that
 * only this one holds. It has a session of its own, so that Ctrl-C in the terminal does not end it first. The returned
 * function ends the guard: the group is gone.
 * @type {(leader: number, mark?: ServerMark) => () => void}
 */
export function guardGroup(leader, mark) {
  if (IS_WINDOWS) return guardAtExit(leader);
  const { ports = '', earlier = '', since = '', session = '' } = mark?.listening ?? {};
  const words = [String(leader), mark?.name ?? '', ports, earlier, since, session];
  const guard = spawn('/bin/sh', ['-c', GUARD, 'sh', ...words], {
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

/**
 * The guard's script: it waits for the end of its input, and then ends the leader's group, the processes with the mark
 * (`marked`), and those that listen at the ports of the server without a mark (`listening`): with SIGTERM, and those
 * that still run after two seconds with SIGKILL. Those that listen are looked for once: two seconds later the next
 * server may use the port.
 */
const GUARD = `read -r word; [ "$word" = done ] && exit
leader=$1 mark=$2 ports=$3 earlier=$4 since=$5 session=$6
# From paths such as /proc/4711/fd/3, without the first process of the system.
pids() { cut -d / -f 3 | grep -vx 1 | sort -u; }
# The pids of those whose environment has the mark, or that have its file open.
marked() {
  [ -n "$mark" ] || return
  {
    grep -lsaF "BENCH_REST_SERVER=$mark" /proc/[0-9]*/environ
    find /proc/[0-9]*/fd -lname "*$mark*" 2>/dev/null
  } | pids
}
# Words of the line about a process, after its name: the fourth is its session, the twentieth its start.
fields() { tr '\\n' ' ' < "/proc/$1/stat" | sed 's/.*) //'; }
started() { set -- $(fields "$1"); echo "\${20}"; }
# Judges a process as #isLater of ServerMark does.
later() {
  set -- $(fields "$1")
  [ -n "$4" ] && [ "$4" != 0 ] && [ "$4" != "$session" ] && [ "\${20}" -ge "$since" ] || return
  session_start=$(started "$4")
  [ -z "$session_start" ] || [ "$session_start" -ge "$since" ]
}
# The pid and the start of each that listens; the columns are address (2), state (4) and inode (10) of sockets.
listening() {
  [ -n "$ports" ] || return
  for socket in $(awk -v ports="$ports" -v earlier="$earlier" '$4 == "0A" && $2 ~ ports && !index(earlier, " " $10 " ") { print $10 }' /proc/net/tcp /proc/net/tcp6 2>/dev/null); do
    find /proc/[0-9]*/fd -lname "socket:?$socket?" 2>/dev/null
  done | pids | while read -r pid; do later "$pid" && echo "$pid $(started "$pid")"; done
}
listeners=$(listening)
signal_listeners() { echo "$listeners" | while read -r pid time; do [ -n "$time" ] && [ "$(started "$pid")" = "$time" ] && kill "$1" "$pid"; done; }
for pid in $(marked); do kill -TERM "$pid"; done
signal_listeners -TERM
kill -TERM "-$leader"
sleep ${GUARD_SECONDS}
for pid in $(marked); do kill -KILL "$pid"; done
signal_listeners -KILL
kill -KILL "-$leader"`;

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
