import { createEndpoints } from '../../endpoint.js';
import { clock } from '../clock.js';

/**
 * @import { prepareIteration } from '../../iteration/iteration.js'
 * @import { RunOptions } from '../options/types.js'
 *
 * @typedef {Parameters<typeof prepareIteration>[1]} Context
 */

/**
 * The context in which the iterations of a thread run.
 *
 * @param {RunOptions} options
 * @param {Pick<Context, 'recorder' | 'onError' | 'onResponse' | 'log' | 'stop' | 'runCtx' | 'vars' | 'feeders' | 'createIterCtx' | 'origin' | 'random' | 'jars'>} parts
 *   of the thread
 * @returns {Context}
 */
export function createContext(options, parts) {
  const { timeout, connectTimeout, maxBodySize, user, password, trace, connectionRate, proxies } = options;
  return {
    clock,
    endpointOf: createEndpoints(proxies, options),
    timeoutMs: timeout,
    connectTimeoutMs: connectTimeout,
    maxBodySize,
    user,
    password,
    trace,
    isPaced: connectionRate !== undefined,
    ...parts,
  };
}
