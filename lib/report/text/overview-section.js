import { counterRows } from '../../measure/figure-rows.js';
import { safe } from '../../text/safe.js';
import { bytes, count, rate, seconds } from '../numbers.js';
import { spacingText } from '../load-text.js';
import { wrapped } from './layout.js';

/** @import { Result } from '../types.js' */

/** The counts in full. @type {import('./index.js').Section} */
export function overviewSection(result, { width, paint }) {
  const { iterations, requests } = result;
  const counters = (/** @type {string} */ group) =>
    counterRows(result, group).map(({ label, value }) => `${count(value)} ${label}`);
  const rows = /** @type {[string, string[]][]} */ ([
    ['iterations', [`${count(iterations.completed)} completed`, ...counters('iterations'), ...backlog(result)]],
    ['arrivals', [spacingText(result.client)].filter((text) => text !== '')],
    ['time', times(result)],
    ['requests', [`${count(requests.answered)} answered, ${rate(requests.rate)} per second`, ...counters('requests')]],
    ['statuses', Object.entries(requests.statusCodes).map(([status, n]) => `${status}: ${count(n)}`)],
    ['messages', messages(result)],
    ['bytes', traffic(result)],
    [
      'connections',
      [
        `${count(requests.connections.opened)} opened`,
        `${count(requests.connections.reused)} on reused connections`,
        ...counters('requests.connections'),
      ],
    ],
    ['proxy', (result.run?.proxies ?? []).map(safe)],
  ]).filter(([, parts]) => parts.length > 0);
  const label = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, parts]) => `${paint('bold', name.padEnd(label))}${wrapped(parts.join(', '), label, width)}`);
}

/** @type {(result: Result) => string[]} */
function backlog({ iterations: { late, maxBacklog } }) {
  return late > 0 ? [`${count(late)} started late (backlog up to ${count(maxBacklog)})`] : [];
}

/** @type {(result: Result) => string[]} */
function times({ startedAt, measuredElapsed, totalElapsed, warmup }) {
  const parts = [`${seconds(measuredElapsed)} of iterations`, `${seconds(totalElapsed)} in total`];
  if (startedAt !== undefined) parts.push(`started ${startedAt.slice(0, 19).replace('T', ' ')} UTC`);
  if (!warmup) return parts;
  const errors = warmup.errors > 0 ? [`${count(warmup.errors)} errors`] : [];
  return [...parts, `warm-up of ${count(warmup.iterations)} iterations`, ...errors];
}

/** Those of WebSockets. @type {(result: Result) => string[]} */
function messages({ requests: { messagesSent, messagesReceived, messagesUnread, messageRate } }) {
  if (!messagesSent && !messagesReceived) return [];
  const unread = messagesUnread > 0 ? [`${count(messagesUnread)} that nothing expected`] : [];
  return [
    `${count(messagesReceived)} received, ${rate(messageRate)} per second`,
    `${count(messagesSent)} sent`,
    ...unread,
  ];
}

/** @type {(result: Result) => string[]} */
function traffic({ requests: { bytesReceived, bytesSent, bytesReceivedRate } }) {
  const perSecond = bytesReceivedRate > 0 ? ` (${bytes(bytesReceivedRate)} per second)` : '';
  return [`${bytes(bytesReceived)} received${perSecond}`, `${bytes(bytesSent)} sent`];
}
