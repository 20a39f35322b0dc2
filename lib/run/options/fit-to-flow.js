import { proxiesOf } from '../../flow/proxies.js';
import { slotCount } from '../../slots.js';
import { ITERATION_PHASES } from '../../phases.js';
import { createProblems } from '../../problems.js';
import { readThresholds } from './read-thresholds.js';

/**
 * @import { CompiledFlow, Step } from '../../flow/types.js'
 * @import { HookMetrics } from '../../measure/thresholds.js'
 * @import { Problems } from '../../problems.js'
 * @import { RunOptions } from './types.js'
 */

const REQUEST_LIMITS = /** @type {const} */ (['maxOverallRequests', 'maxConnectionRequests']);

/**
 * Options whose meaning depends on the flow: limits of requests become limits of whole iterations, requests in flight
 * on one connection become lanes, thresholds are matched with the operations that they name.
 *
 * @param {RunOptions} options
 * @param {CompiledFlow} flow
 * @returns {RunOptions}
 * @throws {Error} E_RUN_OPTIONS
 */
export function fitToFlow(options, flow) {
  const problems = createProblems('E_RUN_OPTIONS');
  const requests = requestsOf(flow);
  for (const name of REQUEST_LIMITS) {
    if ((options[name] ?? Infinity) < requests)
      problems.add(`runOptions.${name}`, `too low: one iteration of this flow makes ${requests} requests`);
  }
  checkPrealloc(options, flow, problems);
  checkPipelining(options, flow, problems);
  checkWebSockets(options, flow, problems);
  checkBodyMemory(options, flow, problems);
  checkProxies(options, flow, problems);
  const names = Object.values(flow).flatMap((steps) => steps.map(({ name }) => name));
  const thresholds = readThresholds(options.thresholds, names, problems, metricsOf(flow));
  problems.throwIfAny();
  return { ...options, thresholds, ...lanesOf(options), ...limitsOf(options, requests) };
}

/** The metrics that the hooks of a flow may record. @type {(flow: CompiledFlow) => HookMetrics} */
function metricsOf(flow) {
  const steps = Object.values(flow).flat();
  const entries = steps.flatMap((step) =>
    [...step.beforeHooks, ...step.afterHooks].map(({ entry }) => ({ entry, name: entry?.timer?.(step) })),
  );
  return {
    names: entries.flatMap(({ name }) => name ?? []),
    hasFunctions: entries.some(({ entry }) => entry === undefined),
  };
}

/** Requests of an iteration. @type {(flow: CompiledFlow) => number} */
function requestsOf(flow) {
  const requests = (/** @type {Step[]} */ steps) => slotCount(steps.filter(({ webSocket }) => !webSocket?.isImplied));
  return ITERATION_PHASES.reduce((sum, phase) => sum + requests(flow[phase]), 0);
}

/** @type {(options: RunOptions, requests: number) => Pick<RunOptions, 'iterations' | 'iterationsOfLane'>} */
function limitsOf(options, requests) {
  const { limit, iterations = Infinity, maxOverallRequests = Infinity, maxConnectionRequests = Infinity } = options;
  const iterationsOfLane = Math.floor(maxConnectionRequests / requests);
  const most = Math.min(iterations, Math.floor(maxOverallRequests / requests), iterationsOfLane * limit);
  return {
    ...(most < Infinity && { iterations: most }),
    ...(iterationsOfLane < Infinity && { iterationsOfLane }),
  };
}

/**
 * Virtual users become lanes: one for each request that may be in flight on a connection.
 *
 * @type {(options: RunOptions) => Pick<RunOptions, 'limit' | 'stages' | 'warmup'>}
 */
function lanesOf({ limit, pipelining = 1, stages, warmup }) {
  /** @type {<T extends { limit?: number }>(load: T) => T} */
  const scaled = (load) => (load.limit === undefined ? load : { ...load, limit: load.limit * pipelining });
  return {
    limit: limit * pipelining,
    ...(stages && { stages: stages.map(scaled) }),
    ...(warmup && { warmup: scaled(warmup) }),
  };
}

