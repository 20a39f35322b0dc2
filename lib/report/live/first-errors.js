import { hintedErrors } from '../hinted-errors.js';
import { count } from '../numbers.js';
import { shortened } from '../../text/format-value.js';
import { safe } from '../../text/safe.js';

/** @import { ErrorSample, Stats } from '../../measure/types.js' */

const MAX_GROUPS = 10;
const MAX_LENGTH = 300;

/** The first error of each group, as lines for the time of a run. */
export class FirstErrors {
  /** keys of groups @type {Set<string>} */
  #known = new Set();

  /**
   * The groups that are new since the last call, at most ten of a run.
   *
   * @param {Pick<Stats, 'errors'> & Partial<Pick<Stats, 'requests'>>} stats
   * @returns {string[]}
   */
  linesOf(stats) {
    const fresh = hintedErrors(stats).filter((sample) => !this.#known.has(keyOf(sample)));
    const lines = fresh.slice(0, Math.max(0, MAX_GROUPS - this.#known.size)).map(lineOf);
    const wasFull = this.#known.size >= MAX_GROUPS;
    for (const sample of fresh) this.#known.add(keyOf(sample));
    const isFull = !wasFull && this.#known.size > MAX_GROUPS;
    return isFull
      ? [...lines, `${count(this.#known.size - MAX_GROUPS)} more kinds of errors; the report lists them`]
      : lines;
  }
}

/** @type {(sample: ErrorSample) => string} */
function lineOf({ kind, operation, context, firstIndex, message }) {
  const first = firstIndex === null ? '' : `, iteration ${count(firstIndex)}`;
  return safe(`${kind} in ${operation || context}${first}: ${shortened(message, MAX_LENGTH)}`);
}

/** @type {(sample: ErrorSample) => string} */
function keyOf({ kind, code, operation, context }) {
  return JSON.stringify([kind, code, operation, context]);
}
