import { copyFileSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, extname, join, parse, relative } from 'node:path';

import { choice, list, nullable, number, optional, record, rebuild, text } from '../../../core/ground/shape.js';
import { HEAP_INTERVAL, PROFILE_KINDS } from '../profile/kinds.js';
import { MOST_BYTES } from '../profile/read.js';
import { settlesWithin } from '../../../core/run/closing.js';
import { PROFILE_EXTENSIONS } from '../options/profile.js';
import { CHANNEL, ENDED, FIRST } from '../preload/names.cjs';
import { NODE_THREAD } from '../server-link.js';

/** @import { ProfileKind } from '../profile.js' */
/** @import { ProfileOption } from '../options/profile.js' */
/** @import { NodeThread, ServerLink } from '../server-link.js' */
/** @import { Routes } from './index.js' */
/** @import { Recorder, Taken } from './recording.js' */

const US_PER_MS = 1000;
/** Between two samples, µs; 1,000 per second are the default of V8. */
const LEAST_INTERVAL_US = 1000;
/** Samples of a profile: a longer run has fewer per second. */
const MOST_SAMPLES = 1_000_000;
/** Time limit of the answer of a thread, which may be in the midst of a synchronous call. */
const ANSWER_MS = 15_000;
const NO_THREAD = `the service has no Node process that could be recorded: does it keep NODE_OPTIONS and ${CHANNEL} of its environment, and may it read files?`;
/** Each process needs a quarter of a second to measure the overhead, and a cluster may have more of them than cores. */
const MOST_MEASURED = 4;
/** Of all threads together: one may have {@link MOST_BYTES}. */
const MOST_ALL_BYTES = 10 * MOST_BYTES;

const name = text({ pattern: /^[\w.-]+$/, expected: 'the name of a file' });
/**
 * A message of a thread: `{ started: true }` answers a start, `{ files, maps, marks }` a stop, and `{ error }` either
 * (preload/profile.cjs). The file of a thread that has ended has its `thread` as well.
 */
const ANSWER = record({
  started: optional((value) => value === true),
  error: optional(text()),
  maps: optional(nullable(name)),
  marks: optional(name),
  thread: optional(NODE_THREAD),
  files: optional(
    list(record({ kind: choice(...PROFILE_KINDS), file: name, overhead: optional(number({ least: 0, most: 1 })) })),
  ),
});

/**
 * @typedef {{ kind: ProfileKind, file: string, overhead?: number }} ProfileFile
 * @typedef {object} Answer
 * @property {NodeThread} thread
 * @property {ProfileFile[]} files
 * @property {string | null} [maps] file of the addresses of source maps
 * @property {string} [marks] file of what marks of operations noted
 * @property {string} [error]
 * @property {boolean} [hasEnded]
 */

/**
 * Records the Node processes of a server by their preload (preload/profile.cjs): every thread of each of them. Each
 * gets a message to start, and one to stop, which it answers with the names of the files that it has written into the
 * folder of the link. A thread that begins meanwhile finds the start in a file there.
 */
export class NodeRecorder {
  #link;
  #kinds;
  #saveTo;
  #routes;
  /** Threads that are recorded, by id. @type {Map<string, NodeThread>} */
  #threads = new Map();
  /** @type {Map<string, Answer>} */
  #answers = new Map();
  /** The message that starts the recording of a thread; null: nothing is recorded now. @type {object | null} */
  #start = null;
  #onAnswer = () => {};
  /** Ids of threads that have answered the start, or have ended. @type {Set<string>} */
  #begun = new Set();
  #onBegun = () => {};
  #folder;
  #leftBytes = MOST_ALL_BYTES;
  /** The message of an error of the folder; null: there was none. @type {string | null} */
  #folderError = null;
  /** @type {(() => void)[]} */
  #unsubscribe;

