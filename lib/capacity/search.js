/**
 * The search for the highest load that holds: steps so far -> next step, or answer, without a clock or a service.
 *
 * @typedef {object} SearchStep what the search knows about a step
 * @property {number} load iterations per second, or virtual users
 * @property {Role} role
 * @property {'passed' | 'failed' | 'saturated'} verdict saturated: the load generator was the bottleneck
 * @property {boolean} isOverloaded far more than the service can do, so that it may need time to recover
 * @property {number | null} held the load that the service coped with, if it was less than the load of the step
 * @property {number | null} strain the worst figure of a threshold, as a share of its bound; null without such figures
 * @property {number | null} median response time, ms
 *
 * @typedef {'search' | 'confirmation' | 'settling'} Role settling: a low load after an overload, until the service has
 *   recovered
 *
 * @typedef {object} SearchOptions
 * @property {number} from load of the first step
 * @property {number} within precision, as a share of the load
 * @property {number} maxSteps
 * @property {boolean} [isWhole] loads are whole numbers
 *
 * @typedef {'found' | 'atLeast' | 'none' | 'imprecise' | 'unrecovered'} Outcome see `CapacityConclusion`
 *
 * @typedef {object} Answer
 * @property {Outcome} outcome
 * @property {number | null} load the highest one that holds; null: none
 * @property {number} low of the interval
 * @property {number | null} high null: not known
 * @property {boolean} isConfirmed it held twice
 *
 * @typedef {{ load: number, role: Role, isFine?: boolean }} NextStep isFine: close to the answer, where chance decides
 *   about a short step
 */

/** Factors of the growth: a service whose response times do not rise yet is far from its capacity. */
const GROWTH = 2;
const CALM_GROWTH = 4;
const CALM_TIMES = 1.25;
const CALM_STRAIN = 0.5;
/** The factor after a step that even the lowest load fails. */
const DESCENT = 4;
const MOST_DESCENTS = 4;
/** A step that leaves more of the distance, on a logarithmic scale, was of no use. */
const STUCK = 0.85;
/** Settling steps in a row. */
const MOST_SETTLING = 3;
/** Load of a settling step, as a share of the highest load that held, or of what the service coped with. */
const SETTLING = 0.5;
const LEAST_SETTLING = 1 / 16;
/** A lower strain says nothing about the distance to the bound. */
const LEAST_STRAIN = 1 / 40;
/** The ends of the interval are within this factor: what follows decides about the answer. */
const FINE = 1.5;
/** Failed steps up to this factor above the interval confirm its end. */
const NEAR = 1.1;

/**
 * Decides what follows the steps so far.
 * @type {(steps: SearchStep[], options: SearchOptions) => { next: NextStep } | { answer: Answer }}
 */
export function nextStep(steps, options) {
  const last = steps.at(-1);
  if (!last) return { next: { load: options.from, role: 'search' } };
  const known = knownFrom(steps);
  const load = steps.length < options.maxSteps ? nextLoad(known, steps, options) : null;
  if (load === null) return { answer: answerSoFar(steps, options) };
  if (isUnsettled(last)) {
    if (settlingTries(steps) >= MOST_SETTLING)
      return { answer: { ...answerSoFar(steps, options), outcome: 'unrecovered' } };
    // Another step has to follow it
    if (steps.length + 1 < options.maxSteps)
      return { next: { load: rounded(settlingLoad(known, steps), options), role: 'settling' } };
  }
  const isRepeated = steps.some((step) => step.load === load && step.role !== 'settling');
  const top = lower(known.high, known.ceiling);
  const isFine = known.low !== null && top !== null && top.load / known.low.load <= FINE;
  return { next: { load, role: isRepeated ? 'confirmation' : 'search', isFine } };
}

/**
 * The best answer that the steps allow.
 * @type {(steps: SearchStep[], options: Pick<SearchOptions, 'within' | 'isWhole'>) => Answer}
 */
