import { createEndpoints } from '../flow/endpoints.js';
import { createDeadlines } from '../iteration/deadlines.js';
import { classify, describe } from '../iteration/failure.js';
import { prepareIteration } from '../iteration/iteration.js';
import { Lane } from '../iteration/lane.js';
import { pauseBetween } from '../iteration/pause.js';
import { Recorder } from '../measure/recorder.js';
import { watchThread } from '../measure/thread.js';
import { createSchedule } from '../schedule/index.js';
import { createRandom } from '../schedule/random.js';
import { TRANSPORTS } from '../transport/index.js';
import { NO_TRAFFIC, subtractTotals } from '../transport/totals.js';
import { createArrivals } from './arrivals.js';
import { localClaims, stridingClaims } from './claims.js';
import { clock } from './clock.js';
import { createEnding } from './ending.js';
import { runLanes } from './lanes.js';
import { createPacer } from './pacer.js';
import { preallocate } from './preallocate.js';
import { warmupShape } from './warmup-shape.js';

/**
 * @import { CompiledFlow, Phase, Step } from '../flow/types.js'
 * @import { Schedule } from '../schedule/types.js'
 * @import { TransportTotals } from '../transport/types.js'
 * @import { Claims } from './claims.js'
 * @import { LanesOptions } from './lanes.js'
 * @import { RunOptions } from './options.js'
 *
 * @typedef {object} GeneratorOptions
 * @property {(error: Error, phase: Phase) => void} [onFailure] is told of each, when it is counted
 * @property {() => void} [onStart] of an iteration
 * @property {Claims} [claims] of all threads
 * @property {number} [part] which of the threads it is
 * @property {number} [parts] how many there are
 * @property {boolean} [isPart] what it records will be taken from it
 * @property {Record<string, any>} [runCtx]
 */

export const DONE = 'done';
/** far from every INDEX of the run, so that what warming up makes is in nobody's way */
const WARMUP_INDEX = 1e12;

/**
 * What makes the load in one thread: its transport, its lanes, its recorder.
 *
 * @param {CompiledFlow} flow
 * @param {RunOptions} options
 * @param {GeneratorOptions} [generatorOptions]
 */
