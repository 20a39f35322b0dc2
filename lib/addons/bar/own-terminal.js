import { readFileSync } from 'node:fs';

/** @typedef {NodeJS.WriteStream & { fd?: number }} TerminalStream without `fd`, it is no terminal of the process */

/** A signal that ends the process with a core dump, and those that suspend it and let it go on. */
const [QUIT, SUSPEND, CONTINUE] = /** @type {const} */ (['SIGQUIT', 'SIGTSTP', 'SIGCONT']);

/**
 * Restores a terminal when the process ends or is suspended; `resume` is called when it goes on. Returns a function
 * that stops this.
 * @type {(stream: TerminalStream, restore: () => void, resume?: () => void) => () => void}
 */
export function restoring({ fd }, restore, resume = () => {}) {
  const onQuit = () => {
    restore();
    listen('off');
    process.kill(process.pid, QUIT);
  };
  const onSuspend = () => {
    restore();
    process.kill(process.pid, 'SIGSTOP');
  };
  listen('on');
  return () => listen('off');

  /** @type {(how: 'on' | 'off') => void} */
  function listen(how) {
    process[how]('exit', restore);
    // The message of an error follows.
    process[how]('uncaughtExceptionMonitor', restore);
    if (typeof fd !== 'number' || process.platform === 'win32') return;
    process[how](QUIT, onQuit);
    process[how](SUSPEND, onSuspend);
    process[how](CONTINUE, resume);
  }
}

/**
 * Reports whether the process may use its whole terminal: not while it is a job in the background of a shell. It may if
 * the system does not tell.
 * @type {(stream: TerminalStream) => boolean}
 */
export function isInForeground({ fd }) {
  if (typeof fd !== 'number') return true;
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    // proc_pid_stat(5): the name of the program, which ends with the last parenthesis, then these fields.
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(foreground) <= 0 || foreground === group;
  } catch {
    return true;
  }
}
