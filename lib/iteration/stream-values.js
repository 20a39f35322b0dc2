import { makeError } from '../ground/errors.js';
import { JoinedBytes } from '../process/body-memory.js';

/** @import { Capture, ParsedJson, ReceivedEvent } from '../contracts/expectation.js' */
/** @import { BodyAccount } from '../process/body-memory.js' */
/** @import { EventParser } from '../text/streams/types.js' */

/** Keeps what an operation needs of the data of events: captured values, and all texts if something reads them. */
export class StreamValues {
  #captures;
  #account;
  #most;
  /** @type {JoinedBytes | null} */
  #texts;
  #textBytes = 0;
  /** Values by the names of captures. @type {Map<string, unknown>} */
  captured = new Map();

  /**
   * @param {{ captures: Capture[], keepsTexts: boolean, most: number, account: BodyAccount }} options most: bytes of
   *   all texts
   */
  constructor({ captures, keepsTexts, most, account }) {
    this.#captures = captures;
    this.#account = account;
    this.#most = most;
    this.#texts = keepsTexts ? new JoinedBytes(account) : null;
  }

  /** @throws {Error} E_BODY_TOO_LARGE, E_BODY_MEMORY @type {(event: EventReader) => void} */
  take(event) {
    if (this.#texts !== null) this.#keep(this.#texts, event.text);
    for (const capture of this.#captures) this.#capture(capture, event);
  }

  /** Returns the data of all events so far, a line each; null: nothing reads it. @type {() => Buffer | null} */
  texts() {
    return this.#texts?.view ?? null;
  }

  /** Returns the same, and keeps it no longer. @type {() => Buffer | null} */
  takeTexts() {
    return this.#texts?.take() ?? null;
  }

  release() {
    this.#texts?.drop();
  }

  /** @type {(capture: Capture, event: EventReader) => void} */
  #capture({ name, event: type, joins, read }, event) {
    if (type !== true && type !== event.type) return;
    if (this.captured.has(name) && !joins) return;
    const value = read(/** @type {any} */ (event));
    if (value === undefined) return;
    if (!joins) this.captured.set(name, value);
    else if (!isNothing(value)) this.#join(name, String(value));
  }

  /** @type {(name: string, text: string) => void} */
  #join(name, text) {
    const joined = `${this.captured.get(name) ?? ''}${text}`;
    this.#limit(text.length);
    this.#account.reserve(text.length);
    this.captured.set(name, joined);
  }

  /** @type {(texts: JoinedBytes, text: string) => void} */
  #keep(texts, text) {
    const bytes = Buffer.from(this.#textBytes > 0 ? `\n${text}` : text);
    this.#limit(bytes.length);
    texts.add(bytes, 0, bytes.length, this.#most);
  }

  /** @type {(size: number) => void} */
  #limit(size) {
    this.#textBytes += size;
    if (this.#textBytes > this.#most) throw makeError('E_BODY_TOO_LARGE', { limit: this.#most });
  }
}

/**
 * An event as paths and captures read it: its JSON is parsed once.
 *
 * @implements {ReceivedEvent}
 */
export class EventReader {
  /** @type {ParsedJson | null} */
  #json = null;

  /** @param {EventParser} event */
  constructor({ type, data }) {
    this.type = type;
    this.text = data;
  }

  get json() {
    return (this.#json ??= parsed(this.text));
  }
}

/** @type {(text: string) => ParsedJson} */
function parsed(text) {
  try {
    return { value: JSON.parse(text), fault: null };
  } catch {
    return { value: undefined, fault: 'an event that is not JSON' };
  }
}

/** @type {(value: unknown) => boolean} */
export function isNothing(value) {
  return value === undefined || value === null || value === '';
}
