/** @import { OfferedFigures } from '../../core/measure/figures.js' */

/** @type {(stats: import('../../core/contracts/stats.js').Stats) => boolean} */
const isMeasured = ({ http2 }) => http2 !== undefined;

/** Those that are counted where the frames are read and written. @type {OfferedFigures['counters']} */
const MORE = [
  { path: 'http2.fallbacks', key: 'http2Fallbacks' },
  { path: 'http2.requests', key: 'http2Streams', isExperimental: false },
  { path: 'http2.connections', key: 'http2Opened', isExperimental: false },
  // The sum over all requests of those in flight on their connection.
  { path: 'http2.inFlight', key: 'http2InFlight' },
  { path: 'http2.resets', key: 'http2Resets' },
  { path: 'http2.goAways', key: 'http2GoAways' },
  { path: 'http2.violations', key: 'http2Violations' },
  { path: 'http2.waits', key: 'http2Waits' },
  { path: 'http2.waitTime', key: 'http2WaitTime', kind: 'number', unit: 'ms' },
];

/** @type {OfferedFigures} */
export const FIGURES = {
  scopes: { http2: 'requests and connections of HTTP/2' },
  counters: MORE.map((row) => ({ isExperimental: true, isMeasured, ...row })),
  derived: [
    {
      ...{ path: 'http2.concurrency', of: ['http2.inFlight'], per: 'http2.requests' },
      ...{ isExperimental: true, isMeasured },
    },
  ],
  lists: [{ path: 'http2.codes', key: 'http2Codes', by: ['event', 'code'] }],
};
