import { Cookie, CookieJar } from 'tough-cookie';

import { URL_KEYS } from '../draft.js';
import { cookiesIn, isAddress, isDropped, isNoise } from './request.js';
import { originIn } from './select.js';

/** @import { Exchange, RecordedRequest } from '../exchange.js' */
/** @import { OperationDraft } from '../import.js' */
/** @import { Step } from './types.js' */

/** Fields that come with a body, and those that hooks add. */
const IMPLIED = new Set(['accept', 'content-type', 'if-match', 'if-none-match']);

const NO_JAR = 'The recording did not send all cookies of the server here.';

/** @typedef {{ usesJar: boolean, isOfJar: (name: string, value: string) => boolean }} SentCookies */

/** The cookies of a run that gets the responses of a recording. */
export class RecordedJar {
  #jar = new CookieJar(null, { looseMode: true, allowSpecialUseDomain: true });

  /** Stores the cookies of a response. Those that were valid then are now. @type {(exchange: Exchange) => void} */
  receive({ request, response, endedAt }) {
    const url = originIn(request.url) + new URL(request.url).pathname;
    for (const [name, line] of response?.headers ?? []) {
      const cookie = name.toLowerCase() === 'set-cookie' ? Cookie.parse(line, { loose: true }) : undefined;
      if (!cookie) continue;
      const isGone = Number(cookie.expiryTime()) <= (Number.isNaN(endedAt) ? Date.now() : endedAt);
      cookie.maxAge = null;
      cookie.expires = isGone ? new Date(0) : 'Infinity';
      this.#jar.setCookieSync(cookie, url, { ignoreError: true });
    }
  }

  /** Returns the cookies of a request by their names. @type {(request: RecordedRequest) => Map<string, string>} */
  cookiesFor({ url }) {
    const cookies = this.#jar.getCookiesSync(originIn(url) + new URL(url).pathname);
    return new Map(cookies.map(({ key, value }) => [key, value]));
  }

  /** A jar is unusable if it has a cookie that the request lacks. @type {(request: RecordedRequest) => SentCookies} */
  compare(request) {
    const sent = cookiesSentWith(request);
    const own = this.cookiesFor(request);
    const usesJar = [...own.keys()].every((name) => sent.has(name));
    return { usesJar, isOfJar: (name, value) => usesJar && own.get(name) === value };
  }
}

/** Lists the cookies of a request. @type {(request: RecordedRequest) => Map<string, string>} */
export function cookiesSentWith({ headers }) {
  const fields = headers.filter(([name]) => name.toLowerCase() === 'cookie');
  return new Map(fields.flatMap(([, value]) => cookiesIn(value).map(({ name, leaf }) => [name, leaf.text])));
}

/** Returns the fields that the application reads, by name. @type {(request: RecordedRequest) => Map<string, string>} */
function fieldsOf({ headers }) {
  const kept = headers.map(([name, value]) => /** @type {const} */ ([name.toLowerCase(), value]));
  return new Map(kept.filter(([name, value]) => !isDropped(name, value) && !IMPLIED.has(name)));
}

/**
 * Reports whether a run that follows a redirect sends the fields and cookies that the client sent. `own` are the
 * cookies that the operation sends itself.
 * @type {(from: Exchange, to: Exchange, jar: RecordedJar, own: Map<string, string>) => boolean}
 */
export function sendsTheSame(from, to, jar, own) {
  const isSameOrigin = originIn(from.request.url) === originIn(to.request.url);
  const cookies = new Map([...jar.cookiesFor(to.request), ...(isSameOrigin ? own : [])]);
  const fields = isSameOrigin ? fieldsOf(from.request) : new Map();
  return areEqual(cookies, cookiesSentWith(to.request), isNoise) && areEqual(fields, fieldsOf(to.request), isAddress);
}

/**
 * @type {(one: Map<string, string>, other: Map<string, string>, isIgnored?: (name: string) => boolean) => boolean}
 */
function areEqual(one, other, isIgnored = () => false) {
  return [...new Set([...one.keys(), ...other.keys()])].every(
    (name) => isIgnored(name) || one.get(name) === other.get(name),
  );
}

/**
 * Replays a draft against its recording, in memory: a request goes to the server that got it, with the fields and
 * cookies that it had. An operation for which this fails is commented out, so that a mistake of ours sends no
 * credentials where they were not.
 * @type {<P extends { one: OperationDraft, step: Step }>(placed: P[], flow: { origin: string, headers: Record<string,
 *   string> }) => P[]}
 */
