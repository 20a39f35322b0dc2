import { readCount, readMs } from '../../units.js';

/**
 * Reads a warm-up: a time, `5s:10c` (of 10 virtual users), or `{ duration, limit }`.
 *
 * @param {unknown} given
 * @returns {{ duration: number, limit?: number } | undefined} undefined if invalid
 */
export function readWarmup(given) {
  const { duration, limit, ...unknown } =
    typeof given === 'object' && given !== null ? /** @type {any} */ (given) : readText(given);
  const ms = readMs(duration);
  const lanes = limit === undefined ? undefined : readCount(limit);
  const isValid = ms > 0 && (lanes === undefined || lanes > 0) && Object.keys(unknown).length === 0;
  return isValid ? { duration: ms, ...(lanes !== undefined && { limit: lanes }) } : undefined;
}

/** @type {(given: unknown) => { duration: unknown, limit?: string }} */
function readText(given) {
  const [, duration, limit] = (typeof given === 'string' && /^([^:]*):(.*)c$/.exec(given)) || [];
  return duration === undefined ? { duration: given } : { duration, limit };
}
