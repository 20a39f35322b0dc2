import { originsOf, proxiesOf } from '../flow/origins.js';
import { copier } from '../flow/placeholder.js';
import { offered } from '../ground/addons.js';
import { counted } from '../ground/decimal.js';
import { factsOf } from '../ground/phases.js';
import { createProblems } from '../ground/problems.js';
import { writeMs } from '../ground/units.js';
import { namedLoad } from '../measure/document.js';
import { distinctNames } from '../measure/tags.js';
import { describeEnd } from '../schedule/describe.js';
import { lengthOf, scheduleFor } from '../schedule/index.js';
import { maskText } from '../text/mask.js';
import { transportNamed } from '../transport/index.js';
import { choosePacing } from './load/pacer.js';
import { severalLoads } from './loads.js';
import { divideRows, fitToData } from './options/fit-to-data.js';
import { fitToFlow, inUsers, refuseUnplanned } from './options/fit-to-flow.js';
import { textOf } from './flow-source.js';
import { rowsWith } from './options/index.js';
import { tooFewFiles } from './options/machine.js';
import { explainProperty } from './options/names.js';
import { Stride } from './options/shard.js';

/** @import { RunOptions } from '../contracts/run-options.js' */
/** @import { TimeLimits, LoadDescription } from '../contracts/run.js' */
/** @import { Schedule, ScheduleOptions } from '../contracts/schedule.js' */
/** @import { CompiledFlow } from '../contracts/step.js' */
/** @import { CompileOptions } from '../flow/compile.js' */
/** @import { LiveFlow } from '../flow/live-flow.js' */
/** @import { ReadFlow, RawFlow } from '../flow/types.js' */
/** @import { Phase } from '../ground/phases.js' */
/** @import { Feeders } from '../flow/data/feeders.js' */
/** @import { Offered } from '../ground/types.js' */
/** @import { FindSharedVariable, FlowOrigin, FlowSource, Load, LoadOptions, LoadPlan } from './types.js' */
/** @import { PlannedLoad, RunPlan, SharedVariable } from './types.js' */

/** @type {Offered<FindSharedVariable> | undefined} */
const SHARED_VARIABLES = offered('sharedVariables')[0];

/**
 * Plans a run: fits the options to the flow, and selects the schedule, the transport and the workers.
 * @throws {Error} E_FLOW, E_RUN_OPTIONS with all problems
 * @type {(read: ReadFlow, given: RunOptions, origin: FlowOrigin, caller?: { judges?: boolean, askLater?: () =>
 *   void }) => LoadPlan & RunPlan}
 */
export function createPlan(read, given, { source, uncloneable }, { judges = true, askLater = undefined } = {}) {
  const feeders = read.openFeeders(given);
  const compileOptions = { ...given, explainOwn: explainProperty, askLater };
  const flow = read.compile(compileOptions, feeders);
  const shared = sharedVariableOf(given, source, read.live);
  const threaded = withWorkers(given, read, { source, shared });
  const fitted = fitToFlow(fitToData(threaded, feeders, flow), flow, (text) => read.notices.push(text));
  const options = judges ? fitted : { ...fitted, thresholds: undefined };
  if (options.workers !== undefined) checkWorkers(read, { source, uncloneable, shared });
  const load = planLoad(flow, options, { ...read.flow, vars: read.vars, feeders }, recompiling(read, compileOptions));
  return { ...load, source, live: read.live, summary: summaryOf(load), section: read.flow.section };
}

const COPIED = 'all.runCtx is copied to all workers';
const ONE_THREAD = `workers: before and after run in a thread of their own, without the variables of the functions of main; ${COPIED}`;

/** @type {(shared: SharedVariable) => string} */
function describeShared({ name, changedBy, readBy }) {
  return `${changedBy} changes the variable ${name}, which ${readBy} reads`;
}

/**
 * Refuses workers for a flow that cannot be sent to them, or whose functions need one thread.
 * @throws {Error} E_RUN_OPTIONS
 * @type {(read: ReadFlow, flow: Pick<FlowOrigin, 'source' | 'uncloneable'> & { shared: SharedVariable | null }) =>
 *   void}
 */
