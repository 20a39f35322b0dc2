/**
 * @import { Scenario, Step } from './flow/types.js'
 *
 * The entries of a phase: an operation, which may be several steps, or a `oneOf` whose operations are steps with the same
 * `choice`. With scenarios, a phase has the entries of all of them.
 *
 * @typedef {Pick<Step, 'choice' | 'scenario' | 'rounds'>} Placed
 */

/**
 * The scenarios of a flow.
 *
 * @param {Pick<Step, 'scenario'>[]} steps of `main`: every scenario has some
 * @returns {Scenario[]} in the order of the flow; none if every iteration performs the same operations
 */
export function scenariosOf(steps) {
  return [...new Set(steps.flatMap(({ scenario }) => scenario ?? []))];
}

/**
 * Counts the steps that an iteration performs at most, repetitions included: of the scenario with the most.
 *
 * @param {Placed[][]} phases the steps of each
 * @returns {number} Infinity if a function decides
 */
export function slotCount(phases) {
  const scenarios = scenariosOf(phases.flat());
  const counts = (scenarios.length > 0 ? scenarios : [null]).map((one) =>
    phases.reduce(
      (sum, steps) => sum + countOf(steps.filter(({ scenario }) => scenario === null || scenario === one)),
      0,
    ),
  );
  return Math.max(...counts);
}

/** @type {(steps: Placed[]) => number} */
function countOf(steps) {
  /** @type {Map<Step['choice'], number>} of each choice */
  const most = new Map();
  let count = 0;
  for (const { choice, rounds } of steps) {
    if (choice === null) count += rounds;
    else most.set(choice, Math.max(most.get(choice) ?? 0, rounds));
  }
  return [...most.values()].reduce((sum, rounds) => sum + rounds, count);
}

/**
 * Selects the items of the steps that an iteration performs.
 *
 * @template T
 * @param {Placed[]} steps of one phase
 * @param {T[]} items one for each step
 * @returns {((index: number, scenario: number) => T[]) | null} scenario: the position of the one that the iteration runs; null:
 *   every iteration performs all steps
 */
export function selectorOf(steps, items) {
  const count = Math.max(0, ...steps.map(({ scenario }) => scenario?.names.length ?? 0));
  if (count === 0) return selectorOfChoices(steps, items);
  const ofScenarios = Array.from({ length: count }, (_, at) => {
    const isOwn = (/** @type {Placed} */ { scenario }) => scenario === null || scenario.at === at;
    const own = items.filter((_item, i) => isOwn(steps[i]));
    return selectorOfChoices(steps.filter(isOwn), own) ?? (() => own);
  });
  return (index, scenario) => ofScenarios[scenario](index);
}

/** @type {<T>(steps: Placed[], items: T[]) => ((index: number) => T[]) | null} */
function selectorOfChoices(steps, items) {
  if (steps.every(({ choice }) => choice === null)) return null;
  /** @type {{ choice: Step['choice'], items: typeof items }[]} */
  const slots = [];
  steps.forEach(({ choice }, i) => {
    const last = slots.at(-1);
    if (choice !== null && last?.choice === choice) last.items.push(items[i]);
    else slots.push({ choice, items: [items[i]] });
  });
  return (index) => slots.map(({ choice, items: of }) => of[choice === null ? 0 : choice(index)]);
}
