import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

import { readCount } from '../../units.js';

/** CPU time per period, and the period, us (cgroup v2); `max` without a limit. Node 24 and newer read it themselves. */
const CPU_QUOTA = '/sys/fs/cgroup/cpu.max';

/**
 * @param {string | number} text a number of threads, or `auto`: one per core
 * @returns {number} NaN if invalid
 */
export function readWorkers(text) {
  return text === 'auto' ? availableCores() : readCount(text);
}

/** @returns {number} cores that this process may use, at least 1: those of its CPU mask and of its container's quota */
export function availableCores() {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(quotaIn(readQuota()))));
}

/** @type {(text: string) => number} cores; Infinity without a limit */
export function quotaIn(text) {
  const [quota, period] = text.split(' ').map(Number);
  return quota > 0 && period > 0 ? quota / period : Infinity;
}

/** @returns {string} empty where there is none: other systems, and cgroup v1 */
function readQuota() {
  try {
    return readFileSync(CPU_QUOTA, 'utf8');
  } catch {
    return '';
  }
}
