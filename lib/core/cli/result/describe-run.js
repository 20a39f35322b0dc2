import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';

import { Histogram } from '../../measure/histogram.js';
import { isOutside } from '../../process/confinement.js';
import { perUser, readStages } from '../../run/options/load.js';
import { hasArrivalRate, scaledStages } from '../../schedule/stages.js';

/** @import { RunStart } from '../types.js' */
/** @import { LoadDescription, PlanSummary } from '../../contracts/run.js' */
/** @import { PlannedStage } from '../../contracts/schedule.js' */
/** @import { Stats } from '../../contracts/stats.js' */
/** @import { DistributionOf, RunInfo, RunLoad } from '../../report/types.js' */

/**
 * Describes a run: what ran, and where it was sent. `folder`: the working directory.
 * @type {(start: RunStart, folder: string) => RunInfo} `endReason` is `running`
 */
export function describeRun({ plan, from, hash }, folder) {
  const git = gitState(folder);
  return {
    ...(plan.runId !== undefined && { id: plan.runId }),
    flow: { source: shareable(from, folder), sha256: hash },
    loads: loadsOf(plan),
    origins: plan.origins,
    proxies: plan.proxies,
    options: plan.options,
    ...(git && { git }),
    endReason: 'running',
  };
}

/** @type {(plan: PlanSummary) => RunLoad[]} */
function loadsOf(plan) {
  const { loads = [], shape } = plan;
  if (loads.length === 0) return [loadOf(plan)];
  return loads.length === 1 ? [{ ...runLoadOf(loads[0]), text: shape }] : loads.map(runLoadOf);
}

/** Describes one of several loads. @type {(load: LoadDescription) => RunLoad} */
export function runLoadOf({ name, from, after, options, text }) {
  const start = { ...(from > 0 && { startAfter: from }), ...(after !== undefined && { after }) };
  return { ...loadOf({ options, shape: text }), name, ...start };
}

/**
 * Describes a load by its options, and in words (`shape`).
 * @type {(plan: Pick<PlanSummary, 'options' | 'shape'>) => RunLoad}
 */
function loadOf({ options, shape }) {
  const { rate, arrival = 'constant', limit, duration, iterations, stages, ...factors } = /** @type {any} */ (options);
  const { scale, speed } = { scale: Number(factors.scale ?? 1), speed: Number(factors.speed ?? 1) };
  const given = stages === undefined ? null : readStages(stages);
  const read = given && scaledStages({ stages: given, scale, speed });
  return {
    name: 'main',
    ...(hasArrivalRate({ rate, stages: read ?? [] }) ? { model: 'open', arrival } : { model: 'closed' }),
    ...(rate !== undefined && { rate }),
    virtualUsers: limit,
    ...(duration !== undefined && { duration }),
    // perUser() is 0 for a number of the whole run.
    ...(iterations !== undefined && { iterations: perUser(iterations) * limit || iterations }),
    ...(read && { stages: read.map(stageOf) }),
    text: shape,
  };
}

/** @type {(stage: PlannedStage) => NonNullable<RunLoad['stages']>[0]} */
function stageOf({ duration, rate, limit, ramp = true }) {
  return { duration, ramp, ...(rate === undefined ? { virtualUsers: limit } : { rate }) };
}

/** Names of users and of folders above the working one are private. @type {(from: string, folder: string) => string} */
function shareable(from, folder) {
  if (!isAbsolute(from)) return from;
  const path = relative(folder, from);
  return isOutside(path) ? basename(from) : path;
}

/** A commit by SHA-1 or SHA-256. */
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const BRANCHES = 'refs/heads/';
const LONGEST_BRANCH = 200;

/**
 * Returns what is checked out in the git repository of a folder, from its files: starting git takes 5 ms or more. Null
 * if there is none, it has no commit, or it keeps its references in another format.
 * @type {(folder: string) => { commit: string, branch?: string } | null}
 */
export function gitState(folder) {
  try {
    const own = gitFolder(folder);
    if (own === null) return null;
    const head = firstLine(join(own, 'HEAD'));
    const name = head.startsWith('ref: ') ? head.slice('ref: '.length) : null;
    const commit = name === null ? head : commitOf(name, own);
    if (!COMMIT.test(commit)) return null;
    const branch = name?.startsWith(BRANCHES) ? name.slice(BRANCHES.length) : '';
    return { commit, ...(branch !== '' && { branch: branch.slice(0, LONGEST_BRANCH) }) };
  } catch {
    // a result does not need it
    return null;
  }
}

/**
 * Finds the folder `.git` of the nearest repository, or where the file `.git` of a worktree or a submodule leads.
 * @type {(folder: string) => string | null}
 */
function gitFolder(folder) {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, '.git');
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return path;
    if (stats) return resolve(at, firstLine(path).replace(/^gitdir: /, ''));
    if (at === dirname(at)) return null;
  }
}

/** A worktree has its references in the folder of its repository. @type {(name: string, own: string) => string} */
function commitOf(name, own) {
  const common = resolve(own, textOf(join(own, 'commondir')).trim());
  const loose = textOf(join(own, name)) || textOf(join(common, name));
  if (loose !== '') return loose.trim();
  const packed = textOf(join(common, 'packed-refs')).split('\n');
  return packed.find((line) => line.endsWith(` ${name}`))?.split(' ')[0] ?? '';
}

/** @type {(path: string) => string} */
function firstLine(path) {
  return textOf(path).split('\n', 1)[0].trim();
}

/** @type {(path: string) => string} empty if there is no such file; a FIFO would block */
function textOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'utf8') : '';
}

/**
 * Returns the function by which renderers get a distribution: decoding it takes long, and few need it.
 * @type {(stats: Stats) => DistributionOf}
 */
export function distributionsOf({ main }) {
  return (which) => Histogram.decode(main[which])?.percentileDistribution() ?? [];
}
