import { createProblems } from '../../problems.js';
import { readThresholds } from './thresholds.js';

/**
 * @import { CompiledFlow } from '../../flow/types.js'
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
  const requests = flow.beforeMain.length + flow.main.length + flow.afterMain.length;
  for (const name of REQUEST_LIMITS) {
    if ((options[name] ?? Infinity) < requests)
      problems.add(`runOptions.${name}`, `too low: one iteration of this flow makes ${requests} requests`);
  }
  checkPipelining(options, flow, problems);
  checkBodyMemory(options, flow, problems);
  const names = Object.values(flow).flatMap((steps) => steps.map(({ name }) => name));
  const thresholds = readThresholds(options.thresholds, names, problems);
  problems.throwIfAny();
  return { ...options, thresholds, ...limitsOf(options, requests) };
}

/** @type {(options: RunOptions, requests: number) => Pick<RunOptions, 'limit' | 'iterations' | 'iterationsOfLane'>} */
function limitsOf(options, requests) {
  const { iterations = Infinity, maxOverallRequests = Infinity, maxConnectionRequests = Infinity } = options;
  const limit = options.limit * (options.pipelining ?? 1);
  const iterationsOfLane = Math.floor(maxConnectionRequests / requests);
  const most = Math.min(iterations, Math.floor(maxOverallRequests / requests), iterationsOfLane * limit);
  return {
    limit,
    ...(most < Infinity && { iterations: most }),
    ...(iterationsOfLane < Infinity && { iterationsOfLane }),
  };
}

/** @type {(options: RunOptions, flow: CompiledFlow, problems: Problems) => void} */
function checkPipelining(options, flow, problems) {
  const obstacle = (options.pipelining ?? 1) > 1 ? obstacleTo(flow) : null;
  if (obstacle)
    problems.add(
      'runOptions.pipelining',
      `needs a flow of a single operation that never changes and has no hooks: ${obstacle}`,
    );
}

/** @type {(options: RunOptions, flow: CompiledFlow, problems: Problems) => void} */
function checkBodyMemory(options, flow, problems) {
  const needed = requestBytes(flow, options);
  const remedy = 'raise maxBodyMemory, or use fewer workers or virtual users, or smaller files';
  if (needed > options.maxBodyMemory)
    problems.add('runOptions.maxBodyMemory', `the bodies that this flow sends take ${needed} bytes: ${remedy}`);
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

/** The reason why requests cannot be pipelined. @type {(flow: CompiledFlow) => string | null} */
function obstacleTo({ beforeMain, main, afterMain }) {
  const count = main.length + beforeMain.length + afterMain.length;
  if (count > 1) return `this flow has ${count} operations per iteration`;
  const [{ where, request, beforeHooks, afterHooks }] = main;
  if (beforeHooks.length + afterHooks.length > 0) return `${where} has hooks`;
  return request === null ? `${where} changes from iteration to iteration` : null;
}
