import { readCount, readMs, readRate } from '../../units.js';

/** @import { Stage } from '../../schedule/types.js' */

/**
 * Reads stages: objects with `duration` and `rate` or `limit`, or texts: `30s:100` ends at 100 iterations per second,
 * `30s:50c` at 50 virtual users.
 *
 * @param {unknown} given
 * @returns {Stage[] | null} null if one is invalid, or if rates and virtual users are mixed
 */
export function readStages(given) {
  if (!Array.isArray(given) || given.length === 0) return null;
  const stages = given.map((one) => (typeof one === 'string' ? readText(one) : readObject(one)));
  const known = ['rate', 'limit'].filter((key) => stages.some((stage) => stage && key in stage));
  return known.length === 1 && stages.every((stage) => stage !== null) ? /** @type {Stage[]} */ (stages) : null;
}

/**
 * Explains why stages are refused, if each alone could be read.
 *
 * @param {unknown} given
 * @returns {string | undefined}
 */
export function refuseMixed(given) {
  if (!Array.isArray(given) || given.length === 0 || given.some((one) => readStages([one]) === null)) return undefined;
  return "mixes rates and virtual users: end all stages at a rate, such as '30s:100', or all at virtual users, such as '30s:50c'";
}

/** @type {(text: string) => Stage | null} */
function readText(text) {
  const colon = text.indexOf(':');
  const value = text.slice(colon + 1).trim();
  const isLanes = value.endsWith('c');
  return colon < 0
    ? null
    : readObject({
        duration: text.slice(0, colon),
        [isLanes ? 'limit' : 'rate']: isLanes ? value.slice(0, -1) : value,
      });
}

/** @type {(stage: any) => Stage | null} */
function readObject(stage) {
  if (typeof stage !== 'object' || stage === null) return null;
  const { duration, rate, limit, ramp = true, ...unknown } = stage;
  const ms = readMs(duration);
  const value = rate === undefined ? readCount(limit) : readRate(rate);
  const isValid =
    ms > 0 &&
    value >= 0 &&
    typeof ramp === 'boolean' &&
    (rate === undefined) !== (limit === undefined) &&
    Object.keys(unknown).length === 0;
  return isValid ? { duration: ms, [rate === undefined ? 'limit' : 'rate']: value, ramp } : null;
}
