import { copier } from '../flow/copier.js';
import { scheduleFor } from '../schedule/index.js';
import { originsOf } from '../flow/origins.js';
import { proxiesOf } from '../flow/proxies.js';
import { transportNamed } from '../transport/index.js';
import { createProblems } from '../problems.js';
import { writeMs } from '../units.js';
import { fitToFlow } from './options/fit-to-flow.js';

/**
 * @import { CompiledFlow, Phase } from '../flow/types.js'
 * @import { Schedule, ScheduleEntry, ScheduleOptions } from '../schedule/types.js'
 * @import { TransportEntry } from '../transport/types.js'
 * @import { FlowOrigin, FlowSource } from './flow-source.js'
 * @import { RunOptions } from './options/types.js'
 *
 * @typedef {ReturnType<typeof import('../flow/compile.js').readFlow>} ReadFlow
 *
 * @typedef {object} LoadPlan input of a load generator
 * @property {CompiledFlow} flow
 * @property {RunOptions} options
 * @property {ScheduleEntry} profile
 * @property {Schedule} schedule
 * @property {{ schedule: Schedule, duration: number } | null} warmUp
 * @property {TransportEntry} transport
 * @property {() => Record<string, any>} createIterCtx a copy of the flow's `iterCtx`
 *
 * @typedef {object} PlanSummary
 * @property {string} shape the load in a few words: `1,000 iterations, 50 at a time`
 * @property {string[]} origins that are known before the run
 * @property {string[]} proxies on the way to them, and the variable of the environment that names one
 * @property {Record<Phase, string[]>} operations names of the operations of each phase
 * @property {Limits} limits
 * @property {Record<string, any>} options as given, for people and results
 *
 * @typedef {object} Limits when a run must be over, ms
 * @property {number} leadMs before the measured iterations
 * @property {number} endMs from the first iteration to the end of the schedule; Infinity if that is not known
 * @property {number} gracefulStopMs
 * @property {number} teardownMs
 *
 * @typedef {object} RunPlan
 * @property {FlowSource | null} source where workers read the flow from; null if it cannot be sent to a thread
 * @property {Omit<PlanSummary, 'options'>} summary
 * @property {((result: any) => unknown) | null} report of the flow
 */

/**
 * Plans a run: fits the options to the flow, and selects the schedule, the transport and the workers.
 *
 * @param {ReadFlow} read
 * @param {RunOptions} given
 * @param {FlowOrigin} origin
 * @returns {LoadPlan & RunPlan}
 * @throws {Error} E_FLOW, E_RUN_OPTIONS with all problems
 */
export function createPlan(read, given, { source, uncloneable }) {
  const flow = read.compile(given);
  const options = fitToFlow(withWorkers(given, source), flow);
  if (options.workers !== undefined && source === null) refuseWorkers(uncloneable);
  const load = planLoad(flow, options, read.flow.iterCtx);
  return { ...load, source, summary: summaryOf(load), report: read.flow.report };
}

/**
 * The part of the plan that every thread creates itself, because schedules and compiled flows contain functions.
 *
 * @param {CompiledFlow} flow
 * @param {RunOptions} options fitted to the flow
 * @param {Record<string, any>} iterCtx of the flow
 * @returns {LoadPlan}
 */
export function planLoad(flow, options, iterCtx) {
  const copy = copier(iterCtx, (text) => text);
  const profile = scheduleFor(options);
  return {
    flow,
    options,
    profile,
    schedule: profile.create(options),
    warmUp: options.warmup ? warmUpOf(options.warmup, profile.warmUp(options)) : null,
    transport: transportNamed(options.transport),
    createIterCtx: () => copy({}),
  };
}

/**
 * Uses a worker for the load on a server of this thread, if the flow can be sent to one.
 *
 * @type {(options: RunOptions, source: FlowSource | null) => RunOptions}
 */
function withWorkers(options, source) {
  const canMove = options.target !== undefined && source !== null && !options.trace;
  return canMove ? { ...options, workers: options.workers ?? 1 } : options;
}

/** @type {(warmup: NonNullable<RunOptions['warmup']>, load: ScheduleOptions) => LoadPlan['warmUp']} */
function warmUpOf({ duration, limit }, load) {
  const options = { ...load, duration, limit: limit ?? load.limit };
  return { schedule: scheduleFor(options).create(options), duration };
}

/** @type {(uncloneable: string | null) => void} */
function refuseWorkers(uncloneable) {
  const problems = createProblems('E_RUN_OPTIONS');
  const remedy = "pass the file of the flow: new URL('./flow.js', import.meta.url), or its path";
  problems.add('runOptions.workers', `${uncloneable}, which cannot be sent to another thread; ${remedy}`);
  problems.throwIfAny();
}

/** @type {(load: LoadPlan) => RunPlan['summary']} */
function summaryOf({ flow, options, profile, schedule }) {
  const phases = /** @type {Phase[]} */ (Object.keys(flow));
  const operations = /** @type {PlanSummary['operations']} */ (
    Object.fromEntries(phases.map((phase) => [phase, flow[phase].map(({ name }) => name)]))
  );
  const limits = {
    leadMs: (options.warmup?.duration ?? 0) + (options.timeout || Infinity),
    endMs: schedule.end,
    gracefulStopMs: options.gracefulStop,
    teardownMs: options.teardownTimeout,
  };
  return {
    shape: describeLoad(profile, options),
    origins: originsOf(flow),
    proxies: namesOf(options, flow),
    operations,
    limits,
  };
}

/** @type {(options: RunOptions, flow: CompiledFlow) => string[]} */
function namesOf({ proxies, proxy }, flow) {
  return proxiesOf(flow, proxies).map(({ name, from }) =>
    from === '' || proxy !== undefined ? name : `${name} (${from})`,
  );
}

/** @type {(profile: ScheduleEntry, options: RunOptions) => string} */
function describeLoad(profile, options) {
  const { pipelining, workers, warmup } = options;
  return [
    profile.describe(options),
    ...(pipelining === undefined ? [] : [`${pipelining} in flight per connection`]),
    ...(workers === undefined ? [] : [`${workers} ${workers === 1 ? 'worker' : 'workers'}`]),
    ...(warmup ? [`after a warm-up of ${writeMs(warmup.duration)}`] : []),
  ].join(', ');
}
