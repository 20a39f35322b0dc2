import { ms, percent } from '../numbers.js';
import { wrapped } from './layout.js';

/** @import { ThreadSummary } from '../../measure/thread.js' */

const LABEL = 8;
const BUSY = 0.8;

/** The load of the client, if it may have affected the results, and of a server in this process. @type {import('./index.js').Section} */
export function clientSection({ client, server, verdict }, { width, paint }) {
  const isRelevant = verdict.status !== 'valid' || client.utilization > BUSY || server || client.workers > 1;
  if (!isRelevant) return [];
  const line = (/** @type {string} */ name, /** @type {ThreadSummary} */ thread, /** @type {string[]} */ ...more) => {
    const parts = [
      `event loop busy ${percent(thread.utilization)}`,
      `delay p99 ${ms(thread.delay.p99)} ms`,
      `CPU ${ms(thread.cpu)} ms`,
      `GC ${ms(thread.gc)} ms`,
      ...more,
    ];
    return `${paint('bold', name.padEnd(LABEL))}${wrapped(parts.join(', '), LABEL, width)}`;
  };
  const perRequest =
    client.cpuPerRequest === null ? [] : [`${(client.cpuPerRequest * 1000).toFixed(1)} µs per request`];
  const threads = client.workers > 1 ? [`${client.workers} workers`] : [];
  return [line('client', client, ...perRequest, ...threads), ...(server ? [line('server', server)] : [])];
}
