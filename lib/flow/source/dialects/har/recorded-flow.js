import { formatValue, typeName } from '../../../../text/format-value.js';
import { isObject } from '../../../record.js';
import { operationOf } from './recorded-operation.js';
import { readEntry } from './recorded-entry.js';
import { LeftOut } from './left-out.js';

/**
 * @import { Problems } from '../../../../problems.js'
 * @import { DialectContext } from '../types.js'
 * @import { RecordedEntry } from './recorded-entry.js'
 */

const EXPORT =
  'export the recording again: in the developer tools of the browser, open Network, reload the page, and save all as HAR';

/**
 * Translates a HAR recording (http://www.softwareishard.com/blog/har-12-spec/): its requests to one origin become the
 * operations of `main`, in the order of their start, with URLs relative to that origin.
 *
 * @param {any} document
 * @param {Problems} problems
 * @param {DialectContext} context
 * @returns {unknown} the raw flow; null if there are problems
 */
export function recordedFlow(document, problems, { recording, notice }) {
  const entries = entriesOf(document, problems);
  const leftOut = new LeftOut();
  const all = entries.flatMap((entry, i) => readEntry(entry, `log.entries[${i}]`, { problems, leftOut }) ?? []);
  if (entries.length === 0 || problems.list.length > 0) return null;
  const sendable = inOrder(all);
  const origin = originOf(sendable, recording.baseUrl);
  const sent = sendable.filter(({ url }) => url.origin === origin);
  sendable.filter(({ url }) => url.origin !== origin).forEach(({ url }) => leftOut.addOrigin(url.origin));
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

/** Sorted by their start, if all have one; else in the order of the file. @type {(entries: RecordedEntry[]) => RecordedEntry[]} */
function inOrder(entries) {
  if (entries.some(({ startMs }) => Number.isNaN(startMs))) return entries;
  return entries.toSorted((a, b) => a.startMs - b.startMs);
}

/**
 * The origin of the base URL, if it was recorded; else that of the first page: of the first request that was not
 * answered with a redirect.
 *
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

/** From the end of a request to the start of the next one. @type {(entry: RecordedEntry, next: RecordedEntry | undefined) => { pause: number } | undefined} */
function pauseBetween(entry, next) {
  const pause = next === undefined ? 0 : Math.round(next.startMs - entry.startMs - entry.timeMs);
  return pause > 0 ? { pause } : undefined;
}
