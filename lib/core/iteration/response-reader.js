import { isUtf8 } from 'node:buffer';

import { offered } from '../ground/addons.js';
import { makeError } from '../ground/errors.js';
import { withoutSpace } from '../http/field-values.js';
import { UNCOUNTED } from '../process/body-memory.js';
import { SHOWN_BYTES, formatValue } from '../text/format-value.js';

/** @import { ParsedJson } from '../contracts/expectation.js' */
/** @import { SentRequest } from '../contracts/hooks.js' */
/** @import { Request } from '../contracts/request.js' */
/** @import { Response } from '../contracts/response.js' */
/** @import { Offered } from '../ground/types.js' */
/** @import { BodyAccount } from '../process/body-memory.js' */

/** Memory of parsed JSON per byte of its text; measured: records 1.9, a map of numbers 3.8. */
const JSON_COST = 4;
/** Bytes: parsing 16 MiB takes 0.1 to 0.2 s, in which no other request is served. */
export const MAX_JSON = 16 * 1024 * 1024;

/**
 * What reads bodies as they arrive knows what else a body may be.
 * @type {Offered<{ recognize?: (text: string) => string | undefined }>[]}
 */
const READERS = offered('readers');

/** A response as checks and captures read it: text and JSON are decoded once, when first read. One serves a lane. */
export class ResponseReader {
  #bodies;
  /** @type {Response | null} */
  #response = null;
  /** @type {BufferEncoding} */
  #encoding = 'utf8';
  /** @type {string | null} */
  #text = null;
  /** @type {ParsedJson | null} */
  #json = null;
  /** The service time of its exchange. */
  ms = 0;

  /** @param {BodyAccount} [bodies] counts the memory of texts and JSON */
  constructor(bodies = UNCOUNTED) {
    this.#bodies = bodies;
  }

  /** Reads the next response. @type {(response: Response, ms?: number, encoding?: BufferEncoding) => this} */
  hold(response, ms = 0, encoding = 'utf8') {
    this.#response = response;
    this.#encoding = encoding;
    this.#text = null;
    this.#json = null;
    this.ms = ms;
    return this;
  }

  /** Lets the garbage collector have the response, and its decoded parts. */
  release() {
    this.#response = null;
    this.#text = null;
    this.#json = null;
  }

  get statusCode() {
    return this.#current.statusCode;
  }

  get headers() {
    return this.#current.headers;
  }

  get body() {
    return this.#current.body;
  }

  get trailers() {
    return this.#current.trailers ?? null;
  }

  get reading() {
    return this.#current.reading ?? null;
  }

  get text() {
    if (this.#text === null) {
      const { body } = this;
      this.#text = body === null ? '' : decodeBody(body, this.#encoding, this.#bodies);
    }
    return this.#text;
  }

