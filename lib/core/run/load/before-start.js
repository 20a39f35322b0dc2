import { offered } from '../../ground/addons.js';
import { COMPLETED } from '../../ground/end-reasons.js';
import { makeError } from '../../ground/errors.js';
import { ITERATION_PHASES, scenariosOf, selectorOf } from '../../ground/phases.js';
import { createEndpoints } from '../../http/endpoint.js';
import { prepareIteration } from '../../iteration/iteration.js';
import { populationsOf } from '../../measure/cut-off.js';
import { Recorder } from '../../measure/recorder.js';
import { clock } from '../clock.js';
import { runLanes } from './lanes.js';

/** @import { Request } from '../../contracts/request.js' */
/** @import { RunOptions } from '../../contracts/run-options.js' */
/** @import { CompiledFlow, Step } from '../../contracts/step.js' */
/** @import { Phase } from '../../ground/phases.js' */
/** @import { Rendered } from '../../iteration/iteration.js' */
/** @import { BodyAccount } from '../../process/body-memory.js' */
/** @import { Threshold } from '../../measure/thresholds.js' */
/** @import { Stride } from '../options/shard.js' */
/** @import { LanesOptions, Load, SenderEntry, WarmUpResult } from '../types.js' */
/** @import { Ending } from './ending.js' */

// What a thread does before its measured iterations: it makes their context, renders the first requests (`prealloc`),
// and runs the warm-up.

/** @typedef {Parameters<typeof prepareIteration>[1]} Context */

/** @type {SenderEntry[]} */
const SENDERS = offered('senders');

/**
 * Creates the context in which the iterations of a thread run; `parts` are those of the thread.
 * @type {(options: RunOptions, parts: Pick<Context, 'recorder' | 'onError' | 'onResponse' | 'log' | 'stop' | 'ending' |
 *   'runCtx' | 'vars' | 'feeders' | 'createIterCtx' | 'origin' | 'random' | 'jars' | 'isPaced'>) => Context}
 */
export function createContext(options, parts) {
  const { maxBodySize, user, password, trace, proxies, thresholds = [] } = options;
  return {
    ...{ clock, maxBodySize, user, password, trace },
    endpointOf: createEndpoints(proxies, options),
    timeoutMs: options.timeout,
    connectTimeoutMs: options.connectTimeout,
    limits: thresholds.flatMap((/** @type {Threshold} */ { limits }) => limits ?? []),
    senders: SENDERS.filter(({ suits }) => suits(options)).map(({ load }) => load()(options)),
    ...parts,
  };
}

/** Bytes of an iteration's arrays, and of a request without its texts. */
const ITERATION_COST = 150;
const REQUEST_COST = 200;

/**
 * Counts the memory of the bodies of a flow.
 * @throws {Error} E_BODY_MEMORY
 * @type {(flow: CompiledFlow, account: BodyAccount) => void}
 */
export function reserveBodies(flow, account) {
  const steps = Object.values(flow).flat();
  account.reserve(steps.reduce((sum, { bodyCost }) => sum + bodyCost.held, 0));
}

/**
 * Renders the requests of the first iterations of a load before the clock starts; null: there are none. Each can be
 * fetched once. `account` counts their memory, and is closed if they do not fit.
 * @throws {Error} E_RUN_OPTIONS
 * @type {(flow: CompiledFlow, prealloc: number, load: Pick<Load, 'position' | 'of'> & { options: { iterations?:
 *   number } }, context: { stride: Stride, account: BodyAccount }) => { take: (index: number) => Rendered | undefined }
 *   | null}
 *   flow: what its iterations perform; index: INDEX
 */
export function preallocate(flow, prealloc, { position, of, options: { iterations = Infinity } }, { stride, account }) {
  const count = Math.min(prealloc, stride.countOf(iterations));
  const rendered = renderFirst(flow, count, { stride, position, of }, account);
  if (rendered.length === 0) return null;
  return {
    take(index) {
      const n = stride.positionOf((index - position) / of);
      const taken = rendered[n];
      if (!taken) return undefined;
      rendered[n] = undefined;
      account.free(taken.cost);
      return taken.requests;
    },
  };
}

/**
 * @type {(flow: CompiledFlow, count: number, load: Pick<Load, 'position' | 'of'> & { stride: Stride }, account:
 *   BodyAccount) => ({ requests: Rendered, cost: number } | undefined)[]}
 */
