import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { open as openBuiltin } from '../../lib/core/transport/wire/index.js';
import {
  FLAGS,
  TYPES,
  block,
  dataFrame,
  frame,
  framed,
  headersFrame,
  responseTo,
  settingsFrame,
} from './frame-server.js';
import { HTTP2_RESPONSES } from './http2-responses.js';
import { exchange, requestTo } from './transports.js';

const ID = 1;
const LIMITS = { maxBodySize: 1e6, maxHeaderSize: 64 * 1024, maxHeaderFields: 1000 };
const ROWS = HTTP2_RESPONSES.map(({ say }) => framesIn(say(ID))).filter((frames) => frames.length < 40);
const INITIAL = Buffer.concat([settingsFrame([]), frame(TYPES.SETTINGS, FLAGS.ACK, 0)]);

/** The frames of a response, some of them changed; `random` decides how. */
export function http2Mutant(random) {
  let frames = [...random.pick(ROWS)];
  for (let i = random.below(4); i > 0 && frames.length > 0; i--) frames = random.pick(MUTATIONS)(frames, random);
  return frames;
}

/** @type {((frames: Buffer[], random: any) => Buffer[])[]} */
const MUTATIONS = [
  // a byte of the head of a frame: its length, type, flags, or stream
  (frames, random) => changed(frames, random, (bytes) => (bytes[random.pick([2, 3, 4, 4, 4, 8])] = random.below(256))),
  (frames, random) => changed(frames, random, (bytes) => (bytes[4] ^= 1 << random.pick([0, 2, 3, 5]))),
  (frames, random) => changed(frames, random, (bytes) => (bytes[random.below(bytes.length)] = random.below(256))),
  (frames, random) => frames.toSpliced(random.below(frames.length), 1),
  (frames, random) => frames.toSpliced(random.below(frames.length + 1), 0, random.pick(random.pick(ROWS))),
  (frames, random) => frames.toSpliced(random.below(frames.length + 1), 0, random.pick(frames)),
  (frames, random) => frames.slice(0, 1 + random.below(frames.length)),
];

/** @type {(frames: Buffer[], random: any, change: (bytes: Buffer) => unknown) => Buffer[]} */
function changed(frames, { below }, change) {
  const at = below(frames.length);
  const bytes = Buffer.from(frames[at]);
  change(bytes);
  return frames.with(at, bytes);
}

/** @type {(bytes: Buffer) => Buffer[]} */
function framesIn(bytes) {
  const frames = [];
  for (let at = 0; at < bytes.length; at += frames.at(-1).length)
    frames.push(bytes.subarray(at, at + 9 + bytes.readUIntBE(at, 3)));
  return frames;
}

/**
 * Responses that only one of the clients accepts. Ours follows the section of RFC 9113 that is named.
 *
 * @type {{ why: string, holds: (found: { frames: string[], ours: any, node: any }) => boolean }[]}
 */
const DIFFERENCES = [
  {
    why: '8.2.1: fields with malformed values make a response malformed; nghttp2 passes over such fields',
    holds: ({ ours, node }) => ours.code === 'E_PROTOCOL' && node.status > 0,
  },
  {
    why: '6.8: streams up to that of GOAWAY are completed, whatever its code; Node ends them if it is an error',
    holds: ({ frames, ours, node }) => ours.status > 0 && node.code && frames.some((hex) => hex.startsWith('07', 6)),
  },
  {
    why: '6.5.3: an acknowledgement of no settings is no error; nghttp2 refuses it',
    holds: ({ frames, ours, node }) =>
      ours.status > 0 && node.code && frames.some((hex) => /^.{6}04.[13579bdf]/.test(hex)),
  },
  {
    why: '8.1: a reset without an error may follow a complete response; Node takes an incomplete one for complete',
    holds: ({ ours, node }) => ours.code === 'NO_ERROR' && node.status > 0,
  },
  {
    why: '10.5.1: each client limits heads as it likes: Node to 128 fields, ours to 64 KiB and 1000 fields',
    holds: ({ ours, node }) =>
      LIMIT_CODES.has(ours.code) ? node.status > 0 : ours.status > 0 && node.code === 'ERR_HTTP2_STREAM_ERROR',
  },
];
const LIMIT_CODES = new Set(['E_HEADERS_TOO_LARGE', 'E_TOO_MANY_FIELDS', 'ENHANCE_YOUR_CALM']);

