import { createReadStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { makeOwnFolder, removeLeftFolders } from '../../processes/private-folder.js';
import { withPreload } from '../../server/preload-channel.js';
import { Recorder } from '../recorder.js';
import { bodyForTarget, fieldsForTarget, valueOf, withTargetOrigin } from '../rewrite.js';
import { FOLDER, MOST_BODY } from './names.cjs';

/** @import { Exchange } from '../../import/exchange.js' */
/** @import { Fields } from '../rewrite.js' */

/**
 * @typedef {{ size: number, bytes: string }} Body bytes: in base64
 *
 * @typedef {object} Line one exchange, as `observe.cjs` writes it
 * @property {string} thread name of its file
 * @property {number} startedAt
 * @property {number} endedAt
 * @property {string[]} callers files of the project that made the server or sent the request, the innermost first
 * @property {number} app number of the application in its thread; 0: not known
 * @property {string} method
 * @property {string} url
 * @property {Fields} fields
 * @property {Body} sent
 * @property {string} [lacks] why it is not recorded
 * @property {{ status: number, fields: Fields, received: Body, hasNoEnd: boolean }} response
 */

const PRELOAD = fileURLToPath(new URL('./preload.cjs', import.meta.url));
/** Of all requests: supertest uses another port for each of them, and a flow names none. */
export const SUITE_ORIGIN = 'http://localhost';
const TARGET = new URL(SUITE_ORIGIN);

/** Records the requests that reach applications in the Node processes of a command: see observe.cjs. */
export class SuiteRecording {
  recorder = new Recorder();
  /** The files of the suite, in the order of their requests. @type {string[]} */
  files = [];
  #folder;
  #order;

  /** @param {string} folder @param {string[]} order */
  constructor(folder, order) {
    this.#folder = folder;
    this.#order = order;
  }

  /** Opens a recording; `order`: the files of an earlier one. */
  static async open(/** @type {string[]} */ order = []) {
    void removeLeftFolders();
    return new SuiteRecording(await makeOwnFolder('record'), order);
  }

  /** Returns the variables of the command. @type {(env: NodeJS.ProcessEnv) => Record<string, string>} */
  variables({ NODE_OPTIONS }) {
    return { [FOLDER]: this.#folder, NODE_OPTIONS: withPreload(PRELOAD, NODE_OPTIONS) };
  }

  /**
   * Returns the exchanges, those of one thread after those of another: runners run files side by side, each with an
   * application of its own. `clientOf` names the application by its callers.
   * @type {(clientOf: (callers: string[]) => string) => Promise<Exchange[]>}
   */
  async finish(clientOf) {
    try {
      const names = await readdir(this.#folder);
      const threads = await Promise.all(names.map((name) => this.#read(name)));
      let end = -Infinity;
      for (const lines of this.#ordered(threads.filter(({ length }) => length > 0))) {
        const shift = Math.max(0, end - lines[0].startedAt);
        for (const line of lines) {
          end = Math.max(end, line.endedAt + shift);
          this.#add(line, shift, { client: clientOf(line.callers), session: sessionOf(line) });
        }
      }
    } finally {
      await rm(this.#folder, { recursive: true, force: true });
    }
    return this.recorder.finish();
  }

  /**
   * Orders threads by time; if an earlier recording is known, files as they were there: runners choose another order.
   * A file whose requests are not all in succession shows that files depend on each other.
   * @type {(threads: Line[][]) => Line[][]}
   */
  #ordered(threads) {
    threads.sort(([a], [b]) => a.startedAt - b.startedAt);
    /** @type {{ file: string, lines: Line[] }[]} */
    const parts = [];
    for (const line of threads.flat()) {
      const file = line.callers.at(-1) ?? '';
      if (parts.at(-1)?.file !== file) parts.push({ file, lines: [] });
      parts.at(-1)?.lines.push(line);
    }
    this.files = [...new Set(parts.map(({ file }) => file))];
    if (this.#order.length === 0 || parts.length > this.files.length) return threads;
    return parts.sort((a, b) => this.#order.indexOf(a.file) - this.#order.indexOf(b.file)).map(({ lines }) => lines);
  }

  /** Reads the lines of a thread, in the order of their start. @type {(name: string) => Promise<Line[]>} */
  async #read(name) {
    /** @type {Line[]} */
    const lines = [];
    for await (const text of createInterface({
      input: createReadStream(join(this.#folder, name)),
      crlfDelay: Infinity,
    })) {
      try {
        lines.push({ ...JSON.parse(text), thread: name });
      } catch {
        // The process was killed while it wrote.
        this.recorder.lack('was in flight when its process ended');
      }
    }
    return lines.sort((a, b) => a.startedAt - b.startedAt);
  }

  /** @type {(line: Line, shift: number, about: { client: string, session: string }) => void} */
  #add({ startedAt, endedAt, method, url, fields, sent, lacks, response }, shift, about) {
    const own = `http://${valueOf(fields, 'host') || TARGET.host}`;
    if (lacks !== undefined || !url.startsWith('/') || !URL.canParse(own)) {
      this.recorder.lack(lacks ?? 'has no path');
      return;
    }
    const origins = { target: TARGET, own: new URL(own) };
    const { status, received, hasNoEnd } = response;
    const isCut = hasNoEnd || received.size > MOST_BODY;
    this.recorder.add({
      startedAt: startedAt + shift,
      endedAt: endedAt + shift,
      ...about,
      request: {
        method,
        url: SUITE_ORIGIN + withTargetOrigin(url, origins),
        headers: fieldsForTarget(fields, origins),
        body: bodyForTarget(this.#kept(sent), fields, origins),
        ...(sent.size > MOST_BODY && { bodyLacks: `has ${sent.size} bytes, more than a recording keeps` }),
      },
      response: {
        status,
        headers: response.fields.map(([name, value]) => [name, withTargetOrigin(value, origins)]),
        body: bodyForTarget(this.#kept(received), response.fields, origins),
        ...(isCut && { isCut }),
        ...(hasNoEnd && { hasNoEnd }),
      },
    });
  }

  /** @type {(body: Body) => Buffer} */
  #kept({ bytes }) {
    const body = this.recorder.bytes();
    body.add(Buffer.from(bytes, 'base64'));
    return body.take();
  }
}

/**
 * Names the application whose state the requests share; of one that is not known, the file.
 * @type {(line: Line) => string}
 */
function sessionOf({ thread, app, callers }) {
  return `${thread} ${app === 0 ? callers.at(-1) : app}`;
}
