import { requestOf } from '../draft.js';
import { RecordedJar, cookiesSentWith, sendsTheSame } from './credentials.js';
import { TOKEN } from '../../../core/http/field-values.js';
import { isCapability, maskedInText } from '../secret-texts.js';
import { withAccept } from '../sent-bodies.js';
import { Leaf } from './leaf.js';
import { readBody, cookiesIn, readAddress, readFields } from './request.js';
import { inOrder, originIn } from './select.js';
import { collectionOf } from './sources.js';

/** @import { Exchange, RecordedMessage } from '../exchange.js' */
/** @import { SentCookies } from './credentials.js' */
/** @import { Step } from './types.js' */

const MOST_REDIRECTS = 10;
/** Later requests that are searched for that of a redirect: others may be sent in between. */
const MOST_LATER = 49;

/**
 * Makes a step of each request: a redirect and the request that follows it are one, unless the redirect is one of
 * `explicit`; the messages of a WebSocket become steps of their own.
 * @type {(exchanges: Exchange[], context: { origin: string, explicit: Set<Exchange> }) => Step[]}
 */
export function stepsOf(exchanges, { origin, explicit }) {
  const all = exchanges.flatMap((exchange) => (exchange.messages ? conversation(exchange) : [exchange]));
  const sorted = inOrder(all);
  /** @type {Step[]} */
  const steps = [];
  const jar = new RecordedJar();
  /** @type {Set<Exchange>} */
  const followed = new Set();
  for (const [i, exchange] of sorted.entries()) {
    if (followed.has(exchange)) continue;
    const later = sorted.slice(i + 1, i + 1 + MOST_LATER);
    const cookies = jar.compare(exchange.request);
    const hops = hopsFrom(exchange, explicit.has(exchange) ? [] : later, { explicit, jar, cookies });
    hops.slice(1).forEach((hop) => followed.add(hop));
    steps.push(stepOf(hops, { origin, cookies }));
  }
  return steps;
}

/** Lists the names of the cookies that a response sets. @type {(response: Exchange['response']) => string[]} */
export function cookiesSetBy(response) {
  const fields = response?.headers.filter(([name]) => name.toLowerCase() === 'set-cookie') ?? [];
  return fields.flatMap(([, value]) => cookiesIn(value.split(';')[0]).map(({ name }) => name));
}

/**
 * Lists an exchange and the requests of the same client that follow its redirects, while a run would send the same.
 * The jar gets their responses, unless the operation cannot use it.
 * @type {(exchange: Exchange, later: Exchange[], context: { explicit: Set<Exchange>, jar: RecordedJar, cookies:
 *   SentCookies }) => Exchange[]}
 */
function hopsFrom(exchange, later, { explicit, jar, cookies: { usesJar, isOfJar } }) {
  const hops = [exchange];
  if (!usesJar) return hops;
  const own = new Map([...cookiesSentWith(exchange.request)].filter(([name, value]) => !isOfJar(name, value)));
  jar.receive(exchange);
  for (let hop = exchange; hops.length <= MOST_REDIRECTS;) {
    const target = redirectOf(hop);
    const next = target && later.find((one) => one.client === hop.client && isRequestOf(one, target));
    if (!next || hops.includes(next) || explicit.has(next) || !sendsTheSame(hop, next, jar, own)) return hops;
    hops.push(next);
    jar.receive(next);
    hop = next;
  }
  return hops;
}

/** @type {(exchange: Exchange) => { method: string, url: string } | null} */
function redirectOf({ request, response }) {
  const location = response?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  const status = response?.status ?? 0;
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status) || !URL.canParse(location, request.url))
    return null;
  const isKept = status >= 307 || ['GET', 'HEAD'].includes(request.method);
  return { method: isKept ? request.method : 'GET', url: withoutHash(new URL(location, request.url)) };
}

/** @type {(exchange: Exchange, target: { method: string, url: string }) => boolean} */
function isRequestOf({ request, messages }, { method, url }) {
  return messages === undefined && request.method === method && withoutHash(new URL(request.url)) === url;
}

/** @type {(url: URL) => string} */
function withoutHash(url) {
  url.hash = '';
  return url.href;
}

