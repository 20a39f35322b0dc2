import { HpackDecoder } from '../../lib/addons/http2/hpack-decoder.js';
import { actsWith, faulty, faulting } from './faulty-server.js';

/** Types of frames (RFC 9113 6). */
export const TYPES = {
  ...{ DATA: 0, HEADERS: 1, PRIORITY: 2, RST_STREAM: 3, SETTINGS: 4, PUSH_PROMISE: 5, PING: 6, GOAWAY: 7 },
  ...{ WINDOW_UPDATE: 8, CONTINUATION: 9 },
};
const NAMES = Object.keys(TYPES);
export const FLAGS = { END_STREAM: 1, ACK: 1, END_HEADERS: 4, PADDED: 8, PRIORITY: 0x20 };
/** Codes of RST_STREAM and GOAWAY (RFC 9113 7). */
export const CODES = {
  ...{ NO_ERROR: 0, PROTOCOL_ERROR: 1, INTERNAL_ERROR: 2, FLOW_CONTROL_ERROR: 3, SETTINGS_TIMEOUT: 4 },
  ...{ STREAM_CLOSED: 5, FRAME_SIZE_ERROR: 6, REFUSED_STREAM: 7, CANCEL: 8, COMPRESSION_ERROR: 9, CONNECT_ERROR: 10 },
  ...{ ENHANCE_YOUR_CALM: 11, INADEQUATE_SECURITY: 12, HTTP_1_1_REQUIRED: 13 },
};
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

/**
 * Runs `story(url, seen)` against a server of HTTP/2 without TLS that plays a script for each connection,
 * `play(io, id)`, in frames: acts are those of `faulty`, and
 * hello(settings) readFrame() readRequest() until(type) respond(id, response).
 * `seen` also has the frames of the client, in order: `{ type, flags, id, payload }`, types by name.
 */
export function framing(play, story) {
  return faulting(play, (url, seen, server) => story(url, seen, server), { actsOf });
}

/** Starts such a server: `{ url, seen, server, close }`. */
export const framed = (play) => faulty(play, { actsOf });

function actsOf(socket, seen) {
  seen.frames ??= [];
  let hasPreface = false;
  const { readNext, ...io } = actsWith(socket, (bytes) => {
    if (!hasPreface) {
      if (bytes.length < PREFACE.length) return null;
      if (bytes.latin1Slice(0, PREFACE.length) !== PREFACE) throw new Error('the client sent no preface');
      hasPreface = true;
      return { item: { type: 'preface' }, size: PREFACE.length };
    }
    const taken = takeFrame(bytes);
    if (taken === null) return null;
    seen.frames.push(taken.item);
    if (taken.item.type === 'HEADERS') seen.requests++;
    return taken;
  });
  const decoder = new HpackDecoder({ maxListSize: 1e6, maxFields: 1e4 });
  const self = {
    ...io,
    readFrame: readNext,
    /** Reads frames up to one of a type. */
    async until(type) {
      for (;;) {
        const frame = await readNext();
        if (frame.type === type) return frame;
      }
    },
    /** Reads the preface, and sends settings and an acknowledgement. @param {[id: number, value: number][]} settings */
    async hello(settings = []) {
      await self.until('preface');
      await io.send(Buffer.concat([settingsFrame(settings), frame(TYPES.SETTINGS, FLAGS.ACK, 0)]));
    },
    /** Reads up to the end of the next head. */
    async readRequest() {
      const first = await self.until('HEADERS');
      const parts = [first.payload];
      for (let last = first; !(last.flags & FLAGS.END_HEADERS); parts.push(last.payload))
        last = await self.until('CONTINUATION');
      const block = Buffer.concat(parts);
      const { fields } = decoder.decode(block, 0, block.length);
      const headers = Object.fromEntries(fields.flatMap((name, i) => (i % 2 ? [] : [[name, fields[i + 1]]])));
      seen.lines.push(`${headers[':method']} ${headers[':path']}`);
      return { id: first.id, path: headers[':path'], headers, ends: (first.flags & FLAGS.END_STREAM) !== 0 };
    },
    respond: (id, response) => io.send(responseTo(id, response)),
  };
  return self;
}

function takeFrame(bytes) {
  if (bytes.length < 9) return null;
  const size = 9 + bytes.readUIntBE(0, 3);
  if (bytes.length < size) return null;
  const [type, flags, id] = [NAMES[bytes[3]] ?? bytes[3], bytes[4], bytes.readUInt32BE(5) & 0x7fff_ffff];
  return { item: { type, flags, id, payload: Buffer.from(bytes.subarray(9, size)) }, size };
}

/** @param {number} length of the payload; another one for a malformed frame */
export function frame(type, flags, id, payload = Buffer.alloc(0), length = payload.length) {
  const head = Buffer.alloc(9);
  head.writeUIntBE(length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(id, 5);
  return Buffer.concat([head, Buffer.from(payload, 'latin1')]);
}

export const uint32 = (...values) =>
  Buffer.concat(values.map((value) => Buffer.from([24, 16, 8, 0].map((n) => value >>> n))));

export const settingsFrame = (settings) =>
  frame(
    TYPES.SETTINGS,
    0,
    0,
    Buffer.concat(settings.map(([id, value]) => Buffer.concat([Buffer.of(id >> 8, id), uint32(value)]))),
  );

/** A block of literals without indexing and without the Huffman code. */
export function block(...fields) {
  const text = (value) => {
    const bytes = Buffer.from(value, 'latin1');
    const size = bytes.length < 127 ? Buffer.of(bytes.length) : integerOf(bytes.length - 127);
    return Buffer.concat([size, bytes]);
  };
  return Buffer.concat(fields.flatMap((name, i) => (i % 2 ? [] : [Buffer.of(0), text(name), text(fields[i + 1])])));
}

/** The rest of an integer after a prefix of seven bits (RFC 7541 5.1). */
function integerOf(value) {
  const octets = [0x7f];
  let rest = value;
  for (; rest >= 0x80; rest >>= 7) octets.push((rest & 0x7f) | 0x80);
  return Buffer.from([...octets, rest]);
}

export const headersFrame = (id, fields, flags = FLAGS.END_HEADERS) =>
  frame(TYPES.HEADERS, flags, id, block(...fields));

export const dataFrame = (id, body, flags = FLAGS.END_STREAM) => frame(TYPES.DATA, flags, id, body);

/** All frames of a response. */
export function responseTo(id, { status = 200, fields = [], body = 'ok' } = {}) {
  const ends = body === null;
  const head = headersFrame(id, [':status', `${status}`, ...fields], FLAGS.END_HEADERS | (ends ? FLAGS.END_STREAM : 0));
  return ends ? head : Buffer.concat([head, dataFrame(id, body)]);
}
