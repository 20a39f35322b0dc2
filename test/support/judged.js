import { judgementOf } from '../../lib/core/measure/judge-thresholds.js';
import { ANY_NAMES, readThreshold } from '../../lib/core/measure/thresholds.js';

/** A threshold with its measured value, as a result has it: `judged('errors<1%', 0.08)`. */
export function judged(expression, actual, more = {}) {
  const reading = readThreshold(expression, ANY_NAMES);
  if (!('threshold' in reading)) throw new Error(`${expression}: ${reading.reason}`);
  const { operation } = reading.threshold;
  return { ...judgementOf(reading.threshold, actual, operation === null ? {} : { operation }), ...more };
}
