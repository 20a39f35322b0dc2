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

/** Their names. @type {Phase[]} */
export const PHASES = ROWS.map(({ name }) => name);

/**
 * Reports whether a phase tears down what others have set up: it may still send when the run is over.
 *
 * @param {Phase} phase
 * @returns {boolean}
 */
export function isTeardown(phase) {
  return phase === 'afterMain' || phase === 'after';
}

/** The phases of an iteration, in their order. */
export const ITERATION_PHASES = /** @type {const} @satisfies {readonly Phase[]} */ ([
  'beforeMain',
  'main',
  'afterMain',
]);
