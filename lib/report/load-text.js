import { decimal } from '../decimal.js';
import { bytes, ms, percent, rate } from './numbers.js';

/** @import { ClientFigures, ServerFigures } from '../measure/types.js' */

/**
 * The load of the client or of a server, in words. A process has no event loop of ours, a thread no memory of its own.
 *
 * @param {ServerFigures} load
 * @returns {string[]}
 */
export function loadText({ utilization, delay, cpu, gc, cores, cpuPerRequest, memory }) {
  return [
    ...(utilization === undefined ? [] : [`event loop busy ${percent(utilization)}`]),
    ...(delay === undefined ? [] : [`delay p99 ${ms(delay.p99)} ms`]),
    `CPU ${ms(cpu)} ms`,
    ...(gc === undefined ? [] : [`GC ${ms(gc)} ms`]),
    ...(cores === undefined ? [] : [`${rate(cores)} cores busy`]),
    ...(typeof cpuPerRequest === 'number' ? [`${micros(cpuPerRequest)} µs per request`] : []),
    ...(memory === undefined ? [] : [`memory ${bytes(memory.mean)}, at most ${bytes(memory.peak)}`]),
  ];
}

/**
 * How evenly the arrivals of an open run were spaced.
 *
 * @param {Pick<ClientFigures, 'rate' | 'spacing'>} client
 * @returns {string} empty in a closed run, with too few arrivals for a percentile, and in results of earlier versions
 */
export function spacingText({ rate: planned, spacing }) {
  const { p95 = null, p99 = null } = spacing ?? {};
  if (planned === null || p95 === null) return '';
  return `spaced within ${ms(p95)} ms${p99 === null ? '' : ` (p99 ${ms(p99)} ms)`}`;
}

/** @type {(ms: number) => string} */
function micros(ms) {
  return decimal(ms * 1000, 1);
}
