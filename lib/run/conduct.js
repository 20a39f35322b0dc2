import { createEndpoints } from '../flow/endpoints.js';
import { createDeadlines } from '../iteration/deadlines.js';
import { classify, describe } from '../iteration/failure.js';
import { prepareIteration } from '../iteration/iteration.js';
import { Lane } from '../iteration/lane.js';
import { watchClient } from '../measure/client.js';
import { Recorder } from '../measure/recorder.js';
import { summarize } from '../measure/summary.js';
import { createUserTimers } from '../measure/user-timers.js';
import { createSchedule } from '../schedule/index.js';
import { TRANSPORTS } from '../transport/index.js';
import { createArrivals } from './arrivals.js';
import { createBailout } from './bailout.js';
import { clock } from './clock.js';
import { createEnding } from './ending.js';
import { runLanes } from './lanes.js';
import { createPacer } from './pacer.js';

/**
 * @import { CompiledFlow, Phase, Step } from '../flow/types.js'
 * @import { Rendered } from '../iteration/iteration.js'
 * @import { Stats } from '../measure/types.js'
 * @import { Result, Run } from './benchrest.js'
 * @import { RunOptions } from './options.js'
 */

const CONNECT_TRIES = 100;
const DONE = 'done';

/**
 * One benchmark: before, the lanes, after, the books.
 *
 * @param {Run} run
 * @param {CompiledFlow} flow
 * @param {RunOptions} options
 * @returns {Promise<Result>}
 */
export async function conduct(run, flow, options) {
  const transport = (await transportOf(options)).open(options);
  const startedAt = clock.now();
  const recorder = new Recorder();
  const timers = createUserTimers();
  const client = watchClient();
  const deadlines = createDeadlines(clock);
  const schedule = createSchedule(options);
  const arrivals = createArrivals(schedule, { elapsed: () => clock.now() - measuredFrom, maxBacklog: options.maxBacklog });
  const pacer = createPacer(clock);
  const ending = createEnding({
    clock,
    gracefulStopMs: options.gracefulStop,
    teardownMs: options.teardownTimeout,
    cancel: (at) => lanes.forEach((lane) => lane.cancel(at)),
  });
  /** @type {Set<Lane>} */
  const lanes = new Set();
  const iteration = prepareIteration(flow, {
    clock,
    recorder,
    timers,
    onError,
    endpointOf: createEndpoints(),
    timeoutMs: options.timeout,
    connectTimeoutMs: options.connectTimeout,
    maxBodySize: options.maxBodySize,
    user: options.user,
    password: options.password,
    runCtx: {},
    trace: options.trace,
  });
  const bailout = createBailout(options.bailout);
  let measuredFrom = startedAt;
  let measuredTo = Infinity;
  let yields = false;

  run.attach({ stop: ending.stop, snapshot: () => snapshot() });
  const abort = () => ending.stop('aborted');
  options.signal?.addEventListener('abort', abort, { once: true });
  if (options.signal?.aborted) abort();
  const stopProgress = options.progress > 0 ? clock.every(emitProgress, options.progress) : () => {};

  const once = createLane();
  const env = iteration.createEnv(undefined);
  if (!ending.isOver && (await iteration.once('before', env, once)) === 'failed') ending.stop('before');
  const rendered = preallocate(flow, Math.min(options.prealloc, options.iterations ?? Infinity));
  client.begin();
  measuredFrom = clock.now();
  const preventEnd = schedule.end < Infinity ? clock.after(() => ending.stop(DONE), schedule.end) : () => {};
  await runLanes({
    start: measuredFrom,
    schedule,
    arrivals,
    ending,
    pacer,
    clock,
    createLane,
    perform(index, lane, due) {
      recorder.started();
      return iteration.perform(index, lane, due, takeRendered(rendered, index));
    },
    mustYield: () => yields && !(yields = false),
  });
  preventEnd();
  client.end();
  measuredTo = clock.now();
  arrivals.close(recorder.iterations.started, ending.at - measuredFrom);
  if (ending.isOver && ending.why !== DONE) once.deadline.limit = clock.now() + options.teardownTimeout;
  if ((await iteration.once('after', env, once)) === 'cancelled') {
    onError(new Error('after was cut off by its time limit'), 'after', flow.after[0], undefined);
  }

  ending.close();
  options.signal?.removeEventListener('abort', abort);
  once.close();
  deadlines.close();
  await transport.close();
  timers.end();
  stopProgress();
  recorder.close();
  const stats = snapshot();
  if (options.progress > 0) emitProgress();
  return { stats, errorCount: recorder.errorCount, why: ending.why ?? DONE };

  function createLane() {
    const lane = new Lane(transport, deadlines, clock);
    lanes.add(lane);
    return lane;
  }

  /** @type {(error: Error, phase: Phase, step: Step, index: number | undefined) => void} */
  function onError(error, phase, step, index) {
    const { kind, code } = classify(error);
    const operation = step ? `${step.where} ${step.name}` : '';
    recorder.failure({ kind, code, context: phase, operation, index, message: () => describe(error, code) });
    run.emit('error', error, phase);
    if (kind === 'connect' || kind === 'dns') yields = true;
    if (bailout.isReached(recorder)) ending.stop('bailout');
    if (!options.keepGoing && recorder.errorCount >= CONNECT_TRIES && transport.totals().opened === 0) ending.stop('unreachable');
  }

  /** @returns {Stats} */
  function snapshot() {
    const now = clock.now();
    return summarize(recorder, {
      elapsedMs: now - startedAt,
      measuredMs: Math.min(now, measuredTo) - measuredFrom,
      timers,
      traffic: transport.totals(),
      arrivals: arrivals.books,
      client: client.toJSON(),
    });
  }

  function emitProgress() {
    const stats = snapshot();
    const ended = recorder.iterations.started - recorder.active;
    const share = Math.max(ended / (options.iterations ?? Infinity), Math.min(1, (clock.now() - measuredFrom) / schedule.end));
    run.emit('progress', stats, Math.round(share * 100), recorder.active, Math.round(stats.main.meter.currentRate));
  }
}

/** @type {(options: RunOptions) => ReturnType<typeof TRANSPORTS[0]['load']>} */
function transportOf({ transport }) {
  const entry = TRANSPORTS.find(({ name }) => name === transport) ?? TRANSPORTS[0];
  return entry.load();
}

/**
 * The requests of the first iterations, made before the clock starts.
 *
 * @param {CompiledFlow} flow
 * @param {number} count
 * @returns {(Rendered | undefined)[]}
 */
function preallocate(flow, count) {
  return Array.from({ length: count }, (_, index) => {
    /** @type {(steps: Step[]) => (import('../flow/types.js').Request | null)[]} */
    const render = (steps) => steps.map((step) => (step.beforeHooks.length > 0 ? null : (step.request ?? step.render({ index }))));
    return { beforeMain: render(flow.beforeMain), main: render(flow.main), afterMain: render(flow.afterMain) };
  });
}

/** @type {(rendered: (Rendered | undefined)[], index: number) => Rendered | undefined} */
function takeRendered(rendered, index) {
  const taken = rendered[index];
  if (taken) rendered[index] = undefined;
  return taken;
}
