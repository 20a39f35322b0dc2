import { createRandom } from '../lib/ground/random.js';
import { compareStats } from '../lib/measure/compare.js';
import { noiseOf } from '../lib/measure/comparison-method.js';

/**
 * Simulates comparisons of equal and of different services, and counts how often the comparison says that one changed.
 *
 *     npm run bench -- compare        the table of docs/guide/comparing.md
 *
 * Each run has the same level, times the disturbance of its time (which both sides share), times noise of its own. `SEED` makes the numbers
 * of each case, so that every machine prints the same table.
 */

const SEED = 30;
/** The standard deviation of the runs. */
const SPREAD = 0.05;
const CHANGE = 1.1;
const OPERATIONS = 20;

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {number} runs of each side
 * @property {'pairs' | 'mixed' | 'sequence' | 'apart'} order
 * @property {number} [rho] autocorrelation of the machine from run to run
 * @property {number} [spread] standard deviation of the runs, as a share
 * @property {number} [outliers] share of the runs that are 65 % slower
 * @property {number} [level] ms; a low one is rounded to the slots of the histogram
 * @property {boolean} [isMany] six figures and twenty operations, each with noise of its own
 * @property {string} [noise] what the user says
 * @property {number} [history] earlier runs that the user has
 */

const COUNTS = [1, 2, 3, 5, 10, 20];
const ORDERS = /** @type {const} */ ({ pairs: 'ab', mixed: 'in turn', sequence: 'one after the other' });

/** @type {(order: Case['order'], name: string, more?: Partial<Case>, counts?: number[]) => Case[]} */
const each = (order, name, more = {}, counts = COUNTS) =>
  counts.map((runs) => ({ name: `${ORDERS[order]}, ${name}`, runs, order, ...more }));

/** @type {Case[]} */
export const CASES = [
  ...each('pairs', 'independent'),
  ...each('mixed', 'independent'),
  ...each('sequence', 'independent'),
  ...['pairs', 'mixed', 'sequence'].flatMap((order) => [
    ...each(order, 'AR 0.5', { rho: 0.5 }),
    ...each(order, 'AR 0.9', { rho: 0.9 }),
    ...each(order, '10 % outliers of +65 %', { outliers: 0.1 }),
    ...each(order, '26 figures', { isMany: true }),
  ]),
  ...each('pairs', '0.02 ms, rounded, 1 %', { level: 0.02, spread: 0.01 }, [3, 10, 20]),
  ...each('mixed', '0.02 ms, rounded, 1 %', { level: 0.02, spread: 0.01 }, [3, 10, 20]),
  ...each('mixed', '0.02 ms, rounded, 5 %', { level: 0.02 }, [3, 10, 20]),
  ...[0.01, 0.03, 0.05].flatMap((spread) => [
    ...each(
      'sequence',
      `runs vary by ${spread * 100} %, --noise ${spread * 100}%`,
      { spread, noise: `${spread * 100}%` },
      [1, 3],
    ),
    ...each('sequence', `runs vary by ${spread * 100} %, --history of 10`, { spread, history: 10 }, [1, 3]),
  ]),
  ...each('sequence', 'AR 0.9, --noise 5%', { rho: 0.9, noise: '5%' }, [1, 3]),
];

/**
 * Simulates comparisons of equal services.
 *
 * @param {Case} one
 * @param {number} trials
 * @param {Function} [compare] the comparison of another version
 * @returns {{ alarms: number, told: number }} shares of the trials: a service is said to have changed; a verdict was given
 */
export function alarmsOf(one, trials, compare = compareStats) {
  const found = comparisonsOf(one, { trials, change: 1, compare });
  const share = (/** @type {(comparison: any) => boolean} */ suits) => found.filter(suits).length / trials;
  return { alarms: share(hasChange), told: share(({ conclusion }) => conclusion.verdict !== 'unknown') };
}

/**
 * Simulates comparisons with a service that is 10 % slower.
 *
 * @param {Case} one
 * @param {number} trials
 * @param {Function} [compare] the comparison of another version
 * @returns {number} the share of the trials that found it
 */
