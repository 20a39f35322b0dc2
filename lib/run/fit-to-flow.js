import { createProblems } from '../problems.js';
import { TRANSPORTS } from '../transport/index.js';
import { readThresholds } from './read-thresholds.js';

/**
 * @import { CompiledFlow } from '../flow/types.js'
 * @import { RunOptions } from './options.js'
 */

/**
 * What options come to for this flow: limits of requests as limits of iterations, which are whole; connections with
 * several requests in flight as so many lanes; thresholds with the operations they name.
 *
 * @param {RunOptions} options
 * @param {CompiledFlow} flow
 * @returns {RunOptions}
 * @throws {Error} E_RUN_OPTIONS
 */
export function fitToFlow(options, flow) {
  const { beforeMain, main, afterMain } = flow;
  const {
    limit,
    pipelining = 1,
    iterations = Infinity,
    maxOverallRequests = Infinity,
    maxConnectionRequests = Infinity,
  } = options;
  const requests = beforeMain.length + main.length + afterMain.length;
  const problems = createProblems('E_RUN_OPTIONS');
  for (const name of /** @type {const} */ (['maxOverallRequests', 'maxConnectionRequests'])) {
    if ((options[name] ?? Infinity) < requests)
      problems.add(`runOptions.${name}`, `an iteration of this flow makes ${requests} requests, so none could run`);
  }
  const hindrance = pipelining > 1 ? hindranceTo(flow, options) : null;
  if (hindrance)
    problems.add(
      'runOptions.pipelining',
      `only for flows of one operation that is always the same and has no hooks: ${hindrance}`,
    );
  const names = Object.values(flow).flatMap((steps) => steps.map(({ name }) => name));
  const thresholds = readThresholds(options.thresholds, names, problems);
  problems.throwIfAny();
  const iterationsOfLane = Math.floor(maxConnectionRequests / requests);
  const most = Math.min(iterations, Math.floor(maxOverallRequests / requests), iterationsOfLane * limit * pipelining);
  return {
    ...options,
    thresholds,
    limit: limit * pipelining,
    ...(most < Infinity && { iterations: most }),
    ...(iterationsOfLane < Infinity && { iterationsOfLane }),
  };
}

/** What speaks against sending a request before the last one is answered. @type {(flow: CompiledFlow, options: RunOptions) => string | null} */
function hindranceTo({ beforeMain, main, afterMain }, { transport }) {
  if ((transport ?? TRANSPORTS[0].name) !== 'wire') return 'and only with wire as transport';
  if (main.length + beforeMain.length + afterMain.length > 1)
    return `this one has ${main.length + beforeMain.length + afterMain.length} operations an iteration`;
  const [{ where, request, beforeHooks, afterHooks }] = main;
  if (beforeHooks.length + afterHooks.length > 0) return `${where} has hooks`;
  return request === null ? `${where} differs from iteration to iteration` : null;
}
