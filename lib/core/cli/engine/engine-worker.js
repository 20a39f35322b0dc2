import { resolve } from 'node:path';
import { isMainThread, parentPort } from 'node:worker_threads';

import { likelyMistakes, refusePlaceholders } from '../../flow/likely-mistakes.js';
import { hashFlow } from '../../flow/source/load.js';
import { offered } from '../../ground/addons.js';
import { makeError } from '../../ground/errors.js';
import { classify, describe } from '../../iteration/failure.js';
import { COMPILATION, precedeHelperThreads, setCompilation } from '../../process/helper-threads.js';
import { recordReads } from '../../process/read-file.js';
import { STATE_MS, TICK_MS } from '../../report/live/index.js';
import { toCommonTime } from '../../run/clock.js';
import { countUncaught } from '../../run/flow-failures.js';
import { countOwnRuns, openFlow } from '../../run/flow-source.js';
import { limitLoad, turnsWaited } from '../../run/load/request-limits.js';
import { RUN_OPTIONS } from '../../run/options/index.js';
import { commandLayers, hintsOf, resolveLayers } from '../../run/options/layers.js';
import { inWordsOfFlags } from '../../run/options/names.js';
import { isWrittenByRun } from '../../run/participants.js';
import { prepare } from '../../run/prepare.js';
import { Run } from '../../run/run.js';
import { beginningOf } from '../../text/exchange-lines.js';
import { hiddenTexts } from '../../text/mask.js';

/** @import { MessagePort } from 'node:worker_threads' */
/** @import { PlanSummary } from '../../contracts/run.js' */
/** @import { Layer } from '../../run/options/types.js' */
/** @import { RunResult, StartAgreement } from '../../run/run.js' */
/** @import { ServicePort } from '../../run/types.js' */
/** @import { BoundsEntry, EngineRequest, PlannedRun } from '../types.js' */

/** @type {BoundsEntry[]} */
const BOUNDS = offered('bounds');

/** A live page is useful from here on, ms after the start of the measured iterations. */
const FIRST_STATE_MS = 100;
/**
 * A state rests for this multiple of the time that it took: one of a shard, with the counts of histograms (those of
 * 2,000 operations take seconds), and one of a paced run, whose arrivals wait meanwhile.
 */
const COUNTS_REST = 10;
const PACED_REST = 2000;
/** A paced run rests for this part of its time at most: a thread that dies loses the results since the last state. */
const UNKNOWN_PART = 1 / 5;
/** The functions of a run have been compiled by then, ms after the start of the measured iterations. */
const COMPILED_MS = 5000;
/** @type {MessagePort} */
let port;
/** @type {(type: string, message: object) => void} */
const post = (type, message) => port.postMessage({ type, ...message });

/** The notice about a module that calls `benchrest()` while it is read as a flow. */
const OWN_RUN =
  'starts a run of its own, which disturbs this one: start it only if the file is the program, `if (require.main === module)`';

/** @type {any[]} */
const early = [];
/** Stops or aborts the run; before there is one, keeps the message. @type {(message: any) => void} */
let control = (message) => void early.push(message);

/** Performs the run that the port names. @type {(own: MessagePort) => void} */
export function serveEngine(own) {
  port = own;
  port.on('message', (message) => {
    if (message.type === 'run') {
      if (!isMainThread) setEnvironment(message.env);
      void answer(message.request);
    } else control(message);
  });
}

// The thread may be started, and load its modules, before the request is known. Small runs, and tests, have it in the
// main thread.
if (parentPort) serveEngine(parentPort);

/** @type {(env: NodeJS.ProcessEnv) => void} */
function setEnvironment(env) {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}

/** @type {(request: EngineRequest) => Promise<void>} */
async function answer(request) {
  try {
    const { stats, endReason } = await perform(request);
    post('ended', { stats, why: endReason, waited: turnsWaited() });
  } catch (thrown) {
    const error = inWordsOfFlags(thrown, request.commandLine, { hasLoads: 'paths' in request.source });
    const { code, message, stack } = error ?? {};
    post('refused', { error: { code, message: message ?? String(error), stack } });
  }
}

