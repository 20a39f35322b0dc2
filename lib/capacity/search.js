import { intervalOf } from './interval.js';
import { collapses, isClose, isSearching, judgedSteps, knownFrom, lower, needsRepetition } from './known.js';
import { nextLoad, rounded } from './next-load.js';

/** @import { Known } from './known.js' */
/** @import { Answer, NextStep, SearchOptions, SearchStep } from './types.js' */

/** The search for the highest load that holds: steps so far -> next step, or answer, without a clock or a service. */

/** Settling steps in a row. */
const MOST_SETTLING = 3;
/** Load of a settling step, as a share of the highest load that held, or of what the service coped with. */
const SETTLING = 0.5;
const LEAST_SETTLING = 1 / 16;
/** The ends of the interval are within this factor: what follows decides about the answer. */
const FINE = 1.5;

/**
 * Decides what follows the steps so far.
 * @type {(steps: SearchStep[], options: SearchOptions) => { next: NextStep } | { answer: Answer }}
 */
export function nextStep(steps, options) {
  const last = steps.at(-1);
  // Only a step of fewer virtual users shows that more are of use
  if (!last) return { next: { load: options.isWhole ? (options.least ?? 1) : options.from, role: 'search' } };
  // A longer step has a larger share of time with CPU, and more iterations
  if (needsRepetition(steps)) return { next: { load: last.load, role: 'confirmation', isFine: true } };
  const judged = judgedSteps(steps);
  const known = knownFrom(judged);
  const load = judged.length < options.maxSteps ? nextLoad(known, judged, options) : null;
  if (load === null) return { answer: answerSoFar(steps, options) };
  const isFragile = collapses(judged);
  if (isUnsettled(last, isFragile)) {
    if (settlingTries(judged) >= MOST_SETTLING)
      return { answer: { ...answerSoFar(steps, options), outcome: 'unrecovered' } };
    // Another step has to follow it
    if (judged.length + 1 < options.maxSteps)
      return { next: { load: rounded(settlingLoad(known, judged), options), role: 'settling' } };
    if (isFragile) return { answer: answerSoFar(steps, options) };
  }
  const isRepeated = judged.some((step) => step.load === load && isSearching(step));
  const top = lower(known.high, known.ceiling);
  const isFine = known.low !== null && top !== null && top.load / known.low.load <= FINE;
  return { next: { load, role: isRepeated ? 'confirmation' : 'search', isFine } };
}

/** @type {(step: SearchStep, isFragile: boolean) => boolean} */
function isUnsettled({ role, verdict, isOverloaded }, isFragile) {
  return role === 'settling' ? verdict !== 'passed' : isOverloaded || (isFragile && verdict === 'failed');
}

/** Those at the end, in a row. @type {(steps: SearchStep[]) => number} */
function settlingTries(steps) {
  return steps.length - 1 - steps.findLastIndex(isSearching);
}

/** @type {(known: Known, steps: SearchStep[]) => number} */
function settlingLoad({ low }, steps) {
  if (low) return low.load * SETTLING;
  const { load, held } = /** @type {SearchStep} */ (steps.findLast(isSearching));
  return Math.max(LEAST_SETTLING * load, (held ?? load) * SETTLING);
}

/**
 * The best answer that the steps allow.
 * @type {(steps: SearchStep[], options: Pick<SearchOptions, 'within' | 'isWhole'>) => Answer}
 */
export function answerSoFar(steps, options) {
  const { low, high, ceiling } = knownFrom(judgedSteps(steps));
  const isConfirmed = low !== null && low.passes > 1;
  const top = high?.load ?? null;
  const lowest = lower(high, ceiling);
  if (low === null) {
    const outcome = lowest === high ? 'none' : 'atLeast';
    return { outcome: lowest === null ? 'imprecise' : outcome, load: null, low: 0, high: top, isConfirmed };
  }
  const ends = intervalOf(low.load, top, { steps: judgedSteps(steps), options });
  const found = { load: low.load, ...ends, isConfirmed };
  if (top !== null && isConfirmed && isClose(low.load, top, options)) return { outcome: 'found', ...found };
  // A load that failed above one at which the load generator was the bottleneck does not say where the capacity is
  return { outcome: lowest === high ? 'imprecise' : 'atLeast', ...found };
}
