import { createRandom } from '../lib/core/ground/random.js';
import { normal } from '../lib/core/ground/units.js';
import { changePointsOf } from '../lib/addons/history/measure/change-points.js';
import { newestOf } from '../lib/addons/history/measure/history.js';

/** Runs of a history differ by this, one standard deviation; two thirds of the variance are common to all figures. */
const NOISE = 0.03;
const FIGURES = 6;

const HISTORIES = [
  { name: '10 results', runs: 10 },
  { name: '20 results', runs: 20 },
  { name: '50 results', runs: 50 },
  { name: '200 results', runs: 200, few: true },
  { name: '20 results, 10 % of them outliers of +65 %', runs: 20, outliers: 0.1 },
  { name: '20 results, AR 0.3', runs: 20, rho: 0.3 },
  { name: '20 results, AR 0.5', runs: 20, rho: 0.5 },
  { name: '20 results, AR 0.9', runs: 20, rho: 0.9 },
];

/** How often `history` reports a change where there is none, and how many changes it finds: the tables of its guide. */
export async function history({ rounds = 2000 }) {
  const trials = Number(rounds);
  const rows = HISTORIES.map((one) => {
    const count = one.few ? Math.ceil(trials / 5) : trials;
    const half = one.runs / 2;
    return [
      one.name,
      share(count, (i) => places(one, i, () => 1).length > 0),
      ...[1.05, 1.1, 1.2].map((change) => found(one, count, { change, at: half })),
      found(one, count, { change: 1.2, at: one.runs - 4 }),
    ];
  });
  print(['history', 'no change', '5 % in the middle', '10 %', '20 %', '20 %, 4 results ago'], rows);
  const checks = HISTORIES.map((one) => [
    one.name,
    ...[1, 1.05, 1.1, 1.2].map((change) => share(trials, (i) => isWorse(one, i, change))),
  ]);
  print(['--check beside', 'no change', '5 % worse', '10 %', '20 %'], checks);
  const passes = PASSES.map((pass) => [
    pass.name,
    ...LEVELS.map((levelOf) => share(Math.ceil(trials / 20), (i) => isRepeated(pass, i, levelOf))),
  ]);
  print(['20 versions, twice', 'no change', '16 % better', '6 % worse, then 16 % better'], passes);
}

/** Versions that are measured in rounds, and how much the machine drifts, one standard deviation. */
const VERSIONS = 20;
const PASSES = [2, 4].flatMap((rounds) => [
  { name: `${rounds} rounds`, rounds, drift: 0 },
  { name: `${rounds} rounds, a drift of 5 % (AR 0.9)`, rounds, drift: 0.05 },
]);
const LEVELS = [
  () => 1,
  (version) => (version < 15 ? 1 : 0.84),
  (version) => (version < 8 ? 1 : 1.06) * (version < 15 ? 1 : 0.84),
];

/** How often two passes over the same versions have the same change points. */
function isRepeated(pass, seed, levelOf) {
  const [one, other] = [2 * seed, 2 * seed + 1].map((own) => String(placesOfPass(pass, own, levelOf)));
  return one === other;
}

function placesOfPass({ rounds, drift }, seed, levelOf) {
  const { draw, weather } = noiseOf(seed, 0.9);
  const runs = Array.from({ length: rounds * VERSIONS }, (_, i) => {
    const common = drift * weather() + NOISE * Math.sqrt(2 / 3) * draw();
    const values = Array.from({ length: FIGURES }, () => Math.exp(common + NOISE * Math.sqrt(1 / 3) * draw()));
    return values.map((value) => 10 * levelOf(i % VERSIONS) * value);
  });
  // The results of a version follow each other.
  const order = runs.map((_, i) => (i % rounds) * VERSIONS + Math.floor(i / rounds));
  const figures = Array.from({ length: FIGURES }, (_, figure) => order.map((i) => runs[i][figure]));
  const starts = order.map((_, i) => i % rounds === 0);
  return changePointsOf(figures, starts).map(({ at }) => at / rounds);
}

function found(one, count, { change, at }) {
  return share(count, (i) =>
    places(one, i, (run) => (run < at ? 1 : change)).some((place) => Math.abs(place - at) <= 1),
  );
}

function places(one, seed, levelOf) {
  const runs = runsOf(one, { seed, levelOf, count: one.runs });
  return changePointsOf(Array.from({ length: FIGURES }, (_, figure) => runs.map(({ values }) => values[figure]))).map(
    ({ at }) => at,
  );
}

function isWorse(one, seed, change) {
  const runs = runsOf(one, { seed, levelOf: (run) => (run < one.runs ? 1 : change), count: one.runs + 1 });
  return newestOf(runs.slice(0, -1), runs.slice(-1)).verdict === 'worse';
}

function runsOf({ rho = 0, outliers = 0 }, { seed, levelOf, count }) {
  const { random, draw, weather } = noiseOf(seed, rho);
  return Array.from({ length: count }, (_, run) => {
    const common = weather();
    const level = levelOf(run) * (random() < outliers ? 1.65 : 1);
    const values = Array.from({ length: FIGURES }, (_, figure) => {
      const ms = 10 * level * Math.exp(NOISE * (Math.sqrt(2 / 3) * common + Math.sqrt(1 / 3) * draw()));
      return figure === 0 ? 1000 / ms : ms;
    });
    return { values, ours: values.map(() => 0), hasTail: true };
  });
}

/** Normal deviates, and `weather` that is like the one before: an AR(1) process with this factor. */
function noiseOf(seed, rho) {
  const random = createRandom(seed);
  const draw = () => normal(random);
  let last = draw();
  const weather = () => (last = rho * last + Math.sqrt(1 - rho * rho) * draw());
  return { random, draw, weather };
}

function share(count, story) {
  let hits = 0;
  for (let i = 0; i < count; i++) if (story(i)) hits++;
  return ((hits / count) * 100).toFixed(1);
}

function print(head, rows) {
  const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`);
  process.stdout.write(`${lines.join('')}\n`);
}