/** @type {(request: EngineRequest) => Promise<Pick<RunResult, 'endReason'> & { stats: RunResult['stats'] | null }>} */
async function perform({
  source,
  cwd,
  config,
  commandLine,
  debug,
  asShard,
  bounds,
  outputs = [],
  runLabel,
  ...reports
}) {
  const ownRuns = countOwnRuns();
  const { raw, read, from, notices, origin } = await openFlow(source, [config, ...commandLine], { cwd });
  if (ownRuns.count > 0) notices.push(`${from}: ${OWN_RUN}`);
  const given = commandLayers({ config, flow: read.flow, from, commandLine, debug: debug ? postExchange : null });
  const layers = withLabel(given, runLabel);
  const refuseOutput = await outputCheck(outputs, cwd);
  const { result, error, files } = recordReads(() =>
    prepare(read, layers, origin, {
      hosting: { serviceOf },
      judges: !debug,
      onFiles: (paths, flag) => refuseOutput(paths, `a file of ${flag}`),
      files: outputs.filter(isWrittenByRun).map((path) => resolve(cwd, path)),
      onNotice: (text) => void notices.push(text),
    }),
  );
  if (result === undefined) throw error;
  refuseOutput([...files.keys()], 'a file that the flow reads');
  const { summary, work } = result;
  await keepWithin(bounds, { summary, layers, flow: read.flow, own: config.name });
  const { headers, strict } = resolveLayers(layers).options;
  if (strict && !asShard && !origin.isRecording) refusePlaceholders(raw);
  const hints = [...hintsOf(layers), ...(origin.isRecording ? [] : likelyMistakes(raw, headers))];
  const postPlan = (/** @type {PlanSummary} */ plan) =>
    post('planned', { plan, from, hash: hashFlow(raw), hidden: hiddenTexts(), notices, hints });
  if (bounds?.plansOnly && summary) {
    postPlan(summary);
    return { stats: null, endReason: 'planned' };
  }
  const run = new Run(work, summary);
  if (asShard) run.agreement = startAgreement(port);
  control = ({ type, reason, within }) => {
    if (type === 'stop') run.stop(reason, { within });
    else if (type === 'abort') run.abort();
  };
  early.forEach(control);
  countUncaught((error) => run.uncaught(error));
  run.onPlan = (plan) => {
    if (isPaced(plan) && hasOwnProcess(asShard)) precedeHelperThreads();
  };
  if (run.plan) run.onPlan(run.plan);
  // Whatever can refuse the run has done so by then: its log, its exporters, its HTTP client.
  run.once('start', () => postPlan(/** @type {PlanSummary} */ (run.plan)));
  return reported(run, { ...reports, asShard });
}

/**
 * Limits the load to the bounds of the command, and refuses a run that plans more; undefined: nothing bounds it.
 * @type {(bounds: EngineRequest['bounds'], planned: PlannedRun) => Promise<void>}
 */
async function keepWithin(bounds, planned) {
  limitLoad(bounds && (await BOUNDS[0].load()).refuseBeyond(bounds, planned));
}

/** Reports whether arrivals are exact, and not on a tick of a timer. @type {(plan: PlanSummary | null) => boolean} */
function isPaced(plan) {
  return !!plan?.pacing && plan.pacing !== 'timer';
}

/**
 * Reports whether the process ends with its runs, so that settings of V8 and of threads may stay changed: only
 * privileged users can raise the priority of a thread again. An agent runs other loads later.
 * @type {(asShard: EngineRequest['asShard']) => boolean}
 */
function hasOwnProcess(asShard) {
  return !asShard && !isMainThread;
}

/** Gives each run files of its own. @type {(layers: Layer[], label: string | undefined) => Layer[]} */
function withLabel(layers, label) {
  if (label === undefined) return layers;
  const { options } = resolveLayers(layers);
  const own = RUN_OPTIONS.flatMap(({ name, labelled }) => {
    const given = options[name] ?? null;
    return labelled && given !== null ? [[name, labelled(given, label)]] : [];
  });
  return [...layers, { name: 'the name of the run', options: Object.fromEntries(own) }];
}

/**
 * Returns a check for paths that are known later: a result may replace neither a log nor what the flow reads.
 * @type {(outputs: string[], cwd: string) => Promise<(paths: string[], role: string) => void>}
 */
async function outputCheck(outputs, cwd) {
  if (outputs.length === 0) return () => {};
  const { identityOf } = await import('../result/replace-file.js');
  const known = new Map(outputs.map((output) => [identityOf(resolve(cwd, output)), output]));
  /** A file that is missing is refused when it is opened. @type {(path: string) => string | undefined} */
  const outputAt = (path) => {
    try {
      return known.get(identityOf(resolve(cwd, path)));
    } catch {
      return undefined;
    }
  };
  return (paths, role) => {
    const output = paths.map(outputAt).find((one) => one !== undefined);
    if (output !== undefined)
      throw makeError('E_USAGE', { problem: `-o ${output} is ${role}: use another path for the result` });
  };
}

/** @type {(run: Run, options: Pick<EngineRequest, 'ticks' | 'intervals' | 'asShard'>) => Promise<RunResult>} */
async function reported(run, options) {
  const reports = new Reports(run, options);
  try {
    return await run;
  } catch (error) {
    // An internal error during the run: the measurements before it are still a result.
    reports.postState();
    throw error;
  } finally {
    reports.stop();
  }
}

