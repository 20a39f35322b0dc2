/**
 * The variables of a run. They have no prototype, so a name such as `constructor` or `__proto__` is a name like any other.
 *
 * @param {Record<string, unknown>} [initial] of the flow
 * @returns {Record<string, any>}
 */
export function createVariables(initial = {}) {
  return Object.assign(Object.create(null), initial);
}
