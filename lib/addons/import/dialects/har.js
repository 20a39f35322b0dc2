import { TOKEN as METHOD } from '../../../core/http/field-values.js';
import { readDate } from '../../../core/ground/units.js';
import { formatValue, listOf, typeName } from '../../../core/text/format-value.js';
import { isObject } from '../../../core/flow/record.js';
import { REMEDY, operationOf } from './har-operation.js';

/** @import { Problems } from '../../../core/ground/types.js' */
/** @import { DialectContext, RecordedEntry } from '../../../core/flow/source/types.js' */

const EXPORT =
  'export the recording again: in the developer tools of the browser, open Network, reload the page, and save all as HAR';

/**
 * Translates a HAR recording (http://www.softwareishard.com/blog/har-12-spec/): its requests to one origin become the
 * operations of `main`, in the order of their start, with URLs relative to that origin. Null if there are problems.
 * @type {(document: any, problems: Problems, context: DialectContext) => unknown}
 */
export function recordedFlow(document, problems, { selection: recording, notice }) {
  const entries = entriesOf(document, problems);
  const leftOut = new LeftOut();
  const all = entries.flatMap((entry, i) => readEntry(entry, `log.entries[${i}]`, { problems, leftOut }) ?? []);
  if (entries.length === 0 || problems.list.length > 0) return null;
  const sendable = inOrder(all);
  const origin = originOf(sendable, recording.baseUrl);
  const sent = sendable.filter(({ url }) => url.origin === origin);
  for (const { url } of sendable) if (url.origin !== origin) leftOut.addOrigin(url.origin);
  if (recording.timing) checkTimes(sent, problems);
  const main = sent.map((entry, i) => ({
    ...operationOf(entry, { problems, leftOut, recording, origin: String(origin) }),
    ...(recording.timing && pauseBetween(entry, sent[i + 1])),
  }));
  if (main.length === 0)
    problems.add('log.entries', `has no request that can be sent (${leftOut.lines().join('; ')}); ${EXPORT}`);
  if (problems.list.length > 0) return null;
  const lines = leftOut.lines();
  if (lines.length > 0) {
    const sends = `sends ${main.length} of ${entries.length} recorded requests, those to ${origin}; left out:`;
    notice([sends, ...lines].join('\n  '));
  }
  return { baseUrl: origin, main };
}

/** @type {(document: any, problems: Problems) => unknown[]} */
function entriesOf(document, problems) {
  const log = isObject(document) ? document.log : undefined;
  const { version, entries } = isObject(log) ? log : /** @type {any} */ ({});
  if (!isObject(log)) problems.add('log', `is missing: this is no HAR recording; ${EXPORT}`);
  else if (!isKnown(version))
    problems.add('log.version', `expected "1.2" or "1.1", got ${formatValue(version)}; ${EXPORT}`);
  else if (!Array.isArray(entries))
    problems.add('log.entries', `expected an array of requests, got ${typeName(entries)}; ${EXPORT}`);
  else if (entries.length === 0) problems.add('log.entries', `is empty: nothing was recorded; ${EXPORT}`);
  return problems.list.length > 0 ? [] : entries;
}

/** A missing version is 1.1. @type {(version: unknown) => boolean} */
function isKnown(version) {
  return version === undefined || version === '' || version === '1.1' || version === '1.2';
}

/** Sorts entries by their start if all have one. @type {(entries: RecordedEntry[]) => RecordedEntry[]} */
function inOrder(entries) {
  if (entries.some(({ startMs }) => Number.isNaN(startMs))) return entries;
  return entries.toSorted((a, b) => a.startMs - b.startMs);
}

/**
 * Returns the origin of the base URL, if it was recorded; else that of the first page: of the first request that was
 * not answered with a redirect.
 * @type {(entries: RecordedEntry[], baseUrl: string | undefined) => string | undefined}
 */
function originOf(entries, baseUrl) {
  const wanted = baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).origin : undefined;
  if (entries.some(({ url }) => url.origin === wanted)) return wanted;
  const first = entries.find(({ status }) => !(status >= 300 && status < 400)) ?? entries[0];
  return first?.url.origin;
}

/** @type {(entries: RecordedEntry[], problems: Problems) => void} */
function checkTimes(entries, problems) {
  for (const { path, startMs } of entries) {
    if (Number.isNaN(startMs))
      problems.add(`${path}.startedDateTime`, 'is not a time: --har-timing needs the start of every request');
  }
}

/**
 * Returns the time from the end of a request to the start of the next one.
 * @type {(entry: RecordedEntry, next: RecordedEntry | undefined) => { pause: number } | undefined}
 */
