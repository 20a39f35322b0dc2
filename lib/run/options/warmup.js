import { readCount, readMs } from '../../units.js';

/**
 * Reads a warm-up: a time, or `{ duration, limit }`.
 *
 * @param {unknown} given
 * @returns {{ duration: number, limit?: number } | undefined} undefined if invalid
 */
export function readWarmup(given) {
  const { duration, limit, ...unknown } =
    typeof given === 'object' && given !== null ? /** @type {any} */ (given) : { duration: given };
  const ms = readMs(duration);
  const lanes = limit === undefined ? undefined : readCount(limit);
  const isValid = ms > 0 && (lanes === undefined || lanes > 0) && Object.keys(unknown).length === 0;
  return isValid ? { duration: ms, ...(lanes !== undefined && { limit: lanes }) } : undefined;
}
