import { getPublicSuffix } from 'tough-cookie';

import { counted } from '../../../core/ground/decimal.js';
import { maskText } from '../../../core/text/mask.js';
import { member } from '../read-document.js';
import { fieldOf } from './sources.js';

/** @import { CorrelateOptions, Exchange } from '../exchange.js' */

/**
 * @typedef {object} Selection
 * @property {Exchange[]} kept in the order of their start
 * @property {string} origin of the requests that are relative to the base URL; empty: nothing is kept
 * @property {{ what: string, why: string }[]} skipped
 */

const STATIC_FILE = /\.(?:css|m?js|map|png|jpe?g|gif|svg|ico|webp|avif|bmp|woff2?|ttf|otf|eot|mp4|webm|mp3|wasm)$/i;
const STATIC_TYPE = /^(?:text\/css|(?:text|application)\/(?:x-)?javascript|font\/|application\/(?:x-)?font)/i;
/** Their initiators, as Chrome, Firefox and Safari name them. */
const STATIC_INITIATORS = new Set(['stylesheet', 'script', 'image', 'img', 'imageset', 'font', 'media', 'manifest']);
const OWN_REQUESTS = new Set(['xhr', 'fetch', 'document', 'subdocument', 'xmlhttprequest']);
/** Names of Sec-Fetch-Dest, where a recording has no others. @type {Record<string, string>} */
const DESTINATIONS = { empty: 'fetch', style: 'stylesheet', iframe: 'subdocument', video: 'media', audio: 'media' };
const BEACONS = new Set(['ping', 'beacon', 'cspviolationreport', 'csp_report']);

/** Words after a number of requests, and the word of `--include` that keeps them. */
const REASONS = {
  static: 'static files; keep them with --include static',
  'third-party': 'other sites; keep them with --include third-party, or --include and the beginning of a URL',
  preflight: 'CORS preflights: a browser asks for them, not the application',
  beacon: 'beacons and reports of the browser',
  failed: 'no response: blocked, cancelled or failed',
  cache: "answered by the browser's cache",
  scheme: 'not HTTP: data:, blob: and extensions',
  tunnel: 'CONNECT of a proxy',
};
/** Examples in a line. */
const MOST_NAMED = 3;

/**
 * Selects the requests of the tested application, in the order of their start.
 * @type {(exchanges: Exchange[], options: CorrelateOptions) => Selection}
 */
export function selectExchanges(exchanges, { include = [], origin: given }) {
  const origin = given ?? originOf(exchanges);
  /** @type {Map<keyof typeof REASONS, Exchange[]>} */
  const leftOut = new Map();
  const kept = inOrder(exchanges).filter((exchange) => {
    const reason = reasonsToLeaveOut(exchange, origin).find((one) => !isIncluded(exchange, one, include));
    if (reason === undefined) return true;
    const known = leftOut.get(reason);
    if (known) known.push(exchange);
    else leftOut.set(reason, [exchange]);
    return false;
  });
  const skipped = [...leftOut].map(([reason, all]) => ({ what: describe(all), why: REASONS[reason] }));
  return { kept, origin, skipped };
}

/** @type {(exchange: Exchange, reason: keyof typeof REASONS, include: string[]) => boolean} */
function isIncluded({ request }, reason, include) {
  if (reason === 'scheme' || reason === 'tunnel' || reason === 'failed') return false;
  return include.some((word) => word === reason || request.url.startsWith(word));
}

/** By their start; without times they keep their order. @type {(exchanges: Exchange[]) => Exchange[]} */
export function inOrder(exchanges) {
  if (exchanges.some(({ startedAt }) => Number.isNaN(startedAt))) return exchanges;
  return exchanges.toSorted((a, b) => a.startedAt - b.startedAt);
}

/** Returns the origin of the first page, else of the first non-redirect. @type {(exchanges: Exchange[]) => string} */
function originOf(exchanges) {
  const sent = exchanges.filter(({ request }) => isHttp(request.url));
  const answered = sent.filter(
    ({ response }) => response !== null && (response.status === 304 || !/^3/.test(String(response.status))),
  );
  const page = answered.find((exchange) => initiatorOf(exchange) === 'document') ?? answered.find(isPage);
  const first = page ?? answered[0] ?? sent[0];
  return first ? originIn(first.request.url) : '';
}

