import { parentPort, workerData } from 'node:worker_threads';

import { readFlow } from '../../flow/compile.js';
import { NONE_RUNNING, watchesWindows } from '../../measure/judge-thresholds.js';
import { BodyMemory } from '../../process/body-memory.js';
import { fromCommonTime, toCommonTime } from '../clock.js';
import { countUncaught } from '../flow-failures.js';
import { canChange, countOwnRuns, modulePath, readSource } from '../flow-source.js';
import { sharedIndexes, startedCounts } from '../load/arrivals.js';
import { LoadGenerator } from '../load/generator.js';
import { createVariables, planLoad, recompiling } from '../plan.js';
import { FlowChanges } from './flow-changes.js';
import { toPlain } from './plain-error.js';

/** @import { EndReason } from '../../ground/end-reasons.js' */
/** @import { PostedBatch, ResponseSender } from '../response-events.js' */
/** @import { FromWorker, Packed, Report, ToWorker, WorkerData } from './types.js' */
/** @import { MessagePort } from 'node:worker_threads' */

const REPORT_MS = 200;
/** Errors are reported sooner, since they may end the run. */
const REPORT_ERRORS_MS = 10;
const MAX_ERRORS = 1000;

const port = /** @type {MessagePort} */ (parentPort);
const given = /** @type {WorkerData} */ (workerData.data);
const { source, options, memory, bodies, tables, emitsResponses, worker, workers } = given;
const { pacingMemory, loadsMemory } = given;
const loadCount = options.loads?.length ?? 1;
const runCtx = {};
const vars = createVariables();
/** @type {Report['errors']} */
let errors = [];
let emitsErrors = false;
/** @type {NodeJS.Timeout | undefined} */
let errorTimer;
/** The last state was reported. */
let isOver = false;
/** The batch of responses; null without a listener. @type {ResponseSender | null} */
let responses = null;

/** The flow, as code changes it; null: it cannot. @type {FlowChanges | null} */
let changes = null;
/** The threads cannot have the same flow. */
let isRefused = false;

/** Errors of the flow that nothing caught before there was a generator. @type {Error[]} */
const early = [];
let uncaught = (/** @type {Error} */ error) => void early.push(error);
countUncaught((error) => uncaught(error));

try {
  const generator = await openGenerator();
  uncaught = (error) => {
    if (!isOver) generator.uncaught(error, 'main');
  };
  early.splice(0).forEach(uncaught);
  port.on('message', (message) => receive(message, generator));
  post({ type: 'answer', result: null });
} catch (error) {
  post({ type: 'refused', error: toPlain(error) });
}

async function openGenerator() {
  countOwnRuns({ isRepeated: true });
  const { flow: raw, folder } = await readSource(source);
  // The program can change data, too.
  const read = readFlow(raw, { folder, isLive: 'data' in source || canChange(raw) });
  changes = read.live && new FlowChanges(read.live);
  await read.load();
  const started = startedCounts(memory, loadCount);
  const feeders = read.openFeeders(options, tables);
  const compileOptions = { ...options, worker };
  const flow = read.compile(compileOptions, feeders);
  if (emitsResponses) responses = new (await import('../response-events.js')).ResponseSender(postResponses);
  const own = { ...read.flow, vars: read.vars, feeders };
  const generator = await LoadGenerator.open(planLoad(flow, options, own, recompiling(read, compileOptions)), {
    indexes: Array.from({ length: loadCount }, (_, position) => sharedIndexes(memory, position)),
    worker,
    workers,
    isWorker: true,
    pacingMemory,
    loadsMemory,
    // Part 0 is the main thread.
    bodyMemory: new BodyMemory(options.maxBodyMemory, bodies, worker + 1),
    runCtx,
    vars,
    flowPath: modulePath(source),
    onStart: (position) => started[worker * loadCount + position]++,
    onResponse: responses?.add,
    onOwnStop: (reason) => post({ type: 'ownStop', reason }),
    onFailure(error, phase) {
      if (emitsErrors && errors.length < MAX_ERRORS) errors.push({ error: toPlain(error), phase });
      errorTimer ??= setTimeout(() => report(generator), REPORT_ERRORS_MS);
    },
  });
  return generator;
}

