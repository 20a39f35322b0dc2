import { toCommonTime } from '../run/common-time.js';

/** @returns {number} ms of the monotonic clock that all threads of this process share */
export function now() {
  return toCommonTime(performance.now());
}