function pauseBetween(entry, next) {
  const pause = next === undefined ? 0 : Math.round(next.startMs - entry.startMs - entry.timeMs);
  return pause > 0 ? { pause } : undefined;
}

/**
 * Reads an entry of a recording; null if it is invalid, which is a problem, or cannot be sent, which is left out.
 * @type {(entry: any, path: string, context: { problems: Problems, leftOut: LeftOut }) => RecordedEntry | null}
 */
function readEntry(entry, path, { problems, leftOut }) {
  /** @type {(at: string, reason: string) => null} */
  const refuse = (at, reason) => {
    problems.add(at, `${reason}; ${REMEDY}`);
    return null;
  };
  if (!isObject(entry)) return refuse(path, `expected an object, got ${typeName(entry)}`);
  const { request, response, startedDateTime, time } = entry;
  if (!isObject(request)) return refuse(`${path}.request`, `expected an object, got ${typeName(request)}`);
  const { method, url: given } = request;
  if (typeof method !== 'string' || !METHOD.test(method))
    return refuse(`${path}.request.method`, `expected an HTTP method, got ${formatValue(method)}`);
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : null;
  if (url === null)
    return refuse(`${path}.request.url`, `expected a URL such as https://example.com/, got ${formatValue(given)}`);
  const status = isObject(response) && typeof response.status === 'number' ? response.status : NaN;
  const reason = reasonToLeave(entry, { method, url, status });
  if (reason) {
    leftOut.add(reason, path);
    return null;
  }
  const timeMs = typeof time === 'number' && time > 0 ? time : 0;
  const startMs = typeof startedDateTime === 'string' ? readDate(startedDateTime).ms : NaN;
  return { path, method: method.toUpperCase(), url, request, status, startMs, timeMs };
}

/**
 * @type {(entry: Record<string, any>, request: { method: string, url: URL, status: number }) => LeftOutReason |
 *   undefined}
 */
function reasonToLeave(entry, { method, url, status }) {
  const isWebSocket = /^wss?:$/.test(url.protocol) || status === 101 || entry._webSocketMessages !== undefined;
  if (isWebSocket) return 'webSocket';
  if (!/^https?:$/.test(url.protocol)) return 'scheme';
  if (method.toUpperCase() === 'CONNECT') return 'tunnel';
  // _fromCache: Chromium
  if (status === 304 || typeof entry._fromCache === 'string') return 'cache';
  return status === 0 ? 'failed' : undefined;
}

/** Examples that a line names. */
const MOST_NAMED = 3;

/** The parts of a recording that are not sent, in words that follow a number. */
const REASONS = /** @type {const} */ ({
  webSocket: 'WebSocket',
  scheme: 'not HTTP (data:, blob:, extensions)',
  tunnel: 'CONNECT of a proxy',
  cache: "from the browser's cache (record with the cache disabled)",
  failed: 'without a response (blocked or failed)',
  field: 'header fields that cannot be sent (invalid name or character, or a token)',
  body: 'bodies that are not in the recording; their requests are sent without them',
});

/** @typedef {keyof typeof REASONS} LeftOutReason */

/** Counts the entries of a recording that are not sent, and remembers a few examples. */
export class LeftOut {
  /** @type {Map<LeftOutReason, { count: number, examples: Set<string> }>} */
  #counts = new Map();
  /** @type {Map<string, number>} */
  #origins = new Map();

  /** @type {(reason: LeftOutReason, example: string) => void} */
  add(reason, example) {
    const known = this.#counts.get(reason) ?? { count: 0, examples: new Set() };
    known.count++;
    if (known.examples.size < MOST_NAMED) known.examples.add(example);
    this.#counts.set(reason, known);
  }

  /** Counts a request to an origin that is not selected. @type {(origin: string) => void} */
  addOrigin(origin) {
    this.#origins.set(origin, (this.#origins.get(origin) ?? 0) + 1);
  }

  /** Formats a line for each reason: `1 WebSocket: log.entries[4]`. @type {() => string[]} */
  lines() {
    const origins = [...this.#origins].sort(([, a], [, b]) => b - a).map(([origin, count]) => `${origin} (${count})`);
    const toOthers = [...this.#origins.values()].reduce((sum, count) => sum + count, 0);
    return [
      ...(toOthers > 0
        ? [`${toOthers} to other origins, of which --base-url can select one: ${listOf(origins, MOST_NAMED)}`]
        : []),
      ...[...this.#counts].map(
        ([reason, { count, examples }]) => `${count} ${REASONS[reason]}: ${listOf([...examples], MOST_NAMED, count)}`,
      ),
    ];
  }
}
