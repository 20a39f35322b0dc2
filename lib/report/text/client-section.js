import { ms, percent } from '../figures.js';
import { wrapped } from '../layout.js';

/** How the client fared, where it may have mattered, and the server, where it was ours. @type {import('./index.js').Section} */
export function clientSection({ client, server, verdict }, { width, paint }) {
  const isWorth = verdict.status !== 'valid' || client.utilization > 0.8 || server !== undefined || client.workers > 1;
  if (!isWorth) return [];
  const line = (
    /** @type {string} */ name,
    /** @type {{ utilization: number, delay: { p99: number }, cpu: number, gc: number }} */ thread,
    /** @type {string[]} */ more,
  ) =>
    `${paint('bold', name.padEnd(LABEL))}${wrapped([`event loop busy ${percent(thread.utilization)}`, `late by up to ${ms(thread.delay.p99)} ms (p99)`, `CPU ${ms(thread.cpu)} ms`, `collection ${ms(thread.gc)} ms`, ...more].join(', '), LABEL, width)}`;
  const perRequest = client.cpuPerRequest === null ? [] : [`${(client.cpuPerRequest * 1000).toFixed(1)} us a request`];
  const threads = client.workers > 1 ? [`${client.workers} workers`] : [];
  return [line('client', client, [...perRequest, ...threads]), ...(server ? [line('server', server, [])] : [])];
}

const LABEL = 8;