export function replayed(placed, { origin, headers }) {
  const jar = new RecordedJar();
  /** @type {Set<string>} */
  const known = new Set();
  const captured = placed.flatMap(({ one }) => Object.keys(one.operation.capture ?? {}));
  return placed.map((draft) => {
    const { one, step } = draft;
    const { request, messages, response } = step.exchange;
    // A later message of a WebSocket is no request.
    if (one.disabled !== undefined || (messages && response === null)) return draft;
    const usesJar = one.operation.jar !== false && jar.compare(request).usesJar;
    const operation = usesJar ? one.operation : { ...one.operation, jar: false };
    const common = Object.keys(headers).filter((name) => isKnown(headers[name], known, captured));
    const cookies = usesJar ? [...jar.cookiesFor(request).keys()] : [];
    const disabled = faultOf(operation, request, { origin, common, cookies });
    if (usesJar) for (const hop of step.hops) jar.receive(hop);
    for (const name of Object.keys(operation.capture ?? {})) known.add(name);
    const comments = usesJar ? one.comments : [...one.comments, NO_JAR];
    return { ...draft, one: { ...one, operation, comments, ...(disabled !== undefined && { disabled }) } };
  });
}

/**
 * Says how a request of the flow would differ from that of the recording. `common` are the fields that it has from the
 * flow, `cookies` those of the jar.
 * @type {(operation: Record<string, any>, request: RecordedRequest, context: { origin: string, common: string[],
 *   cookies: string[] }) => string | undefined}
 */
function faultOf(operation, request, { origin, common, cookies }) {
  if (originIn(new URL(urlOf(operation), origin).href) !== originIn(request.url))
    return 'the flow would send it to another server than the recording';
  const own = [...Object.keys(operation.headers ?? {}), ...(operation.auth ? ['authorization'] : [])];
  const fields = new Set([...common, ...own].map((name) => name.toLowerCase()));
  const sent = new Set([...cookies, ...Object.keys(operation.cookies ?? {})]);
  return (
    difference('field', fields, [...fieldsOf(request).keys()]) ??
    difference('cookie', sent, [...cookiesSentWith(request).keys()])
  );
}

/** @type {(operation: Record<string, any>) => string} */
function urlOf(operation) {
  const key = URL_KEYS.find((name) => typeof operation[name] === 'string') ?? 'url';
  return operation[key];
}

/** @type {(what: string, ours: Set<string>, theirs: string[]) => string | undefined} */
function difference(what, ours, theirs) {
  const isOther = (/** @type {string} */ name) => !(what === 'field' ? IMPLIED.has(name) : isNoise(name));
  const more = [...ours].find((name) => isOther(name) && !theirs.includes(name));
  if (more !== undefined) return `the flow would send the ${what} ${more}, which the recording did not send here`;
  const lost = theirs.find((name) => isOther(name) && !ours.has(name));
  return lost === undefined ? undefined : `the flow would not send the ${what} ${lost}, which the recording sent here`;
}

/**
 * Reports whether a field of the flow has a value: a run leaves it out until its variables are captured.
 * @type {(value: string, known: Set<string>, captured: string[]) => boolean}
 */
function isKnown(value, known, captured) {
  return [...value.matchAll(/#\{(\w+)/g)].every(([, name]) => known.has(name) || !captured.includes(name));
}

/** Operations with the same field, from which on it is one of the flow. */
const FEWEST_COMMON = 3;

/**
 * Moves header fields that the operations have in common to the flow, if each request is the same then: one that has no
 * such field comes before the operation that captures its value.
 * @type {(drafts: OperationDraft[]) => Record<string, string>}
 */
export function commonHeaders(drafts) {
  /** @type {Record<string, string>} */
  const common = {};
  const captured = drafts.flatMap(({ operation }) => Object.keys(operation.capture ?? {}));
  const names = new Set(drafts.flatMap(({ operation }) => Object.keys(operation.headers ?? {})));
  for (const name of names) {
    const own = drafts.filter(({ operation }) => operation.headers?.[name] !== undefined);
    const value = own[0].operation.headers[name];
    const isSame = own.length >= FEWEST_COMMON && own.every(({ operation }) => operation.headers[name] === value);
    // Such a value stays where people look for it.
    if (!isSame || typeof value !== 'string' || /#\{(?:uuid|timestamp|isoTimestamp|INDEX)/.test(value)) continue;
    const known = new Set();
    const isCommon = drafts.every((one) => {
      const isSent = own.includes(one) || !isKnown(value, known, captured);
      for (const key of Object.keys(one.operation.capture ?? {})) known.add(key);
      return isSent;
    });
    if (!isCommon) continue;
    common[name] = value;
    for (const { operation } of own) {
      delete operation.headers[name];
      if (Object.keys(operation.headers).length === 0) delete operation.headers;
    }
  }
  return common;
}