  /**
   * @param {ServerLink | null} link null: there is none
   * @param {Pick<ProfileOption, 'kinds'> & { saveTo?: string[], routes?: Routes }} options saveTo: absolute paths for
   *   the raw profiles
   */
  constructor(link, { kinds, saveTo = [], routes }) {
    this.#link = link;
    this.#folder = link?.folder ?? null;
    this.#kinds = kinds;
    this.#saveTo = saveTo;
    this.#routes = routes;
    this.#unsubscribe =
      link === null
        ? []
        : [
            // A process or a worker thread that starts while others are recorded is recorded, too.
            link.on('hello', (_body, thread) => this.#start && this.#record(thread)),
            link.on('bye', (_body, thread) => this.#readAnswerOfEnded(thread)),
            link.on('profile', (body, thread) => this.#read(body, thread)),
          ];
  }

  /** @type {Recorder['begin']} */
  begin(ms) {
    const ofMostSamples = ms === Infinity ? 0 : Math.ceil((ms * US_PER_MS) / MOST_SAMPLES);
    const interval = Math.max(LEAST_INTERVAL_US, ofMostSamples);
    const start = {
      action: 'start',
      ...(this.#kinds.includes('cpu') && { cpu: { interval } }),
      ...(this.#kinds.includes('heap') && { heap: { interval: HEAP_INTERVAL } }),
    };
    this.#start = { ...start, operations: this.#routes };
    if (this.#folder === null) return;
    const first = join(this.#folder, FIRST);
    this.#inFolder(() => writeFileSync(first, JSON.stringify({ kind: 'profile', ...start })));
    for (const thread of this.#link?.threads ?? []) this.#record(thread);
  }

  /** @type {() => Promise<unknown>} */
  begun() {
    return new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
      this.#onBegun = resolve;
      this.#checkBegun();
    });
  }

  #checkBegun() {
    if (this.#begun.size >= this.#threads.size) this.#onBegun();
  }

  /** Uses a folder that may be full or removed: the run goes on and reports it. @type {(act: () => void) => void} */
  #inFolder(act) {
    try {
      act();
    } catch (error) {
      this.#folderError ??= /** @type {Error} */ (error).message;
    }
  }

  end() {
    this.#start = null;
    this.#removeFirst();
    // Threads of one process would measure the CPU time of each other.
    const main = this.#waiting().filter(({ thread }) => thread === 0);
    this.#link?.send('profile', { action: 'stop', measured: main.slice(0, MOST_MEASURED).map(({ id }) => id) });
  }

  cancel() {
    this.#removeFirst();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  #removeFirst() {
    const folder = this.#folder;
    if (folder !== null) this.#inFolder(() => rmSync(join(folder, FIRST), { force: true }));
  }

  /** @type {Recorder['take']} */
  async take() {
    if (this.#waiting().length > 0)
      await settlesWithin(new Promise((resolve) => (this.#onAnswer = () => resolve(undefined))), ANSWER_MS);
    this.cancel();
    this.#readAnswersOfUnconnected();
    const taken = [...this.#answers.values()].map((answer) => this.#taken(answer));
    const saved = this.#save();
    const ended = [...this.#answers.values()].flatMap(({ hasEnded, thread }) => (hasEnded ? [thread] : []));
    const late = `within ${ANSWER_MS / 1000} s: synchronous code may block`;
    const none = this.#threads.size === 0 ? [NO_THREAD] : [];
    const folder = this.#folderError === null ? [] : [`the folder for profiles cannot be used: ${this.#folderError}`];
    return {
      recorded: taken.flatMap(({ recorded }) => recorded),
      lacks: [
        ...lackOf(ended, 'ended before its profile arrived', 'ended before their profiles arrived'),
        ...taken.flatMap(({ lacks }) => lacks),
        ...lackOf(this.#waiting(), `did not send its profile ${late} it`, `did not send their profiles ${late} them`),
        ...none,
        ...folder,
        ...saved.lacks,
      ],
      files: saved.files,
    };
  }

  /** @type {(thread: NodeThread) => void} */
  #record(thread) {
    this.#threads.set(thread.id, thread);
    this.#link?.send('profile', this.#start ?? {}, thread.id);
  }

  /** @type {(body: unknown, thread: NodeThread) => void} */
  #read(body, thread) {
    try {
      const { started, files = [], maps, marks, error } = rebuild(ANSWER, body, { name: 'profile' });
      if (started) this.#addBegun(thread);
      else this.#answer({ thread, files, maps, marks, error });
    } catch (error) {
      this.#answer({ thread, files: [], error: /** @type {Error} */ (error).message });
    }
  }

  /** @type {(thread: NodeThread) => void} */
  #addBegun({ id }) {
    this.#begun.add(id);
    this.#checkBegun();
  }

  /** Reads the answer of a thread that has ended, if it left one. @type {(thread: NodeThread) => void} */
  #readAnswerOfEnded(thread) {
    if (!this.#threads.has(thread.id) || this.#answers.has(thread.id)) return;
    try {
      this.#read(this.#endedAnswer(thread.id), thread);
    } catch {
      this.#answer({ thread, files: [], hasEnded: true });
    }
  }

  /** @type {(id: string) => any} */
  #endedAnswer(id) {
    const file = rebuild(name, `${id}${ENDED}`, { name: 'id' });
    return JSON.parse(this.#readBounded(file, 'its answer').toString());
  }

  /** Reads the answers of threads that have ended before they were connected. */
  #readAnswersOfUnconnected() {
    const folder = this.#folder;
    if (folder === null) return;
    /** @type {string[]} */
    let files = [];
    this.#inFolder(() => (files = readdirSync(folder).filter((file) => file.endsWith(ENDED))));
    const ids = files.map((file) => file.slice(0, -ENDED.length));
    for (const id of ids.filter((one) => !this.#threads.has(one))) {
      try {
        const body = this.#endedAnswer(id);
        const thread = rebuild(NODE_THREAD, body.thread, { name: 'thread' });
        if (thread.id !== id) continue;
        this.#threads.set(id, thread);
        this.#read(body, thread);
      } catch {
        // Nothing is known of such a thread.
      }
    }
  }

  /** @type {(file: string, what: string) => Buffer} */
  #readBounded(file, what) {
    const path = join(String(this.#folder), file);
    const { size } = statSync(path);
    const most = size > MOST_BYTES ? 'more than' : 'and those of other threads leave less than that of what';
    if (size > Math.min(MOST_BYTES, this.#leftBytes))
      throw new Error(
        `${what} has ${Math.round(size / 1e6)} MB, ${most} can be read: record only the end, with --profile 10s`,
      );
    this.#leftBytes -= size;
    return readFileSync(path);
  }

  /** Keeps the first answer: a thread that ends after it has not lost its profile. @type {(answer: Answer) => void} */
  #answer(answer) {
    const { id } = answer.thread;
    if (!this.#threads.has(id) || this.#answers.has(id)) return;
    this.#answers.set(id, answer);
    this.#addBegun(answer.thread);
    if (this.#start === null && this.#waiting().length === 0) this.#onAnswer();
  }

  #waiting() {
    return [...this.#threads].flatMap(([id, thread]) => (this.#answers.has(id) ? [] : [thread]));
  }

  /** @type {(answer: Answer) => Omit<Taken, 'files'>} */
  #taken({ thread, files, maps, marks, error, hasEnded }) {
    const threadName = nameOf(thread);
    if (error !== undefined) return { recorded: [], lacks: [`${threadName} could not be recorded: ${error}`] };
    if (files.length === 0 && !hasEnded) return { recorded: [], lacks: [`${threadName} had not begun to record`] };
    /** @type {string[]} */
    const lacks = [];
    const known = { name: threadName, isWorker: thread.thread > 0, mapUrls: this.#mapUrls(maps) };
    /** @type {(file: string, what: string) => Buffer | undefined} */
    const read = (file, what) => {
      try {
        return this.#readBounded(file, what);
      } catch (problem) {
        lacks.push(`${threadName}: ${/** @type {Error} */ (problem).message}`);
        return undefined;
      }
    };
    const recorded = files.flatMap(({ kind, file, overhead }) => {
      const bytes = read(file, 'its profile');
      if (bytes === undefined) return [];
      // Samples of allocations have no time, so no operation is known by it.
      const cpuMarks = marks && kind === 'cpu' ? read(marks, 'the file of its operations') : undefined;
      return [{ ...known, kind, bytes, overhead, marks: cpuMarks }];
    });
    return { recorded, lacks };
  }

  /** @type {(file?: string | null) => Map<string, string>} addresses of source maps, by the file */
  #mapUrls(file) {
    try {
      const urls = JSON.parse(this.#readBounded(String(file), 'its list of source maps').toString());
      return new Map(Object.entries(urls).filter(([, url]) => typeof url === 'string'));
    } catch {
      return new Map();
    }
  }

  /**
   * Saves the raw profiles of V8; of several threads each in a file of its own. `lacks`: those that could not be saved.
   * @type {() => { files: { kind: ProfileKind, file: string }[], lacks: string[] }}
   */
  #save() {
    const all = [...this.#answers.values()].flatMap(({ files }) => files);
    /** @type {{ files: { kind: ProfileKind, file: string }[], lacks: string[] }} */
    const saved = { files: [], lacks: [] };
    for (const path of this.#saveTo) {
      const extension = extname(path);
      const found = all.filter(({ kind }) => PROFILE_EXTENSIONS[kind] === extension.toLowerCase());
      if (found.length === 0) saved.lacks.push(`${basename(path)} was not written: nothing was recorded for it`);
      for (const { kind, file } of found) {
        // `file` was checked, the id of a thread was not.
        const target =
          found.length === 1 ? path : `${path.slice(0, -extension.length)}.${parse(file).name}${extension}`;
        try {
          copyFileSync(join(String(this.#folder), file), target);
          saved.files.push({ kind, file: relative('', target) });
        } catch (error) {
          saved.lacks.push(`${basename(target)} was not written: ${/** @type {Error} */ (error).message}`);
        }
      }
    }
    return saved;
  }
}

/** A service may have hundreds of threads. @type {(threads: NodeThread[], one: string, several: string) => string[]} */
function lackOf(threads, one, several) {
  if (threads.length === 0) return [];
  const first = nameOf(threads[0]);
  return [threads.length === 1 ? `${first} ${one}` : `${threads.length} threads ${several}, such as ${first}`];
}

/** @type {(thread: NodeThread) => string} */
function nameOf({ id, name: script }) {
  return script === '' ? `process ${id}` : `${script} (${id})`;
}