function checkWorkers({ live, notices }, { source, uncloneable, shared }) {
  if (source !== null && !shared?.isSure) {
    if (shared) notices.push(`workers: ${describeShared(shared)}: each thread may have its own; ${COPIED}`);
    else if (live?.sharesVariables) notices.push(ONE_THREAD);
    return;
  }
  const problems = createProblems('E_RUN_OPTIONS');
  if (shared) {
    const remedy = 'keep it in all.runCtx, which is copied to all workers, or leave out workers';
    problems.add('runOptions.workers', `${describeShared(shared)}, and each worker has its own: ${remedy}`);
  } else {
    const remedy = "pass the file of the flow: new URL('./flow.js', import.meta.url), or its path";
    problems.add('runOptions.workers', `${uncloneable}, which cannot be sent to another thread; ${remedy}`);
  }
  problems.throwIfAny();
}

/**
 * Finds a variable that functions of several threads would share; null: none, or the run may have one thread.
 * @type {(options: RunOptions, source: FlowSource | null, live: LiveFlow | null) => SharedVariable | null}
 */
function sharedVariableOf({ workers, target }, source, live) {
  if (source === null || live === null || (workers === undefined && target === undefined)) return null;
  return SHARED_VARIABLES?.load()(live.values(), () => textOf(source)) ?? null;
}

/**
 * Returns the part of the plan that every thread creates itself, because schedules and compiled flows contain
 * functions. The options are fitted to the flow; the flow's own initial values and feeders are `own`. `recompile`
 * compiles phases again that code has changed; what was planned by the flow stays.
 * @type {(flow: CompiledFlow, options: RunOptions, own?: Partial<Pick<RawFlow, 'iterCtx' | 'vars'> & { feeders: Feeders
 *   | null }>, recompile?: Recompile | null) => LoadPlan}
 */
export function planLoad(flow, options, { iterCtx = {}, vars = {}, feeders = null } = {}, recompile = null) {
  const copyIterCtx = copier(iterCtx, (text) => text);
  const copyVars = copier(vars, (text) => text);
  const loads = loadsOf(options);
  const schedule = scheduleOf(options, loads);
  divideRows(feeders, flow, options);
  return {
    flow,
    options,
    loads,
    schedule,
    pacing: choosePacing(options, loads),
    stride: new Stride(options.shard),
    warmUp: options.warmup ? { duration: options.warmup.duration } : null,
    transport: transportNamed(options.httpClient),
    feeders,
    createIterCtx: () => copyIterCtx({}),
    createVars: () => createVariables(copyVars({})),
    recompile:
      recompile &&
      ((phases) => {
        const changed = recompile(phases, feeders);
        if (changed !== null) refuseUnplanned(options, flow, changed, phases);
        return changed;
      }),
  };
}

/** @typedef {(phases: readonly Phase[], feeders: Feeders | null) => CompiledFlow | null} Recompile */

/**
 * Returns how a flow is compiled again that was compiled with these options; null: no code can change it.
 * @type {(read: ReadFlow, options: CompileOptions) => Recompile | null}
 */
export function recompiling(read, options) {
  return read.live === null ? null : (phases, feeders) => read.recompile(options, feeders, phases);
}

/** Lists loads: a plain run has one. @type {(options: LoadOptions & Pick<RunOptions, 'loads' | 'warmup'>) => Load[]} */
export function loadsOf(options) {
  const { loads, warmup } = options;
  const all = loads?.map(({ name, from, after = null, hasEnd, ...own }) => ({ name, from, after, hasEnd, own })) ?? [
    { name: 'main', from: 0, after: null, hasEnd: true, own: options },
  ];
  return all.map(({ own, ...load }, position) => {
    const profile = scheduleFor(own);
    return {
      ...{ ...load, position, of: all.length, options: own, profile, schedule: profile.create(own) },
      warmUp: warmup ? warmUpOf(warmup, profile.warmUp(own)) : null,
    };
  });
}

