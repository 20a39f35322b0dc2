import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';

import { KEEPERS, ours, RATES, SECONDS } from './arrivals.js';
import { goalTable } from './goal.js';
import { median } from './median.js';
import { pathInBench } from './peers/installed.js';
import { canPin, end, endOf, pinBusiest, programPath, start } from './processes.js';

const ROUNDS = 5;
/** s: V8 compiles for about so long, in threads that take the CPU from the one that sends */
const WARMUP = 10;
/** s: the load thread is the busiest one by then */
const STARTED = 4;
const CLIENT_CPU = 0;
const TARGET_CPU = 1;
/** those of {@link KEEPERS} that take turns with the sender in C */
const BESIDE = ['ours, timer', 'ours, thread', 'ours, poll', 'ours, poisson', 'vegeta', 'wrk2'];
/** Our load thread alone on its CPU: other threads are with the target, as if the machine had a core for them. */
const ALONE = [
  ours('thread, alone', ['--pacing', 'thread']),
  ours('poll, alone', ['--pacing', 'poll']),
  ours('poisson, alone', ['--arrival', 'poisson']),
].map((sender) => ({ ...sender, isAlone: true }));
/** The most variation of even arrivals, by rate: the coefficient of variation (CV) of the gaps. */
const MOST_VARIATION = { 100: 0.1, 500: 0.1, 2000: 0.2, 10_000: 0.5 };
/** The gaps of a Poisson process have a CV of 1. */
const POISSON = { least: 0.95, most: 1.05 };

/**
 * Prints how even arrivals are by the time stamps of the kernel, beside a sender in C that sleeps until each one is due:
 * what is left of its variation is the machine's. The arrivals of the first {@link WARMUP} seconds do not count.
 * Needs cc.
 *
 * @param {{ rounds?: number, seconds?: number }} [settings]
 */
export async function spacing({ rounds = ROUNDS, seconds = SECONDS } = {}) {
  if (!programPath('cc')) throw new Error('spacing needs a C compiler, cc');
  const folder = mkdtempSync(join(tmpdir(), 'bench-rest-spacing-'));
  const program = join(folder, 'spacing');
  const compiled = spawnSync('cc', ['-O2', '-o', program, pathInBench('clients/spacing.c'), '-lm'], {
    encoding: 'utf8',
  });
  if (compiled.status !== 0) throw new Error(`cc: ${compiled.stderr}`);
  const recorder = start([program, 'record'], { cpu: TARGET_CPU, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: recorder.stdout })[Symbol.asyncIterator]();
  const next = async () => (await lines.next()).value;
  const port = await next();
  /** what the recorder received since the last time */
  const figures = () => {
    recorder.stdin.write('\n');
    return next();
  };
  const inC = {
    name: 'C, clock_nanosleep',
    command: ({ rate, seconds: length }) => [program, 'send', port, `${rate}`, `${length}`],
  };
  const beside = KEEPERS.filter(({ name, missing }) => BESIDE.includes(name) && !missing?.());
  const senders = [inC, ...beside, ...(canPin ? ALONE : [])];
  const goals = [];
  try {
    for (const rate of RATES) {
      const runs = new Map(senders.map(({ name }) => [name, []]));
      for (let round = 0; round < rounds; round++)
        for (const { name, command, isAlone } of senders) {
          const argv = command({ url: `http://127.0.0.1:${port}`, rate, seconds: WARMUP + seconds });
          const child = start(argv, isAlone ? {} : { cpu: CLIENT_CPU });
          const ended = endOf(child);
          const isWarm = setTimeout(WARMUP * 1000);
          await setTimeout(STARTED * 1000);
          if (isAlone) await pinBusiest(child.pid, { busiest: CLIENT_CPU, others: TARGET_CPU });
          await isWarm;
          await figures();
          await ended;
          runs.get(name).push(JSON.parse(await figures()));
        }
      say(tableOf(rate, runs));
      goals.push(...goalsOf(rate, runs));
    }
    say(goalTable(goals));
  } finally {
    await end(recorder);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @type {(rate: number, runs: Map<string, any[]>) => import('./goal.js').Goal[]} */
function goalsOf(rate, runs) {
  return [...runs].flatMap(([name, rounds]) => {
    const [what, value] = [`${rate}/s: CV of the gaps, ${name}`, median(rounds.map(({ kernel }) => kernel?.cv))];
    if (!name.startsWith('ours') || name === 'ours, timer') return [];
    if (!name.includes('poisson')) return [{ what, sign: '<=', bound: MOST_VARIATION[rate], value }];
    return [
      { what, sign: '>=', bound: POISSON.least, value },
      { what, sign: '<=', bound: POISSON.most, value },
    ];
  });
}

/** @type {(rate: number, runs: Map<string, any[]>) => string} */
function tableOf(rate, runs) {
  const rows = [...runs].map(([name, rounds]) => {
    const middle = (value, digits = 3) => (median(rounds.map(value)) ?? NaN).toFixed(digits).padStart(9);
    const gaps = ['cv', 'p25', 'p75', 'p99', 'max'].map((key) => middle(({ kernel }) => kernel?.[key]));
    return `${name.padEnd(22)}${middle(({ count }) => count, 0)}${gaps.join('')}${middle(({ process: own }) => own?.cv)}`;
  });
  const heads = ['arrivals', 'CV', 'gap p25', 'p75', 'p99', 'max ms', 'CV there'].map((head) => head.padStart(9));
  return `\n${`${rate.toLocaleString('en')}/s`.padEnd(22)}${heads.join('')}\n${rows.join('\n')}`;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
