import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { rebuild } from '../../core/ground/shape.js';
import { makeOwnFolder, removeLeftFolders } from '../processes/private-folder.js';
import { CHANNEL } from './preload/names.cjs';
import { NODE_THREAD } from './server-link.js';

/** @import { Socket } from 'node:net' */
/** @import { NodeThread } from './server-link.js' */

const PRELOAD = fileURLToPath(new URL('./preload/index.cjs', import.meta.url));
/** Connections of one service; more are closed. */
const MOST_THREADS = 1000;
/** Characters of a message. */
const MOST_LENGTH = 64 * 1024;
/** Kinds that our own thread sends: the first line of a connection is its hello, whatever kind it names. */
const OWN_KINDS = ['hello', 'bye', 'processes'];

/**
 * Connects the threads of Node in a service with a run: each loads a small file before the application (see
 * preload/index.cjs), which connects to a socket in a private folder. The service opens nothing itself.
 */
export class PreloadChannel {
  #server;
  /** @type {Map<string, { thread: NodeThread, socket: Socket }>} */
  #threads = new Map();
  /** Open connections, also those that have not sent their hello yet. */
  #count = 0;
  /** @type {(message: any) => void} */
  #listener = () => {};

  /** @param {string} folder @param {import('node:net').Server} server */
  constructor(folder, server) {
    this.folder = folder;
    this.#server = server;
    server.on('connection', (socket) => this.#connected(socket));
  }

  /** Opens a channel; null where there can be none, such as in a folder with a long path. */
  static async open() {
    void removeLeftFolders();
    let folder = null;
    try {
      folder = await makeOwnFolder('server');
      const server = createServer().listen(placeIn(folder));
      await once(server, 'listening');
      // The channel never keeps a program alive.
      return new PreloadChannel(folder, server.unref());
    } catch {
      if (folder !== null) await rm(folder, { recursive: true, force: true });
      return null;
    }
  }

  /** Adds the file to the service's own NODE_OPTIONS. @type {(env: NodeJS.ProcessEnv) => Record<string, string>} */
  variables({ NODE_OPTIONS }) {
    return { [CHANNEL]: placeIn(this.folder), NODE_OPTIONS: withPreload(PRELOAD, NODE_OPTIONS) };
  }

  /** Passes messages on from now on, beginning with a hello of each known thread. @type {(listener: any) => void} */
  listen(listener) {
    this.#listener = listener;
    for (const { thread } of this.#threads.values()) listener({ kind: 'hello', from: thread.id, body: thread });
  }

  /** Sends a message to all threads, or one. @type {(message: { kind: string, to?: string, body: object }) => void} */
  post({ kind, to, body }) {
    const line = `${JSON.stringify({ ...body, kind })}\n`;
    const receivers = to === undefined ? [...this.#threads.values()] : [this.#threads.get(to)];
    for (const receiver of receivers) receiver?.socket.write(line);
  }

  async close() {
    this.#listener = () => {};
    this.#server.close();
    for (const { socket } of this.#threads.values()) socket.destroy();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** @type {(socket: Socket) => void} */
  #connected(socket) {
    const drop = () => void socket.destroy();
    socket.unref().on('error', drop);
    if (this.#count >= MOST_THREADS) return drop();
    this.#count++;
    /** @type {string | null} */
    let id = null;
    socket.once('close', () => {
      this.#count--;
      if (id === null) return;
      this.#threads.delete(id);
      this.#listener({ kind: 'bye', from: id, body: {} });
    });
    const receive = (/** @type {string} */ line) => {
      const { kind, ...body } = JSON.parse(line);
      if (id === null) id = this.#add(rebuild(NODE_THREAD, body, { name: kind }), socket);
      else if (OWN_KINDS.includes(String(kind))) throw new Error(`a service sends no ${kind}`);
      else this.#listener({ kind: String(kind), from: id, body });
    };
    let rest = '';
    socket.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = String(lines.pop());
      try {
        lines.forEach(receive);
      } catch {
        drop();
      }
      // No thread of Node sends such a line.
      if (rest.length > MOST_LENGTH) drop();
    });
    return undefined;
  }

  /** @type {(thread: NodeThread, socket: Socket) => string} */
  #add(thread, socket) {
    this.#threads.set(thread.id, { thread, socket });
    this.#listener({ kind: 'hello', from: thread.id, body: thread });
    return thread.id;
  }
}

/** Adds a file that each thread loads first to NODE_OPTIONS. @type {(path: string, own?: string) => string} */
export function withPreload(path, own = '') {
  return `${own} --require ${/[\s"]/.test(path) ? JSON.stringify(path) : path}`.trim();
}

/** @type {(folder: string) => string} */
function placeIn(folder) {
  return process.platform === 'win32' ? `\\\\.\\pipe\\${basename(folder)}` : join(folder, 's');
}