/**
 * Obeys a message of the pool. `warmUp`, `start` and `endUsers` get an answer when they are done, reports before that;
 * `started` comes when the load begins. Users that `endUsers` will end keep the generator open after `start`.
 * @type {(message: ToWorker, generator: LoadGenerator) => Promise<void>}
 */
async function receive(message, generator) {
  let result = null;
  switch (message.type) {
    case 'context':
      ({ emitsErrors } = message);
      Object.assign(runCtx, message.runCtx);
      Object.assign(vars, message.vars);
      checked(generator, 'before', () => changes?.apply(message.flow));
      break;
    case 'stop':
      generator.ending.stop(/** @type {EndReason} */ (message.reason), { within: message.within });
      break;
    case 'responsesEmitted':
      responses?.acknowledge();
      break;
    case 'abort':
      generator.ending.abort();
      break;
    case 'warmUp':
      post({ type: 'answer', result: await reporting(generator, () => generator.warmUp()) });
      break;
    case 'start':
      await generator.followMain();
      await reporting(generator, () =>
        generator.run(fromCommonTime(message.at), {
          onBegun: (instant) => post({ type: 'started', at: toCommonTime(instant) }),
        }),
      );
      result = teardownOf(generator);
      if (generator.endsUsers) report(generator);
      else await close(generator);
      post({ type: 'answer', result });
      break;
    case 'endUsers':
      await reporting(generator, () => generator.endUsers());
      await close(generator);
      post({ type: 'answer', result: null });
  }
}

/** Returns the operations that hooks have added to `after`. @type {(generator: LoadGenerator) => Packed[]} */
function teardownOf(generator) {
  checkTeardown(generator);
  return (isRefused ? null : changes?.packedTeardown()) ?? [];
}

/** @type {(generator: LoadGenerator) => void} */
function checkTeardown(generator) {
  if (!isRefused) checked(generator, 'main', () => changes?.checkTeardown());
}

/**
 * Stops the run if the threads cannot have the same flow.
 * @type {(generator: LoadGenerator, phase: 'before' | 'main', work: () => void) => void}
 */
function checked(generator, phase, work) {
  try {
    work();
  } catch (error) {
    isRefused = true;
    generator.ending.stop(phase === 'before' ? 'before' : 'hook');
    post({ type: 'disagrees', error: toPlain(error), phase });
  }
}

/** @type {(generator: LoadGenerator) => Promise<void>} */
async function close(generator) {
  await generator.close();
  isOver = true;
  report(generator);
  responses?.end();
}

/** @type {<T>(generator: LoadGenerator, work: () => Promise<T>) => Promise<T>} */
async function reporting(generator, work) {
  const timer = setInterval(() => report(generator), REPORT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** @type {(generator: LoadGenerator) => void} */
function report(generator) {
  clearTimeout(errorTimer);
  errorTimer = undefined;
  if (!isOver) checkTeardown(generator);
  const drained = generator.drainLoads();
  post({
    type: 'report',
    state: generator.recorder.drain(),
    ...(drained && { loads: drained }),
    traffic: generator.traffic(),
    addresses: generator.addresses(),
    thread: generator.thread(),
    inFlight: generator.inFlight(),
    // Thresholds of parts, such as operations, do not need them: a running iteration belongs to none yet.
    running: options.abortOnFail || watchesWindows(options) ? generator.running() : NONE_RUNNING,
    log: generator.logged(),
    errors,
  });
  errors = [];
  responses?.flush();
}

/** @type {(batch: PostedBatch, missed: number) => void} */
function postResponses(batch, missed) {
  port.postMessage({ type: 'responses', ...batch, missed }, [batch.rows.buffer]);
}

/** @type {(message: FromWorker) => void} */
function post(message) {
  port.postMessage(message);
}
