import { Documents } from './documents.js';

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

/**
 * A small REST service in memory: documents at any path, and a few special paths to try flows with.
 *
 * @returns {(request: TargetRequest) => Answer}
 */
export function createResources() {
  const documents = new Documents();
  /** @type {Map<string, string>} */
  const sessions = new Map();
  let lastSession = 0;

  /**
   * Reserved paths by their first segment; every other path is a document.
   *
   * @type {Record<string, (request: TargetRequest, rest: string) => Answer>}
   */
  const reserved = { login, me, status, delay, redirect, echo, events };

  return (request) => {
    const [path] = request.path.split('?', 1);
    const [, segment, rest = ''] = path.split('/', 3);
    if (Object.hasOwn(reserved, segment)) return reserved[segment](request, rest);
    const isHello = path === '/' && (request.method === 'GET' || request.method === 'HEAD') && !documents.has(path);
    return isHello ? text(200, 'hello') : documents.answer(request, path);
  };

  /** @type {(request: TargetRequest) => Answer} */
  function login(request) {
    const id = `s${++lastSession}`;
    const user = userOf(request);
    sessions.set(id, user);
    if (sessions.size > MAX_SESSIONS) sessions.delete(/** @type {string} */ (sessions.keys().next().value));
    return json(200, { user }, { 'set-cookie': `session=${id}; Path=/; HttpOnly` });
  }

  /** @type {(request: TargetRequest) => Answer} */
  function me({ headers }) {
    const id = /(?:^|;\s*)session=(\w+)/.exec(headers.cookie ?? '')?.[1];
    const user = id === undefined ? undefined : sessions.get(id);
    return user === undefined ? json(401, { error: 'no session: go to /login first' }) : json(200, { user });
  }
}

/** @type {(request: TargetRequest, rest: string) => Answer} */
function status(_request, rest) {
  const code = Number(rest);
  if (!Number.isInteger(code) || code < 200 || code > 599)
    return json(400, { error: 'expected /status/200 to /status/599' });
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

/** Server-sent events, ten per second; the response ends after them. @type {(request: TargetRequest, rest: string) => Answer} */
function events(_request, rest) {
  const count = rest === '' ? EVENTS : /^[1-9]\d*$/.test(rest) ? Number(rest) : Infinity;
  if (count > MAX_EVENTS) return json(400, { error: `expected /events or /events/1 to /events/${MAX_EVENTS}` });
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
  return { status: 200, headers, events: { count, everyMs: EVENT_MS } };
}

/** @type {(request: TargetRequest) => Answer} */
function echo({ method, path, headers, body }) {
  return json(200, { method, url: path, headers, body: body.toString() });
}

/** The `user` of a form or JSON body, or of basic authentication. @type {(request: TargetRequest) => string} */
function userOf({ headers, body }) {
  const basic = /^basic (\S+)$/i.exec(headers.authorization ?? '');
  if (basic) return Buffer.from(basic[1], 'base64').toString().split(':', 1)[0];
  const sent = body.toString();
  try {
    const { user } = JSON.parse(sent);
    return String(user ?? 'guest');
  } catch {
    // not JSON: a form, or nothing
    return new URLSearchParams(sent).get('user') ?? 'guest';
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
