/** @import { Flow, FlowFunction } from '../contracts/flows.js' */

/**
 * Returns its argument. Editors complete and check what is written in it, in JavaScript too.
 *
 * @example
 * export default defineFlow({ main: [{ get: 'http://localhost:8000/' }] });
 *
 * @overload
 * @param {Flow} flow a URL, an operation, an array of operations, or an object of phases
 * @returns {Flow}
 */
/**
 * Returns its argument. Editors complete and check what the function returns.
 *
 * @example
 * export default defineFlow(({ args }) => ({ main: [{ get: `/users/${args.user}` }] }));
 *
 * @overload
 * @param {FlowFunction} flow gets `{ args }`, the values of `--arg name=value`
 * @returns {FlowFunction}
 */
/** @type {(flow: Flow | FlowFunction) => Flow | FlowFunction} */
export function defineFlow(flow) {
  return flow;
}
