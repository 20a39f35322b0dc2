import { isObject } from '../../core/flow/record.js';
import { anyText } from '../../core/text/format-value.js';

/**
 * @typedef {object} TargetRequest
 * @property {string} method
 * @property {string} path path and query, as sent
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {Buffer} body
 *
 * @typedef {object} Answer
 * @property {number} status
 * @property {Record<string, string>} [headers]
 * @property {string | Buffer} [body]
 * @property {number} [delayMs] time to wait before answering
 * @property {{ count: number, everyMs: number }} [events] sent instead of a body
 */

const MAX_SESSIONS = 10_000;
const MAX_DELAY_MS = 600_000;
const EVENTS = 5;
const MAX_EVENTS = 10_000;
const EVENT_MS = 100;
const HOUR_S = 3600;
const MAX_PAGES = 1000;
const MAX_DOCUMENTS = 100_000;
const MAX_BYTES = 256 * 1024 * 1024;
/** The first documents: a list at `/items`, and its entries at `/items/book` and so on. */
const ITEMS = [
  { id: 'book', name: 'book', price: 12 },
  { id: 'cup', name: 'cup', price: 7 },
  { id: 'pen', name: 'pen', price: 2 },
];
const FIRST_DOCUMENTS = new Map([
  ['/items', ITEMS],
  ...ITEMS.map((item) => /** @type {[string, unknown]} */ ([`/items/${item.id}`, item])),
]);
const ALLOW = 'GET, HEAD, PUT, POST, PATCH, DELETE, OPTIONS';

/**
 * Creates a small REST service in memory: documents at any path, and a few special paths to try flows with.
 * @type {(now?: () => number) => (request: TargetRequest) => Answer}
 */
export function createResources(now = Date.now) {
  const documents = new Documents();
  const sessions = new Sessions('s');
  const refreshTokens = new Sessions('r');

  /** Every other path is a document. @type {Record<string, (request: TargetRequest, rest: string) => Answer>} */
  const reserved = { login, token, me, pages, status, delay, redirect, echo, events };

  return (request) => {
    const [path] = request.path.split('?', 1);
    const [, segment, rest = ''] = path.split('/', 3);
    if (Object.hasOwn(reserved, segment)) return reserved[segment](request, rest);
    const isHello = path === '/' && (request.method === 'GET' || request.method === 'HEAD') && !documents.has(path);
    return isHello ? text(200, 'hello') : documents.answer(request, path);
  };

  /** @type {(request: TargetRequest) => Answer} */
  function login(request) {
    const user = userOf(request);
    const id = sessions.open(user);
    return json(200, { user, token: id }, { 'set-cookie': `session=${id}; Path=/; HttpOnly` });
  }

  /**
   * Returns a bearer token and the refresh token that renews it (RFC 6749, sections 4.3 and 6). Every password is
   * accepted.
   * @type {(request: TargetRequest, rest: string) => Answer}
   */
  function token(request, rest) {
    const seconds = rest === '' ? HOUR_S : wholeFromOne(rest);
    if (seconds > HOUR_S) return json(400, { error: `expected /token or /token/1 to /token/${HOUR_S}` });
    const { grant_type: grant, refresh_token: refresh } = fieldsOf(request);
    const user = grant === 'refresh_token' ? refreshTokens.userOf(anyText(refresh), now()) : userOf(request);
    if (user === undefined) return json(400, { error: 'invalid_grant' });
    const tokens = {
      access_token: sessions.open(user, now() + seconds * 1000),
      refresh_token: refreshTokens.open(user),
    };
    return json(200, { ...tokens, token_type: 'Bearer', expires_in: seconds });
  }

  /** @type {(request: TargetRequest) => Answer} */
  function me({ headers: { authorization = '', cookie = '' } }) {
    const [, bearer = ''] = /^bearer (\S+)$/i.exec(authorization) ?? [];
    const [, session = ''] = /(?:^|;\s*)session=(\w+)/.exec(cookie) ?? [];
    const user = sessions.userOf(bearer, now()) ?? sessions.userOf(session, now());
    return user === undefined
      ? json(401, { error: 'no session, or it has expired: go to /login first' })
      : json(200, { user });
  }
}

/** Users by the id of their session, or refresh token. Beyond MAX_SESSIONS, the oldest one is deleted. */
class Sessions {
  /** @type {Map<string, { user: string, until: number }>} */
  #sessions = new Map();
  /** Continues at the oldest id: a new iterator would pass all deleted ones again. */
  #ids = this.#sessions.keys();
  #prefix;
  #last = 0;

  /** @param {string} prefix of the ids */
  constructor(prefix) {
    this.#prefix = prefix;
  }

