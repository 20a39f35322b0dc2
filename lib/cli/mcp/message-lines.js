import { Transform } from 'node:stream';

const NEWLINE = 0x0a;
/** Bytes at either end of a message in which its id is searched. */
const END_BYTES = 300;
const ID = '"id":\\s*(\\d{1,16}|"[\\w.-]{1,100}")';
/** A message begins or ends with its id, beside `jsonrpc` and `method`. */
const FIRST = new RegExp(`^\\s*\\{\\s*(?:"(?:jsonrpc|method)":\\s*"[^"]*",\\s*)*${ID}`);
const LAST = new RegExp(`${ID}\\s*\\}\\s*$`);

/**
 * Passes on whole lines, and drops those that are longer than a limit: a message of any length takes no more memory
 * than that, and does not end the connection. `onTooLong` receives the id of a dropped message as JSON; null: it was
 * not found.
 */
export class LineLimit extends Transform {
  #most;
  #onTooLong;
  /** The line so far; of one that is too long, its first bytes. @type {Buffer[]} */
  #parts = [];
  #length = 0;
  /** The last bytes of a line that is too long; null: this one is not. @type {Buffer | null} */
  #dropped = null;

  /**
   * @param {number} most bytes of a line
   * @param {(id: string | null) => void} onTooLong
   */
  constructor(most, onTooLong) {
    super();
    this.#most = most;
    this.#onTooLong = onTooLong;
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
    if (this.#dropped) {
      const [beginning] = this.#parts;
      const [, id = null] = FIRST.exec(String(beginning)) ?? LAST.exec(String(this.#dropped)) ?? [];
      this.#onTooLong(id);
    } else this.push(this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts));
    this.#parts = [];
    this.#length = 0;
    this.#dropped = null;
  }
}
