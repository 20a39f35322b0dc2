import { readFileSync, statSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** @import { Call } from './place.js' */

/** A larger map takes more memory than the names are worth. */
const MOST_BYTES = 50_000_000;
/** The address of the map, at the end of a file. */
const COMMENT = /\/\/[#@]\s*sourceMappingURL=([^\s'"]+)\s*$/;
const DATA = /^data:application\/json[^,]*?(;base64)?,/;

/** Finds functions in the original sources, by source maps. A map that cannot be read counts as missing. */
export class SourceMaps {
  #urls;
  /** By the file. @type {Map<string, SourceMap | null>} */
  #maps = new Map();

  /** @param {Map<string, string>} [urls] of the maps, by the file; a file without one is read */
  constructor(urls = new Map()) {
    this.#urls = urls;
  }

  /** Returns the same function in its source. @type {(call: Call) => Call} */
  original(call) {
    const { file = '', line = 0, column = 1 } = call;
    const entry = line > 0 ? this.#entry(file, line - 1, column - 1) : undefined;
    if (entry === undefined) return call;
    const found = { file: sourceOf(file, entry.originalSource), line: entry.originalLine + 1 };
    return { name: this.#nameOf(call), ...found, column: entry.originalColumn + 1 };
  }

  /** V8 reports the position after the minified name. @type {(call: Call) => string} */
  #nameOf({ name, file = '', line = 0, column = 1 }) {
    const at = column - 1 - name.length;
    // The types of Node lack its name.
    const entry = /** @type {any} */ (at < 0 ? undefined : this.#entry(file, line - 1, at));
    const isAtName = entry?.generatedLine === line - 1 && entry.generatedColumn === at;
    return (isAtName && entry.name) || name;
  }

  /**
   * Returns the line of the source for a line of the file in which `call` is. Undefined: that line holds several lines
   * of the source, from the function on if it begins there, as the only line of a minified file does.
   * @type {(call: Call, line: number) => number | undefined}
   */
  originalLine({ file = '', line: first = 0, column = 1 }, line) {
    if (this.#mapOf(file) === null) return line;
    const last = this.#entry(file, line - 1, BEYOND_LINE);
    const start = line === first ? this.#entry(file, line - 1, column - 1) : last;
    return last && last.originalLine === start?.originalLine ? last.originalLine + 1 : undefined;
  }

  /** @type {(file: string, line: number, column: number) => import('node:module').SourceMapping | undefined} */
  #entry(file, line, column) {
    const entry = this.#mapOf(file)?.findEntry(line, column);
    return entry && 'originalSource' in entry && typeof entry.originalLine === 'number' ? entry : undefined;
  }

  /** @type {(file: string) => SourceMap | null} */
  #mapOf(file) {
    const known = this.#maps.get(file);
    if (known !== undefined) return known;
    let map = null;
    try {
      map = mapAt(file, this.#urls.get(file));
    } catch {
      // The file is gone, or its map is none.
    }
    this.#maps.set(file, map);
    return map;
  }
}

/** A column beyond the end of every line: its last entry is found. */
const BEYOND_LINE = 10_000_000;

/** @type {(file: string, given?: string) => SourceMap | null} */
function mapAt(file, given) {
  if (!file.startsWith('file:') && !file.startsWith('/')) return null;
  const base = urlOf(file);
  const url = given ?? COMMENT.exec(read(base).trimEnd())?.[1];
  if (url === undefined || url === '') return null;
  const [beginning, isBase64] = DATA.exec(url) ?? [];
  const rest = url.slice(beginning?.length ?? 0);
  if (beginning === undefined) return new SourceMap(JSON.parse(read(new URL(url, base))));
  return new SourceMap(JSON.parse(isBase64 ? Buffer.from(rest, 'base64').toString() : decodeURIComponent(rest)));
}

/** @type {(file: string) => URL} */
function urlOf(file) {
  return file.startsWith('/') ? pathToFileURL(file) : new URL(file);
}

/** @type {(url: URL) => string} */
function read(url) {
  const path = fileURLToPath(url);
  if (statSync(path).size > MOST_BYTES) throw new Error('too large');
  return readFileSync(path, 'utf8');
}

/**
 * Returns the path of a source, which is relative to its map; one that is none stays as it is.
 * @type {(file: string, source: string) => string}
 */
function sourceOf(file, source) {
  try {
    return new URL(source, urlOf(file)).href;
  } catch {
    return source;
  }
}
