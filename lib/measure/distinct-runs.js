import { makeError } from '../ground/errors.js';

/**
 * @import { Stats } from '../contracts/stats.js'
 *
 * @typedef {Pick<Stats, 'iterations' | 'main'> & { id?: string, startedAt?: string, measuredAt?: string }} Run
 */

/**
 * Refuses results of the same run, which would count as several: copies, the `.json` and the `.ndjson` of one run, a
 * result and the sum that it is part of.
 *
 * @param {Run[]} results
 * @param {string[]} names for messages
 * @throws {Error} E_RESULT
 */
export function refuseSameRun(results, names) {
  /** @type {Map<string, number>} */
  const found = new Map();
  results.forEach((result, i) => {
    for (const key of keysOf(result)) {
      const twin = found.get(key);
      if (twin !== undefined && twin !== i)
        throw makeError('E_RESULT', {
          path: names[i],
          reason: `is the same run as ${names[twin]}`,
          cure: 'pass each result once',
        });
      found.set(key, i);
    }
  });
}

/** The ids of its runs; of a result without one, what no other run has. @type {(result: Run) => string[]} */
function keysOf({ id, startedAt, measuredAt, iterations, main }) {
  if (id !== undefined) return id.split(BETWEEN_IDS);
  // nothing was measured: it may be any run
  if (startedAt === undefined && main.completed.count === 0) return [];
  return [JSON.stringify([startedAt, measuredAt, iterations, main.completed])];
}

const BETWEEN_IDS = '+';

/** The id of the sum of runs. @type {(results: { id?: string }[]) => string | undefined} */
export function joinedId(results) {
  const ids = results.flatMap(({ id }) => id ?? []);
  return ids.length > 0 ? ids.join(BETWEEN_IDS) : undefined;
}
