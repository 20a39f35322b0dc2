import { escapeText } from './escape.js';
import { maskText } from '../mask.js';
import { shortened } from '../show.js';

/** @import { Stats } from '../measure/types.js' */

/**
 * What went wrong, grouped, each with its count and one message.
 *
 * @param {Stats} stats
 * @returns {string} lines, the first with the number of errors
 */
export function errorsText({ errors, iterations }) {
  const width = String(errors.samples[0]?.count ?? '').length;
  const groups = errors.samples.map(({ count, kind, context, operation, message, firstIndex }) => {
    const place = operation ? `${context}, ${shown(operation)}` : context;
    const first = firstIndex === null ? '' : `, first in iteration ${firstIndex}`;
    return `  ${String(count).padStart(width)} x ${kind} in ${place}${first}\n${' '.repeat(width + 5)}${shown(message)}\n`;
  });
  const listed = errors.samples.reduce((sum, { count }) => sum + count, 0);
  const rest = errors.count > listed ? `  and ${errors.count - listed} more of other kinds\n` : '';
  return `errors: ${errors.count}\n${groups.join('')}${rest}${leftovers(iterations)}`;
}

/** @type {(iterations: Stats['iterations']) => string} */
function leftovers({ teardownFailed, cancelled, late = 0, maxBacklog = 0, dropped = 0 }) {
  const left =
    teardownFailed > 0
      ? `tear-down: afterMain failed in ${iterationsOf(teardownFailed)}; what they made may be left behind\n`
      : '';
  const cut = cancelled > 0 ? `cancelled: ${iterationsOf(cancelled)} cut off when the run ended\n` : '';
  const waited =
    late > 0
      ? `late: ${iterationsOf(late)} found no lane free when due, up to ${maxBacklog} at a time; their waiting is in the response time\n`
      : '';
  const given = dropped > 0 ? `dropped: ${iterationsOf(dropped)} due, but never started\n` : '';
  return left + cut + waited + given;
}

/** @type {(count: number) => string} */
function iterationsOf(count) {
  return `${count} ${count === 1 ? 'iteration' : 'iterations'}`;
}

/** @type {(text: string) => string} */
function shown(text) {
  return shortened(escapeText(maskText(text)), 500);
}
