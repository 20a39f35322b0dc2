import { createRandom } from '../lib/core/ground/random.js';
import { normal } from '../lib/core/ground/units.js';
import { compareStats } from '../lib/addons/compare/measure/compare.js';
import { noiseOf } from '../lib/addons/compare/measure/comparison-method.js';
import { judgedLimit, readRegressionLimits } from '../lib/addons/compare/measure/compared-figures.js';
import { historyRun, trendOf } from '../lib/addons/history/measure/history.js';

/**
 * Simulates comparisons of equal and of different services, and counts how often the comparison says that one changed.
 *
 *     npm run bench -- compare        the table of bench/error-rates.md
 *     npm run bench -- alarms         the goals of --max-regression
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
 * @property {'pairs' | 'mixed' | 'sequence'} [order]
 * @property {string} [pattern] instead of an order: a letter per run, and `-` for a day on which nothing ran
 * @property {number} [rho] autocorrelation of the machine from run to run
 * @property {number} [own] standard deviation of a run beside that of the machine
 * @property {number} [spread] standard deviation of the runs, as a share
 * @property {number} [outliers] share of the runs that are 65 % slower
 * @property {number} [level] ms; a low one is rounded to the bins of the histogram
 * @property {boolean} [isMany] six figures, and three of each of twenty operations, each with noise of its own
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
    ...each(order, '66 figures', { isMany: true }),
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

/** Sides with different numbers of runs, and pauses of a day: by the machine of each column. */
const PATTERNS = {
  '3 of A in turn with 9 of B': 'ABBBABBBABBB',
  '3 of A in turn with 20 of B': 'ABBBBBBBABBBBBBBABBBBBB',
  'B B A B A B A B B': 'BBABABABB',
  '17 of B, then 3 pairs': `${'B'.repeat(17)}ABABAB`,
  '7 of B, 3 pairs, 6 of B': `${'B'.repeat(7)}ABABAB${'B'.repeat(6)}`,
  '5 pairs, then 10 of B': `${'AB'.repeat(5)}${'B'.repeat(10)}`,
  'A A A B A B B': 'AAABABB',
  '20 of B, the next day 3 pairs': `${'B'.repeat(20)}-ABABAB`,
  '5 of A and 1 of B, the next day 1 and 5': 'AAAAAB-ABBBBB',
  'A A B, the next day A B B': 'AAB-ABB',
  '3 pairs on 3 days': 'AB-BA-AB',
};
/** @type {Record<string, Partial<Case>>} */
const MACHINES = {
  independent: {},
  'AR 0.5': { rho: 0.5 },
  'AR 0.9': { rho: 0.9 },
  'days differ by 5 %, runs by 1 %': { rho: 1, own: 0.01 },
};

/** @type {Case[]} */
export const UNEQUAL_CASES = Object.entries(PATTERNS).flatMap(([name, pattern]) =>
  Object.entries(MACHINES).map(([machine, more]) => ({
    name: `${name}, ${machine}`,
    runs: Math.min(...['A', 'B'].map((side) => pattern.split(side).length - 1)),
    pattern,
    ...more,
  })),
);

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
  const random = createRandom(SEED + [...CASES, ...UNEQUAL_CASES].indexOf(one));
  return Array.from({ length: trials }, () =>
    comparisonOf(one, { change, normal: () => normal(random), random, compare }),
  );
}

/** A figure of the run, or of an operation, is called better or worse. */
function hasChange({ figures, operations }) {
  return [...figures, ...operations.flatMap((one) => one.figures)].some(
    ({ verdict }) => verdict === 'better' || verdict === 'worse',
  );
}

