import { bytes, count, counted, percent, rate } from '../../../core/ground/decimal.js';
import { TIMES } from '../figures.js';
import { distinctNames } from '../../../core/measure/tags.js';

/** @import { HistogramSummary, StreamSummary } from '../../../core/contracts/summaries.js' */
/** @import { Block, BlockOptions, DataRecord, Result } from '../../../core/report/types.js' */

/** @typedef {Pick<Result, 'operations'> & Partial<Pick<Result, 'tags'>>} WithStreams */

/**
 * @typedef {object} StreamRow the times of the streams of an operation
 * @property {string} operation
 * @property {string} key `firstEvent`
 * @property {string} label `first event`
 * @property {HistogramSummary} summary
 */

/** A text names the operation if there are several. @type {(result: Result, options: BlockOptions) => Block[]} */
export function blocksOf(result, { format }) {
  const isOne = format === 'text' && streamsOf(result).length === 1;
  const rows = streamRows(result).map(({ operation, label, summary }) => ({
    name: isOne ? label : `${operation}: ${label}`,
    summary,
  }));
  return [
    {
      times: { head: 'streams', rows },
      remarks: streamTexts(result).map(({ operation: name, text }) => ({ name, text })),
    },
  ];
}

/** @type {(result: Result) => DataRecord[]} */
export function recordsOf(result) {
  return [
    ...streamsOf(result).map(({ name, stream: { events: count, eventRate } }) => ({
      ...{ kind: 'stream', name: `${name} events`, count, rate: eventRate },
    })),
    ...streamRows(result).map(({ operation, key, summary: times }) => ({
      ...{ kind: 'stream', name: `${operation} ${key}`, count: times.count, times },
    })),
  ];
}

/** Lists the times of streams that were measured. @type {(result: WithStreams) => StreamRow[]} */
export function streamRows(result) {
  return streamsOf(result).flatMap(({ name: operation, stream }) =>
    TIMES.filter(({ key }) => stream[key].count > 0).map(({ key, label }) => ({
      operation,
      key,
      label,
      summary: stream[key],
    })),
  );
}

/**
 * Describes the counts of the streams of each operation: `100 streams, 5,000 events (500 per second), 1.2 MB`.
 * @type {(result: WithStreams) => { operation: string, text: string }[]}
 */
export function streamTexts(result) {
  return streamsOf(result).map(({ name: operation, stream }) => ({ operation, text: textOf(stream) }));
}

/**
 * Lists what has figures of streams: operations, and tags of several operations. A share within limits (`goodput`) is
 * a figure even if no stream has begun.
 * @type {(result: WithStreams) => { name: string, stream: StreamSummary }[]}
 */
export function streamsOf({ operations, tags = [] }) {
  const names = distinctNames(operations);
  return [...operations, ...tags].flatMap(({ name, stream }, i) => {
    if (stream === undefined || (stream.count === 0 && stream.goodput === undefined)) return [];
    // Several operations may have the same name; tags differ.
    return { name: names[i] ?? name, stream };
  });
}

/** @type {(value?: number) => string} */
function perSecond(value) {
  return value === undefined ? '' : ` (${rate(value)} per second)`;
}

/** @type {(stream: StreamSummary) => string} */
function textOf(stream) {
  const { events, eventRate, counted: sum, countedRate, reconnects, goodput = [] } = stream;
  return [
    counted(stream.count, 'stream'),
    `${counted(events, 'event')}${perSecond(eventRate)}`,
    ...(sum === undefined ? [] : [`${count(sum)} counted${perSecond(countedRate)}`]),
    bytes(stream.bytes),
    ...(reconnects === undefined ? [] : [counted(reconnects, 'reconnection')]),
    ...goodput.map(
      ({ limits, good, count: all }) =>
        `${all === 0 ? '-' : percent(good / all)} within ${limits} (${count(good)} of ${count(all)})`,
    ),
  ].join(', ');
}