/**
 * Creates the schedule of a run, a new one: some keep their place.
 * @type {(options: ScheduleOptions & Pick<RunOptions, 'loads'>, loads?: Load[]) => Schedule}
 */
function scheduleOf(options, loads = loadsOf(/** @type {any} */ (options))) {
  if (loads.length === 1) return loads[0].schedule;
  return severalLoads().sideBySide(loads, options.duration);
}

/** Random arrivals are drawn one by one to count them: instead of more, those of their mean rate are counted. */
const MOST_DRAWN = 1e6;

/**
 * Returns what the options of a run ask for, of which each of `of` shards has its stride. The results of the shards are
 * compared with it, as some may have been lost. The options are as given: a limit counts virtual users, not requests in
 * flight.
 * @type {(given: ScheduleOptions & Pick<RunOptions, 'loads'>, of: number) => PlannedLoad}
 */
export function plannedLoad(given, of) {
  const { loads } = given;
  if (loads !== undefined)
    return severalLoads().planTogether(
      loads,
      loads.map((load) => plannedLoad(load, of)),
    );
  const { rate = 0, iterations = Infinity, duration = Infinity } = given;
  const isLong = Math.min(iterations, (duration * rate) / 1000) > MOST_DRAWN;
  const { arrived, end, most, peakRate } = scheduleOf(isLong ? { ...given, arrival: 'constant' } : given);
  const planMs = lengthOf(given);
  // A closed load that a time ends has no number of iterations.
  const isCounted = arrived !== null || (iterations < Infinity && end === Infinity);
  // A number of iterations that ends the load is due as a whole: a mean rate in place of random arrivals may miss some.
  const due = (/** @type {number} */ ms) =>
    arrived === null || (end === Infinity && ms >= planMs) ? iterations : arrived(ms);
  return {
    ms: planMs,
    count: (number, ms) => (isCounted ? new Stride({ number, of }).countOf(due(ms)) : null),
    users: (part) => new Stride(part).countOf(most),
    ...(peakRate !== undefined && { peakRate }),
  };
}

/**
 * Uses a worker for the load on a server of this thread, if the flow can be sent to one.
 * @type {(options: RunOptions, read: ReadFlow, flow: { source: FlowSource | null, shared: SharedVariable | null }) =>
 *   RunOptions}
 */
function withWorkers(options, { notices }, { source, shared }) {
  const { target, trace, workers } = options;
  if (target === undefined || source === null || trace || workers !== undefined) return options;
  if (!shared?.isSure) return { ...options, workers: 1 };
  notices.push(`target: the load runs in the thread of the server: ${describeShared(shared)}; ${COPIED}`);
  return options;
}

/** @type {(warmup: NonNullable<RunOptions['warmup']>, load: ScheduleOptions) => Schedule} */
function warmUpOf({ duration, limit }, load) {
  const options = { ...load, duration, limit: limit ?? load.limit };
  return scheduleFor(options).create(options);
}

/** @type {(load: LoadPlan) => RunPlan['summary']} */
function summaryOf(load) {
  const { flow, schedule, pacing, feeders } = load;
  const options = inUsers(load.options);
  const loads = describeLoads(options);
  const operations = Object.entries(flow).map(([phase, steps]) => [
    phase,
    distinctNames(steps.map((step) => ({ name: step.name, ...factsOf(step) }))),
  ]);
  const shortage = tooFewFiles(options);
  const transport = describeTransport(options, flow);
  return {
    shape: describeLoad(options, { loads, transport, feeders }),
    ...(loads.length > 1 && { loads }),
    ...(pacing && { pacing }),
    // A host may come from a variable of the environment, which may be a secret.
    origins: originsOf(flow).map(maskText),
    ...(transport.length > 0 && { transport }),
    proxies: proxyNames(options, flow),
    operations: Object.fromEntries(operations),
    limits: limitsOf(options, schedule.end),
    ...(options.shard && { shard: options.shard }),
    ...(options.runId !== undefined && { runId: options.runId }),
    ...(shortage !== null && { shortage }),
  };
}

