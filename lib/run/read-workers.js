import { availableParallelism } from 'node:os';

import { readCount } from '../units.js';

/** A number of threads; `auto`: one a core. @type {(text: string | number) => number} NaN for anything else */
export function readWorkers(text) {
  return text === 'auto' ? availableParallelism() : readCount(text);
}
