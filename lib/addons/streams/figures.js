/** The figures of the streams of an operation. */

/** The times of streams, of each operation that has some. */
export const TIMES = /** @type {const} */ ([
  { key: 'firstEvent', label: 'first event', compared: ['p50', 'p95', 'p99'] },
  { key: 'gap', label: 'gap', compared: ['p50', 'p99'] },
  { key: 'meanGap', label: 'mean gap', compared: ['p50', 'p95'] },
  { key: 'duration', label: 'duration', compared: [] },
]);

/** Those that are recorded as events arrive, so that the points of a series have them. */
export const SERIES = /** @type {const} */ (['firstEvent', 'gap']);

/** Counts of streams. */
export const COUNTS = /** @type {const} */ ([
  { key: 'count', unit: '' },
  { key: 'events', unit: '', rate: 'eventRate' },
  { key: 'bytes', unit: 'B' },
  { key: 'counted', unit: '', rate: 'countedRate', isOptional: true },
  { key: 'reconnects', unit: '', isOptional: true },
]);
