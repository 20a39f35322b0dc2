/** The figures of the streams of an operation. */

/** The times of streams, of each operation that has some. */
export const TIMES = /** @type {const} */ ([
  {
    key: 'firstEvent',
    label: 'first event',
    about: 'from the request to the first event; with a rate, with the wait for a virtual user',
    compared: ['p50', 'p95', 'p99'],
  },
  { key: 'gap', label: 'gap', about: 'between an event and the next one', compared: ['p50', 'p99'] },
  {
    key: 'meanGap',
    label: 'mean gap',
    about: 'the mean of each stream between its events, or what it counts',
    compared: ['p50', 'p95'],
  },
  {
    key: 'duration',
    label: 'duration',
    about: 'from the head of the response to the end of its stream',
    compared: [],
  },
]);

/** Those that are recorded as events arrive, so that the points of a series have them. */
export const SERIES = /** @type {const} */ (['firstEvent', 'gap']);

/** Counts of streams. */
export const COUNTS = /** @type {const} */ ([
  { key: 'count', unit: '', about: 'streams that have begun' },
  { key: 'events', unit: '', rate: 'eventRate', about: 'events' },
  { key: 'bytes', unit: 'B', about: 'bytes of the streams' },
  { key: 'counted', unit: '', rate: 'countedRate', about: 'the sum of what the streams count', isOptional: true },
  { key: 'reconnects', unit: '', about: 'connections after the first one of a stream', isOptional: true },
]);
