import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

import { Shutdown } from '../../lib/core/cli/exit-process.js';
import { main } from '../../lib/core/cli/main.js';
import { EXIT_CODES } from '../../lib/core/ground/exit-codes.js';
import { IS_FULL } from './scale.js';
import { here, inThisThread } from './threads-here.js';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const PROGRAM = fileURLToPath(new URL('../../bin/bench-rest.js', import.meta.url));

/** The output of another program, and its exit code. */
export async function saidBy(program, args, { cwd, env = process.env } = {}) {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (said[name] += text));
  const [code] = await once(child, 'close');
  return { code, ...said };
}

/** Runs the command with a limit of open files. */
export const withFiles = (count, args) =>
  saidBy('sh', ['-c', `ulimit -n ${count}; exec "$0" "$@"`, process.execPath, PROGRAM, ...args]);

/**
 * Runs a command again as long as nothing was answered: a standstill of the machine may take all of a load of a few
 * milliseconds.
 *
 * @template {{ stderr: string }} R
 * @param {() => Promise<R>} run
 * @returns {Promise<R>}
 */
export async function untilAnswered(run) {
  for (;;) {
    const result = await run();
    if (!result.stderr.includes(`: ${EXIT_CODES.unanswered.about}`)) return result;
  }
}

/** With the full counts, one command of so many has a process of its own, and one of so many others has threads. */
const ONE_OF = 12;

/**
 * Runs the command in this process, which takes a tenth of the CPU, or with the full counts sometimes in a process of its own:
 * the words of the command decide, so that a failure can be repeated. Takes the options of `spawned`. In this process `child`
 * has `kill` alone, for the signals that the command handles, and `stdio` may name a file for stdout. Tests about another
 * signal, about a stream, about variables that Node or the flow reads, about a flow that prints, or about the end of the
 * process call `spawned`. A flow that blocks or breaks its thread needs `engine: 'thread'`, or `workers: 'thread'`.
 */
export function command(args, options = {}) {
  return IS_FULL && isOneOf(args, 0) ? spawned(args, options) : commandHere(args, options);
}

/**
 * Selects one command of twelve by a byte of its hash. Ports and temporary names differ in each run.
 * @type {(args: string[], byte: number) => boolean}
 */
function isOneOf(args, byte) {
  const words = args.join(' ').replace(/bench-rest-\w+|\d+/g, '');
  return createHash('sha1').update(words).digest()[byte] % ONE_OF === 0;
}

/**
 * Runs the command in its own process. `act(child, heard)` runs during the command: `await heard(/text/)` waits until
 * stderr or stdout match, and resolves with the match.
 */
export async function spawned(args, { cwd = ROOT, env = {}, stdio = ['ignore', 'pipe', 'pipe'], act } = {}) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd,
    stdio,
    env: {
      ...process.env,
      NO_COLOR: '',
      FORCE_COLOR: undefined,
      CLICOLOR_FORCE: undefined,
      LC_ALL: 'C.UTF-8',
      ...env,
    },
  });
  const said = { stdout: '', stderr: '' };
  let more = () => {};
  for (const name of ['stdout', 'stderr']) {
    child[name]?.setEncoding('utf8').on('data', (text) => {
      said[name] += text;
      more();
    });
  }
  const exited = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal, ...said })));
  const heard = async (pattern) => {
    while (!pattern.test(said.stderr) && !pattern.test(said.stdout)) await new Promise((resolve) => (more = resolve));
    return pattern.exec(said.stderr) ?? pattern.exec(said.stdout);
  };
  if (act) await Promise.race([act(child, heard), exited]);
  return exited;
}

/**
 * Runs the command in this process: `env` is added to that of the process; `input` is a text, or a stream, on stdin. With
 * `engine: 'thread'` the run always has a thread of its own, so its flow may block or end it; with `workers: 'thread'` and
 * `target: 'thread'` those have theirs. `isTTY`: stderr is a terminal, with `columns`.
 */
export async function commandHere(
  args,
  { cwd = ROOT, env = {}, stdio = [], input = '', engine, workers, target, isTTY = false, columns = 9999, act } = {},
) {
  const said = { stdout: '', stderr: '' };
  const signals = new EventEmitter();
  const into = (name) =>
    new Writable({
      write(chunk, _, done) {
        said[name] += chunk;
        signals.emit('more');
        done();
      },
    });
  const io = {
    stdin: input instanceof Readable ? input : Readable.from([Buffer.from(input)]),
    stdout: typeof stdio[1] === 'number' ? createWriteStream('', { fd: stdio[1], autoClose: false }) : into('stdout'),
    // messages are read in lines as they are written
    stderr: Object.assign(into('stderr'), { isTTY, columns }),
    env: {
      ...process.env,
      NO_COLOR: '',
      FORCE_COLOR: undefined,
      CLICOLOR_FORCE: undefined,
      LC_ALL: 'C.UTF-8',
      ...env,
    },
    cwd: () => cwd,
    on: (...listener) => signals.on(...listener),
    off: (...listener) => signals.off(...listener),
  };
  const heard = async (pattern) => {
    while (!pattern.test(said.stderr) && !pattern.test(said.stdout)) await once(signals, 'more');
    return pattern.exec(said.stderr) ?? pattern.exec(said.stdout);
  };
  const shutdown = new Shutdown();
  const inside = IS_FULL && isOneOf(args, 1) ? here : inThisThread;
  const ended = Object.entries({ engine, workers, target }).reduce(
    (run, [what, where]) => (where === 'thread' ? run : () => (what === 'workers' ? here : inside)(what, run)),
    () => main(['node', 'bench-rest', ...args], io, shutdown),
  )();
  if (act) await Promise.race([act({ kill: (signal) => signals.emit(signal, signal) }, heard), ended]);
  const code = await ended;
  await shutdown.run();
  return { code, signal: null, ...said };
}