function comparisonOf(one, { change, normal, random, compare }) {
  const { order, rho = 0, own = 0, noise, history = 0 } = one;
  const spread = one.spread ?? SPREAD;
  const sides = [[], []];
  let weather = normal();
  for (const [at, letter] of [...patternOf(one)].entries()) {
    if (letter === '-') {
      weather = normal();
      continue;
    }
    const disturbance = Math.exp(spread * weather + own * normal()) * (random() < (one.outliers ?? 0) ? 1.65 : 1);
    weather = rho * weather + Math.sqrt(1 - rho * rho) * normal();
    const side = letter === 'A' ? 0 : 1;
    const days = patternOf(one).slice(0, at).split('-').length - 1;
    sides[side].push(runOf(one, { level: disturbance * (side === 1 ? change : 1), at: at + days * DAY_S, normal }));
  }
  const earlier = Array.from({ length: history }, () =>
    runOf(one, { level: Math.exp(spread * normal()), at: 0, normal }),
  );
  const known =
    noise || history ? { noise: noiseOf(noise ? [noise] : [], trendOf(earlier.map(historyRun)).noise) } : {};
  return compare(sides[0], sides[1], { isPaired: order === 'pairs', ...known });
}

const DAY_S = 86_400;

/** A B B A B A A B …, which is the order of `ab`, or A A A B B B. */
function patternOf({ pattern, order, runs }) {
  if (pattern !== undefined) return pattern;
  if (order === 'sequence') return 'A'.repeat(runs) + 'B'.repeat(runs);
  return 'ABBABAAB'.repeat(Math.ceil(runs / 4)).slice(0, 2 * runs);
}

/** A result with what a comparison reads. */
function runOf({ level: ms = 10, isMany = false }, { level, at, normal }) {
  const own = () => (isMany ? Math.exp(SPREAD * normal()) : 1);
  const rounded = (value) => (value >= 2 ? value : Math.round(value * 1000) / 1000);
  const times = () => {
    const value = rounded(ms * level * own());
    return { count: 1000, mean: value, median: value, p90: value, p95: value, p99: value };
  };
  const completed = times();
  if (isMany) for (const key of ['mean', 'median', 'p90', 'p95', 'p99']) completed[key] = rounded(ms * level * own());
  return {
    startedAt: new Date(at * 1000).toISOString(),
    totalElapsed: 900,
    measuredElapsed: 900,
    iterations: {
      completedRate: 1000 / (ms * level * own()),
      started: 1000,
      completed: 1000,
      failed: 0,
      cancelled: 0,
      dropped: 0,
    },
    requests: { sent: 1000, answered: 1000 },
    main: { completed },
    series: { interval: 1000, points: [] },
    operations: isMany
      ? Array.from({ length: OPERATIONS }, (_, i) => ({
          name: `${i}`,
          phase: 'main',
          count: 1000,
          errors: 0,
          times: { serviceTime: { ...times(), median: times().median, p99: times().p99 } },
        }))
      : [],
    errors: { count: 0, kinds: {} },
    loadGenerator: { saturated: false },
    validity: { status: 'valid', reasons: [] },
  };
}

/** Prints the tables. @returns {Promise<void>} */
export async function alarms({ rounds = 2000 } = {}) {
  const percent = (share) => `${(share * 100).toFixed(1)} %`;
  const cellOf = (/** @type {Case | undefined} */ one) => {
    if (!one) return '';
    const { alarms: wrong, told } = alarmsOf(one, rounds);
    return told === 0 ? 'cannot tell' : `${percent(wrong)}, ${Math.round(powerOf(one, rounds) * 100)} %`;
  };
  process.stdout.write(`| runs of each side | ${COUNTS.join(' | ')} |\n| --- |${' --- |'.repeat(COUNTS.length)}\n`);
  for (const name of new Set(CASES.map((one) => one.name))) {
    const cells = COUNTS.map((runs) => cellOf(CASES.find((one) => one.name === name && one.runs === runs)));
    process.stdout.write(`| ${name} | ${cells.join(' | ')} |\n`);
  }
  const machines = Object.keys(MACHINES);
  process.stdout.write(`\n| order | ${machines.join(' | ')} |\n| --- |${' --- |'.repeat(machines.length)}\n`);
  for (const name of Object.keys(PATTERNS)) {
    const cells = machines.map((machine) => cellOf(UNEQUAL_CASES.find((one) => one.name === `${name}, ${machine}`)));
    process.stdout.write(`| ${name} | ${cells.join(' | ')} |\n`);
  }
}