/** Responses at the limits of heads, and frames after the end of a response (RFC 9113 5.1), which both clients accept. */
export const HTTP2_EXTREMES = [
  ...[
    [150, 1],
    [1200, 1],
    [20, 3000],
    [25, 3000],
  ].map(([count, size]) => [
    ...headIn(Array.from({ length: count }, (_, i) => [`x-${i}`, 'y'.repeat(size)]).flat()),
    dataFrame(ID, 'ok'),
  ]),
  [responseTo(ID), headersFrame(ID, [':status', '200'])],
  [responseTo(ID), headersFrame(ID, ['a', 'b'], FLAGS.END_HEADERS | FLAGS.END_STREAM)],
  [responseTo(ID), dataFrame(ID, 'x')],
];

/** A head in as many frames as it needs. */
function headIn(fields) {
  const bytes = block(':status', '200', ...fields);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 16_384) }, (_, i) =>
    bytes.subarray(i * 16_384, (i + 1) * 16_384),
  );
  return pieces.map((piece, i) =>
    frame(i ? TYPES.CONTINUATION : TYPES.HEADERS, i === pieces.length - 1 ? FLAGS.END_HEADERS : 0, ID, piece),
  );
}

/** After this time the client of Node has no response. */
const SILENCE_MS = 500;

/** Runs cases on our client and on that of `node:http2`; returns those that differ without a known reason. */
export async function findHttp2Differences(cases, lanes = 16) {
  const server = await framed(async (io) => {
    const { path } = await io.readRequest();
    await io.send(Buffer.concat([INITIAL, ...cases[Number(path.slice(1))]]));
    io.fin();
  });
  const transport = openBuiltin(LIMITS);
  const nodeClient = new NodeClient();
  const found = [];
  let next = 0;
  const work = async () => {
    for (let i = next++; i < cases.length; i = next++) {
      const url = `${server.url}/${i}`;
      const frames = cases[i].map((bytes) => bytes.toString('hex', 0, 60));
      const differs = (ours, node) =>
        !isSame(ours, node) && !DIFFERENCES.some(({ holds }) => holds({ frames, ours, node }));
      const [ours, first] = await Promise.all([byOurs(transport, url), nodeClient.get(url, SILENCE_MS)]);
      // a busy machine may have kept the response from it
      const isKept = first.code === 'silent' && differs(ours, first);
      const node = isKept ? await nodeClient.get(url, 40 * SILENCE_MS) : first;
      if (differs(ours, node)) found.push({ frames, ours, node });
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  await nodeClient.close();
  await transport.close();
  await server.close();
  return found;
}

function isSame(ours, node) {
  if (node.hasCrashed) return true;
  if (ours.code || node.code) return Boolean(ours.code) === Boolean(node.code);
  return ours.status === node.status && ours.body === node.body;
}

async function byOurs(transport, url) {
  const request = requestTo(url, { http2: 'prior-knowledge' });
  const connection = transport.connect(request.endpoint);
  const result = await exchange(connection, request);
  connection.close();
  return result;
}

class NodeClient {
  /** @type {import('node:child_process').ChildProcess | null} */
  #child = null;
  /** @type {Map<number, (outcome: any) => void>} */
  #waiting = new Map();
  #count = 0;

  get(url, silenceMs) {
    return new Promise((resolve) => {
      const number = this.#count++;
      this.#waiting.set(number, resolve);
      this.#child ??= this.#start();
      this.#child.send({ number, url, silenceMs });
    });
  }

  #start() {
    const child = fork(fileURLToPath(new URL('node-http2-client.js', import.meta.url)), { stdio: 'ignore' });
    child.on('message', ({ number, outcome }) => {
      this.#waiting.get(number)?.(outcome);
      this.#waiting.delete(number);
    });
    // It may have ended before its exit is noticed.
    child.on('error', () => {});
    // An assertion of nghttp2 failed in one of these cases: there is nothing to compare them with.
    child.on('exit', () => {
      this.#child = null;
      for (const resolve of this.#waiting.values()) resolve({ hasCrashed: true });
      this.#waiting.clear();
    });
    return child;
  }

  async close() {
    const child = this.#child;
    if (child === null) return;
    child.disconnect();
    await once(child, 'exit');
  }
}
