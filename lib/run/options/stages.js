import { basename } from 'node:path';

import { readCount, readMs, readRate } from '../../ground/units.js';
import { readTraffic } from './traffic.js';

/** @import { Stage } from '../../contracts/schedule.js' */

/**
 * Reads stages: objects with `duration` and `rate` or `limit`, or texts: `30s:100` ends at 100 iterations per second,
 * `30s:50c` at 50 virtual users, `30s:=100` is at 100 from its beginning, and `30s:100 in 5 steps` rises in steps;
 * `@traffic.csv` and `{ file }` are recorded curves. Null if one is invalid, or if rates and virtual users are mixed.
 * @type {(given: unknown) => Stage[] | null}
 */
export function readStages(given) {
  const stages = readStageParts(given);
  return stages && inSteps(stages);
}

/**
 * Reads stages, of which those in steps are not divided yet: that depends on the stage before.
 * @type {(given: unknown) => (Stage & { steps?: number })[] | null}
 */
export function readStageParts(given) {
  const all = fileOf(given) === null ? given : [given];
  if (!Array.isArray(all) || all.length === 0) return null;
  const read = all.map(readOneStage);
  if (!read.every((stages) => Array.isArray(stages))) return null;
  const stages = read.flat();
  return ['rate', 'limit'].filter((key) => stages.some((stage) => key in stage)).length === 1 ? stages : null;
}

/**
 * @type {(given: unknown) => (Stage & { steps?: number })[] | string | null} null: it is no stage; a text: why its file
 *   is refused
 */
function readOneStage(given) {
  const file = fileOf(given);
  if (file !== null) return readTraffic(file);
  const stage = typeof given === 'string' ? readStageText(given) : readStage(given);
  return stage && [stage];
}

/** Returns the file of a recorded curve; null: it is none. @type {(given: any) => string | null} */
function fileOf(given) {
  if (typeof given === 'string') return /^@./.test(given) ? given.slice(1) : null;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return null;
  const { file, ...others } = given;
  return typeof file === 'string' && Object.keys(others).length === 0 ? file : null;
}

/**
 * Divides stages that rise in steps: each step has its value from its beginning.
 * @type {(stages: (Stage & { steps?: number })[]) => Stage[]}
 */
function inSteps(stages) {
  let last = 0;
  return stages.flatMap(({ steps, ...stage }) => {
    const from = last;
    const key = stage.rate === undefined ? 'limit' : 'rate';
    const to = /** @type {number} */ (stage[key]);
    last = to;
    if (steps === undefined) return [stage];
    return Array.from({ length: steps }, (_, i) => {
      const value = from + ((to - from) * (i + 1)) / steps;
      return { duration: stage.duration / steps, [key]: key === 'limit' ? Math.round(value) : value, ramp: false };
    });
  });
}

/** Results have the names of files, not the folders above them. @type {(given: unknown) => unknown} */
export function withoutFolders(given) {
  const nameOf = (/** @type {unknown} */ one) => {
    const file = fileOf(one);
    return file === null ? one : `@${basename(file)}`;
  };
  return Array.isArray(given) ? given.map(nameOf) : nameOf(given);
}

/** Reports whether stages follow a recorded curve. @type {(given: unknown) => boolean} */
export function hasStageFile(given) {
  return [given].flat().some((one) => fileOf(one) !== null);
}

/** Explains why stages are refused. @type {(given: unknown) => string | undefined} */
export function refuseStages(given) {
  const all = fileOf(given) === null ? given : [given];
  const reason = Array.isArray(all) ? all.map(readOneStage).find((one) => typeof one === 'string') : undefined;
  return typeof reason === 'string' ? reason : refuseMixed(given);
}

/** Explains why stages are refused, if each of them is valid. @type {(given: unknown) => string | undefined} */
export function refuseMixed(given) {
  if (!Array.isArray(given) || given.length === 0 || given.some((one) => readStages([one]) === null)) return undefined;
  return "mixes rates and virtual users: end all stages at a rate, such as '30s:100', or all at virtual users, such as '30s:50c'";
}

/** @type {(text: string) => Stage & { steps?: number } | null} */
function readStageText(text) {
  const [, duration, isAtOnce, value, users, steps] =
    /^([^:]*):\s*(=?)\s*(\S*?)(c?)\s*(?:\bin\s+(\d+)\s+steps?\s*)?$/.exec(text) ?? [];
  if (duration === undefined) return null;
  return readStage({
    duration,
    [users === 'c' ? 'limit' : 'rate']: value,
    ...(isAtOnce === '=' && { ramp: false }),
    ...(steps !== undefined && { steps: Number(steps) }),
  });
}

/** More steps are as good as a ramp. */
const MOST_STEPS = 1000;

/** @type {(steps: unknown) => boolean} */
function isNumberOfSteps(steps) {
  return Number.isInteger(steps) && Number(steps) > 0 && Number(steps) <= MOST_STEPS;
}

/** @type {(stage: any) => Stage & { steps?: number } | null} */
function readStage(stage) {
  if (typeof stage !== 'object' || stage === null) return null;
  const { duration, rate, limit, ramp = true, steps, ...unknown } = stage;
  const ms = readMs(duration);
  const value = rate === undefined ? readCount(limit) : readRate(rate);
  const hasSteps = steps === undefined || (ramp === true && isNumberOfSteps(steps));
  const isValid =
    ms > 0 &&
    value >= 0 &&
    typeof ramp === 'boolean' &&
    (rate === undefined) !== (limit === undefined) &&
    hasSteps &&
    Object.keys(unknown).length === 0;
  const key = rate === undefined ? 'limit' : 'rate';
  return isValid ? { duration: ms, [key]: value, ramp, ...(steps !== undefined && { steps }) } : null;
}
