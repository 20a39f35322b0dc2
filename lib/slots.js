/**
 * @import { Step } from './flow/types.js'
 *
 * The entries of a phase: an operation, which may be several steps, or a `oneOf` whose operations are steps with the same
 * `opIndex`.
 *
 * @typedef {Pick<Step, 'opIndex' | 'choice'>} Placed
 */

/**
 * Counts the steps of a phase that an iteration performs.
 *
 * @param {Placed[]} steps of one phase
 * @returns {number}
 */
export function slotCount(steps) {
  const chosen = steps.filter(({ choice }) => choice !== null);
  return steps.length - chosen.length + new Set(chosen.map(({ opIndex }) => opIndex)).size;
}

/**
 * Selects the items of the steps that an iteration performs.
 *
 * @template T
 * @param {Placed[]} steps of one phase
 * @param {T[]} items one for each step
 * @returns {((index: number) => T[]) | null} null: every iteration performs all steps
 */
export function selectorOf(steps, items) {
  if (steps.every(({ choice }) => choice === null)) return null;
  /** @type {{ opIndex: number, choice: Step['choice'], items: T[] }[]} */
  const slots = [];
  steps.forEach(({ opIndex, choice }, i) => {
    const last = slots.at(-1);
    if (choice !== null && last?.opIndex === opIndex) last.items.push(items[i]);
    else slots.push({ opIndex, choice, items: [items[i]] });
  });
  return (index) => slots.map(({ choice, items: of }) => of[choice === null ? 0 : choice(index)]);
}
