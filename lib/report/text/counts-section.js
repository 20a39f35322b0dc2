import { counterRows } from '../../measure/figure-rows.js';
import { spacingText } from '../load-text.js';
import { bytes, count, counted, rate, seconds } from '../numbers.js';
import { remainingTimes } from './figures-section.js';
import { joined } from './layout.js';

/** @import { Result } from '../types.js' */

const MAX_STATUSES = 6;
/** a rate that is lower than the planned one by more than this share is noted */
const MAX_MISSED = 0.01;

/** Further times, then one line: what ran, for how long, and what came back. @type {import('./index.js').Section} */
export function countsSection(result, { width, paint, glyphs, scale }) {
  const parts = [
    iterations(result),
    arrivals(result),
    users(result),
    requests(result),
    messages(result),
    received(result),
    statuses(result),
  ].filter((part) => part !== '');
  const gap = ` ${glyphs.dot} `;
  return [
    ...joined(remainingTimes(result, scale), { gap: '  ', indent: 0, width }),
    ...joined(parts, { gap, indent: 0, width }).map((line) => paint('dim', line)),
  ];
}

/** @type {(result: Result) => string} */
function iterations(result) {
  const { iterations: counts, measuredElapsed, client, warmup } = result;
  const planned =
    client.rate !== null && client.rate.reached < client.rate.asked * (1 - MAX_MISSED)
      ? [`${rate(client.rate.asked)}/s planned`]
      : [];
  const warmUpErrors = warmup && warmup.errors > 0 ? [`${counted(warmup.errors, 'error')} in the warm-up`] : [];
  return [
    `${counted(counts.started, 'iteration')} in ${seconds(measuredElapsed)}`,
    ...counters(result, 'iterations'),
    ...planned,
    ...warmUpErrors,
  ].join(', ');
}

/** @type {(result: Result) => string} */
function arrivals({ client }) {
  const text = spacingText(client);
  return text && `arrivals ${text}`;
}

/** @type {(result: Result) => string} */
function users({ requests: { connections } }) {
  return connections.asked > 0 ? counted(connections.asked, 'virtual user') : '';
}

/** @type {(result: Result) => string} */
function requests(result) {
  const { answered, rate: perSecond, count: asked } = result.requests;
  if (asked === 0) return '';
  const answers = answered > 0 ? [`${counted(answered, 'request')}, ${rate(perSecond)}/s`] : [];
  return [...answers, ...(answered > 0 ? counters(result, 'requests') : [])].join(', ');
}

/** @type {(result: Result) => string} */
function messages({ requests: { messagesReceived, messageRate } }) {
  return messagesReceived > 0 ? `${counted(messagesReceived, 'message')} received, ${rate(messageRate)}/s` : '';
}

/** @type {(result: Result) => string} */
function received({ requests: { answered, bytesReceived, bytesReceivedRate } }) {
  if (answered === 0 || !bytesReceived) return '';
  const perSecond = bytesReceivedRate > 0 ? `, ${bytes(bytesReceivedRate)}/s` : '';
  return `${bytes(bytesReceived)} received${perSecond}`;
}

/** The most frequent statuses. @type {(result: Result) => string} */
function statuses({ requests: { statusCodes } }) {
  const all = Object.entries(statusCodes);
  const shown = [...all].sort(([, a], [, b]) => b - a).slice(0, MAX_STATUSES);
  const texts = all.filter((entry) => shown.includes(entry)).map(([status, n]) => `${status}: ${count(n)}`);
  const others = all.length > shown.length ? [`${all.length - shown.length} other statuses`] : [];
  return [...texts, ...others].join(', ');
}

/** @type {(result: Result, group: string) => string[]} */
function counters(result, group) {
  return counterRows(result, group).map(({ label, value }) => `${count(value)} ${label}`);
}