  /** Returns the id of a new session. @type {(user: string, until?: number) => string} */
  open(user, until = Infinity) {
    const id = `${this.#prefix}${++this.#last}`;
    this.#sessions.set(id, { user, until });
    if (this.#sessions.size > MAX_SESSIONS) this.#sessions.delete(/** @type {string} */ (this.#ids.next().value));
    return id;
  }

  /** @type {(id: string, now: number) => string | undefined} */
  userOf(id, now) {
    const session = this.#sessions.get(id);
    return session && now < session.until ? session.user : undefined;
  }
}

/** Reads a whole number from 1; Infinity, above every limit, if the text is none. @type {(given: string) => number} */
function wholeFromOne(given) {
  return /^[1-9]\d*$/.test(given) ? Number(given) : Infinity;
}

/** One page of a list, with the URL of the next page. @type {(request: TargetRequest, rest: string) => Answer} */
function pages({ path }, rest) {
  const last = wholeFromOne(rest);
  if (last > MAX_PAGES) return json(400, { error: `expected /pages/1 to /pages/${MAX_PAGES}` });
  const page = Number(new URLSearchParams(path.split('?')[1]).get('page') ?? 1);
  if (!Number.isInteger(page) || page < 1 || page > last)
    return json(404, { error: `expected ?page=1 to ?page=${last}` });
  return json(200, { page, items: ITEMS, next: page === last ? null : `/pages/${last}?page=${page + 1}` });
}

/** @type {(request: TargetRequest, rest: string) => Answer} */
function status(_request, rest) {
  const code = /^\d{3}$/.test(rest) ? Number(rest) : NaN;
  if (!(code >= 200 && code <= 599)) return json(400, { error: 'expected /status/200 to /status/599' });
  return code === 204 || code === 205 || code === 304 ? { status: code } : text(code, `status ${code}`);
}

/** @type {(request: TargetRequest, rest: string) => Answer} */
function delay(_request, rest) {
  const delayMs = /^\d+$/.test(rest) ? Number(rest) : Infinity;
  if (delayMs > MAX_DELAY_MS) return json(400, { error: `expected /delay/0 to /delay/${MAX_DELAY_MS}` });
  return { ...text(200, `waited ${delayMs} ms`), delayMs };
}

/** @type {(request: TargetRequest, rest: string) => Answer} */
function redirect(_request, rest) {
  const left = /^\d{1,4}$/.test(rest) ? Number(rest) : NaN;
  if (Number.isNaN(left)) return json(400, { error: 'expected /redirect/0 to /redirect/9999' });
  return left === 0 ? text(200, 'arrived') : { status: 302, headers: { location: `/redirect/${left - 1}` } };
}

/** Server-sent events, ten per second, then the end. @type {(request: TargetRequest, rest: string) => Answer} */
function events(_request, rest) {
  const count = rest === '' ? EVENTS : wholeFromOne(rest);
  if (count > MAX_EVENTS) return json(400, { error: `expected /events or /events/1 to /events/${MAX_EVENTS}` });
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
  return { status: 200, headers, events: { count, everyMs: EVENT_MS } };
}

/** @type {(request: TargetRequest) => Answer} */
function echo({ method, path, headers, body }) {
  return json(200, { method, url: path, headers, body: body.toString() });
}

/**
 * Returns the user of a form or a JSON body, or else of basic authentication: beside a user in the body it names the
 * client (RFC 6749, section 4.3.2).
 * @type {(request: TargetRequest) => string}
 */
function userOf(request) {
  const { user, username } = fieldsOf(request);
  const named = user ?? username;
  if (named !== undefined && named !== null) return anyText(named);
  const basic = /^basic (\S+)$/i.exec(request.headers.authorization ?? '');
  return basic ? Buffer.from(basic[1], 'base64').toString().split(':', 1)[0] : 'guest';
}

/** The fields of a form or JSON body. @type {(request: TargetRequest) => Record<string, unknown>} */
function fieldsOf({ body }) {
  const sent = body.toString();
  try {
    return JSON.parse(sent) ?? {};
  } catch {
    // The text is not JSON, but a form, or nothing.
    return Object.fromEntries(new URLSearchParams(sent));
  }
}

/** @type {(status: number, body: string) => Answer} */
function text(code, body) {
  return { status: code, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}

/** @type {(status: number, value: unknown, headers?: Record<string, string>) => Answer} */
function json(code, value, headers) {
  return { status: code, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

/** @typedef {{ body: Buffer, type: string, etag: string }} Document */

/**
 * Documents by path, with strong etags and conditional requests (RFC 9110 13). Beyond 100,000 documents or 256 MiB the
 * oldest ones are deleted, so a long run finds its latest documents, and the first ones, which are kept.
 */
class Documents {
  /** @type {Map<string, Document>} */
  #documents = new Map();
  /** As `#ids` of Sessions, by path. */
  #paths = this.#documents.keys();
  #version = 0;
  #bytes = 0;
  #lastId = 0;

  constructor() {
    for (const [path, value] of FIRST_DOCUMENTS)
      this.#store(path, Buffer.from(JSON.stringify(value)), 'application/json');
  }

  /** @type {(path: string) => boolean} */
  has(path) {
    return this.#documents.has(path);
  }

  /** Answers a request. The path has no query. @type {(request: TargetRequest, path: string) => Answer} */
  answer(request, path) {
    const { method, headers } = request;
    const found = this.#documents.get(path);
    const isRead = method === 'GET' || method === 'HEAD';
    const isWrite = method === 'PUT' || method === 'POST';
    // Before the preconditions: an answer such as 404 or 405 is the same with and without them (RFC 9110 13.2.1).
    if (method === 'OPTIONS') return { status: 204, headers: { allow: ALLOW } };
    if (!ALLOW.split(', ').includes(method)) return { status: 405, headers: { allow: ALLOW } };
    if (!found && !isWrite) return missing(path);
    const refused = precondition(headers, found?.etag, isRead);
    if (refused) return { status: refused, headers: found && { etag: found.etag } };
    if (isWrite || !found) return this.#write(request, path, found);
    return isRead ? represent(200, found) : this.#change(request, path, found);
  }

  /** @type {(request: TargetRequest, path: string, found: Document | undefined) => Answer} */
  #write({ method, headers, body }, path, found) {
    if (method === 'PUT') return represent(found ? 200 : 201, this.#store(path, body, headers['content-type']));
    const list = path.replace(/\/$/, '');
    let location;
    do location = `${list}/${++this.#lastId}`;
    while (this.has(location));
    return represent(201, this.#store(location, body, headers['content-type']), { location });
  }

  /** DELETE, or a merge patch. @type {(request: TargetRequest, path: string, found: Document) => Answer} */
  #change({ method, body }, path, found) {
    if (method === 'DELETE') {
      this.#remove(path, found);
      return { status: 204 };
    }
    const merged = mergePatch(found.body, body);
    if ('refused' in merged) return text(merged.refused, merged.why);
    const type = /\bjson\b/i.test(found.type) ? found.type : 'application/json';
    return represent(200, this.#store(path, merged.body, type));
  }

  /** @type {(path: string, body: Buffer, type?: string) => Document} */
  #store(path, body, type = 'application/octet-stream') {
    const old = this.#documents.get(path);
    if (old) this.#remove(path, old);
    const document = { body, type, etag: `"${++this.#version}"` };
    this.#documents.set(path, document);
    this.#bytes += body.length;
    while (this.#documents.size > MAX_DOCUMENTS || this.#bytes > MAX_BYTES) {
      const { value: oldest, done } = this.#paths.next();
      if (done) {
        // The first documents alone exceed the limit. An iterator that has ended would find no later ones.
        this.#paths = this.#documents.keys();
        break;
      }
      if (!FIRST_DOCUMENTS.has(oldest)) this.#remove(oldest, /** @type {Document} */ (this.#documents.get(oldest)));
    }
    return document;
  }

  /** @type {(path: string, document: Document) => void} */
  #remove(path, { body }) {
    this.#documents.delete(path);
    this.#bytes -= body.length;
  }
}

/**
 * Returns the status of a conditional request that is refused; 0 if it may proceed (RFC 9110 13.2.2).
 * @type {(headers: TargetRequest['headers'], etag: string | undefined, isRead: boolean) => number}
 */
function precondition(headers, etag, isRead) {
  const match = headers['if-match'];
  if (match !== undefined && !matches(match, etag)) return 412;
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined && matches(noneMatch.replaceAll('W/', ''), etag)) return isRead ? 304 : 412;
  return 0;
}

/** @type {(field: string, etag: string | undefined) => boolean} */
function matches(field, etag) {
  if (etag === undefined) return false;
  return field.trim() === '*' || field.split(',').some((tag) => tag.trim() === etag);
}

/** @type {(status: number, document: Document, headers?: Record<string, string>) => Answer} */
function represent(status, { body, type, etag }, headers) {
  return { status, headers: { 'content-type': type, etag, ...headers }, body };
}

/** @type {(path: string) => Answer} */
function missing(path) {
  return text(404, `not found: ${path}; PUT it first`);
}

/**
 * Returns the patched document, or the status that refuses the patch (RFC 7396).
 * @type {(document: Buffer, patch: Buffer) => { body: Buffer } | { refused: number, why: string }}
 */
function mergePatch(document, patch) {
  const target = parsed(document);
  const change = parsed(patch);
  if (target === undefined) return { refused: 415, why: 'PATCH is for JSON documents' };
  if (change === undefined) return { refused: 400, why: 'the body of a PATCH is a merge patch in JSON' };
  try {
    return { body: Buffer.from(JSON.stringify(merge(target, change))) };
  } catch {
    return { refused: 400, why: 'the document would be nested too deeply' };
  }
}

/** Reads JSON; undefined: it is none. @type {(json: Buffer) => unknown} */
function parsed(json) {
  try {
    return JSON.parse(json.toString());
  } catch {
    return undefined;
  }
}

/** @type {(target: any, change: any) => any} */
function merge(target, change) {
  if (!isObject(change)) return change;
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [key, value] of Object.entries(change)) {
    if (value === null) merged.delete(key);
    else merged.set(key, merge(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}
