/** @import { CompiledScenario, Step } from '../contracts/step.js' */
/** @import { OperationFacts } from '../contracts/summaries.js' */

/** The phases of a flow, in the order in which they run. */
const ROWS = /** @type {const} */ ([
  { name: 'before', about: 'operations that run once, first' },
  { name: 'beforeMain', about: 'operations at the start of every iteration, before main' },
  { name: 'main', about: 'operations of every iteration; their time is measured' },
  { name: 'afterMain', about: 'operations at the end of every iteration, even after an error' },
  { name: 'after', about: 'operations that run once, last' },
]);

/** @typedef {typeof ROWS[number]['name']} Phase */

/** The phases with the purpose of their operations. @type {{ name: Phase, about: string }[]} */
export const PHASE_ROWS = [...ROWS];

/** @type {Phase[]} */
export const PHASES = ROWS.map(({ name }) => name);

/** Reports whether a phase tears down: it may send when the run is over. @type {(phase: Phase) => boolean} */
export function isTeardown(phase) {
  return phase === 'afterMain' || phase === 'after';
}

/** The phases of an iteration, in their order. */
export const ITERATION_PHASES = /** @type {const} @satisfies {readonly Phase[]} */ ([
  'beforeMain',
  'main',
  'afterMain',
]);

/** Reports whether iterations perform an operation. @type {(operation: { phase?: string }) => boolean} */
export function isOfIterations({ phase }) {
  return phase !== 'before' && phase !== 'after';
}

/**
 * The entries of a phase: an operation, which may be several steps, or a `oneOf` whose operations are steps with the
 * same `choice`. With scenarios, a phase has the entries of all of them.
 *
 * @typedef {Pick<Step, 'choice' | 'scenario' | 'rounds'>} Placed
 */

/**
 * Lists the scenarios of a flow in its order, by the steps of `main`: every scenario has some. Without scenarios, every
 * iteration performs the same operations.
 * @type {(steps: Pick<Step, 'scenario'>[]) => CompiledScenario[]}
 */
export function scenariosOf(steps) {
  return [...new Set(steps.flatMap(({ scenario }) => scenario ?? []))];
}

/**
 * Counts the steps that an iteration performs at most, repetitions included: those of the longest scenario. It returns
 * Infinity if a function decides.
 * @type {(phases: Placed[][]) => number}
 */
export function stepCount(phases) {
  /** @type {Map<CompiledScenario | null, number>} null: steps of every iteration */
  const counts = new Map();
  for (const steps of phases)
    for (const [scenario, own] of byScenario(steps)) counts.set(scenario, (counts.get(scenario) ?? 0) + countOf(own));
  const common = counts.get(null) ?? 0;
  counts.delete(null);
  return [...counts.values()].reduce((most, count) => Math.max(most, count), 0) + common;
}

/** @type {(steps: Placed[]) => Map<CompiledScenario | null, Placed[]>} */
function byScenario(steps) {
  const groups = new Map();
  for (const step of steps) {
    const own = groups.get(step.scenario);
    if (own) own.push(step);
    else groups.set(step.scenario, [step]);
  }
  return groups;
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
 * Returns a function that selects the items of the steps that an iteration performs.
 * @template T
 * @param {Placed[]} steps of one phase
 * @param {T[]} items one for each step
 * @returns {((index: number, scenario: number) => T[]) | null} scenario: the position of the one that the iteration
 *   runs; null: every iteration performs all steps
 */
export function selectorOf(steps, items) {
  const count = steps.reduce((most, { scenario }) => Math.max(most, scenario?.names.length ?? 0), 0);
  if (count === 0) return selectorOfChoices(steps, items);
  const parts = Array.from({ length: count }, () => ({
    steps: /** @type {Placed[]} */ ([]),
    items: /** @type {T[]} */ ([]),
  }));
  steps.forEach((step, i) => {
    for (const part of step.scenario === null ? parts : [parts[step.scenario.at]]) {
      part.steps.push(step);
      part.items.push(items[i]);
    }
  });
  const selectors = parts.map((part) => selectorOfChoices(part.steps, part.items) ?? (() => part.items));
  return (index, scenario) => selectors[scenario](index);
}

/** @type {<T>(steps: Placed[], items: T[]) => ((index: number) => T[]) | null} */
function selectorOfChoices(steps, items) {
  if (steps.every(({ choice }) => choice === null)) return null;
  /** @type {{ choice: Step['choice'], items: typeof items }[]} */
  const entries = [];
  steps.forEach(({ choice }, i) => {
    const last = entries.at(-1);
    if (choice !== null && last?.choice === choice) last.items.push(items[i]);
    else entries.push({ choice, items: [items[i]] });
  });
  return (index) => entries.map(({ choice, items: of }) => of[choice === null ? 0 : choice(index)]);
}

/** The labels that operations have without tags, and other names in thresholds and rows: tags differ from them. */
export const OWN_LABELS = ['scenario', 'group', 'operation', 'check', 'tag', 'phase', 'protocol', 'name'];

/**
 * Returns the protocol and the labels of an operation, for its row in the results.
 * @type {(step: Parameters<typeof protocolNameOf>[0] & Parameters<typeof labelsOf>[0]) => OperationFacts}
 */
export function factsOf(step) {
  return { protocol: protocolNameOf(step), labels: labelsOf(step) };
}

/**
 * Returns the labels of an operation; undefined if it has none.
 * @type {(step: { scenario: { name: string } | null, group: string | null, tags: Record<string, string> | null }) =>
 *   Record<string, string> | undefined}
 */
function labelsOf({ scenario, group, tags }) {
  if (scenario === null && group === null && tags === null) return undefined;
  return { ...(scenario && { scenario: scenario.name }), ...(group !== null && { group }), ...tags };
}

/** The protocol's name: `http`, `ws`. @type {(step: { protocol: { name: string, key: string | null } }) => string} */
function protocolNameOf({ protocol: { name, key } }) {
  return key ?? name;
}