/** Limits of a change: what the user gives, and the part of B that the load generator may have, in some of the runs. */
export const LIMITS = [
  { given: ['p50=5%'] },
  { given: ['iterations.completedRate=5%'] },
  { given: ['p99=5%'] },
  { given: ['p50=5%', 'p95=5%'] },
  { given: ['mean=5%', 'p50=5%', 'p90=5%', 'p95=5%', 'p99=5%'] },
  { given: ['5%'] },
  { given: ['5%'], ours: 5 },
  { given: ['p50=5%'], ours: 5 },
];
const PAIRS = 10;
/** The change that a limit shall find is twice the limit. */
const TWICE = 1.1;
/** The share of a figure that may be the load generator's. */
const OURS = 0.4;

/**
 * Simulates `ab --runs 10 --max-regression` with figures that vary by 5 %, each on its own.
 *
 * @param {{ given: string[], ours?: number }} one ours: how many runs of B have a part of the load generator
 * @param {number} trials
 * @returns {{ alarms: number, found: number, contradictions: number }} shares of the trials: exit code 99 for equal
 *   services, and for one that is worse by twice the limit; a word, an interval or a limit that contradicts another
 */
export function limitsOf(one, trials) {
  const limits = one.given.flatMap(readRegressionLimits);
  const random = createRandom(SEED + LIMITS.indexOf(one));
  const draw = (/** @type {number} */ change) =>
    Array.from({ length: trials }, () => limitedOf(one, { limits, change, normal: () => normal(random) }));
  const [equal, worse] = [1, TWICE].map(draw);
  const share = (/** @type {any[]} */ all, /** @type {(found: any) => boolean} */ suits) =>
    all.filter(suits).length / all.length;
  return {
    alarms: share(equal, ({ hasFailed }) => hasFailed),
    found: share(worse, ({ hasFailed }) => hasFailed),
    contradictions: share([...equal, ...worse], ({ isContradiction }) => isContradiction),
  };
}

function limitedOf({ ours = 0 }, { limits, change, normal }) {
  const sides = [[], []];
  for (const [at, letter] of [...patternOf({ order: 'pairs', runs: PAIRS })].entries()) {
    const side = letter === 'A' ? 0 : 1;
    const run = runOf({ isMany: true }, { level: side === 1 ? change : 1, at, normal });
    const hasPart = side === 1 && sides[1].length < ours;
    const figures = ['median', 'p90', 'p95', 'p99'].map((key) => ({
      figure: `responseTime.${key === 'median' ? 'p50' : key}`,
      ...{ of: {}, status: 'suspect', loadGeneratorTime: run.main.completed[key] * OURS },
    }));
    sides[side].push({ ...run, operations: [], validity: { ...run.validity, figures: hasPart ? figures : [] } });
  }
  const compared = compareStats(sides[0], sides[1], { isPaired: true, limits });
  const judged = limits.map((limit) => judgedLimit(compared, limit));
  const wordOf = (figure) => compared.figures.find((row) => row.figure === figure).verdict;
  return {
    hasFailed: judged.some(({ passed, undecided }) => !passed && !undecided),
    isContradiction:
      judged.some(({ passed, undecided, figure }) => !passed && !undecided && wordOf(figure) !== 'worse') ||
      compared.figures.some(
        ({ verdict, interval: { low, high } }) =>
          (verdict === 'noise') !== (low <= 0 && high >= 0) && verdict !== 'unknown',
      ),
  };
}

/** Prints the goals. @returns {Promise<void>} */
export async function goals({ rounds = 2000 } = {}) {
  const percent = (share) => `${(share * 100).toFixed(1)} %`;
  process.stdout.write('ten pairs of runs that vary by 5 %; goals: at most 5 %, at least 90 %, none\n\n');
  process.stdout.write(
    '| --max-regression | false alarms | found: twice the limit | contradictions |\n| --- | --- | --- | --- |\n',
  );
  for (const one of LIMITS) {
    const { alarms: wrong, found, contradictions } = limitsOf(one, rounds);
    const ours = one.ours ? `, ${OURS * 100} % may be the load generator's in ${one.ours} runs of B` : '';
    process.stdout.write(
      `| ${one.given.join(' ')}${ours} | ${percent(wrong)} | ${percent(found)} | ${percent(contradictions)} |\n`,
    );
  }
}
