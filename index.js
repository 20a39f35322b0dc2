import { benchrest } from './lib/run/benchrest.js';

/**
 * @typedef {import('./lib/public-types.js').Flow} Flow
 * @typedef {import('./lib/public-types.js').PhasesFlow} PhasesFlow
 * @typedef {import('./lib/public-types.js').Operation} Operation
 * @typedef {import('./lib/public-types.js').Hook} Hook
 * @typedef {import('./lib/public-types.js').HookName} HookName
 * @typedef {import('./lib/public-types.js').All} All
 * @typedef {import('./lib/public-types.js').RunOptions} RunOptions
 * @typedef {import('./lib/public-types.js').RunEvents} RunEvents
 * @typedef {import('./lib/run/benchrest.js').Run} Run
 * @typedef {import('./lib/run/benchrest.js').Result} Result
 * @typedef {import('./lib/measure/types.js').Stats} Stats
 */
export { benchrest, benchrest as default, benchrest as 'module.exports' };
