import { bytes, count, rate } from '../figures.js';
import { wrapped } from '../layout.js';

/** @type {import('./index.js').Section} */
export function overviewSection({ iterations, requests, totalElapsed, measuredElapsed, warmup }, { width, paint }) {
  const { completed, failed, cancelled, teardownFailed, late, maxBacklog, dropped } = iterations;
  const { opened, reused, closedByServer, discarded } = requests.connections;
  const seconds = (/** @type {number} */ ms) => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const some = (/** @type {number} */ n, /** @type {string} */ word) => n > 0 && `${count(n)} ${word}`;
  const statuses = Object.entries(requests.statusCodes).map(([status, n]) => `${status} x ${count(n)}`);
  const rows = /** @type {[string, (string | false)[]][]} */ ([
    [
      'iterations',
      [
        `${count(completed)} completed`,
        some(failed, 'failed'),
        some(cancelled, 'cancelled'),
        some(dropped, 'dropped'),
        some(teardownFailed, 'not torn down'),
        late > 0 && `${count(late)} found no lane free (up to ${count(maxBacklog)} waited)`,
      ],
    ],
    [
      'time',
      [
        `${seconds(measuredElapsed)} of iterations`,
        `${seconds(totalElapsed)} in all`,
        warmup !== undefined &&
          `warmed up by ${count(warmup.iterations)} iterations${warmup.errors > 0 ? `, ${count(warmup.errors)} errors` : ''}`,
      ],
    ],
    [
      'requests',
      [
        `${count(requests.answered)} answered, ${rate(requests.rate)} a second`,
        some(requests.failed, 'failed'),
        some(requests.cancelled, 'cancelled'),
        some(requests.retries, 'retries'),
        some(requests.redirects, 'redirects'),
      ],
    ],
    ['statuses', statuses],
    [
      'bytes',
      [
        `${bytes(requests.bytesReceived)} received`,
        `${bytes(requests.bytesSent)} sent`,
        measuredElapsed > 0 && `${bytes(Math.round((requests.bytesReceived * 1000) / measuredElapsed))} a second`,
      ],
    ],
    [
      'connections',
      [
        `${count(opened)} opened`,
        `${count(reused)} requests on one that stood`,
        some(closedByServer, 'closed by the server'),
        some(discarded, 'given up after bytes that answer nothing'),
      ],
    ],
  ]);
  const label = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows
    .filter(([, parts]) => parts.some(Boolean))
    .map(
      ([name, parts]) =>
        `${paint('bold', name.padEnd(label))}${wrapped(parts.filter(Boolean).join(', '), label, width)}`,
    );
}
