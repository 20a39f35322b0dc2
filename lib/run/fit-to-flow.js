import { createProblems } from '../problems.js';

/**
 * @import { CompiledFlow } from '../flow/types.js'
 * @import { RunOptions } from './options.js'
 */

/**
 * What options come to for this flow: limits of requests as limits of iterations, which are whole.
 *
 * @param {RunOptions} options
 * @param {CompiledFlow} flow
 * @returns {RunOptions}
 * @throws {Error} E_RUN_OPTIONS
 */
export function fitToFlow(options, { beforeMain, main, afterMain }) {
  const { limit, iterations = Infinity, maxOverallRequests = Infinity, maxConnectionRequests = Infinity } = options;
  const requests = beforeMain.length + main.length + afterMain.length;
  const problems = createProblems('E_RUN_OPTIONS');
  for (const name of /** @type {const} */ (['maxOverallRequests', 'maxConnectionRequests'])) {
    if ((options[name] ?? Infinity) < requests) problems.add(`runOptions.${name}`, `an iteration of this flow makes ${requests} requests, so none could run`);
  }
  problems.throwIfAny();
  const iterationsOfLane = Math.floor(maxConnectionRequests / requests);
  const most = Math.min(iterations, Math.floor(maxOverallRequests / requests), iterationsOfLane * limit);
  return { ...options, ...(most < Infinity && { iterations: most }), ...(iterationsOfLane < Infinity && { iterationsOfLane }) };
}
