/** @typedef {(data: string | Buffer) => void} OnMessage */

const TEXT = 1;
const CLOSE = 8;
/** Bytes of a message that is kept. */
const MOST_BYTES = 1024 * 1024;

/**
 * Reads the messages in one direction of a WebSocket (RFC 6455 5.2) that has no extensions. Messages above MOST_BYTES
 * are left out.
 */
export class FrameReader {
  #onMessage;
  /** @type {Buffer} */
  #rest = Buffer.alloc(0);
  /** Bytes of a frame that is too long. */
  #skipped = 0;
  /** @type {Buffer[]} */
  #pieces = [];
  #size = 0;
  #opcode = 0;

  /** @param {OnMessage} onMessage */
  constructor(onMessage) {
    this.#onMessage = onMessage;
  }

  /** @type {(bytes: Buffer) => void} */
  read(bytes) {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (this.#rest.length > 0) {
      const skipped = Math.min(this.#skipped, this.#rest.length);
      this.#skipped -= skipped;
      this.#rest = this.#rest.subarray(skipped);
      const head = this.#skipped > 0 ? null : headOf(this.#rest);
      if (head === null) return;
      if (head.length > MOST_BYTES) {
        this.#skip(head);
        continue;
      }
      if (this.#rest.length < head.start + head.length) return;
      this.#frame(head);
    }
  }

  /** @type {(head: FrameHead) => void} */
  #skip({ start, length }) {
    this.#rest = this.#rest.subarray(start);
    this.#skipped = length;
    this.#pieces = [];
    this.#size = Infinity;
  }

  /** @type {(head: FrameHead) => void} */
  #frame({ start, length, opcode, isLast, mask }) {
    const payload = Buffer.from(this.#rest.subarray(start, start + length));
    this.#rest = this.#rest.subarray(start + length);
    if (opcode >= CLOSE) return;
    if (mask) for (let i = 0; i < payload.length; i++) payload[i] ^= mask[i & 3];
    if (opcode !== 0) [this.#opcode, this.#pieces, this.#size] = [opcode, [], 0];
    this.#size += length;
    if (this.#size <= MOST_BYTES) this.#pieces.push(payload);
    if (!isLast) return;
    const data = Buffer.concat(this.#pieces);
    if (this.#size <= MOST_BYTES) this.#onMessage(this.#opcode === TEXT ? data.toString('utf8') : data);
    [this.#pieces, this.#size] = [[], 0];
  }
}

/**
 * @typedef {object} FrameHead
 * @property {number} start of the payload
 * @property {number} length
 * @property {number} opcode
 * @property {boolean} isLast
 * @property {Buffer | null} mask
 */

/** Null: more bytes are needed. @type {(bytes: Buffer) => FrameHead | null} */
function headOf(bytes) {
  if (bytes.length < 2) return null;
  const short = bytes[1] & 0x7f;
  const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0;
  const isMasked = (bytes[1] & 0x80) !== 0;
  const start = 2 + lengthBytes + (isMasked ? 4 : 0);
  if (bytes.length < start) return null;
  const length =
    lengthBytes === 8 ? Number(bytes.readBigUInt64BE(2)) : lengthBytes === 2 ? bytes.readUInt16BE(2) : short;
  const mask = isMasked ? Buffer.from(bytes.subarray(start - 4, start)) : null;
  return { start, length, opcode: bytes[0] & 0x0f, isLast: (bytes[0] & 0x80) !== 0, mask };
}
