/**
 * @typedef {object} Goal
 * @property {string} what is measured: the workload and the quantity
 * @property {'>=' | '<='} sign
 * @property {number} bound
 * @property {number | undefined} value undefined: not measured
 */

/** @type {(goal: Goal) => string} */
export function verdictOf({ sign, bound, value }) {
  if (value === undefined) return `${sign} ${bound} not measured`;
  const isReached = sign === '>=' ? value >= bound : value <= bound;
  return `${sign} ${bound} ${isReached ? 'reached' : 'missed'}`;
}

/** @type {(goals: Goal[]) => string} one line for each */
export function goalTable(goals) {
  const width = Math.max(...goals.map(({ what }) => what.length));
  const lineOf = (/** @type {Goal} */ goal) =>
    `  ${goal.what.padEnd(width)}  ${(goal.value?.toFixed(2) ?? '-').padStart(7)}  ${verdictOf(goal)}\n`;
  return `\ngoals\n${goals.map(lineOf).join('')}`;
}