/** @type {(exchange: Exchange) => boolean} */
function isPage({ request, response }) {
  const isHtml = response !== null && /^(?:text\/html|application\/xhtml)/i.test(fieldOf(response, 'content-type'));
  return request.method === 'GET' && isHtml && response.status < 400;
}

/** The origin of a URL, that of ws: as http:. @type {(url: string) => string} */
export function originIn(url) {
  return new URL(url.replace(/^ws/i, 'http')).origin;
}

/** Returns what asked, such as `fetch`, in lower case; empty if unknown. @type {(exchange: Exchange) => string} */
function initiatorOf({ initiator, request }) {
  if (initiator !== undefined) return initiator;
  const name = fieldOf(request, 'sec-fetch-dest').toLowerCase();
  return member(DESTINATIONS, name) ?? name;
}

/**
 * Lists all reasons, since a request that is kept in spite of one, such as that of another site, may have failed.
 * @type {(exchange: Exchange, origin: string) => (keyof typeof REASONS)[]}
 */
function reasonsToLeaveOut(exchange, origin) {
  const { request, response, messages, isCached, hasNoRecord } = exchange;
  const initiator = initiatorOf(exchange);
  const { method, url } = request;
  if (method === 'CONNECT') return ['tunnel'];
  if (!isHttp(url)) return ['scheme'];
  const isPreflight = method === 'OPTIONS' && request.headers.some(([name]) => /^access-control-request-/i.test(name));
  /** @type {[keyof typeof REASONS, boolean | undefined][]} */
  const rows = [
    ['preflight', isPreflight || initiator === 'preflight'],
    ['beacon', BEACONS.has(initiator)],
    ['third-party', siteOf(url) !== siteOf(origin)],
    ['cache', isCached],
    ['failed', (response === null && !hasNoRecord) || response?.status === 0],
    ['static', messages === undefined && isStatic({ request, response, initiator })],
  ];
  return rows.flatMap(([reason, applies]) => (applies ? reason : []));
}

/** @type {(url: string) => boolean} */
function isHttp(url) {
  return /^(?:http|ws)s?:/i.test(url) && URL.canParse(url);
}

/** @type {(exchange: Pick<Exchange, 'request' | 'response' | 'initiator'>) => boolean} */
function isStatic({ request, response, initiator = '' }) {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  if (STATIC_INITIATORS.has(initiator)) return true;
  const { pathname } = new URL(request.url);
  if (STATIC_FILE.test(pathname)) return true;
  if (OWN_REQUESTS.has(initiator)) return false;
  return response !== null && STATIC_TYPE.test(fieldOf(response, 'content-type'));
}

/** `shop.test` of `api.shop.test`; an address or a name without dots is a site. @type {(url: string) => string} */
function siteOf(url) {
  if (!URL.canParse(url)) return url;
  const { hostname } = new URL(url);
  if (/^[\d.]+$|^\[/.test(hostname) || !hostname.includes('.'))
    return hostname === '127.0.0.1' ? 'localhost' : hostname;
  return getPublicSuffix(hostname, { allowSpecialUseDomain: true, ignoreError: true }) ?? hostname;
}

/** `3 requests: GET https://cdn.test/app.js, …` @type {(all: Exchange[]) => string} */
function describe(all) {
  const names = [...new Set(all.map(({ request }) => placeOf(request)))];
  const rest = names.length > MOST_NAMED ? ', …' : '';
  return `${counted(all.length, 'request')}: ${names.slice(0, MOST_NAMED).join(', ')}${rest}`;
}

/** A query may hold secrets. @type {(request: { method: string, url: string }) => string} */
function placeOf({ method, url }) {
  const short = url.slice(0, 100);
  return maskText(
    `${method} ${isHttp(url) ? new URL(url).origin + new URL(url).pathname : short.replace(/[,?].*/s, '…')}`,
  );
}