export function powerOf(one, trials, compare = compareStats) {
  const found = comparisonsOf(one, { trials, change: CHANGE, compare });
  return found.filter(({ conclusion }) => conclusion.verdict === 'worse').length / trials;
}

function comparisonsOf(one, { trials, change, compare }) {
  const random = createRandom(SEED + CASES.indexOf(one));
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: trials }, () => comparisonOf(one, { change, normal, random, compare }));
}

/** A figure, or an operation, is called better or worse. */
function hasChange({ figures, operations }) {
  return [...figures, ...operations.flatMap((one) => one.figures.filter(({ figure }) => figure === 'p95'))].some(
    ({ verdict }) => verdict === 'better' || verdict === 'worse',
  );
}

function comparisonOf(one, { change, normal, random, compare }) {
  const { runs, order, rho = 0, noise, history = 0 } = one;
  const spread = one.spread ?? SPREAD;
  let weather = normal();
  const disturbances = Array.from({ length: 2 * runs }, () => {
    const now = weather;
    weather = rho * weather + Math.sqrt(1 - rho * rho) * normal();
    return Math.exp(spread * now) * (random() < (one.outliers ?? 0) ? 1.65 : 1);
  });
  const sides = [[], []];
  disturbances.forEach((disturbance, at) => {
    const side = sideAt(order, at, runs);
    sides[side].push(runOf(one, { level: disturbance * (side === 1 ? change : 1), at, normal }));
  });
  const earlier = Array.from({ length: history }, () =>
    runOf(one, { level: Math.exp(spread * normal()), at: 0, normal }),
  );
  const known = noise || history ? { noise: noiseOf({ noise: noise ? [noise] : [], history: earlier }) } : {};
  return compare(sides[0], sides[1], { isPaired: order === 'pairs', ...known });
}

/** A B B A B A A B …, which is the order of `ab`, or A A A B B B. */
function sideAt(order, at, runs) {
  if (order === 'sequence') return at < runs ? 0 : 1;
  return [0, 1, 1, 0, 1, 0, 0, 1][at % 8];
}

/** A result with what a comparison reads. */
function runOf({ level: ms = 10, isMany = false }, { level, at, normal }) {
  const own = () => (isMany ? Math.exp(SPREAD * normal()) : 1);
  const rounded = (value) => (value >= 2 ? value : Math.round(value * 1000) / 1000);
  const times = () => {
    const value = rounded(ms * level * own());
    return { count: 1000, mean: value, median: value, p90: value, p95: value, p99: value };
  };
  const ok = times();
  if (isMany) for (const key of ['mean', 'median', 'p90', 'p95', 'p99']) ok[key] = rounded(ms * level * own());
  return {
    startedAt: new Date(at * 1000).toISOString(),
    totalElapsed: 900,
    measuredElapsed: 900,
    iterations: { rate: 1000 / (ms * level * own()), started: 1000, failed: 0 },
    main: { ok },
    series: { interval: 1000, points: [] },
    operations: isMany
      ? Array.from({ length: OPERATIONS }, (_, i) => ({
          name: `${i}`,
          phase: 'main',
          count: 1000,
          errors: 0,
          serviceTime: times(),
        }))
      : [],
    errors: { count: 0 },
  };
}

/** Prints the table. @returns {Promise<void>} */
export async function alarms({ rounds = 2000 } = {}) {
  const percent = (share) => `${(share * 100).toFixed(1)} %`;
  process.stdout.write(`| runs of each side | ${COUNTS.join(' | ')} |\n| --- |${' --- |'.repeat(COUNTS.length)}\n`);
  for (const name of new Set(CASES.map((one) => one.name))) {
    const cells = COUNTS.map((runs) => {
      const found = CASES.find((one) => one.name === name && one.runs === runs);
      if (!found) return '';
      const { alarms: wrong, told } = alarmsOf(found, rounds);
      return told === 0 ? 'cannot tell' : `${percent(wrong)}, ${Math.round(powerOf(found, rounds) * 100)} %`;
    });
    process.stdout.write(`| ${name} | ${cells.join(' | ')} |\n`);
  }
}