function renderFirst(flow, count, { stride, position, of }, account) {
  /** @type {{ requests: Rendered, cost: number }[]} */
  const rendered = [];
  const stepsOf = selectSteps(flow);
  try {
    while (rendered.length < count) {
      const n = stride.indexOf(rendered.length);
      const steps = stepsOf(n);
      const requests = render(steps, n * of + position);
      const cost = ITERATION_COST + costOf(steps, requests);
      account.reserve(cost);
      rendered.push({ requests, cost });
    }
    return rendered;
  } catch (cause) {
    account.close();
    const { message, code } = /** @type {Error & { code?: string }} */ (cause);
    if (code !== 'E_BODY_MEMORY') throw cause;
    const problem = `runOptions.prealloc: the requests of ${rendered.length} of ${count} iterations fit into maxBodyMemory; preallocate fewer`;
    throw makeError('E_RUN_OPTIONS', { problems: `${problem} (${message})` }, { cause });
  }
}

/** @typedef {Partial<Record<Phase, Step[]>>} IterationSteps */

/**
 * Selects the steps of an iteration of a load by its number there, as the iteration does: its scenario, and of each
 * `oneOf` an operation.
 * @type {(flow: CompiledFlow) => (n: number) => IterationSteps}
 */
function selectSteps(flow) {
  const selectors = ITERATION_PHASES.map((phase) => ({ phase, select: selectorOf(flow[phase], flow[phase]) }));
  const choose = scenariosOf(flow.main)[0]?.choose ?? (() => 0);
  return (n) => {
    const scenario = choose(n);
    return Object.fromEntries(selectors.map(({ phase, select }) => [phase, select?.(n, scenario) ?? flow[phase]]));
  };
}

/** @type {(steps: IterationSteps, index: number) => Rendered} */
function render(steps, index) {
  /** @type {(step: Step) => Request | null} */
  const requestOf = (step) => (isKnownBefore(step) ? (step.request ?? step.render({ index })) : null);
  return Object.fromEntries(Object.entries(steps).map(([phase, all]) => [phase, all.map(requestOf)]));
}

/** Reports whether no code and no response decides about its request. @type {(step: Step) => boolean} */
function isKnownBefore({ beforeHooks, call, values, variables, live, protocol: { isCode = false } }) {
  const hasCode = beforeHooks.length > 0 || call !== null || live !== undefined || isCode;
  return !hasCode && values.length === 0 && variables.length === 0;
}

/** Counts the bytes of requests of one iteration. @type {(steps: IterationSteps, requests: Rendered) => number} */
function costOf(steps, requests) {
  let bytes = 0;
  for (const phase of ITERATION_PHASES) {
    steps[phase]?.forEach(({ request: shared, bodyCost: { isShared } }, i) => {
      const own = requests[phase]?.[i];
      if (!own || own === shared) return;
      bytes += REQUEST_COST + own.path.length;
      if (own.body && !isShared) bytes += own.body.length;
    });
  }
  return bytes;
}

/** The first INDEX of a warm-up: far from those of the run, so that its data do not collide with data of the run. */
const FIRST_INDEX = 1e12;

/**
 * Runs the flow without measuring it, and ends as a run does: iterations longer than the grace period are cancelled.
 * Connections stay open for the run.
 * @param {CompiledFlow} flow
 * @param {Context} context of the measured iterations
 * @param {object} options
 * @param {number} options.duration ms
 * @param {Ending} options.ending of the warm-up
 * @param {Ending} options.runEnding ends the warm-up too
 * @param {(n: number) => number} options.indexOf the INDEX of iteration n of its load
 * @param {(recorder: Recorder) => Omit<LanesOptions, 'ending' | 'perform'>} options.lanesFor
 * @returns {Promise<WarmUpResult>}
 */
export async function runWarmUp(flow, context, { duration, ending, runEnding, indexOf, lanesFor }) {
  const recorder = new Recorder();
  let errors = 0;
  const iteration = prepareIteration(flow, {
    ...context,
    recorder,
    ending,
    onError: () => errors++,
    onResponse: undefined,
    log: undefined,
  });
  const unsubscribe = runEnding.onStop((reason, { within }) => ending.stop(reason, { within }));
  const cancelTimer = clock.after(() => ending.stop(COMPLETED), duration);
  try {
    await runLanes({
      ...lanesFor(recorder),
      ending,
      perform: (n, lane, due, _, listener) =>
        lane.iteration.start(iteration, FIRST_INDEX + indexOf(n), due, 0, listener),
    });
  } finally {
    cancelTimer();
    unsubscribe();
    ending.close();
    recorder.close();
  }
  return { iterations: recorder.iterations.started, errors: errors + (runEnding.isOver ? 0 : overdueIn(recorder)) };
}

/**
 * Counts the unusual iterations that the end of the warm-up cut off: those that had run longer than the slowest
 * completed one of their scenario, or had not reached `main`.
 * @type {(recorder: Recorder) => number}
 */
function overdueIn(recorder) {
  const { iterations, histograms } = recorder;
  const inMain = populationsOf(recorder).reduce((sum, { cut, slowest }) => sum + cut.countAbove(slowest), 0);
  return iterations.cancelled - histograms.cancelled.count + inMain;
}
