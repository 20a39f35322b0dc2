import { spawn } from 'node:child_process';
import { constants } from 'node:os';

import { makeError } from '../../ground/errors.js';
import { SIGNALS } from '../exit-process.js';

/** @import { Io } from '../types.js' */

/** As shells report a command that a signal ended. */
const SIGNAL_CODE = 128;

/**
 * Runs a command to its end, and resolves with its exit code. Its output is that of this process. Ctrl-C in a terminal
 * reaches it, too; other signals are passed on.
 * @throws {Error} E_RECORD
 * @type {(words: string[], variables: Record<string, string>, io: Io) => Promise<number>}
 */
export async function runCommand([file, ...args], variables, io) {
  const isOwn = io.stdout === process.stdout && io.stderr === process.stderr;
  const child = spawn(file, args, {
    cwd: io.cwd(),
    env: { ...io.env, ...variables },
    stdio: isOwn ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    // npm is a script there
    shell: process.platform === 'win32',
    windowsHide: true,
  });
  child.stdout?.pipe(io.stdout, { end: false });
  child.stderr?.pipe(io.stderr, { end: false });
  /** @type {(name: NodeJS.Signals) => void} */
  const pass = (name) => {
    if (name !== 'SIGINT' || !isOwn) child.kill(name);
  };
  for (const name of SIGNALS) io.on(name, pass);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', (/** @type {NodeJS.ErrnoException} */ cause) => {
        const reason = `${file} was not started: ${cause.code ?? cause.message}`;
        reject(
          makeError(
            'E_RECORD',
            { reason, cure: 'is the program installed? npx finds those of node_modules' },
            { cause },
          ),
        );
      });
      child.once('close', (code, signal) => resolve(code ?? SIGNAL_CODE + (signal ? constants.signals[signal] : 0)));
    });
  } finally {
    for (const name of SIGNALS) io.off(name, pass);
  }
}

/** Waits for Ctrl-C; resolves with 0. @type {(io: Io) => Promise<number>} */
export async function untilInterrupted(io) {
  await new Promise((resolve) => SIGNALS.forEach((name) => io.on(name, resolve)));
  return 0;
}
