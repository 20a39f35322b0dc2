import { counted } from '../../../core/ground/decimal.js';
import { makeError } from '../../../core/ground/errors.js';
import { formatValue } from '../../../core/text/format-value.js';
import { correlate } from '../correlation/correlate.js';
import { PAUSE_FACTORS, readPauseFactor } from '../correlation/pause-factor.js';
import { originIn } from '../correlation/select.js';
import { mapOperations, mapTexts, relativeToBase, splitOrigin } from '../draft.js';
import { replaceSecrets } from '../secrets.js';
import { EntryError, entriesIn, exchangeOf } from './entries.js';

/** @import { CorrelateOptions, Exchange } from '../exchange.js' */
/** @import { FlowDraft, ImportOptions, ImportReader, Supported } from '../import.js' */

/** Damaged entries that are named. */
const MOST_NAMED = 5;
const EXPORT =
  'export the recording again: in the developer tools of the browser, open Network, reload the page, and save all as HAR';

const SANITIZED =
  'the recording has no cookies and no Authorization fields: if the service needs them, export it with sensitive data';

/** @type {ImportReader} */
export function read(text, options) {
  return readBytes(Buffer.from(text), options);
}

/**
 * Reads a recording from its bytes, which need less memory than its text.
 * @throws {Error} E_FLOW_FILE
 * @type {(bytes: Buffer, options: ImportOptions) => FlowDraft}
 */
export function readBytes(bytes, options) {
  const { exchanges, skipped, hasHttp2 } = readEntries(bytes, options.from);
  const draft = atBaseUrl(correlate(exchanges, correlateOptions(exchanges, options)), options.baseUrl);
  if (Object.values(draft.phases).every((phase) => phase.length === 0))
    throw nothingToSend(draft, skipped, options.from);
  const unrecorded = exchanges.filter(({ hasNoRecord }) => hasNoRecord).length;
  const fields = exchanges.flatMap(({ request, response }) => [request.headers, response?.headers ?? []]).flat();
  const isSanitized = !fields.some(([name]) => /^(?:set-)?cookie$|^authorization$/i.test(name));
  return replaceSecrets(
    {
      ...draft,
      comments: [`Made of a HAR recording with ${counted(exchanges.length, 'request')}.`, ...draft.comments],
      skipped: [...skipped, ...draft.skipped],
      dialectNotes: [
        ...draft.dialectNotes,
        ...(hasHttp2 ? ['the browser spoke HTTP/2: run the flow with --http2 to do the same'] : []),
        ...(isSanitized && unrecorded < exchanges.length ? [SANITIZED] : []),
        ...(unrecorded > 0
          ? [`the recording has no response of ${counted(unrecorded, 'request')}: values of these are not captured`]
          : []),
      ],
    },
    options,
  );
}

/** Replaces the base URL, also in Origin and Referer. @type {(draft: FlowDraft, baseUrl?: string) => FlowDraft} */
function atBaseUrl(draft, baseUrl) {
  if (baseUrl === undefined) return draft;
  const [origin] = splitOrigin(baseUrl);
  const isRecorded = (/** @type {string} */ text) => text.replace(/\/$/, '') === draft.baseUrl;
  const named = (/** @type {string} */ text) =>
    isRecorded(text) ? text.replace(String(draft.baseUrl), origin || String(draft.baseUrl)) : text;
  const moved = (/** @type {Record<string, any>} */ given) =>
    given.headers ? { ...given, headers: mapTexts(given.headers, named) } : given;
  const sent = mapOperations(relativeToBase(draft, baseUrl), (one) => ({ ...one, operation: moved(one.operation) }));
  return { ...sent, properties: moved(draft.properties ?? {}) };
}

/**
 * Reads the options of the correlation. A base URL that the recording has selects the origin of the flow; any other one
 * only replaces that origin.
 * @type {(exchanges: Exchange[], options: ImportOptions) => CorrelateOptions}
 */
function correlateOptions(exchanges, { include, thinkTime, baseUrl = '' }) {
  const factor = thinkTime === undefined ? 0 : readPauseFactor(String(thinkTime));
  if (Number.isNaN(factor))
    throw makeError('E_USAGE', { problem: `--think-time: expected ${PAUSE_FACTORS}, got ${formatValue(thinkTime)}` });
  const origin = URL.canParse(baseUrl) ? new URL(baseUrl).origin : '';
  const isRecorded = exchanges.some(
    ({ request }) => /^(?:http|ws)/i.test(request.url) && originIn(request.url) === origin,
  );
  return { ...(Array.isArray(include) && { include }), thinkTime: factor, ...(isRecorded && { origin }) };
}

/**
 * Reads the entries of a recording; `skipped` names those that are no request.
 * @throws {Error} E_FLOW_FILE if the recording itself is damaged
 * @type {(bytes: Buffer, from: string) => { exchanges: Exchange[], skipped: { what: string, why: string }[], hasHttp2:
 *   boolean }}
 */
function readEntries(bytes, from) {
  /** @type {Exchange[]} */
  const exchanges = [];
  const skipped = [];
  let unnamed = 0;
  let hasHttp2 = false;
  try {
    for (const { entry, path, readAgain } of entriesIn(bytes)) {
      const read = exchangeOf(entry, readAgain);
      hasHttp2 ||= /^(?:h2|http\/2)/i.test(entry?.request?.httpVersion);
      if (typeof read !== 'string') exchanges.push(read);
      else if (skipped.length < MOST_NAMED) skipped.push({ what: path, why: read });
      else unnamed++;
    }
  } catch (error) {
    if (!(error instanceof EntryError)) throw error;
    throw makeError('E_FLOW_FILE', { path: from, reason: error.message, cure: EXPORT });
  }
  if (unnamed > 0)
    skipped.push({ what: `${unnamed} further entries of log.entries`, why: 'they are no requests either' });
  return { exchanges, skipped, hasHttp2 };
}

/** @type {(draft: FlowDraft, skipped: { what: string, why: string }[], from: string) => Error} */
function nothingToSend(draft, skipped, from) {
  const reasons = [...skipped, ...draft.skipped].map(({ what, why }) => `${what} (${why})`);
  const left = reasons.length > 0 ? `: ${reasons.join('; ')}` : '';
  return makeError('E_FLOW_FILE', {
    path: from,
    reason: `log.entries has no request that can be sent${left}`,
    cure: EXPORT,
  });
}

/** @type {Supported[]} */
export const supported = [
  { part: 'request, postData', becomes: 'an operation with `json`, `graphql`, `form`, `formData` or `body`' },
  { part: 'values of responses in later requests', becomes: '`capture` and tokens' },
  { part: 'cookies', becomes: 'the cookie jar; those from before the recording: `cookies`' },
  { part: 'redirects that the browser followed', becomes: 'one operation' },
  { part: 'If-Match, If-None-Match with an ETag of the recording', becomes: 'the hooks `saveEtag` and `useEtag`' },
  { part: 'startedDateTime, time', becomes: '`pause`, with --think-time' },
  { part: '_webSocketMessages', becomes: 'operations with `ws`' },
  { part: '`Origin`, and the origin of `Referer`', becomes: '`headers`' },
  { part: 'other fields of browsers and connections: `User-Agent`, `Sec-*`; cookies of analytics', becomes: null },
  { part: 'static files, other sites, preflights, beacons', becomes: null },
  { part: 'requests that failed, or that the cache answered', becomes: null },
];
