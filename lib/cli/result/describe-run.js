import { basename, isAbsolute, relative, sep } from 'node:path';

import { Histogram } from '../../measure/histogram.js';

/** @import { RunStart } from '../types.js' */
/** @import { PlanSummary } from '../../contracts/run.js' */
/** @import { Stats } from '../../contracts/stats.js' */
/** @import { PercentileDistribution, RunInfo, RunLoad } from '../../report/types.js' */

/**
 * Describes a run: what ran, and where it was sent.
 *
 * @param {RunStart} start
 * @param {string} folder the working directory
 * @returns {RunInfo} `endReason` is `running`
 */
export function describeRun({ plan, from, hash }, folder) {
  return {
    ...(plan.runId !== undefined && { id: plan.runId }),
    flow: { source: shareable(from, folder), sha256: hash },
    loads: [loadOf(plan)],
    origins: plan.origins,
    proxies: plan.proxies,
    options: plan.options,
    endReason: 'running',
  };
}

/** Describes the load as given, and in words. @type {(plan: PlanSummary) => RunLoad} */
function loadOf({ options, shape }) {
  const { rate, arrival, limit, duration, iterations } = /** @type {any} */ (options);
  return {
    name: 'main',
    ...(rate !== undefined && { rate, ...(arrival !== undefined && { arrival }) }),
    virtualUsers: limit,
    ...(duration !== undefined && { duration }),
    ...(iterations !== undefined && { iterations }),
    text: shape,
  };
}

/**
 * Returns arguments for a result, which is shared: the names of users and of folders above the working directory are
 * private.
 * @type {(from: string, folder: string) => string}
 */
function shareable(from, folder) {
  if (!isAbsolute(from)) return from;
  const path = relative(folder, from);
  return path.startsWith(`..${sep}`) || isAbsolute(path) ? basename(from) : path;
}

/**
 * Returns the percentile distributions of a result.
 * @type {(stats: Stats) => (which: 'completed' | 'serviceTime') => PercentileDistribution}
 */
export function distributionsOf({ main }) {
  return (which) => Histogram.decode(main[which])?.percentileDistribution() ?? [];
}
