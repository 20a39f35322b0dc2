/** @import { SearchOptions, SearchStep } from './types.js' */

/**
 * The steps so far in short: the highest load that held, the lowest one that failed, and which steps were chance.
 *
 * A step that lacked CPU shows no bound of the service, and none of the load generator: other programs took it. If its
 * load was sent, and only figures are in doubt, the search goes on from there, but the load is no answer.
 *
 * @typedef {{ load: number, passes: number, step: SearchStep }} Low passes: without a doubt
 * @typedef {{ load: number, fails: number, step: SearchStep }} High
 *
 * @typedef {object} Known what the steps show; a later step is right where it contradicts an earlier one
 * @property {Low | null} low the highest load that held
 * @property {High | null} high the lowest one above it that failed
 * @property {High | null} ceiling the lowest one at which the load generator was the bottleneck, if that was so twice
 * @property {SearchStep[]} failed all that still count
 * @property {number | null} contradicted the load that held once, and has failed since; null: none
 * @property {SearchStep[]} saturated all that still count
 */

/** @type {(steps: SearchStep[]) => Known} */
export function knownFrom(steps) {
  /** @type {SearchStep[]} */
  let passed = [];
  /** @type {SearchStep[]} */
  let failed = [];
  /** @type {SearchStep[]} */
  let saturated = [];
  /** @type {number | null} */
  let contradicted = null;
  for (const step of steps.filter((one) => isSearching(one) && !isStarved(one))) {
    if (step.verdict === 'passed') {
      passed.push(step);
      failed = failed.filter(({ load }) => load > step.load);
      saturated = saturated.filter(({ load }) => load > step.load);
      if (contradicted !== null && contradicted <= step.load) contradicted = null;
    } else if (step.verdict === 'failed') {
      if (passed.some(({ load }) => load === step.load)) contradicted = step.load;
      passed = passed.filter(({ load }) => load < step.load);
      failed.push(step);
    } else {
      saturated.push(step);
      // A load at which the load generator was the bottleneck is no answer; once may be chance
      if (saturated.length > 1) passed = passed.filter(({ load }) => load < step.load);
    }
  }
  const high = extreme(failed, Math.min);
  const ceilings = saturated.length > 1 ? saturated : [];
  const ceiling = extreme(ceilings, Math.min);
  const low = extreme([...passed, ...doubtedBelow(lower(high, ceiling), steps)], Math.max);
  return {
    low: low && { load: low.load, passes: passed.filter(({ load }) => load === low.load).length, step: low },
    high: high && { load: high.load, fails: failed.filter(({ load }) => load === high.load).length, step: high },
    // Its `fails` count the steps at any load: a ceiling is never repeated
    ceiling: ceiling && { load: ceiling.load, fails: ceilings.length, step: ceiling },
    failed,
    saturated,
    contradicted,
  };
}

/** Starved steps whose load was sent. @type {(top: { load: number } | null, steps: SearchStep[]) => SearchStep[]} */
function doubtedBelow(top, steps) {
  return steps.filter((step) => isStarved(step) && step.isApplied === true && step.load < (top?.load ?? Infinity));
}

/** Reports whether other programs left a step no CPU. @type {(step: SearchStep) => boolean} */
export function isStarved(step) {
  return isSearching(step) && step.verdict === 'saturated' && step.isStarved === true;
}

/** @type {(steps: SearchStep[], pick: typeof Math.max) => SearchStep | null} */
function extreme(steps, pick) {
  const load = pick(...steps.map((step) => step.load));
  return steps.findLast((step) => step.load === load) ?? null;
}

/**
 * Reports whether a step looks for the capacity: one that settles only lets the service recover.
 * @param {SearchStep} step
 */
export function isSearching({ role }) {
  return role !== 'settling';
}

/** Reports whether an overload held clearly less than a load that passed. @type {(steps: SearchStep[]) => boolean} */
export function collapses(steps) {
  const passed = steps.filter(({ verdict }) => verdict === 'passed').map(({ load }) => load);
  return steps.some(({ held }) => held !== null && held < COLLAPSED * Math.max(0, ...passed));
}

/** @type {<T extends { load: number }>(one: T | null, other: T | null) => T | null} */
export function lower(one, other) {
  if (one === null || other === null) return one ?? other;
  return one.load <= other.load ? one : other;
}

/** @type {(low: number, high: number, options: Pick<SearchOptions, 'within' | 'isWhole'>) => boolean} */
export function isClose(low, high, { within, isWhole }) {
  return high / low <= 1 + within + 1e-9 || (isWhole === true && high - low <= 1);
}

/** What the service coped with, as a share of a load that it held. */
const COLLAPSED = 0.85;
/** Repetitions in a search of steps in doubt: on a machine that always lacks CPU, they would be all. */
const MOST_REPETITIONS = 4;

/** Reports whether the last step is in doubt, and is no repetition itself. @type {(steps: SearchStep[]) => boolean} */
export function needsRepetition(steps) {
  const last = steps.length - 1;
  if (!isInDoubt(steps[last]) || isRepeated(steps, last - 1)) return false;
  return steps.filter((_, i) => isRepeated(steps, i)).length < MOST_REPETITIONS;
}

/** Leaves out the steps in doubt whose repetition is not. @type {(steps: SearchStep[]) => SearchStep[]} */
export function judgedSteps(steps) {
  const repeated = steps.filter((_, i) => isRepeated(steps, i)).slice(0, MOST_REPETITIONS);
  return steps.filter((step, i) => !repeated.includes(step) || isInDoubt(steps[i + 1]));
}

/** Reports whether a step is in doubt, and the next repeats it. @type {(steps: SearchStep[], i: number) => boolean} */
function isRepeated(steps, i) {
  const [step, next] = [steps[i], steps[i + 1]];
  return step !== undefined && isInDoubt(step) && next?.load === step.load && isSearching(next);
}

/** Reports whether lack of CPU, or a few failed iterations, decided the step. @type {(step: SearchStep) => boolean} */
function isInDoubt(step) {
  return isSearching(step) && (step.isStarved === true || step.isChance === true);
}
