import { rate } from '../report/numbers.js';
import { measuredBeside } from '../report/outcome.js';

/** @import { Judgement, Note } from '../contracts/stats.js' */
/** @import { SearchStep } from './search.js' */

/**
 * @typedef {object} Measurement of a step
 * @property {number} load iterations per second, or virtual users
 * @property {boolean} isOpen the load is a rate
 * @property {number} durationMs in which iterations were due
 * @property {number} due iterations
 * @property {number} completed iterations
 * @property {number} failed iterations
 * @property {{ at: number, done: number }[]} progress iterations that had ended, failed ones too, at the end of each
 *   interval, ms since the start
 * @property {number | null} median response time, ms
 * @property {Judgement[]} thresholds
 * @property {Note[]} failures why a run with these figures fails, other than by thresholds
 * @property {Note[]} saturation why the load generator was the bottleneck
 *
 * @typedef {object} StepVerdict
 * @property {SearchStep['verdict']} verdict
 * @property {Note[]} reasons
 * @property {boolean} isOverloaded
 * @property {number | null} held
 * @property {number | null} strain
 * @property {number | null} median
 * @property {number} backlogGrowth iterations per second
 */

/** The start of a step, in which a queue reaches its length, as a share. */
const START = 0.25;
/** Of the load, by which a backlog may grow. */
const MOST_GROWTH = 0.02;
/** Standard deviations that the growth of a backlog has to exceed. */
const SIGNIFICANT = 2;
const FEWEST = 5;
/** What the service copes with is less than the load, as a share of it. */
const HELD = 0.97;
const OVERLOADED = 0.9;

/**
 * Judges a step: by its thresholds, by what fails a run, and by a backlog that grows, because a service answers quickly
 * over its capacity until its queue is long.
 * @type {(measurement: Measurement) => StepVerdict}
 */
export function judgeStep(measurement) {
  const { load, isOpen, due, completed, failed, thresholds, failures, saturation, median } = measurement;
  const growth = isOpen ? backlogGrowth(measurement) : 0;
  const broken = thresholds.filter(({ passed }) => !passed);
  const firm = broken.filter(({ doubt }) => doubt === undefined);
  const serviceReasons = [
    ...firm.map((one) => ({ code: 'threshold', message: thresholdText(one) })),
    ...(growth > 0 ? [{ code: 'backlog', message: `the backlog grew by ${rate(growth)} iterations per second` }] : []),
    ...failures,
  ];
  const doubts =
    serviceReasons.length > 0
      ? []
      : broken.map((one) => ({ code: 'loadGeneratorInFigures', message: `${thresholdText(one)}; ${one.doubt}` }));
  const generatorReasons = [...saturation, ...doubts];
  const answered = due > 0 ? Math.max(0, 1 - growth / load) * (completed / Math.max(1, completed + failed)) : 0;
  return {
    verdict: generatorReasons.length > 0 ? 'saturated' : serviceReasons.length > 0 ? 'failed' : 'passed',
    reasons: [...generatorReasons, ...serviceReasons],
    isOverloaded: isOpen && answered < OVERLOADED,
    held: isOpen && answered < HELD ? load * answered : null,
    strain: strainOf(thresholds),
    median,
    backlogGrowth: growth,
  };
}

/**
 * By how many iterations per second more became due than ended, after the start of the step; 0 if that is little, or
 * may be chance: the number of those that have not ended wanders, and its increments show how far it gets so.
 * @type {(measurement: Measurement) => number}
 */
function backlogGrowth({ load, durationMs, due, progress }) {
  const perMs = due / durationMs;
  const points = progress
    .filter(({ at }) => at >= durationMs * START && at <= durationMs * 1.001)
    .map(({ at, done }) => ({ at, waiting: perMs * at - done }));
  if (points.length < 3) return 0;
  const [first, last] = [points[0], points[points.length - 1]];
  const grown = last.waiting - first.waiting;
  const steps = points.slice(1).map(({ waiting }, i) => waiting - points[i].waiting);
  const mean = grown / steps.length;
  const variance = steps.reduce((sum, step) => sum + (step - mean) ** 2, 0) / (steps.length - 1);
  const perSecond = (1000 * grown) / (last.at - first.at);
  const isReal = grown > Math.max(FEWEST, SIGNIFICANT * Math.sqrt(variance * steps.length));
  return isReal && perSecond > load * MOST_GROWTH ? perSecond : 0;
}

/** The worst figure as a share of its bound. @type {(thresholds: Judgement[]) => number | null} */
function strainOf(thresholds) {
  const strains = thresholds.flatMap(({ operator, actual, bound }) => {
    if (actual === null || operator === '==' || operator === '!=') return [];
    const [part, whole] = operator.startsWith('<') ? [actual, bound] : [bound, actual];
    return whole > 0 ? [part / whole] : [part > 0 ? Infinity : 0];
  });
  return strains.length > 0 ? Math.max(...strains) : null;
}

/** @type {(judgement: Judgement) => string} */
function thresholdText(judgement) {
  const { expression, actual } = judgement;
  return actual === null ? `${expression} measured nothing` : `${expression} failed with ${measuredBeside(judgement)}`;
}
