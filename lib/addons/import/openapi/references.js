import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { JoinedBytes } from '../../../core/process/body-memory.js';
import { isOutside } from '../../../core/process/confinement.js';
import { readTextFile } from '../../../core/process/read-file.js';
import { decodePercent } from '../../../core/text/decode.js';
import { isRecord, member, parseDocument } from '../read-document.js';

/** Bytes of all other documents together. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Documents that are read, and references in a chain: a longer chain is taken for a circle. */
const [MOST_DOCUMENTS, MOST_STEPS] = [2000, 50];
const REMOTE_TIMEOUT_MS = 10_000;

/** The documents that `$ref`s lead to: files in the folder of the document; other files and URLs if allowed. */
export class References {
  /** The documents by their URLs; undefined: it was not read. @type {Map<string, any>} */
  #documents = new Map();
  #room = MAX_BYTES;
  #root;
  #isRemoteAllowed;
  #folder;
  /** References in `problems`: each is there once. @type {Set<string>} */
  #named = new Set();
  /** References that led nowhere since {@link takeMissed}. @type {Set<string>} */
  #missed = new Set();
  /** Documents that were not read, and references that lead nowhere. @type {{ what: string, why: string }[]} */
  problems = [];

  /**
   * @param {any} document
   * @param {object} place
   * @param {string} place.folder
   * @param {string} place.from
   * @param {boolean} [place.isRemoteAllowed]
   */
  constructor(document, { folder, from, isRemoteAllowed = false }) {
    this.#root = isAbsolute(from) ? pathToFileURL(from).href : pathToFileURL(resolve(folder, 'document')).href;
    this.#folder = folder;
    this.#isRemoteAllowed = isRemoteAllowed;
    this.#documents.set(this.#root, document);
  }

  /** Reads all referenced documents, or adds to `problems`; makes references absolute. @type {() => Promise<void>} */
  async load() {
    const waiting = [this.#root];
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      for (const other of this.#makeAbsolute(this.#documents.get(url), url)) {
        if (this.#documents.has(other)) continue;
        const { document, problem } =
          this.#documents.size < MOST_DOCUMENTS
            ? await this.#read(other, url)
            : {
                problem: `there are more than ${MOST_DOCUMENTS} documents: bundle them to one, such as with npx @redocly/cli bundle`,
              };
        this.#documents.set(other, document);
        if (problem === undefined) waiting.push(other);
        else this.problems.push({ what: `$ref to ${other}`, why: problem });
      }
    }
  }

  /**
   * Makes the references of a document absolute, and lists the other documents in them. The walk has no recursion: a
   * document may be deep.
   * @type {(document: any, base: string) => Set<string>}
   */
  #makeAbsolute(document, base) {
    /** @type {Set<string>} */
    const others = new Set();
    const stack = [document];
    const known = new Set();
    while (stack.length > 0) {
      const value = stack.pop();
      if (typeof value !== 'object' || value === null || known.has(value)) continue;
      known.add(value);
      const ref = member(value, '$ref');
      // References within the first document stay as they are.
      const isChanged = typeof ref === 'string' && !(ref.startsWith('#') && base === this.#root);
      if (isChanged && URL.canParse(ref, base)) {
        const target = new URL(ref, base);
        const { hash } = target;
        target.hash = '';
        value.$ref = `${target.href}${hash || '#'}`;
        if (target.href !== base) others.add(target.href);
      }
      for (const one of Object.values(value)) stack.push(one);
    }
    return others;
  }

  /** @type {(url: string, by: string) => Promise<{ document?: any, problem?: string }>} by: the document that refers */
  async #read(url, by) {
    const { protocol } = new URL(url);
    try {
      if (!/^(?:file|https?):$/.test(protocol)) return { problem: 'it is neither a file nor a URL of HTTP' };
      const isFile = protocol === 'file:';
      // Its text would become a part of the requests that the author of the document chooses.
      if (isFile && !by.startsWith('file:')) return { problem: 'a document that was downloaded reads no files' };
      if (!isFile && !this.#isRemoteAllowed) return { problem: 'it is not downloaded: add --remote-refs' };
      const text = isFile ? this.#readFile(url) : await download(url, this.#room);
      this.#room -= text.length;
      return { document: await parseDocument(text, url) };
    } catch (error) {
      return { problem: /** @type {Error} */ (error).message };
    }
  }

  /** @type {(url: string) => string} */
  #readFile(url) {
    const path = fileURLToPath(url);
    const inFolder = relative(realpathSync(this.#folder), realpathSync(path));
    if (!this.#isRemoteAllowed && isOutside(inFolder))
      throw new Error('it is outside of the folder of the document: add --remote-refs');
    return readTextFile(path, { maxBytes: this.#room });
  }

  /**
   * Follows the references of a value: returns the value itself without one, undefined if a reference leads nowhere or
   * in a circle. Members beside a `$ref`, such as a description, are ignored.
   * @type {(value: any) => any}
   */
  resolve(value) {
    let found = value;
    for (let step = 0; isRecord(found) && typeof member(found, '$ref') === 'string'; step++) {
      found = step > MOST_STEPS ? undefined : this.target(found.$ref);
    }
    if (found === undefined && value !== undefined) this.#missed.add(value.$ref);
    return found;
  }

  /** Returns the references that led nowhere since the last call, short. @type {() => string[]} */
  takeMissed() {
    const folder = new URL('.', this.#root).href;
    const missed = [...this.#missed].map((ref) => ref.replace(folder, '').replace(/#$/, '').slice(0, 200));
    this.#missed.clear();
    return missed;
  }

  /** Does the same, and names a reference within the first document that leads nowhere. @type {(value: any) => any} */
  resolveOrName(value) {
    const found = this.resolve(value);
    const ref = found === undefined ? String(member(value, '$ref') ?? '') : '';
    if (ref.startsWith('#') && !this.#named.has(ref)) {
      this.#named.add(ref);
      this.problems.push({ what: `$ref to ${ref.slice(0, 200)}`, why: 'it leads nowhere, or in a circle' });
    }
    return found;
  }

  /** Returns the value that a reference names. @type {(ref: string) => any} */
  target(ref) {
    const at = ref.indexOf('#');
    const document = this.#documents.get(at <= 0 ? this.#root : ref.slice(0, at));
    const pointer = at < 0 ? '' : ref.slice(at + 1);
    if (pointer === '') return document;
    if (!pointer.startsWith('/')) return undefined;
    return pointer
      .slice(1)
      .split('/')
      .reduce((value, part) => member(value, keyOf(part)), document);
  }
}

/** A part of a JSON pointer in a URL (RFC 6901 6). @type {(part: string) => string} */
function keyOf(part) {
  return decodePercent(part).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** @type {(url: string, room: number) => Promise<string>} room: the most bytes */
async function download(url, room) {
  const response = await fetch(url, { signal: AbortSignal.timeout(REMOTE_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`it was answered with status ${response.status}`);
  // What is counted is decompressed.
  const bytes = new JoinedBytes();
  for await (const piece of response.body ?? []) {
    if (bytes.view.length + piece.length > room) throw new Error('it is too long');
    bytes.add(Buffer.from(piece), 0, piece.length, room);
  }
  return new TextDecoder().decode(bytes.take());
}
