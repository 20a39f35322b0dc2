import { formatValue, typeName } from '../../../../text/format-value.js';
import { isObject } from '../../../record.js';

/**
 * @import { Problems } from '../../../../problems.js'
 * @import { LeftOut, LeftOutReason } from './left-out.js'
 *
 * @typedef {object} RecordedEntry an entry that can be sent
 * @property {string} path `log.entries[3]`
 * @property {string} method
 * @property {URL} url
 * @property {Record<string, any>} request
 * @property {number} status of the recorded response; NaN if there is none
 * @property {number} startMs since the epoch; NaN if it is not recorded
 * @property {number} timeMs from start to end; 0 if it is not recorded
 */

const METHOD = /^[!#$%&'*+.^_`|~\w-]+$/;
const REMEDY = 'remove this entry, or export the recording again';

/**
 * Reads an entry of a recording.
 *
 * @param {any} entry
 * @param {string} path
 * @param {{ problems: Problems, leftOut: LeftOut }} context gets the reason why it cannot be sent
 * @returns {RecordedEntry | null} null if it cannot be sent
 */
export function readEntry(entry, path, { problems, leftOut }) {
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
  const startMs = typeof startedDateTime === 'string' ? Date.parse(startedDateTime) : NaN;
  return { path, method: method.toUpperCase(), url, request, status, startMs, timeMs: time > 0 ? Number(time) : 0 };
}

/** @type {(entry: Record<string, any>, request: { method: string, url: URL, status: number }) => LeftOutReason | undefined} */
function reasonToLeave(entry, { method, url, status }) {
  const isWebSocket = /^wss?:$/.test(url.protocol) || status === 101 || entry._webSocketMessages !== undefined;
  if (isWebSocket) return 'webSocket';
  if (!/^https?:$/.test(url.protocol)) return 'scheme';
  if (method.toUpperCase() === 'CONNECT') return 'tunnel';
  // _fromCache: Chromium
  if (status === 304 || typeof entry._fromCache === 'string') return 'cache';
  return status === 0 ? 'failed' : undefined;
}
