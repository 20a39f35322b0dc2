import { createHash } from 'node:crypto';

import { literalResult } from './literal-result.js';

const TIMES = { mean: 50.5, median: 50, p75: 75, p90: 90, p95: 95, p99: 99, p999: 100, max: 100, sum: 5050 };

/** A result that can be read from a file, whose times are those of the literal one, times a level, on a day of a year. */
export function resultAt(day, level, { label, commit = commitOf(day), ...more } = {}) {
  const result = literalResult();
  const { run, main, iterations, requests, operations, ...others } = result;
  for (const [key, ms] of Object.entries(TIMES)) main.completed[key] = ms * level;
  const at = (hour) => new Date(Date.UTC(2030, 0, 1 + day, hour)).toISOString();
  return {
    ...others,
    requests,
    // the literal one has more times than responses
    operations: operations.map((one) => ({
      ...one,
      times: { serviceTime: { ...one.times.serviceTime, count: one.count } },
    })),
    ...{ id: `run ${day}`, startedAt: at(12), measuredAt: at(12), endedAt: at(13) },
    main,
    iterations: { ...iterations, completedRate: 100 / level },
    errors: { count: 0, share: 0, kinds: {}, details: [] },
    ...{ thresholds: [], outcome: undefined, validity: { status: 'valid', reasons: [] } },
    ...(label !== undefined && { label }),
    run: { ...run, ...(commit !== null && { git: { commit, branch: 'main' } }) },
    ...more,
  };
}

export function commitOf(day) {
  return createHash('sha1').update(`${day}`).digest('hex');
}

/** As many results as levels, one for each day. */
export const resultsAt = (levels, more = {}) =>
  levels.map((level, day) => resultAt(day, level, { label: `v${day}`, ...more }));
