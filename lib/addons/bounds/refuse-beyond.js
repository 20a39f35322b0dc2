import { grouped } from '../../core/ground/decimal.js';
import { createProblems } from '../../core/ground/problems.js';
import { inspectRunOptions } from '../../core/run/options/read-options.js';
import { describeLoads, plannedLoad } from '../../core/run/plan.js';
import { BOUNDS, limitsOf } from './bounds.js';

/** @import { RunOptions } from '../../core/contracts/run-options.js' */
/** @import { PlanSummary } from '../../core/contracts/run.js' */
/** @import { BoundsModule, RunBounds } from '../../core/cli/types.js' */

/**
 * Refuses a run that would use more than its bounds, or that sets options which others do not decide on: `refused`, by
 * name, with reasons. Layers are those of a run of the command, weakest first; those of the name `own` are its own.
 * @throws {Error} E_RUN_OPTIONS with all problems
 * @type {BoundsModule['refuseBeyond']} the limits of the load
 */
export function refuseBeyond({ refused = {}, ...bounds }, { summary, layers, flow, own }) {
  const problems = createProblems('E_RUN_OPTIONS');
  const others = layers.filter(({ name }) => !['default', own].includes(name));
  const set = new Set(
    others.flatMap(({ options = {} }) => Object.keys(options).filter((name) => (options[name] ?? null) !== null)),
  );
  for (const [name, reason] of Object.entries(refused)) if (set.has(name)) problems.add(`runOptions.${name}`, reason);
  problems.throwIfAny();
  // The plan is missing only where an option, such as `start`, decides on it later: those are refused above.
  if (summary === null) throw new Error('the run has no plan');
  const planned = plannedUse(summary, inspectRunOptions(layers, process.env, flow).options);
  for (const { name, write = grouped, what, flag } of BOUNDS) {
    const [value = 0, most] = [planned[name], bounds[name]];
    if (value > most)
      problems.add(
        what,
        `${write(value)} planned, at most ${write(most)} allowed here: ask for less, or raise ${flag.split(' ')[0]} where it is set`,
      );
  }
  problems.throwIfAny();
  return limitsOf(bounds);
}

/**
 * Returns what this part of a run plans; duration: 0 if its end is not planned.
 * @type {(summary: PlanSummary, options: RunOptions) => Partial<RunBounds>}
 */
function plannedUse({ loads, limits: { warmUpMs, endMs } }, options) {
  const { shard = { number: 1, of: 1 } } = options;
  const all = (loads ?? describeLoads(options)).map((load) => ({
    rate: load.options.rate ?? 0,
    ...plannedLoad(/** @type {any} */ (load.options), shard.of),
  }));
  const users = all.reduce((sum, load) => sum + load.users(shard), 0);
  const warmUpUsers = options.warmup?.limit ?? 0;
  return {
    duration: warmUpMs + (Number.isFinite(endMs) ? endMs : 0),
    users: Math.max(users, warmUpUsers / shard.of) * (options.pipelining ?? 1),
    rate: all.reduce((sum, { rate, peakRate = rate }) => sum + peakRate, 0) / shard.of,
  };
}
