import { availableParallelism } from 'node:os';

import { readCount } from '../../units.js';

/**
 * @param {string | number} text a number of threads, or `auto`: one per core
 * @returns {number} NaN if invalid
 */
export function readWorkers(text) {
  return text === 'auto' ? availableParallelism() : readCount(text);
}
