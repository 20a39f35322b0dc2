import { EXIT_CODES } from '../../ground/exit-codes.js';
import { failedRuns } from '../../measure/compared-sides.js';
import { counted, percent } from '../numbers.js';

/** @import { Reason } from '../../ground/exit-codes.js' */
/** @import { ComparedThreshold, Totals } from '../../measure/compared-sides.js' */
/** @import { Timed } from '../../measure/comparison-method.js' */
/** @import { Result } from '../types.js' */
/** @import { Difference } from './formats.js' */

/**
 * Why two sides may not be comparable, and what failed: one list for `compare`, `ab` and `--baseline`, which every
 * format shows.
 *
 * @typedef {object} SidesToCheck
 * @property {[string, string]} names
 * @property {Result[][]} sides
 * @property {Totals[]} totals
 * @property {ComparedThreshold[]} thresholds
 */

/**
 * Lists the sides that failed, the other side first, and why.
 * @type {(checked: SidesToCheck) => { side: number, text: string, isOnlyThreshold: boolean }[]}
 */
export function failedSides({ names, sides, totals, thresholds }) {
  return [1, 0].flatMap((side) => {
    const failed = failedRuns(sides[side]);
    const texts = [...failed].flatMap(([reason, runs]) =>
      reason === 'threshold'
        ? thresholdTexts(thresholds, side, sides[side].length)
        : reasonText(reason, runs, totals[side]),
    );
    if (texts.length === 0) return [];
    return [
      {
        side,
        text: `${names[side]} failed: ${texts.join(', ')}`,
        isOnlyThreshold: [...failed.keys()].join() === 'threshold',
      },
    ];
  });
}

/** @type {(thresholds: ComparedThreshold[], side: number, runs: number) => string[]} */
function thresholdTexts(thresholds, side, runs) {
  return thresholds.flatMap(({ expression, base, other }) => {
    const failed = side === 0 ? base : other;
    return failed === 0 ? [] : [`threshold ${expression}${inRuns(failed, runs)}`];
  });
}

/** @type {(reason: Reason, failed: number, totals: Totals) => string} */
function reasonText(reason, failed, { runs, failedShare, unsentShare, errors }) {
  if (reason === 'errors' && failedShare) return `${percent(failedShare)} of its iterations failed`;
  if (reason === 'errors') return counted(errors, 'error');
  if (reason === 'dropped') return `${percent(unsentShare)} of its planned iterations never started`;
  return `${EXIT_CODES[reason].about}${inRuns(failed, runs)}`;
}

/** @type {(some: number, runs: number) => string} */
function inRuns(some, runs) {
  return runs === 1 ? '' : ` in ${some} of ${runs} runs`;
}

/** Differences that are no sign of another test: the compared services may have another name, place or version. */
const EXPECTED = ['flow', 'target', 'option baseUrl', 'option start', 'option workers'];

/**
 * Lists why the figures of the sides may differ, or be wrong, by other causes than the service: sentences without a
 * full stop. `isInTurn`: the runs were started one after the other; `areFlowsGiven`: the user named a flow for each
 * side.
 * @type {(checked: SidesToCheck, differences: Difference[], known?: { isInTurn?: boolean, areFlowsGiven?: boolean }) =>
 *   string[]}
 */
export function objectionsTo({ names, sides }, differences, { isInTurn = false, areFlowsGiven = false } = {}) {
  const others = differences.filter(
    ({ name }) => !EXPECTED.includes(name) && !(areFlowsGiven && name === 'content of the flow'),
  );
  const [a, b] = names;
  return [
    ...(others.length > 0 ? [`${a} and ${b} differ: ${others.map(differenceText).join('; ')}`] : []),
    ...(isInTurn ? [] : overlapOf(sides, names)),
    ...sides.flatMap((runs, i) => doubtsOf(runs, names[i])),
  ];
}

/** @type {(difference: Difference) => string} */
function differenceText({ name, base, other }) {
  return `${name} ${base || 'none'} and ${other || 'none'}`;
}

/** @type {(runs: Result[], name: string) => string[]} */
function doubtsOf(runs, name) {
  const rows = [
    {
      what: 'the load generator was the limit',
      suits: (/** @type {Result} */ { loadGenerator }) => loadGenerator.saturated,
    },
    {
      what: 'the figures are suspect',
      suits: (/** @type {Result} */ { validity, loadGenerator }) =>
        validity.status === 'suspect' && !loadGenerator.saturated,
    },
    {
      what: 'the counts contradict each other',
      suits: (/** @type {Result} */ { validity }) => validity.status === 'invalid',
    },
  ];
  return rows.flatMap(({ what, suits }) => {
    const found = runs.filter(suits);
    if (found.length === 0) return [];
    const [reason] = found.flatMap(({ validity }) => validity.reasons.map(({ message }) => message));
    return [
      `${what} in ${found.length} of ${counted(runs.length, 'run')} of ${name}${reason === undefined ? '' : `: ${reason}`}`,
    ];
  });
}

/** @type {(sides: Result[][], names: [string, string]) => string[]} */
function overlapOf(sides, [a, b]) {
  const spans = sides.map((runs) => runs.map(spanOf).filter(({ from, to }) => to > from));
  const isTogether = spans[0].some((one) => spans[1].some((other) => one.from < other.to && other.from < one.to));
  return isTogether ? [`runs of ${a} and ${b} ran at the same time, and disturbed each other`] : [];
}

/** @type {(result: Timed) => { from: number, to: number }} ms */
function spanOf({ startedAt = '', endedAt, totalElapsed }) {
  const from = Date.parse(startedAt);
  return { from, to: endedAt === undefined ? from + totalElapsed : Date.parse(endedAt) };
}
