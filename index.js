import './lib/addons.js';
import { benchrest, defineFlow } from './lib/core/run/benchrest.js';
import { DISPLAY } from './lib/core/run/run.js';

DISPLAY.load = () => import('./lib/core/cli/run/show-run.js');

/** A flow: a URL, an operation, an array of operations, an object of phases, or the path of a flow file. @typedef {import('./lib/core/contracts/flows.js').Flow} Flow */
/** A flow with phases. @typedef {import('./lib/core/contracts/flow-properties.js').PhasesFlow} PhasesFlow */
/** A flow with scenarios. @typedef {import('./lib/core/contracts/flows.js').ScenariosFlow} ScenariosFlow */
/** A scenario of a flow. @typedef {import('./lib/core/contracts/flow-properties.js').Scenario} Scenario */
/** A function that a flow file exports: it returns the flow. @typedef {import('./lib/core/contracts/flows.js').FlowFunction} FlowFunction */
/** One request of a flow, with its hooks. @typedef {import('./lib/core/contracts/flows.js').Operation} Operation */
/** Several operations, of which each iteration performs one. @typedef {import('./lib/core/contracts/flows.js').OneOf} OneOf */
/** A function that runs before the request or after the response of an operation. @typedef {import('./lib/core/contracts/hooks.js').Hook} Hook */
/** The name of a built-in hook. @typedef {import('./lib/core/contracts/flow-properties.js').HookName} HookName */
/** The argument of a hook. @typedef {import('./lib/core/contracts/hooks.js').All} All */
/** Adds a section to the reports of a run. @typedef {import('./lib/core/contracts/run.js').SectionFunction} SectionFunction */
/** The options of a run. @typedef {import('./lib/core/contracts/run.js').RunOptions} RunOptions */
/** The events of a run, with the arguments of their listeners. @typedef {import('./lib/core/contracts/run.js').RunEvents} RunEvents */
/** A run: an EventEmitter that can also be awaited. @typedef {import('./lib/core/run/run.js').Run} Run */
/** How a run is shown. @typedef {import('./lib/core/run/run.js').ShowSettings} ShowSettings */
/** What an awaited run resolves to. @typedef {import('./lib/core/run/run.js').RunResult} RunResult */
/** The results of a run. @typedef {import('./lib/core/contracts/stats.js').Stats} Stats */

/** What a search for the capacity found. @typedef {import('./lib/addons/capacity/capacity.js').Capacity} Capacity */
/** The options of a search for the capacity. @typedef {import('./lib/addons/capacity/capacity.js').CapacityOptions} CapacityOptions */

/**
 * Searches the highest arrival rate, or number of virtual users, at which the thresholds hold.
 *
 * @example
 * const { conclusion } = await capacity('http://localhost:8000/', { thresholds: 'p99<200ms' });
 *
 * @param {Flow} flow
 * @param {CapacityOptions} [options]
 * @returns {Promise<Capacity>}
 * @experimental
 */
async function capacity(flow, options) {
  const { searchCapacity } = await import('./lib/addons/capacity/program.js');
  return searchCapacity(flow, options);
}

/** What require('bench-rest') returns: the function, with all exports as its properties, as compilers read them in different ways. */
const required = Object.assign(benchrest, { benchrest, capacity, default: benchrest, defineFlow });

export { benchrest, benchrest as default, capacity, required as 'module.exports', defineFlow };
