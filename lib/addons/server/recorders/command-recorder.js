import { spawn } from 'node:child_process';

import { groupMembers, stateOf } from '../../../core/process/processes.js';
import { MOST_BYTES } from '../profile/read.js';
import { settlesWithin } from '../../../core/run/closing.js';
import { OutputTail } from '../output-tail.js';
import { signalGroup } from '../process-group.js';

/** @import { ChildProcess } from 'node:child_process' */
/** @import { Recorder, Taken } from './recording.js' */

/** Time limit of the profile, from the end of the measured time: perf script takes seconds. */
const OUTPUT_MS = 60_000;
const POLL_MS = 50;

/**
 * Records with a command of the user, such as perf: it starts with the measured time, gets SIGINT at its end, and
 * prints the profile.
 */
export class CommandRecorder {
  #command;
  #env;
  /** @type {ChildProcess | null} */
  #child = null;
  /** @type {Buffer[]} */
  #chunks = [];
  #bytes = 0;
  #errors = new OutputTail();
  /** Why it failed; empty if it did not. @type {Promise<string>} */
  #ended = Promise.resolve('');

  /** @param {string} command @param {{ pid?: number }} service */
  constructor(command, { pid }) {
    this.#command = command;
    this.#env = { PID: pid === undefined ? '' : String(pid) };
  }

  /** @type {Recorder['begin']} */
  begin(ms) {
    const seconds = ms === Infinity ? '' : String(Math.max(1, Math.round(ms / 1000)));
    this.#ended = new Promise((resolve, reject) => {
      // It may throw at once, such as for a command that is too long.
      const child = spawn(this.#command, {
        shell: true,
        env: { ...process.env, ...this.#env, SECONDS_TO_RECORD: seconds },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
      this.#child = child;
      child.stdout.on('data', (chunk) => this.#add(chunk));
      child.stderr.on('data', (chunk) => this.#errors.add(chunk));
      child.on('error', reject);
      child.on('close', (code, signal) => resolve(code === 0 ? '' : `it ended with ${signal ?? `code ${code}`}`));
    }).catch(({ message }) => message);
  }

  /** The shell is not interrupted: later parts of its command convert the recording. */
  end() {
    if (this.#interrupt()) return;
    // The recording may be about to start.
    const timer = setInterval(() => this.#interrupt() && clearInterval(timer), POLL_MS);
    void this.#ended.then(() => clearInterval(timer));
  }

  /** Sends SIGINT to the processes of the shell, and reports whether there are any. @type {() => boolean} */
  #interrupt() {
    const { pid = 0, exitCode } = this.#child ?? {};
    if (pid === 0 || exitCode !== null) return true;
    const members = groupMembers(pid);
    const recording = (members ?? [pid]).filter((one) => members === null || one !== pid || !isShell(one));
    for (const one of recording) interrupt(one);
    return recording.length > 0;
  }

  cancel() {
    const { pid, exitCode } = this.#child ?? {};
    if (pid !== undefined && exitCode === null) signalGroup(pid, 'SIGKILL');
  }

  /** @type {Recorder['take']} */
  async take() {
    if (!(await settlesWithin(this.#ended, OUTPUT_MS))) {
      this.cancel();
      return lacking(`--profile-command did not end within ${OUTPUT_MS / 1000} s`);
    }
    const how = await this.#ended;
    if (this.#bytes > MOST_BYTES) return lacking(`--profile-command wrote more than ${MOST_BYTES / 1e6} MB`);
    if (this.#bytes === 0) {
      const last = this.#errors.lines(3).join(' | ');
      return lacking(`--profile-command wrote no profile${how && `: ${how}`}${last && `; its last output: ${last}`}`);
    }
    return { recorded: [{ kind: 'cpu', name: this.#command, bytes: Buffer.concat(this.#chunks) }], lacks: [] };
  }

  /** @type {(chunk: Buffer) => void} */
  #add(chunk) {
    this.#bytes += chunk.length;
    if (this.#bytes <= MOST_BYTES) this.#chunks.push(chunk);
  }
}

/** A shell may be replaced by its only command. @type {(pid: number) => boolean} */
function isShell(pid) {
  return /^(?:da|ba|z)?sh$/.test(stateOf(pid)?.name ?? 'sh');
}

/** @type {(pid: number) => void} */
function interrupt(pid) {
  try {
    process.kill(pid, 'SIGINT');
  } catch {
    // It has ended.
  }
}

/** @type {(text: string) => Taken} */
function lacking(text) {
  return { recorded: [], lacks: [text] };
}