/**
 * Returns how long the parts of a run may take. `before` is expected to take no longer than one operation. A thread
 * that reports may take longer: see OverdueRun.
 * @type {(options: RunOptions, endMs: number) => TimeLimits}
 */
function limitsOf({ warmup, timeout, startAt = 0, gracefulStop, teardownTimeout }, endMs) {
  const warmUpMs = warmup?.duration ?? 0;
  const leadMs = warmUpMs + (timeout || Infinity) + Math.max(0, startAt - Date.now());
  return { warmUpMs, leadMs, endMs, gracefulStopMs: gracefulStop, teardownMs: teardownTimeout };
}

/** Names proxies and the environment variable of each. @type {(options: RunOptions, flow: CompiledFlow) => string[]} */
function proxyNames({ proxies, proxy }, flow) {
  return proxiesOf(flow, proxies).map(({ name, from }) =>
    from === '' || proxy !== undefined ? name : `${name} (${from})`,
  );
}

/** Describes one of several loads, for people and results. @type {(load: Load, loads: Load[]) => LoadDescription} */
function summaryOfLoad({ name, from, after, hasEnd, options, profile }, loads) {
  const isUntilOthers = !hasEnd && loads.some((other) => other.hasEnd);
  const { rate, arrival, seed, limit, duration, iterations, rampUp, stages, scale, speed } = options;
  const ofRate = rate !== undefined && { arrival, ...(arrival === 'poisson' && { seed }) };
  const given = { rate, ...ofRate, limit, duration, iterations, rampUp, stages, scale, speed };
  return {
    ...{ name, from, ...(after !== null && { after: loads[after].name }) },
    ...{ text: profile.describe({ ...options, isUntilOthers }), options: withoutUndefined(given) },
  };
}

/** Describes the loads of a run, for people. @type {(options: RunOptions) => LoadDescription[]} */
export function describeLoads(options) {
  const loads = loadsOf(options);
  return loads.map((load) => summaryOfLoad(load, loads));
}

/** @type {(options: Record<string, unknown>) => Record<string, unknown>} */
function withoutUndefined(options) {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/**
 * Describes the load of a run in one line. `options` have virtual users, not lanes.
 * @type {(options: RunOptions, run: { loads: LoadDescription[], transport: string[], feeders: Feeders | null }) =>
 *   string}
 */
function describeLoad(options, { loads, transport, feeders }) {
  const { workers, warmup, precision, maxRequests } = options;
  const once = feeders?.all().filter(({ isUnique }) => isUnique) ?? [];
  const ofAll = [
    ...once.map(({ name }) => `each row of ${name} once`),
    ...transport,
    ...(workers === undefined ? [] : [counted(workers, 'worker')]),
    ...(warmup ? [`after a warm-up of ${writeMs(warmup.duration)}`] : []),
  ];
  if (loads.length === 1) return [loads[0].text, ...ofAll].join(', ');
  const end = describeEnd({ precision });
  return [
    ...loads.map(({ name, from, after, text }) => namedLoad({ name, startAfter: from, after, text })),
    ...(end === '' ? [] : [end]),
    ...(maxRequests === undefined ? [] : [`${counted(maxRequests, 'request')} in all`]),
    ...ofAll,
  ].join('; ');
}

const DESCRIBED = rowsWith('describe');

/** Describes how requests are sent, for people. @type {(options: RunOptions, flow?: CompiledFlow) => string[]} */
export function describeTransport(options, flow) {
  return DESCRIBED.flatMap(({ describe }) => describe?.(options, flow) ?? []);
}

/**
 * Creates the variables of a run from those of the flow. They have no prototype, so a name such as `constructor` or
 * `__proto__` is a name like any other.
 * @type {(initial?: Record<string, unknown>) => Record<string, any>}
 */
export function createVariables(initial = {}) {
  return Object.assign(Object.create(null), initial);
}
