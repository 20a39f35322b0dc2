import { grouped } from '../../core/ground/decimal.js';
import { createProblems } from '../../core/ground/problems.js';
import { writeMs } from '../../core/ground/units.js';
import { inspectRunOptions } from '../../core/run/options/read-options.js';
import { describeLoads, plannedLoad } from '../../core/run/plan.js';
import { WITHOUT_REFUSED } from '../agents/pack-options.js';

/** @import { RunOptions } from '../../core/contracts/run-options.js' */
/** @import { PlanSummary } from '../../core/contracts/run.js' */
/** @import { RawFlow } from '../../core/flow/types.js' */
/** @import { Layer } from '../../core/run/options/types.js' */
/** @import { LoadLimits } from '../../core/run/load/request-limits.js' */
/** @import { RunBounds } from '../../core/cli/types.js' */

/**
 * Options that a run of an assistant cannot have: those that reach beyond the flow, which flows from a queue do not
 * have either, and those that take more of this machine.
 */
export const REFUSED_OPTIONS = [
  ...Object.keys(WITHOUT_REFUSED),
  'log',
  'logRate',
  'workers',
  'prealloc',
  'maxBodyMemory',
];

/** The options of the server, which no call and no flow changes. @type {Layer} */
export const OWN_OPTIONS = { name: 'bench-rest mcp', options: { progress: 0, maxBodyMemory: 128 * 1024 * 1024 } };

/**
 * The bounds of a run: how people write them, and the flags that raise them.
 * @type {{ name: keyof RunBounds, what: string, write: (value: number) => string, flag: string }[]}
 */
const ROWS = [
  { name: 'duration', what: 'the warm-up and the run', write: writeMs, flag: '--max-duration' },
  { name: 'concurrency', what: 'virtual users', write: grouped, flag: '--max-concurrency' },
  { name: 'rate', what: 'the rate', write: (rate) => `${grouped(rate)}/s`, flag: '--max-rate' },
];

export const BOUND_FLAGS = ROWS.map(({ flag }) => flag);

/** Bytes that a run may send and receive. */
const MOST_BYTES = 2 ** 30;

/**
 * Returns what the load generator keeps to, whatever the flow does: redirects, repeats and `before` are requests, too.
 * @type {(bounds: RunBounds) => LoadLimits}
 */
export function limitsOf({ rate, duration }) {
  return { rate, requests: Math.ceil((rate * duration) / 1000), bytes: MOST_BYTES };
}

/** @type {(bounds: RunBounds) => string} */
export function describeBounds(bounds) {
  const { duration, concurrency, rate } = bounds;
  const { requests } = limitsOf(bounds);
  return `at most ${writeMs(duration)}, ${grouped(concurrency)} virtual users, ${grouped(rate)} requests per second, ${grouped(requests)} requests, and 1 GiB of traffic`;
}

/**
 * Refuses a run that would use more than its bounds, or options that an assistant does not decide on. Layers are those
 * of a run of the command, weakest first: defaults come before all others.
 * @throws {Error} E_RUN_OPTIONS with all problems
 * @type {(bounds: RunBounds, summary: PlanSummary | null, layers: Layer[], flow: Pick<RawFlow, 'scenarios'>) => void}
 */
export function refuseBeyond(bounds, summary, layers, flow) {
  const problems = createProblems('E_RUN_OPTIONS');
  const own = ['default', OWN_OPTIONS.name];
  const given = layers.filter(({ name }) => !own.includes(name)).flatMap(({ options = {} }) => Object.entries(options));
  const names = given.filter(([, value]) => value !== undefined && value !== null).map(([name]) => name);
  for (const name of REFUSED_OPTIONS.filter((one) => names.includes(one)))
    problems.add(
      `runOptions.${name}`,
      'is not for runs of an assistant: remove it, or run the flow on the command line',
    );
  problems.throwIfAny();
  // The plan is missing only where an option, such as `start`, decides on it later: those are refused above.
  if (summary === null) throw new Error('the run has no plan');
  const planned = plannedUse(summary, inspectRunOptions(layers, process.env, flow).options);
  for (const { name, write, what, flag } of ROWS) {
    const [value, most] = [planned[name], bounds[name]];
    if (value <= most) continue;
    problems.add(
      what,
      `${write(value)} planned, at most ${write(most)} allowed here: ask for less, or start bench-rest mcp with ${flag}`,
    );
  }
  problems.throwIfAny();
}

/** @type {(summary: PlanSummary, options: RunOptions) => RunBounds} duration: 0 if the end is not planned */
function plannedUse({ loads, limits: { warmUpMs, endMs } }, options) {
  const all = (loads ?? describeLoads(options)).map((load) => ({
    rate: load.options.rate ?? 0,
    ...plannedLoad(/** @type {any} */ (load.options), 1),
  }));
  const users = all.reduce((sum, load) => sum + load.users({ number: 1, of: 1 }), 0);
  const warmUpUsers = options.warmup?.limit ?? 0;
  return {
    duration: warmUpMs + (Number.isFinite(endMs) ? endMs : 0),
    concurrency: Math.max(users, warmUpUsers) * (options.pipelining ?? 1),
    rate: all.reduce((sum, { rate, peakRate = rate }) => sum + peakRate, 0),
  };
}
