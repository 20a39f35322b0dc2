import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { rangeOf } from '../lib/core/measure/own-time.js';
import { errorLine } from './error-line.js';
import { end, endOf, start } from './processes.js';
import { startService, tableOf } from './verdict-service.js';

/**
 * Tables of `npm run bench -- verdict` about services of known behaviour: what a run or a search says of them. Nothing
 * is pinned, as on the machine of a user.
 */

const PROGRAM = fileURLToPath(new URL('../bin/bench-rest.js', import.meta.url));
/** The share of the CPUs that other programs use in the disturbed half of the tables. */
const HALF = 0.5;
const BUSY = [process.execPath, '-e', 'for (;;);'];

/**
 * Services by name: the rate that they can do, and thresholds of a search.
 *
 * @type {Record<string, { path: string, capacity: number, thresholds: string[] }>}
 */
const SERVICES = {
  queue: { path: '/pool/1/10', capacity: 100, thresholds: ['p99<60ms'] },
  pool: { path: '/pool/4/20', capacity: 200, thresholds: ['p99<80ms'] },
  bucket: { path: '/bucket/150/50/5', capacity: 150, thresholds: ['errors<1%'] },
};

/** Planned rates, as shares of what a service can do. */
const SHARES = [0.5, 0.8, 0.9, 0.95, 1.05, 1.1, 1.3, 2];

/** Ordinary runs: flags, and the path. */
const ORDINARY = {
  '100/s of 20 ms': [['-r', '100', '-c', '100'], '/delay/20'],
  '200/s of 5 ms': [['-r', '200', '-c', '100'], '/delay/5'],
  '10 users of 20 ms': [['-c', '10'], '/delay/20'],
  '50/s of 100 ms': [['-r', '50', '-c', '100'], '/delay/100'],
  '10 users, as fast as it goes': [['-c', '10'], '/delay/0'],
};
const FIGURES = /** @type {const} */ ([
  ['p50', 'median'],
  ['p95', 'p95'],
  ['p99', 'p99'],
]);
/** A figure differs from that of the service from this share on; a clock of 1/10 ms and bins differ by less than that. */
const DIFFERS = 0.1;
const CLOSE = 0.02;
const CLOSE_MS = 0.3;

/** Whether runs at planned rates below and above the capacity fail as they should. */
export async function overloads({ names = [], rounds = 3, seconds = 6 }) {
  await withService(async (service) => {
    const rows = [];
    for (const [name, { path, capacity }] of chosen(names, ['queue', 'pool'])) {
      for (const share of SHARES) {
        const rate = Math.round(capacity * share);
        const found = [];
        for (let round = 0; round < rounds; round++) {
          const { stats } = await service.run(['-r', String(rate), '-c', '1000', '-t', `${seconds}s`], path);
          found.push(stats.outcome.reasons.some(({ code }) => code === 'backlog'));
        }
        const failed = found.filter(Boolean).length;
        const goal = share > 1 ? 'all' : 'none';
        rows.push([
          `${name}, ${capacity}/s`,
          `${rate}/s`,
          `${failed} of ${rounds}`,
          goal,
          okIf(failed === (share > 1 ? rounds : 0)),
        ]);
      }
    }
    say(tableOf(['service', 'planned', 'did not keep up', 'goal', ''], rows));
  });
}

/** How often ordinary runs are in doubt, and how often a doubt or a range is right; twice, the second time beside others. */
export async function frequency({ rounds = 4, seconds = 10 }) {
  await withService(async (service) => {
    const rows = [];
    for (const [place, share] of [
      ['nothing else', 0],
      ['others use half of the CPUs', HALF],
    ]) {
      const others = await startOthers(share);
      const judged = [];
      for (let round = 0; round < rounds; round++)
        for (const [name, [flags, path]] of Object.entries(ORDINARY)) {
          const { stats, own } = await service.run([...flags, '-t', `${seconds}s`], path);
          judged.push({ name, ...judgementOf(stats, own) });
          process.stderr.write(`frequency, ${place}, ${name}: ${judged.at(-1).text}\n`);
        }
      await Promise.all(others.map((one) => end(one, 'SIGKILL')));
      for (const name of [...Object.keys(ORDINARY), 'all']) {
        const some = judged.filter((one) => name === 'all' || one.name === name);
        const figures = some.flatMap((one) => one.figures);
        const ranges = figures.filter(({ isRange }) => isRange);
        const different = figures.filter(({ differs }) => differs);
        const suspect = some.filter(({ isSuspect }) => isSuspect).length;
        rows.push([
          ...[place, name, shareText(suspect, some.length)],
          shareText(ranges.filter(({ isInside }) => isInside).length, ranges.length),
          shareText(different.filter(({ isDoubted }) => isDoubted).length, different.length),
        ]);
      }
    }
    say(
      tableOf(
        ['machine', 'run', 'suspect', "ranges with the service's own figure", 'different figures in doubt'],
        rows,
      ),
    );
    say('goals: suspect in at most 1 of 20 (others use half of the CPUs), the others in at least 19 of 20');
  });
}