/** Posts the states of a run, which are its result if the thread dies, and its counters for displays. */
class Reports {
  #run;
  #asShard;
  #withIntervals;
  #phase = 'before';
  /** Instant at which the measured iterations started; before them, at which the run did. */
  #startedAt = performance.now();
  /** No state is posted by the timer before this instant. */
  #nextAt = 0;
  /** The end of the last interval that was posted. */
  #postedTo = 0;
  /** @type {NodeJS.Timeout[]} */
  #timers = [];

  /** @param {Run} run @param {Pick<EngineRequest, 'ticks' | 'intervals' | 'asShard'>} options */
  constructor(run, { ticks = false, intervals = false, asShard }) {
    this.#run = run;
    this.#asShard = asShard;
    this.#withIntervals = intervals;
    run.onPhase = (phase) => this.#begin(phase);
    run.on('progress', (stats, percent, concurrent, ips) => post('progress', { stats, percent, concurrent, ips }));
    this.#timers.push(setInterval(() => this.#postStateAfterRest(), asShard?.keepMs ?? STATE_MS));
    if (ticks) this.#timers.push(setInterval(() => this.#postTick(), TICK_MS));
  }

  stop() {
    this.#timers.forEach(clearInterval);
    if (this.#tunesCompilation) setCompilation(COMPILATION.usual);
  }

  get #tunesCompilation() {
    return isPaced(this.#run.plan) && hasOwnProcess(this.#asShard);
  }

  /** @type {(phase: string) => void} */
  #begin(phase) {
    this.#phase = phase;
    // a thread that dies leaves its last state; a small run in the main thread is over before one is of use
    if ((phase === 'main' && !isMainThread) || this.#needsState(phase)) this.postState();
    if (phase !== 'main') return;
    this.#startedAt = performance.now();
    if (!this.#asShard) this.#timers.push(setTimeout(() => this.postState(), FIRST_STATE_MS));
    if (!this.#tunesCompilation) return;
    setCompilation(COMPILATION.soon);
    this.#timers.push(setTimeout(setCompilation, COMPILED_MS, COMPILATION.seldom));
  }

  /** Reports whether the phase takes time, or the state has the last intervals. @type {(phase: string) => boolean} */
  #needsState(phase) {
    const { operations, options } = /** @type {PlanSummary} */ (this.#run.plan);
    if (phase === 'before') return operations.before.length > 0 || options.warmup !== undefined;
    return operations.after.length > 0 || this.#withIntervals;
  }

  postState() {
    const stats = this.#run.snapshot({ withCounts: this.#asShard !== undefined });
    const intervals = this.#withIntervals ? this.#run.intervalsAfter(this.#postedTo) : undefined;
    this.#postedTo = intervals?.at(-1)?.to ?? this.#postedTo;
    post('report', { stats, inFlight: this.#run.inFlight(), phase: this.#phase, ...(intervals && { intervals }) });
  }

  #postStateAfterRest() {
    const from = performance.now();
    if (from < this.#nextAt) return;
    this.postState();
    const now = performance.now();
    this.#nextAt = now + this.#restAfter(now - from, now - this.#startedAt);
  }

  /** How long no state follows one that took `ms`: it is made in the thread that sends requests. */
  #restAfter(/** @type {number} */ ms, /** @type {number} */ elapsedMs) {
    if (this.#asShard) return COUNTS_REST * ms;
    return isPaced(this.#run.plan) ? Math.min(PACED_REST * ms, UNKNOWN_PART * elapsedMs) : 0;
  }

  #postTick() {
    const counters = this.#run.counters();
    if (counters) post('tick', { tick: { ...counters, inFlight: this.#run.inFlight(), phase: this.#phase } });
  }
}

/** @type {(exchange: any, secrets: () => string[]) => void} */
function postExchange({ where, request, response, error, ms, waitedMs }, secrets) {
  post('exchange', {
    exchange: {
      where,
      request: { ...request, body: beginningOf(request.body) },
      response: response && { ...response, headers: { ...response.headers }, body: beginningOf(response.body) },
      error: error && describe(error, classify(error).code),
      ms,
      ...(waitedMs !== undefined && { waitedMs }),
      secrets: secrets(),
    },
  });
}

/** Leads to what the main thread keeps for runs: see `EngineKeepers`. @type {(name: string) => ServicePort} */
function serviceOf(name) {
  return {
    post: (message) => post('toKeeper', { name, message }),
    listen(listener) {
      port.on('message', (sent) => {
        if (sent.type === 'fromKeeper' && sent.name === name) listener(sent.message);
      });
    },
  };
}

/**
 * Agrees with the main thread, by its port, on the start of a shard: see `Engine.startAt`.
 * @type {(port: MessagePort) => StartAgreement}
 */
function startAgreement(port) {
  return {
    ready() {
      const agreed = new Promise((resolve) => {
        port.on('message', ({ type, at }) => {
          if (type === 'start') resolve(at);
        });
      });
      port.postMessage({ type: 'ready' });
      return agreed;
    },
    started: (instant) => port.postMessage({ type: 'started', at: toCommonTime(instant) }),
  };
}