/** @type {(hops: Exchange[], context: { origin: string, cookies: SentCookies }) => Step} */
function stepOf(hops, { origin, cookies }) {
  const [exchange] = hops;
  const { request, messages } = exchange;
  const url = new URL(request.url);
  const address = readAddress(asHttp(url), origin);
  const label = `${request.method} ${url.pathname}`;
  const base = { exchange, path: url.pathname, hops, comments: [], added: {}, captures: [], label };
  if (messages) {
    const fields = request.headers.length > 0 ? readFields(request, { cookies, isImplied: () => false }) : NO_FIELDS;
    const talk = readMessages(messages);
    const offered = protocolsIn(request.headers);
    const protocols = offered.filter((name) => !isCredential(name));
    return {
      ...base,
      comments: offered.length > protocols.length ? [PROTOCOL_LEFT_OUT] : [],
      leaves: [...address.leaves, ...fields.leaves, ...talk.leaves],
      operation: () => ({
        ws: address.written().replace(/^http/, 'ws'),
        ...fields.written(),
        ...(protocols.length > 0 && { protocols }),
        ...talk.written(),
      }),
    };
  }
  const body = readBody(request, collectionOf(request.url));
  const fields = readFields(request, { cookies, isImplied: body.implies });
  return {
    ...base,
    ...(request.bodyLacks !== undefined && { disabled: `its body ${request.bodyLacks}` }),
    leaves: [...address.leaves, ...fields.leaves, ...body.leaves],
    operation: () =>
      withAccept({
        ...requestOf(request.method, address.written()),
        ...fields.written(),
        ...body.written(),
        ...redirectOptions(hops),
      }),
  };
}

const PROTOCOL_LEFT_OUT = 'A subprotocol that looks like a credential is left out: write it into protocols.';

/** Lists the subprotocols that a handshake offers (RFC 6455 4.1). @type {(fields: [string, string][]) => string[]} */
function protocolsIn(fields) {
  const values = fields.flatMap(([name, value]) => (/^sec-websocket-protocol$/i.test(name) ? value.split(',') : []));
  return [...new Set(values.map((value) => value.trim()))].filter((name) => TOKEN.test(name));
}

/** Browsers can send a credential in no other field. @type {(protocol: string) => boolean} */
function isCredential(protocol) {
  return maskedInText(protocol) !== protocol || isCapability(protocol) || /bearer|token/i.test(protocol);
}

const NO_FIELDS = { leaves: [], written: () => ({}) };

/** @type {(url: URL) => URL} */
function asHttp(url) {
  return /^ws/.test(url.protocol) ? new URL(originIn(url.href) + url.pathname + url.search) : url;
}

/**
 * Returns what lets a run follow the redirects that the client followed. By default it follows those of GET and HEAD.
 * @type {(hops: Exchange[]) => Record<string, boolean>}
 */
function redirectOptions([{ request, response }, ...others]) {
  const isRedirect = response !== null && response.status >= 300 && response.status < 400 && response.status !== 304;
  const isFollowed = ['GET', 'HEAD'].includes(request.method);
  if (others.length > 0) return isFollowed ? {} : { followAllRedirects: true };
  return isRedirect && isFollowed ? { followRedirect: false } : {};
}

/**
 * Splits a WebSocket into an exchange that opens it, with the messages that the server sends first, and one for each
 * message, or several of them, that the client sends, with the answers before its next one.
 * @type {(exchange: Exchange) => Exchange[]}
 */
function conversation(exchange) {
  const { messages = [], request } = exchange;
  /** @type {RecordedMessage[][]} */
  const turns = [[]];
  for (const [i, message] of messages.entries()) {
    const isQuestion = message.from === 'client' && messages[i - 1]?.from !== 'client';
    if (isQuestion) turns.push([message]);
    else turns[turns.length - 1].push(message);
  }
  return turns.map((turn, i) => ({
    ...exchange,
    startedAt: i === 0 ? exchange.startedAt : Math.max(exchange.startedAt, turn[0].at),
    endedAt: turn.at(-1)?.at ?? exchange.startedAt,
    request: { ...request, method: 'WS', headers: i === 0 ? request.headers : [] },
    response: i === 0 ? exchange.response : null,
    messages: turn,
  }));
}

/** @type {(messages: RecordedMessage[]) => import('./types.js').RequestPart<Record<string, any>>} */
function readMessages(messages) {
  const sent = messages.filter(({ from }) => from === 'client').map(({ data }) => readMessage(data));
  const received = messages.filter(({ from }) => from === 'server').length;
  return {
    leaves: sent.flatMap(({ leaves }) => leaves),
    written() {
      const all = sent.map(({ written }) => written());
      if (all.length === 0) return received > 0 ? { receive: received } : {};
      return { send: all.length === 1 ? all[0] : all, ...(received !== all.length && { receive: received }) };
    },
  };
}

/** @type {(data: string | Buffer) => import('./types.js').RequestPart<any>} */
function readMessage(data) {
  if (typeof data !== 'string') return { leaves: [], written: () => new Uint8Array(data) };
  const isJson = /^\s*[[{]/.test(data);
  const body = isJson ? readBody({ method: 'WS', url: '', headers: [], body: Buffer.from(data) }, '') : null;
  const written = body?.written();
  if (body && written && 'json' in written) return { leaves: body.leaves, written: body.written };
  const leaf = new Leaf({ place: 'message', name: '', label: 'a message', value: data });
  return { leaves: data === '' ? [] : [leaf], written: () => (data === '' ? '' : leaf.written()) };
}
