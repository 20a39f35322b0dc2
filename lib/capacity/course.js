import { CAPACITY_HEAD } from '../measure/document.js';
import { conclusionOf, scalabilityOf } from './conclusion.js';
import { stepLoadOf } from './load.js';
import { answerSoFar, nextStep } from './search.js';
import { endOf, measuredStep } from './step.js';

/** @import { Capacity } from '../contracts/capacity.js' */
/** @import { Stats } from '../contracts/stats.js' */
/** @import { Reason } from '../ground/exit-codes.js' */
/** @import { KnownTimes, StepLoad } from './load.js' */
/** @import { Answer, NextStep } from './types.js' */
/** @import { MeasuredStep } from './step.js' */

/**
 * @typedef {object} CourseOptions
 * @property {'rate' | 'concurrency'} by
 * @property {number} from load of the first step
 * @property {number} within precision, as a share
 * @property {number} stepMs the shortest step
 * @property {number} settleMs before it
 * @property {number} [mostUsers] virtual users
 * @property {number} [maxDurationMs] of the search: no step begins that would end later
 *
 * @typedef {object} Progress of a search
 * @property {MeasuredStep[]} steps so far
 * @property {Answer} answer so far
 *
 * @typedef {{ result: Stats } | { ended: Reason }} StepOutcome ended: the search was stopped, or cannot go on
 *
 * @typedef {object} Steps what performs them
 * @property {(load: StepLoad, next: NextStep, progress: Progress) => Promise<StepOutcome>} run
 * @property {(step: MeasuredStep, progress: Progress) => void} [onStep]
 * @property {() => number} [now] ms
 */

/** The time to settle before a step, unless a warm-up is given, ms. */
export const SETTLE_MS = 2000;
const MAX_STEPS = 12;
/** What the start and the end of a step take, ms. */
const AROUND_MS = 1000;

/**
 * Runs steps until the capacity is known.
 * @param {CourseOptions} options
 * @param {Steps} perform
 * @returns {Promise<{ capacity: Capacity, ended: Reason | null }>} ended: why the search was cut short; the capacity is
 *   the best answer so far
 */
export async function findCapacity(options, { run, onStep = () => {}, now = () => performance.now() }) {
  const startedAt = new Date();
  const startMs = now();
  /** @type {MeasuredStep[]} */
  const steps = [];
  /** What the last result has about itself. @type {Pick<Capacity, 'tool' | 'loadGenerators'>} */
  let about = {};
  const search = { ...options, maxSteps: MAX_STEPS, isWhole: options.by === 'concurrency' };
  const end = (/** @type {Answer} */ answer, /** @type {Reason | null} */ ended = null) => ({
    capacity: { ...capacityOf({ steps, answer, options, startedAt }), ...about },
    ended,
  });
  for (;;) {
    const known = steps.map((step) => step.search);
    const decided = nextStep(known, search);
    if ('answer' in decided) return end(decided.answer);
    const { next } = decided;
    const load = stepLoadOf(next, options, knownTimes(steps));
    const answer = answerSoFar(known, search);
    const endMs = now() - startMs + load.warmup + load.duration + AROUND_MS;
    // The first one is needed for any answer
    if (steps.length > 0 && endMs > (options.maxDurationMs ?? Infinity)) return end(answer);
    const outcome = await run(load, next, { steps, answer });
    if ('ended' in outcome) return end(answer, outcome.ended);
    const ended = endOf(outcome.result);
    if (ended !== undefined) return end(answer, ended);
    const step = measuredStep(next, load, outcome.result, { earlier: steps, options });
    steps.push(step);
    about = aboutOf(outcome.result);
    onStep(step, { steps, answer: answerSoFar([...known, step.search], search) });
  }
}

/** Returns what a result has about itself. @type {(result: Stats) => Pick<Capacity, 'tool' | 'loadGenerators'>} */
function aboutOf({ tool, loadGenerators = [] }) {
  const entries = loadGenerators.map(({ name, shard, toolVersion, workers, machine }) => ({
    name,
    workers,
    ...(shard && { shard }),
    ...(toolVersion && { toolVersion }),
    ...(machine && { machine }),
  }));
  return { ...(tool && { tool }), loadGenerators: entries };
}

/** Of the highest load that held. @type {(steps: MeasuredStep[]) => KnownTimes} */
function knownTimes(steps) {
  const held = steps.filter(({ search }) => search.verdict === 'passed').sort((a, b) => b.search.load - a.search.load);
  return { meanMs: held[0]?.meanMs ?? null, boundMs: steps[0]?.boundMs ?? 0 };
}

/** @type {(search: { steps: MeasuredStep[], answer: Answer, options: CourseOptions, startedAt: Date }) => Capacity} */
function capacityOf({ steps, answer, options: { by, within }, startedAt }) {
  const shown = steps.map((step) => step.shown);
  const scalability =
    by === 'concurrency'
      ? scalabilityOf(
          shown
            .filter(({ outcome }) => outcome.status !== 'saturated')
            .map(({ load, iterations }) => ({ users: load.virtualUsers, throughput: iterations.completedRate })),
        )
      : null;
  return {
    ...CAPACITY_HEAD,
    startedAt: startedAt.toISOString(),
    endedAt: new Date().toISOString(),
    by,
    within,
    conclusion: conclusionOf(answer, shown, { by, within, scalability }),
    steps: shown,
    ...(scalability && { scalability }),
  };
}
