import { createRandom } from '../lib/ground/random.js';
import { changePointsOf } from '../lib/measure/change-points.js';
import { newestOf } from '../lib/measure/history.js';

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
  const random = createRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let weather = normal();
  return Array.from({ length: count }, (_, run) => {
    weather = rho * weather + Math.sqrt(1 - rho * rho) * normal();
    const level = levelOf(run) * (random() < outliers ? 1.65 : 1);
    const values = Array.from({ length: FIGURES }, (_, figure) => {
      const ms = 10 * level * Math.exp(NOISE * (Math.sqrt(2 / 3) * weather + Math.sqrt(1 / 3) * normal()));
      return figure === 0 ? 1000 / ms : ms;
    });
    return { values, ours: values.map(() => 0), hasTail: true };
  });
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
