import { intervalText, loadText, percentText } from '../report/capacity/rows.js';

/** @import { Capacity, CapacityConclusion, CapacityStep, Scalability } from '../contracts/capacity.js' */
/** @import { Note } from '../contracts/stats.js' */
/** @import { Reason } from '../ground/exit-codes.js' */
/** @import { Answer } from './search.js' */

/**
 * @typedef {{ by: 'rate' | 'concurrency', within: number, scalability: Scalability | null }} About
 */

/** What a search amounts to. @type {(answer: Answer, steps: CapacityStep[], about: About) => CapacityConclusion} */
export function conclusionOf({ outcome, load, low, high, isConfirmed }, steps, about) {
  const limit = limitOf({ outcome, load }, steps, about);
  const counted = steps.filter(({ role }) => role !== 'settling');
  const held = counted.filter((step) => step.passed && loadOf(step) === load);
  return {
    outcome,
    load,
    interval: { low, high },
    confirmed: isConfirmed,
    throughput: held.at(-1)?.figures.throughput ?? null,
    knee: kneeOf(counted),
    limit,
    sentence: sentenceOf({ outcome, load, low, high, isConfirmed }, limit, about),
  };
}

/** @type {(step: CapacityStep) => number} */
function loadOf({ load }) {
  return load.rate ?? load.virtualUsers;
}

/**
 * What limits: the reasons of the lowest load that did not hold.
 * @type {(answer: Pick<Answer, 'outcome' | 'load'>, steps: CapacityStep[], about: About) => Note}
 */
function limitOf({ outcome, load }, steps, { by, scalability }) {
  const above = steps.filter((step) => step.role !== 'settling' && !step.passed && loadOf(step) > (load ?? 0));
  const isOfGenerator = outcome === 'atLeast';
  const suited = above.filter(({ verdict }) => (verdict === 'saturated') === isOfGenerator);
  // The last step of the lowest load: an earlier one may have been contradicted
  const [first] = suited.reverse().sort((a, b) => loadOf(a) - loadOf(b));
  if (!first) return { code: 'unknown', message: 'no load has failed yet' };
  const [reason] = first.reasons;
  const place = `at ${loadText(loadOf(first), by)} ${reason.message}`;
  if (isOfGenerator) return { code: 'loadGenerator', message: place };
  const message = [place, ...coresNote(first), ...(scalability?.fits ? [scalability.message] : [])].join('; ');
  return { code: reason.code, message };
}

/** @type {(step: CapacityStep) => string[]} */
function coresNote({ figures: { serverCores } }) {
  return serverCores === undefined ? [] : [`the server used ${serverCores.toFixed(2)} cores`];
}

/** @type {(answer: Answer, limit: Note, about: About) => string} */
function sentenceOf({ outcome, load, low, high }, { message }, { by, within }) {
  const goal = by === 'rate' ? 'rate' : 'number of virtual users';
  if (load === null && outcome === 'imprecise') return 'No step says what the service holds';
  if (load === null)
    return outcome === 'atLeast' ? `The load generator is the bottleneck: ${message}` : `No ${goal} holds: ${message}`;
  const held = loadText(load, by);
  const upper = high === null ? '' : ` (${intervalText({ low, high }, by)})`;
  switch (outcome) {
    case 'found':
      return `The service holds ${held}${upper}: ${message}`;
    case 'atLeast':
      return `The service holds at least ${held}; the load generator is the bottleneck: ${message}`;
    case 'unrecovered':
      return `The service held ${held}, and has not recovered from an overload: ${message}`;
    default:
      return `The service holds ${held}${upper}, not within ${percentText(within)}: ${message}`;
  }
}

/** Response times that rise by less than this factor have no knee. */
const LEAST_RISE = 1.5;

/**
 * The knee of the response times over the load: where they are furthest below the line from the first to the last one,
 * on a logarithmic scale (Kneedle, Satopää et al. 2011).
 * @type {(steps: CapacityStep[]) => number | null}
 */
export function kneeOf(steps) {
  const points = steps
    .flatMap((step) =>
      step.figures.p95 === null || step.verdict === 'saturated'
        ? []
        : [{ x: loadOf(step), y: Math.log(step.figures.p95) }],
    )
    .sort((a, b) => a.x - b.x);
  const [first, last] = [points[0], points.at(-1)];
  if (points.length < 3 || !last || last.x === first.x || last.y - first.y < Math.log(LEAST_RISE)) return null;
  const below = points.map(({ x, y }) => (x - first.x) / (last.x - first.x) - (y - first.y) / (last.y - first.y));
  return points[below.indexOf(Math.max(...below))].x;
}

/**
 * The reasons for an exit code other than 0: no capacity was found, the load generator was the bottleneck, or the
 * capacity is less than what was asked for.
 * @param {Pick<Capacity, 'conclusion'>} capacity
 * @param {number | null} atLeast the load that decides instead; null: none
 * @returns {Reason[]}
 */
export function capacityReasons({ conclusion: { outcome, load } }, atLeast) {
  if (atLeast !== null && load !== null && load >= atLeast) return [];
  if (outcome === 'atLeast') return ['validity'];
  return atLeast !== null || outcome === 'none' ? ['threshold'] : [];
}
