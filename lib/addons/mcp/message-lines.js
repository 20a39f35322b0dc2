import { Transform } from 'node:stream';

import { parseJson } from '../../core/text/parse-json.js';

const [NEWLINE, BRACKET] = [0x0a, 0x5b];
/** Bytes at either end of a message in which its id is searched. */
const END_BYTES = 300;
const ID = '"id":\\s*(\\d{1,16}|"[\\w.-]{1,100}")';
/** A message begins or ends with its id, beside `jsonrpc` and `method`. */
const FIRST = new RegExp(`^\\s*\\{\\s*(?:"(?:jsonrpc|method)":\\s*"[^"]*",\\s*)*${ID}`);
const LAST = new RegExp(`${ID}\\s*\\}\\s*$`);
/** Messages of a batch that are answered. */
const MOST_ANSWERED = 100;

/**
 * Passes on the messages of a client: whole lines. Those that are longer than a limit are dropped, so a message of any
 * length takes no more memory than that, and does not end the connection. So are batches: the protocol had them in its
 * version 2025-03-26 alone, and the SDK reads none. `onRefused` receives the id of each request that was dropped, as
 * JSON, if it was found.
 */
export class MessageLines extends Transform {
  #most;
  #onRefused;
  /** The line so far; of one that is too long, its first bytes. @type {Buffer[]} */
  #parts = [];
  #length = 0;
  /** The last bytes of a line that is too long; null: this one is not. @type {Buffer | null} */
  #dropped = null;

  /**
   * @param {number} most bytes of a line
   * @param {(id: string, reason: string) => void} onRefused
   */
  constructor(most, onRefused) {
    super();
    this.#most = most;
    this.#onRefused = onRefused;
  }

  /** @type {(chunk: Buffer, encoding: string, done: () => void) => void} */
  _transform(chunk, _encoding, done) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end + 1));
      this.#endLine();
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
    done();
  }

  /** @type {(part: Buffer) => void} */
  #keep(part) {
    if (part.length === 0) return;
    this.#length += part.length;
    if (this.#dropped) this.#dropped = Buffer.concat([this.#dropped, part.subarray(-END_BYTES)]).subarray(-END_BYTES);
    else this.#parts.push(part);
    if (this.#dropped || this.#length <= this.#most) return;
    const whole = Buffer.concat(this.#parts);
    this.#dropped = Buffer.from(whole.subarray(-END_BYTES));
    this.#parts = [Buffer.from(whole.subarray(0, END_BYTES))];
  }

  #endLine() {
    if (this.#dropped) this.#refuseLong(String(this.#parts[0]), String(this.#dropped));
    else {
      const line = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
      if (line[0] === BRACKET) this.#refuseBatch(line);
      else this.push(line);
    }
    this.#parts = [];
    this.#length = 0;
    this.#dropped = null;
  }

  /** @type {(beginning: string, end: string) => void} */
  #refuseLong(beginning, end) {
    const [, id] = FIRST.exec(beginning) ?? LAST.exec(end) ?? [];
    const limit = `${this.#most / 2 ** 20} MiB`;
    if (id !== undefined)
      this.#onRefused(id, `the message has more than ${limit}: save the text to a file, and pass its path`);
  }

  /** @type {(line: Buffer) => void} */
  #refuseBatch(line) {
    const { value } = parseJson(line.toString());
    if (!Array.isArray(value)) return;
    const ids = value.flatMap((message) => (isId(message?.id) ? JSON.stringify(message.id) : []));
    for (const id of ids.slice(0, MOST_ANSWERED))
      this.#onRefused(id, 'a batch is no message of the protocol: write each request in a line of its own');
  }
}

/** @type {(id: unknown) => boolean} */
function isId(id) {
  return typeof id === 'string' || typeof id === 'number';
}