/** @typedef {{ label: string, differs: boolean, isDoubted: boolean, isRange: boolean, isInside: boolean }} JudgedFigure */

function judgementOf(stats, own) {
  const { main, validity } = stats;
  const times = FIGURES.map(([label, key]) => {
    const one = validity.figures?.find(({ figure, of }) => figure === `responseTime.${label}` && !of.operation);
    return [
      label,
      main.completed[key],
      own[label],
      rangeOf(main.completed, main.least, key),
      one?.status === 'suspect',
    ];
  });
  const figures = times.flatMap(([label, value, own, range, isSuspect]) => {
    if (typeof value !== 'number') return [];
    const isInside = range && own >= range.low * (1 - CLOSE) - CLOSE_MS && own <= range.high * (1 + CLOSE) + CLOSE_MS;
    const differs = Math.abs(value - own) > Math.max(CLOSE_MS, DIFFERS * own);
    return [
      {
        label,
        differs,
        isDoubted: isSuspect || range !== null,
        isRange: range !== null,
        isInside,
        value,
        own,
        range,
      },
    ];
  });
  const text = figures.map(
    ({ label, value, own, range }) =>
      `${label} ${short(value)}${range ? ` (${short(range.low)}-${short(range.high)})` : ''} of ${short(own)}`,
  );
  const isSuspect = validity.status !== 'valid';
  return { isSuspect, figures, text: [isSuspect ? 'suspect' : 'valid', ...text].join(', ') };
}

/** Whether searches find what a service can do, beside programs that use half of the CPUs. */
export async function searches({ names = [], rounds = 10 }) {
  await withService(async (service) => {
    const rows = [];
    for (const [name, { path, capacity, thresholds }] of chosen(names, ['queue', 'pool', 'bucket'])) {
      const found = [];
      const others = await startOthers(HALF);
      for (let round = 0; round < rounds; round++) {
        const flags = thresholds.flatMap((threshold) => ['--threshold', threshold]);
        const {
          stats: { conclusion, outcome },
        } = await service.run(['capacity', '--quiet', ...flags], path);
        const { low, high } = conclusion.interval;
        const isInside = low <= capacity && (high === null || high >= capacity);
        found.push({ isInside, isDoubted: !outcome.passed, hasNumber: conclusion.load !== null });
        process.stderr.write(
          `${name} ${capacity}/s: ${conclusion.code} ${conclusion.load} (${low} to ${high}), ${conclusion.message}\n`,
        );
      }
      await Promise.all(others.map((one) => end(one, 'SIGKILL')));
      const count = (suits) => `${found.filter(suits).length} of ${rounds}`;
      rows.push([
        `${name}, ${capacity}/s`,
        count(({ isInside, hasNumber }) => isInside && hasNumber),
        count(({ isInside, isDoubted, hasNumber }) => hasNumber && !isInside && !isDoubted),
      ]);
    }
    say(tableOf(['service', 'true value in the interval', 'wrong numbers without doubt'], rows));
    say('goals: at least 9 of 10, none; other programs use half of the CPUs');
  });
}

/** @type {(names: string[], usual: string[]) => [string, typeof SERVICES[string]][]} */
function chosen(names, usual) {
  const asked = usual.filter((name) => names.includes(name));
  return (asked.length > 0 ? asked : usual).map((name) => [name, SERVICES[name]]);
}

/** The names of services, as arguments. */
export const SERVICE_NAMES = Object.keys(SERVICES);

async function withService(measure) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-rest-trust-'));
  const service = await startService(folder);
  const run = async (flags, path) => {
    const argv = [PROGRAM, ...flags, '--json', `http://127.0.0.1:${service.port}${path}`];
    await service.timesSince(0);
    const { stdout, stderr, code } = await endOf(start([process.execPath, ...argv]));
    try {
      const stats = JSON.parse(stdout);
      return { stats, own: await service.timesSince(Date.parse(stats.measuredAt)) };
    } catch {
      throw new Error(`${flags.join(' ')}: exit ${code}, ${errorLine(stderr)}`);
    }
  };
  try {
    await measure({ run });
  } finally {
    await service.close();
    rmSync(folder, { recursive: true });
  }
}

/** Starts programs that use a share of all CPUs. @type {(share: number) => Promise<object[]>} */
async function startOthers(share) {
  return Array.from({ length: Math.round(availableParallelism() * share) }, () => start(BUSY, { stdio: 'ignore' }));
}

/** @type {(count: number, of: number) => string} */
function shareText(count, of) {
  return of === 0 ? '-' : `${count} of ${of}`;
}

const short = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(1));
const okIf = (isReached) => (isReached ? 'ok' : 'missed');

function say(line) {
  process.stdout.write(`${line}\n`);
}
