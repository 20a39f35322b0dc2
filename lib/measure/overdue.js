import { makeError } from '../errors.js';
import { MAX_SAMPLES } from './error-groups.js';
import { writeMs } from '../units.js';

/**
 * @import { Histogram } from './histogram.js'
 * @import { Stats } from './types.js'
 */

const CODE = 'E_OVERDUE';
const KIND = 'timeout';

/**
 * Counts iterations that the end of the run cut off after they had run longer than the slowest completed one as errors: a
 * server that does not answer has failed, even if no timeout has expired.
 *
 * @param {Stats['errors']} errors
 * @param {{ cut: Histogram, slowest: number }} times ms: of the iterations that were cut off; of the slowest completed one
 * @returns {{ overdue: number, errors: Stats['errors'] }}
 */
export function withOverdue(errors, { cut, slowest }) {
  const overdue = cut.countAbove(slowest);
  if (overdue === 0) return { overdue, errors };
  const { message } = makeError(CODE, {
    than:
      slowest > 0
        ? `it had run longer than the slowest completed iteration (${writeMs(Math.max(1, Math.round(slowest)))})`
        : 'no iteration completed',
  });
  const sample = { message, context: 'main', kind: KIND, code: CODE, operation: '', count: overdue, firstIndex: null };
  return {
    overdue,
    errors: {
      ...errors,
      count: errors.count + overdue,
      kinds: { ...errors.kinds, [KIND]: (errors.kinds[KIND] ?? 0) + overdue },
      samples: [...errors.samples.slice(0, MAX_SAMPLES - 1), sample].sort((a, b) => b.count - a.count),
    },
  };
}

/**
 * The errors that were recorded: for a sum, which counts overdue iterations anew.
 *
 * @param {Stats['errors']} errors
 * @returns {Stats['errors']}
 */
export function withoutOverdue(errors) {
  const overdue = errors.samples.find(({ code }) => code === CODE)?.count ?? 0;
  if (overdue === 0) return errors;
  const rest = errors.kinds[KIND] - overdue;
  const { [KIND]: _all, ...others } = errors.kinds;
  return {
    ...errors,
    count: errors.count - overdue,
    kinds: rest > 0 ? { ...others, [KIND]: rest } : others,
    samples: errors.samples.filter(({ code }) => code !== CODE),
  };
}
