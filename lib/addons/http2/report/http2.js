import { count, counted, ms, rate } from '../../../core/ground/decimal.js';
import { safe } from '../../../core/text/safe.js';

/** @import { Http2Code } from '../http2.js' */
/** @import { Block, BlockOptions, Result } from '../../../core/report/types.js' */

/**
 * Returns the connections, and in Markdown and pages the codes of their ends.
 * @type {(result: Result, options: BlockOptions) => Block[]}
 */
export function blocksOf(result, { format, scale }) {
  const rows = http2CodeRows(result).map(({ event, code, count: times, message }) => [event, code, times, message]);
  return [
    {
      lines: http2Lines(result, scale.withUnit).map(({ name, parts }) => ({
        name: name.padEnd(8),
        text: parts.join(', '),
      })),
      ...(format === 'text' ? {} : { columns: CODE_COLUMNS, rows }),
    },
  ];
}

const CODE_COLUMNS = ['HTTP/2', 'code', 'count', 'first one'].map((head) => ({ head, isText: true }));

/**
 * Describes the connections of a run that may speak HTTP/2, by the version that they speak; empty: there are none.
 * @type {(result: Pick<Result, 'http2'>, writeTime?: (ms: number) => string) => { name: string, parts: string[] }[]}
 */
export function http2Lines({ http2 }, writeTime = writeMs) {
  if (!http2) return [];
  const { fallbacks = 0, requests = 0, waits, violations } = http2;
  const lines = [];
  if (requests > 0 || waits > 0 || violations > 0) lines.push({ name: 'HTTP/2', parts: partsOf(http2, writeTime) });
  if (fallbacks > 0)
    lines.push({ name: 'HTTP/1.1', parts: [`${counted(fallbacks, 'connection')} to servers without HTTP/2`] });
  return lines;
}

/** @type {(value: number) => string} */
function writeMs(value) {
  return `${ms(value)} ms`;
}

/**
 * Figures of the connections that spoke HTTP/2.
 * @type {(http2: NonNullable<Result['http2']>, writeTime: (value: number) => string) => string[]}
 */
function partsOf(http2, writeTime) {
  const { connections, requests, concurrency, codes = [] } = http2;
  const { resets, goAways, violations, waits, waitTime } = http2;
  const each = requests / connections;
  return [
    connections > 0
      ? `${counted(connections, 'connection')}, ${mean(each)} ${each === 1 ? 'request' : 'requests'} on each`
      : `${counted(requests, 'request')} on the connections of the warm-up`,
    ...(concurrency === null ? [] : [`${mean(concurrency)} at once`]),
    ...(resets > 0 ? [`${counted(resets, 'stream')} reset by the server${byCode(codes, 'reset')}`] : []),
    ...(goAways > 0
      ? [`${counted(goAways, 'connection')} ended by the server with GOAWAY${byCode(codes, 'goAway')}`]
      : []),
    ...(violations > 0
      ? [`${counted(violations, 'connection')} ended because the server broke HTTP/2${byCode(codes, 'violation')}`]
      : []),
    ...(waits > 0
      ? [`${counted(waits, 'request')} waited for a stream, ${writeTime(waitTime / waits)} on average`]
      : []),
  ];
}

/** Whole numbers have no decimals. @type {(value: number) => string} */
function mean(value) {
  return Number.isInteger(value) ? count(value) : rate(value);
}

/** ` (CANCEL: 12)`, the codes of one event. @type {(codes: Http2Code[], event: Http2Code['event']) => string} */
function byCode(codes, event) {
  const own = codes.filter((one) => one.event === event);
  return own.length > 0 ? ` (${own.map((one) => `${safe(one.code)}: ${count(one.count)}`).join(', ')})` : '';
}

const EVENTS = { reset: 'stream reset', goAway: 'GOAWAY', violation: 'HTTP/2 broken by the server' };

/**
 * Returns why streams and connections ended, as rows of a table, the most frequent ones first.
 * @type {(result: Pick<Result, 'http2'>) => { event: string, code: string, count: string, message: string }[]}
 */
export function http2CodeRows({ http2 }) {
  return (http2?.codes ?? [])
    .toSorted((a, b) => b.count - a.count)
    .map(({ event, code, count: times, message = '' }) => ({
      event: EVENTS[event] ?? event,
      code,
      count: count(times),
      message,
    }));
}