  /** `name` is in lower case; several values are joined. @type {(name: string) => string | undefined} */
  header(name) {
    const { headers } = this;
    if (!Object.hasOwn(headers, name)) return undefined;
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /** The last cookie of a name that the response sets, as written. @type {(name: string) => string | undefined} */
  cookie(name) {
    const line = this.#current.setCookies?.findLast((one) => one.startsWith(`${name}=`));
    return line && withoutSpace(line.slice(name.length + 1).split(';', 1)[0]);
  }

  /** @throws {Error} E_JSON_TOO_LARGE, E_BODY_MEMORY */
  get json() {
    return (this.#json ??= this.#parse());
  }

  /** @type {() => ParsedJson} */
  #parse() {
    const { body, value } = this.#current;
    if (value !== undefined) return { value, fault: null };
    if (body === null || body.length === 0) return { value: undefined, fault: 'an empty body' };
    if (body.length > MAX_JSON) throw makeError('E_JSON_TOO_LARGE', { size: body.length, limit: MAX_JSON });
    const text = withoutMark(this.#text ?? body.toString(this.#encoding));
    const parsed = parseBody(text, this.#bodies, body.length);
    if (parsed !== null) return { value: parsed.value, fault: null };
    const [what = 'is not JSON'] = READERS.flatMap(({ load }) => load().recognize?.(text) ?? []);
    return {
      value: undefined,
      fault: `${formatValue(body.toString(this.#encoding, 0, SHOWN_BYTES))}, which ${what}`,
    };
  }

  get #current() {
    return /** @type {Response} */ (this.#response);
  }
}

/** @throws {Error} E_BODY_MEMORY @type {(body: Buffer, encoding: BufferEncoding, bodies: BodyAccount) => string} */
export function decodeBody(body, encoding, bodies) {
  bodies.reserve(body.length);
  return body.toString(encoding);
}

/**
 * Parses the text of a body that is JSON; null for any other. `size` is the number of bytes of the body; its memory is
 * counted.
 * @throws {Error} E_BODY_MEMORY
 * @type {(text: string, bodies: BodyAccount, size?: number) => { value: any } | null}
 */
export function parseBody(text, bodies, size = text.length) {
  bodies.reserve(JSON_COST * size);
  try {
    return { value: JSON.parse(text) };
  } catch {
    bodies.free(JSON_COST * size);
    return null;
  }
}

/**
 * A byte order mark before JSON may be ignored (RFC 8259 8.1), as fetch does. Hooks get such JSON as text, as they did
 * in 1.2.4, unless the operation has `encoding: 'utf8'`.
 * @type {(text: string) => string}
 */
export function withoutMark(text) {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/**
 * Lists the bodies that a step has received: that of the response, or the messages of a WebSocket.
 * @type {(received: ResponseReader, response: Response, bodies: BodyAccount) => ResponseReader[]}
 */
export function messagesOf(received, response, bodies) {
  if (response.messages === undefined) return [received];
  return response.messages.map((message) =>
    new ResponseReader(bodies).hold({ ...response, body: Buffer.from(/** @type {Buffer} */ (message)) }),
  );
}

/**
 * @typedef {object} ExchangeTimes instants of the clock
 * @property {number} startedAt the exchange
 * @property {number} requestedAt its last request, after redirects
 * @property {number} connectedAt when a connection was opened for that request; 0 if none was
 * @property {number} firstByteAt of its response
 * @property {number} endedAt
 */

/**
 * The response as hooks see it: they may overwrite `statusCode`; the original stays in `originalStatusCode`. It has
 * those properties of an http.IncomingMessage, which bench-rest 1 passed on, that describe the response. They are
 * computed when they are read.
 */
export class HookResponse {
  #response;
  #readBody;
  #times;
  /** The body that a hook has set. @type {{ body: any } | null} */
  #ownBody = null;
  /** @type {Record<string, any> | null} */
  #headers = null;
  /** @type {SentRequest | null} */
  #request = null;

  /** @param {Response} response @param {() => any} readBody @param {ExchangeTimes} times */
  constructor(response, readBody, times) {
    this.#response = response;
    this.#readBody = readBody;
    this.#times = times;
    this.statusCode = response.statusCode;
    this.originalStatusCode = response.statusCode;
  }

  /** Those of this response alone: a hook may change them. */
  get headers() {
    return (this.#headers ??= this.#response.headers);
  }

  set headers(headers) {
    this.#headers = headers;
  }

  /** The header fields by names in any case, as the request library had them. */
  get caseless() {
    return caselessOf(this.headers);
  }

  get statusMessage() {
    return this.#response.statusMessage;
  }

  /** `1.1`; undefined with undici. */
  get httpVersion() {
    return this.#response.httpVersion;
  }

  /** Names and values in turn, as received. */
  get rawHeaders() {
    return this.#response.rawHeaders;
  }

  /** Milliseconds from the start of the operation to the end of the response, redirects included. */
  get elapsedTime() {
    return this.#times.endedAt - this.#times.startedAt;
  }

  /** When the last request reached each step, ms from its start. Host names are looked up once per run, before it. */
  get timings() {
    const { requestedAt, connectedAt, firstByteAt, endedAt } = this.#times;
    const connect = connectedAt > 0 ? connectedAt - requestedAt : 0;
    return { socket: 0, lookup: 0, connect, response: firstByteAt - requestedAt, end: endedAt - requestedAt };
  }

  /** The time between them, ms. */
  get timingPhases() {
    const { connect, response, end } = this.timings;
    return { wait: 0, dns: 0, tcp: connect, firstByte: response - connect, download: end - response, total: end };
  }

  /** The start of the last request, ms since 1970. */
  get timingStart() {
    return Math.round(performance.timeOrigin + this.#times.requestedAt);
  }

  /** The first byte of the response, ms since 1970. */
  get responseStartTime() {
    return Math.round(performance.timeOrigin + this.#times.firstByteAt);
  }

  /** The body as it was received, even if a hook has set `all.body`. */
  get body() {
    return this.#ownBody === null ? this.#readBody() : this.#ownBody.body;
  }

  set body(body) {
    this.#ownBody = { body };
  }

  /** The messages of a WebSocket: text, or a Buffer of binary data. */
  get messages() {
    return this.#response.messages;
  }

  /** How the server closed a WebSocket. */
  get close() {
    return this.#response.close;
  }

  /** The last request, after redirects. @type {SentRequest | undefined} */
  get request() {
    const { request } = this.#response;
    return (this.#request ??= request ? describe(request) : null) ?? undefined;
  }

  toJSON() {
    const { statusCode, body, headers, request } = this;
    return {
      statusCode,
      body,
      headers,
      ...(request && { request: { uri: request.uri, method: request.method, headers: request.headers } }),
    };
  }
}

/** @type {(dict: Record<string, any>) => import('../contracts/hooks.js').Caseless} */
function caselessOf(dict) {
  const has = (/** @type {string} */ name) =>
    Object.keys(dict).find((key) => key.toLowerCase() === name.toLowerCase()) ?? false;
  return {
    dict,
    has,
    get: (name) => dict[has(name) || name],
    set(name, value, replaces = true) {
      const key = has(name) || name;
      dict[key] = replaces || dict[key] === undefined ? value : `${dict[key]},${value}`;
    },
    del: (name) => delete dict[has(name) || name],
  };
}

/** @type {(request: Request) => SentRequest} */
function describe({ endpoint, method, path, fields, extra, body }) {
  const uri = partsOf(new URL(endpoint.origin + path));
  return {
    method,
    href: uri.href,
    host: uri.hostname,
    port: uri.port ?? (uri.protocol === 'https:' ? 443 : 80),
    path,
    uri,
    headers: byName([...fields, ...(extra ?? [])]),
    body: textOf(body),
  };
}

/** A body is encoded once if all requests share it. @type {(body: Request['body']) => string | Buffer | undefined} */
function textOf(body) {
  return Buffer.isBuffer(body) && isUtf8(body) ? body.toString() : (body ?? undefined);
}

/**
 * The parts that `url.parse` gave, of a URL without credentials.
 * @type {(url: URL) => { href: string, protocol: string, host: string, hostname: string, port: string | null, pathname:
 *   string, search: string | null, query: string | null, path: string }}
 */
function partsOf({ href, protocol, host, hostname, port, pathname, search }) {
  return {
    href,
    protocol,
    host,
    hostname,
    port: port || null,
    pathname,
    search: search || null,
    query: search ? search.slice(1) : null,
    path: pathname + search,
  };
}

/** @type {(fields: string[]) => Record<string, string | string[]>} */
function byName(fields) {
  /** @type {Map<string, string | string[]>} */
  const all = new Map();
  for (let i = 0; i < fields.length; i += 2) {
    const known = all.get(fields[i]);
    all.set(fields[i], known === undefined ? fields[i + 1] : [known, fields[i + 1]].flat());
  }
  return Object.fromEntries(all);
}
