'use strict';

/**
 * Runs in each Node process, and in each of its threads, that belongs to a server started by a run: `NODE_OPTIONS` has
 * `--require` with this file. It must never change what the service does: it prints nothing, keeps nothing alive, and
 * swallows its own errors, which it counts. `--import` would load a CommonJS application by the loader of ES modules,
 * and versions of Node that do not know it exit. The syntax is that of old versions, too.
 *
 * It connects to a socket that the load generator listens at, in a folder of the user's own. Messages are lines of
 * JSON with a `kind`. Those of the load generator go to the recorder of their kind, which is loaded by the first one. A
 * file in the folder has one for each new thread, before its code runs: a thread may end before it is connected.
 *
 * @typedef {object} Context
 * @property {(kind: string, body: object) => void} send to the load generator; dropped, and counted, while the last
 *   message waits in the pipe
 * @property {string} folder private to the load generator: files for it, which are too large for a message
 * @property {string} id of the thread: `4711`, or `4711.2` for a worker thread
 * @property {<F extends (...args: any[]) => any>(work: F) => (...args: Parameters<F>) => void} guard swallows, and
 *   counts, the errors of a callback
 * @property {() => { errors: number, dropped: number }} losses
 * @property {() => object} self what the thread is
 *
 * @typedef {(body: any, context: Context) => void} Recorder is called with each message of its kind
 */

const { CHANNEL, FIRST } = require('./names.cjs');

/** @type {Record<string, () => Recorder>} */
const RECORDERS = {
  figures: () => require('./figures.cjs'),
  profile: () => require('./profile.cjs'),
};

/** Characters of a message. */
const MOST_CHARACTERS = 64 * 1024;
const LONGEST_NAME = 200;

/** @type {(place: string) => void} */
function connect(place) {
  const net = require('net');
  const { dirname } = require('path');
  const { threadId } = require('worker_threads');
  const losses = { errors: 0, dropped: 0 };
  /** @type {Context['guard']} */
  const guard = (work) =>
    function guarded(...parameters) {
      try {
        work(...parameters);
      } catch {
        losses.errors++;
      }
    };
  const socket = net.connect(place);
  /** @type {Context} */
  const context = {
    send(kind, body) {
      const line = `${JSON.stringify(Object.assign({ kind }, body))}\n`;
      if (socket.destroyed || socket.writableLength > 0 || line.length > MOST_CHARACTERS) losses.dropped++;
      else socket.write(line);
    },
    folder: dirname(place),
    id: threadId === 0 ? String(process.pid) : `${process.pid}.${threadId}`,
    guard,
    losses: () => losses,
    self: () => self(context.id, threadId),
  };
  guard(receiveFirst)(context);
  socket.unref();
  socket.setEncoding('utf8');
  socket.on('error', () => {});
  socket.on(
    'connect',
    guard(() => context.send('hello', context.self())),
  );
  let rest = '';
  socket.on(
    'data',
    guard((text) => {
      const lines = (rest + text).split('\n');
      rest = String(lines.pop()).slice(0, MOST_CHARACTERS);
      for (const line of lines) guard(receive)(JSON.parse(line), context);
    }),
  );
}

/** @type {(id: string, thread: number) => object} */
function self(id, thread) {
  const { basename } = require('path');
  const name = basename(process.argv[1] || process.argv[0]).slice(0, LONGEST_NAME);
  return { id, pid: process.pid, thread, name, version: process.version };
}

/** Nothing can be answered before the hello. @type {(context: Context) => void} */
function receiveFirst(context) {
  const { existsSync, readFileSync } = require('fs');
  const file = require('path').join(context.folder, FIRST);
  if (existsSync(file)) receive(JSON.parse(readFileSync(file, 'utf8')), Object.assign({}, context, { send() {} }));
}

/** @type {(message: any, context: Context) => void} */
function receive({ kind, ...body }, context) {
  if (Object.prototype.hasOwnProperty.call(RECORDERS, kind)) RECORDERS[kind]()(body, context);
}

try {
  const place = process.env[CHANNEL];
  if (place) connect(place);
} catch {
  // The service runs without it.
}