export function answerSoFar(steps, options) {
  const { low, high, ceiling } = knownFrom(steps);
  const isConfirmed = low !== null && low.passes > 1;
  const top = high !== null && (ceiling === null || high.load < ceiling.load) ? high.load : null;
  if (low === null) {
    const outcome = high !== null ? 'none' : ceiling !== null ? 'atLeast' : 'imprecise';
    return { outcome, load: null, low: 0, high: top, isConfirmed };
  }
  const ends = intervalOf(low.load, top, options);
  const found = { load: low.load, ...ends, isConfirmed };
  if (top !== null)
    return { outcome: isConfirmed && isClose(low.load, top, options) ? 'found' : 'imprecise', ...found };
  return { outcome: ceiling === null ? 'imprecise' : 'atLeast', ...found };
}

/**
 * Between the highest load that held and the lowest one that failed, and half of the precision beyond both: figures
 * near their bounds pass and fail by chance. The simulations of the tests show how often that contains the capacity.
 * @type {(low: number, high: number | null, options: Pick<SearchOptions, 'within' | 'isWhole'>) => { low: number, high:
 *   number | null }}
 */
function intervalOf(low, high, { within, isWhole }) {
  if (isWhole) return { low, high };
  return { low: low * (1 - within / 2), high: high === null ? null : high * (1 + within / 2) };
}

/**
 * @typedef {{ load: number, passes: number, step: SearchStep }} Low
 * @typedef {{ load: number, fails: number, step: SearchStep }} High
 *
 * @typedef {object} Known what the steps show; a later step is right where it contradicts an earlier one
 * @property {Low | null} low the highest load that held
 * @property {High | null} high the lowest one above it that failed
 * @property {High | null} ceiling the lowest one at which the load generator was the bottleneck, if that was so twice
 * @property {SearchStep[]} failed all that still count
 * @property {number | null} contradicted the load that held, and failed later; null: none
 * @property {SearchStep[]} saturated all that still count
 */