export async function createGenerator(
  flow,
  options,
  { onFailure, onStart, claims = localClaims(), part = 0, parts = 1, isPart = false, runCtx = {} } = {},
) {
  const thread = watchThread();
  const recorder = new Recorder({ utilization: thread.utilization, isPart });
  const { connect, tls, ttfb } = recorder.histograms;
  let isMeasuring = true;
  const timings = {
    connect: (/** @type {number} */ ms) => isMeasuring && connect.update(ms),
    tls: (/** @type {number} */ ms) => isMeasuring && tls.update(ms),
    ttfb: (/** @type {number} */ ms) => isMeasuring && ttfb.update(ms),
  };
  const transport = (await transportOf(options)).open({ ...options, timings });
  const deadlines = createDeadlines(clock);
  const pacer = createPacer(clock);
  const random = createRandom(options.seed + part);
  /** @type {Lane[]} */
  const lanes = [];
  const once = createLane();
  const ending = createEnding({
    clock,
    gracefulStopMs: options.gracefulStop,
    teardownMs: options.teardownTimeout,
    cancel: (at) => [once, ...lanes].forEach((lane) => lane.cancel(at)),
  });
  const shareOf = (/** @type {number} */ count) => Math.floor(count / parts) + (part < count % parts ? 1 : 0);
  const { pause } = options;
  let origin = clock.now();
  let yields = false;
  const context = {
    clock,
    recorder,
    onError,
    endpointOf: createEndpoints(),
    timeoutMs: options.timeout,
    connectTimeoutMs: options.connectTimeout,
    maxBodySize: options.maxBodySize,
    user: options.user,
    password: options.password,
    runCtx,
    trace: options.trace,
    origin: () => origin,
    isPaced: options.connectionRate !== undefined,
    random,
  };
  const iteration = prepareIteration(flow, context);
  const env = iteration.createEnv(undefined);
  const rendered = preallocate(flow, Math.min(options.prealloc, options.iterations ?? Infinity));
  let ofWarmup = NO_TRAFFIC;

  return {
    recorder,
    ending,

    /** `before` or `after`. @type {(phase: Phase) => Promise<'completed' | 'failed' | 'cancelled'>} */
    once(phase) {
      // an after of a run that ended as planned takes the time it needs
      const isHurried = once.isCancelled || (ending.isOver && ending.why !== DONE);
      if (phase === 'after' && isHurried) once.deadline.limit = clock.now() + options.teardownTimeout;
      return iteration.once(phase, env, once);
    },

    /** Iterations that are in no figure; connections are kept. @returns {Promise<{ iterations: number, errors: number }>} */
    async warmUp() {
      const shape = warmupShape(options);
      const unmeasured = new Recorder();
      const warming = prepareIteration(flow, { ...context, recorder: unmeasured, onError: () => warmupErrors++ });
      const warmEnding = createEnding({ clock, gracefulStopMs: Infinity, teardownMs: 0, cancel() {} });
      const forget = ending.onOver((reason) => warmEnding.stop(reason));
      const prevent = clock.after(() => warmEnding.stop(DONE), shape.duration);
      const earlier = transport.totals();
      let warmupErrors = 0;
      isMeasuring = false;
      await runLanes({
        ...lanesOf(clock.now(), createSchedule(shape), stridingClaims(part, parts), unmeasured),
        ending: warmEnding,
        perform: (index, lane, due) => warming.perform(WARMUP_INDEX + index, lane, due),
      });
      isMeasuring = true;
      prevent();
      forget();
      warmEnding.close();
      unmeasured.close();
      ofWarmup = subtractTotals(transport.totals(), earlier);
      for (const lane of lanes) lane.iterations = 0;
      return { iterations: unmeasured.iterations.started, errors: warmupErrors };
    },

    /** The iterations of this thread. @type {(start: number) => Promise<void>} */
    async run(start) {
      const schedule = createSchedule(options);
      if (start > clock.now()) await pacer.until(start);
      origin = start;
      thread.begin();
      recorder.points.begin(start);
      const preventEnd =
        schedule.end < Infinity ? clock.after(() => ending.stop(DONE), start + schedule.end - clock.now()) : () => {};
      await runLanes({
        ...lanesOf(start, schedule, claims, recorder),
        mostOfLane: options.iterationsOfLane,
        ending,
        perform(index, lane, due, wasFree) {
          onStart?.();
          if (wasFree) recorder.histograms.startDelay.update(clock.now() - due);
          return iteration.perform(index, lane, due, rendered.take(index));
        },
      });
      preventEnd();
      thread.end();
      recorder.points.close(clock.now());
      for (const lane of lanes) {
        if (lane.iterations === 0) continue;
        recorder.lanes.asked++;
        if (lane.wasAnswered) recorder.lanes.reached++;
      }
    },

    /** A failure of no operation. @type {(error: Error & { code: string }, phase: Phase) => void} */
    fail: (error, phase) => onError(error, phase, null, undefined),

    /** Without that of warming up. @returns {TransportTotals} */
    traffic: () => subtractTotals(transport.totals(), ofWarmup),

    thread: () => thread.toJSON(),

    async close() {
      ending.close();
      for (const lane of [once, ...lanes]) lane.close();
      deadlines.close();
      await transport.close();
      recorder.close();
    },
  };

  /** What warming up and the run have in common. @type {(start: number, schedule: Schedule, claims: Claims, recorder: Recorder) => Omit<LanesOptions, 'ending' | 'perform'>} */
  function lanesOf(start, schedule, claims, { backlog }) {
    const count = shareOf(schedule.most);
    while (lanes.length < count) lanes.push(createLane());
    return {
      start,
      schedule,
      shareOf,
      lanes: lanes.slice(0, count),
      arrivals: createArrivals(schedule, {
        claims,
        elapsed: () => clock.now() - start,
        books: backlog,
        maxBacklog: options.maxBacklog,
      }),
      pacer,
      clock,
      pauseMs: pause && (() => pauseBetween(pause, random)),
      mustYield: () => yields && !(yields = false),
    };
  }

  function createLane() {
    const { reconnectRate, connectionRate } = options;
    return new Lane({ transport, deadlines, clock, reconnectRate, connectionRate });
  }

  /** @type {(error: Error, phase: Phase, step: Step | null, index: number | undefined) => void} */
  function onError(error, phase, step, index) {
    const { kind, code } = classify(error);
    const operation = step ? `${step.where} ${step.name}` : '';
    recorder.failure({
      kind,
      code,
      context: phase,
      operation,
      index,
      now: clock.now(),
      message: () => describe(error, code),
    });
    // what fails without waiting for anybody would leave no turn to timers and signals
    if (kind === 'connect' || kind === 'dns' || kind === 'hook') yields = true;
    onFailure?.(error, phase);
  }
}

/** @typedef {Awaited<ReturnType<typeof createGenerator>>} Generator */

/** @type {(options: RunOptions) => ReturnType<typeof TRANSPORTS[0]['load']>} */
function transportOf({ transport }) {
  const entry = TRANSPORTS.find(({ name }) => name === transport) ?? TRANSPORTS[0];
  return entry.load();
}
