import { basename, isAbsolute, relative, sep } from 'node:path';

import { Histogram } from '../../measure/histogram.js';
import { readStages } from '../../run/options/load.js';

/** @import { RunStart } from '../types.js' */
/** @import { PlanSummary } from '../../contracts/run.js' */
/** @import { Stage } from '../../contracts/schedule.js' */
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
  const { rate, arrival = 'constant', limit, duration, iterations, stages } = /** @type {any} */ (options);
  const read = stages === undefined ? null : readStages(stages);
  const isOpen = rate !== undefined || read?.some((stage) => stage.rate !== undefined) === true;
  return {
    name: 'main',
    ...(isOpen ? { model: 'open', arrival } : { model: 'closed' }),
    ...(rate !== undefined && { rate }),
    virtualUsers: limit,
    ...(duration !== undefined && { duration }),
    ...(iterations !== undefined && { iterations }),
    ...(read && { stages: read.map(stageOf) }),
    text: shape,
  };
}

/** @type {(stage: Stage) => NonNullable<RunLoad['stages']>[0]} */
function stageOf({ duration, rate, limit, ramp = true }) {
  return { duration, ramp, ...(rate === undefined ? { virtualUsers: limit } : { rate }) };
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