/** @type {(steps: SearchStep[]) => Known} */
function knownFrom(steps) {
  /** @type {SearchStep[]} */
  let passed = [];
  /** @type {SearchStep[]} */
  let failed = [];
  /** @type {SearchStep[]} */
  let saturated = [];
  /** @type {number | null} */
  let contradicted = null;
  for (const step of steps.filter(({ role }) => role !== 'settling')) {
    if (step.verdict === 'passed') {
      passed.push(step);
      failed = failed.filter(({ load }) => load > step.load);
      saturated = saturated.filter(({ load }) => load > step.load);
      if (failed.length === 0) contradicted = null;
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
  const low = extreme(passed, Math.max);
  const high = extreme(failed, Math.min);
  // Once may be chance
  const ceilings = saturated.length > 1 ? saturated : [];
  const ceiling = extreme(ceilings, Math.min);
  return {
    low: low && { load: low.load, passes: passed.filter(({ load }) => load === low.load).length, step: low },
    high: high && { load: high.load, fails: failed.filter(({ load }) => load === high.load).length, step: high },
    ceiling: ceiling && { load: ceiling.load, fails: 2, step: ceiling },
    failed,
    saturated,
    contradicted,
  };
}

/**
 * The last step with the lowest or highest load.
 * @type {(steps: SearchStep[], pick: typeof Math.max) => SearchStep | null}
 */
function extreme(steps, pick) {
  const load = pick(...steps.map((step) => step.load));
  return steps.findLast((step) => step.load === load) ?? null;
}

/** @type {(step: SearchStep) => boolean} */
function isUnsettled({ role, verdict, isOverloaded }) {
  return role === 'settling' ? verdict !== 'passed' : isOverloaded;
}

/** Those at the end, in a row. @type {(steps: SearchStep[]) => number} */
function settlingTries(steps) {
  const others = steps.findLastIndex(({ role }) => role !== 'settling');
  return steps.length - 1 - others;
}

/** @type {(known: Known, steps: SearchStep[]) => number} */
function settlingLoad({ low }, steps) {
  if (low) return low.load * SETTLING;
  const { load, held } = /** @type {SearchStep} */ (steps.findLast(({ role }) => role !== 'settling'));
  return Math.max(LEAST_SETTLING * load, (held ?? load) * SETTLING);
}

/**
 * The load of the next step; null if the answer is known.
 * @type {(known: Known, steps: SearchStep[], options: SearchOptions) => number | null}
 */
function nextLoad(known, steps, options) {
  const { low, high, ceiling } = known;
  const last = steps.findLast(({ role }) => role !== 'settling');
  // The load generator was the bottleneck, for the first time and perhaps by chance
  if (last?.verdict === 'saturated' && known.saturated.length === 1) return last.load;
  const top = lower(high, ceiling);
  if (low === null) return descend(known, steps, options);
  const isLastChance = steps.length + 1 >= options.maxSteps;
  if (top !== null && isClose(low.load, top.load, options)) {
    if (low.passes < 2) return low.load;
    return top === high && !isFirm(known) ? top.load : null;
  }
  if (low.passes < 2 && (isLastChance || isQuestioned(low, steps, options))) return low.load;
  if (isLastChance) return null;
  if (top === null) return rounded(low.load * growthOf(low.step, steps, options), options);
  return within(low.load, top.load, between(low, top, { known, steps, options }), options);
}

/**
 * The last step failed, and the service coped with less than a load that had held: it may hold no more.
 * @type {(low: Low, steps: SearchStep[], options: SearchOptions) => boolean}
 */
function isQuestioned(low, steps, options) {
  const last = steps.findLast(({ role }) => role !== 'settling');
  return last?.verdict === 'failed' && last.held !== null && last.held < low.load * (1 - options.within);
}

/** @type {(one: High | null, other: High | null) => High | null} */
function lower(one, other) {
  if (one === null || other === null) return one ?? other;
  return one.load <= other.load ? one : other;
}

/** @type {(low: number, high: number, options: Pick<SearchOptions, 'within' | 'isWhole'>) => boolean} */
function isClose(low, high, { within, isWhole }) {
  return high / low <= 1 + within + 1e-9 || (isWhole === true && high - low <= 1);
}

/**
 * A load that failed once may have failed by chance, unless another one near it failed too.
 * @type {(known: Known) => boolean}
 */
function isFirm({ high, failed }) {
  return high === null || failed.filter(({ load }) => load <= Math.max(high.load * NEAR, high.load + 1)).length > 1;
}

/** @type {(low: SearchStep, steps: SearchStep[], options: SearchOptions) => number} */
function growthOf({ median, strain }, steps, options) {
  const times = steps.flatMap((step) => (step.median === null ? [] : [step.median]));
  // in larger steps the number of virtual users with the highest throughput would be missed
  const isCalm =
    !options.isWhole && median !== null && median <= CALM_TIMES * Math.min(...times) && (strain ?? 0) < CALM_STRAIN;
  const factor = isCalm ? CALM_GROWTH : GROWTH;
  // A load that failed by chance was near the capacity, or the service had to warm up
  const hasFailed = steps.some(({ verdict, role }) => verdict === 'failed' && role !== 'settling');
  return hasFailed ? Math.min(factor, (1 + options.within) ** (2 ** streakOf(steps))) : factor;
}

/**
 * No load has held yet, or none that still counts.
 * @type {(known: Known, steps: SearchStep[], options: SearchOptions) => number | null}
 */
function descend({ high, ceiling }, steps, options) {
  const top = /** @type {High} */ (lower(high, ceiling));
  const failures = steps.filter(({ verdict, role }) => role !== 'settling' && verdict !== 'passed');
  const hasHeld = steps.some(({ verdict, role }) => role !== 'settling' && verdict === 'passed');
  if ((!hasHeld && failures.length > MOST_DESCENTS) || (options.isWhole && top.load <= 1)) return null;
  const { held } = top.step;
  const guess = held !== null && held > 0 ? held * (1 - options.within / 2) : top.load / DESCENT;
  return rounded(Math.max(top.load / DESCENT ** 2, Math.min(guess, top.load / (1 + options.within))), options);
}

/**
 * A load between one that held and one that failed: where the strain is likely to reach its bound, as long as that
 * brings them closer.
 * @type {(low: Low, high: High, search: { known: Known, steps: SearchStep[], options: SearchOptions }) => number}
 */
function between(low, high, { known, steps, options }) {
  const middle = Math.sqrt(low.load * high.load);
  // A little less, as loads are rounded
  const step = 1 + options.within * 0.96;
  if (high.load / low.load <= step ** 2) return middle;
  const { held } = high.step;
  // It coped with about as much while it was overloaded: go up in growing steps
  if (held !== null && low.load >= held / step && low.load <= held * step)
    return Math.min(middle * step, low.load * step ** (2 ** (streakOf(steps) - 1)));
  const guess = crossing(low.step, high.step);
  if (guess !== null && !isStuck(steps, low.load, high.load))
    return Math.min(high.load / step, Math.max(low.load * step, guess * (1 - options.within / 2)));
  const { contradicted, failed } = known;
  if (contradicted === null) return middle;
  // A load that held once is close to the capacity: go down from it in growing steps
  const descents = failed.filter((one) => one.load <= contradicted).length;
  return Math.max(middle, high.load / step ** (2 * descents - 1));
}

/** Steps at the end that passed, at least 1. @type {(steps: SearchStep[]) => number} */
function streakOf(steps) {
  const counted = steps.filter(({ role }) => role !== 'settling');
  return Math.max(1, counted.length - 1 - counted.findLastIndex(({ verdict }) => verdict !== 'passed'));
}

/**
 * Where the strain reaches its bound. Times of a queue grow as 1 / (capacity - load), so their inverse falls about
 * linearly, and is 0 at the load that an overloaded service copes with.
 * @type {(low: SearchStep, high: SearchStep) => number | null} null if the steps do not tell
 */
function crossing(low, high) {
  const { held, strain } = high;
  const strainOfLow = Math.max(low.strain ?? 0, LEAST_STRAIN);
  if (held === null && (strain === null || strain <= 1 || strainOfLow === LEAST_STRAIN)) return null;
  const [x, y] = held === null ? [high.load, 1 / /** @type {number} */ (strain)] : [held, 0];
  if (x <= low.load) return null;
  const yOfLow = 1 / strainOfLow;
  return low.load + ((yOfLow - 1) / (yOfLow - y)) * (x - low.load);
}

/**
 * The last step that counts has hardly brought the loads closer.
 * @type {(steps: SearchStep[], low: number, high: number) => boolean}
 */
function isStuck(steps, low, high) {
  const before = knownFrom(
    steps.slice(
      0,
      steps.findLastIndex(({ role }) => role !== 'settling'),
    ),
  );
  const top = lower(before.high, before.ceiling);
  // A load that held before and failed now has moved both
  if (before.low === null || top === null || before.low.load > low) return false;
  return Math.log(high / low) > STUCK * Math.log(top.load / before.low.load);
}

/** Three digits, or all whole ones. @type {(load: number, options: Pick<SearchOptions, 'isWhole'>) => number} */
function rounded(load, { isWhole }) {
  if (isWhole) return Math.max(1, Math.round(load));
  return load >= 100 ? Math.round(load) : Number(load.toPrecision(3));
}

/**
 * Rounded, and between two loads.
 * @type {(low: number, high: number, load: number, options: SearchOptions) => number}
 */
function within(low, high, load, options) {
  const shown = rounded(load, options);
  return shown > low && shown < high ? shown : options.isWhole ? low + 1 : load;
}