/** @type {(options: RunOptions, flow: CompiledFlow, problems: Problems) => void} */
function checkPrealloc({ prealloc }, flow, problems) {
  const [called] = ITERATION_PHASES.flatMap((phase) => flow[phase].flatMap(({ values }) => values));
  if (prealloc > 0 && called)
    problems.add('runOptions.prealloc', `${called.where} is a function, called for each request: remove prealloc`);
}

/**
 * Each iteration waits for its own responses, so its operations, hooks and cookies need no restriction: the pipeline is
 * filled by other iterations.
 *
 * @type {(options: RunOptions, flow: CompiledFlow, problems: Problems) => void}
 */
function checkPipelining({ pipelining = 1 }, flow, problems) {
  if (pipelining === 1) return;
  for (const { where, closesConnection } of ITERATION_PHASES.flatMap((phase) => flow[phase])) {
    if (closesConnection)
      problems.add(
        'runOptions.pipelining',
        `${where} sends Connection: close, so no request can follow on its connection: keep it alive, or remove pipelining`,
      );
  }
}

/** @type {(options: RunOptions, flow: CompiledFlow, problems: Problems) => void} */
function checkWebSockets({ reconnectRate, proxies, pipelining = 1, keepAlive }, flow, problems) {
  const steps = Object.values(flow).flatMap((all) => all.filter(({ webSocket }) => webSocket?.kind === 'connect'));
  for (const step of steps) {
    const [proxy] = proxiesOf({ ...NO_STEPS, main: [step] }, proxies);
    if (proxy)
      problems.add(
        step.where,
        `WebSockets cannot be sent through a proxy (${proxy.name}): write proxy: null, or add the host to noProxy`,
      );
  }
  if (steps.length === 0) return;
  if (reconnectRate !== undefined)
    problems.add(
      'runOptions.reconnectRate',
      'would close WebSockets between their operations: without keep, each iteration opens its own',
    );
  if (pipelining > 1)
    problems.add(
      'runOptions.pipelining',
      `each virtual user has WebSockets of its own (${steps[0].where}): remove pipelining`,
    );
  if (
    keepAlive === false &&
    Object.values(flow)
      .flat()
      .every(({ webSocket }) => webSocket !== null)
  )
    problems.add(
      'runOptions.keepAlive',
      'is for HTTP, and this flow has WebSockets alone: without keep, each iteration opens its own',
    );
}

/** @type {CompiledFlow} */
const NO_STEPS = { before: [], beforeMain: [], main: [], afterMain: [], after: [] };

/** @type {(options: RunOptions, flow: CompiledFlow, problems: Problems) => void} */
function checkBodyMemory(options, flow, problems) {
  const needed = requestBytes(flow, options);
  const remedy = 'raise maxBodyMemory, or use fewer workers or virtual users, or smaller files';
  if (needed > options.maxBodyMemory)
    problems.add('runOptions.maxBodyMemory', `the bodies that this flow sends take ${needed} bytes: ${remedy}`);
}

/**
 * Variables of the environment are checked only if the flow needs them: a flow for this machine needs none.
 *
 * @type {(options: RunOptions, flow: CompiledFlow, problems: Problems) => void}
 */
function checkProxies({ proxies }, flow, problems) {
  for (const { from, problem } of proxiesOf(flow, proxies)) {
    if (problem) problems.add(from, `${problem}; --proxy '' or --no-proxy '*' connects directly`);
  }
}

/**
 * Bytes of request bodies: one of each per thread, and a copy per request in flight if a form has both a file and a
 * token.
 *
 * @type {(flow: CompiledFlow, options: RunOptions) => number}
 */
function requestBytes(flow, { limit, workers = 0 }) {
  const costs = Object.values(flow).flatMap((steps) => steps.map(({ bodyCost }) => bodyCost));
  const held = costs.reduce((sum, cost) => sum + cost.held, 0);
  return held * (1 + workers) + limit * Math.max(...costs.map(({ copied }) => copied));
}
