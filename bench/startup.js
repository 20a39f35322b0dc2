import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { errorLine } from './error-line.js';
import { goalTable } from './goal.js';
import { median } from './median.js';
import { notInstalled, pathInBench } from './peers/installed.js';
import { endOf, programPath, start } from './processes.js';

const RUNS = 20;
const program = pathInBench('../bin/bench-rest.js');
/** What `npm run package` writes. */
const packaged = pathInBench('../package');
const probe = pathInBench('clients/cpu-at-exit.cjs');

/**
 * @typedef {object} Work
 * @property {string} name
 * @property {string[]} argv
 * @property {string} [missing] why it cannot be measured
 * @property {boolean} [sends] it sends a request
 * @property {{ time?: number, cpu?: number, ratio?: number }} [most] ms, and CPU beside that of autocannon
 */

/**
 * Prints what every start costs, in turns, and returns the goals. Times are those of the clock, until the server has the
 * first request; CPU times are those of the whole process, and of each the least counts: others may use the machine.
 *
 * @returns {Promise<import('./goal.js').Goal[]>}
 */
export async function startup() {
  const server = createServer((_, response) => {
    server.emit('asked', performance.now());
    response.end('ok');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const url = `http://127.0.0.1:${/** @type {any} */ (server.address()).port}/`;
  const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
  const works = worksFor(url, installed(folder));
  const measured = works.filter(({ missing }) => !missing).map((work) => ({ ...work, times: [], cpu: [] }));
  try {
    for (let i = 0; i < RUNS; i++) for (const work of measured) await measure(work, server);
    process.stdout.write(table(measured, works));
    const warm = await warmRun(url);
    process.stdout.write(`  benchrest() once more in one program, one request: ${warm.toFixed(1)} ms of CPU\n`);
    const goals = [
      ...goalsOf(measured),
      { what: 'warm benchrest(): CPU ms', sign: /** @type {const} */ ('<='), bound: 2, value: warm },
    ];
    return goals;
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
}

/**
 * Installs the package, which keeps what V8 makes of it on Node 22 and newer; null: it is not built.
 * @type {(folder: string) => string | null}
 */
function installed(folder) {
  if (!existsSync(packaged)) return null;
  const home = join(folder, 'node_modules/bench-rest');
  cpSync(packaged, home, { recursive: true });
  return join(home, 'bin/bench-rest.js');
}

/** The same, with the table of its goals. */
export async function startupWithGoals() {
  process.stdout.write(goalTable(await startup()));
}

/** @type {(url: string, packaged: string | null) => Work[]} */
function worksFor(url, packaged) {
  const peer = (/** @type {string} */ name, /** @type {string} */ file, /** @type {string[]} */ args) => ({
    name: [name, ...args].join(' '),
    argv: [pathInBench(`node_modules/${name}/${file}`), ...args, url],
    missing: notInstalled(name),
    sends: true,
  });
  return [
    { name: 'Node alone', argv: ['-e', '0'] },
    { name: '--version', argv: [program, '--version'], most: { cpu: 100 } },
    { name: '--help', argv: [program, '--help'], most: { cpu: 100 } },
    { name: '-n 1 URL, clone', argv: [program, '-n', '1', url], sends: true },
    {
      name: '-n 1 URL, package',
      argv: [packaged ?? '', '-n', '1', url],
      missing: packaged ? undefined : 'not there, run npm run package',
      sends: true,
      most: { time: 200, ratio: 1 },
    },
    peer('autocannon', 'autocannon.js', ['-a', '1']),
    peer('loadtest', 'bin/loadtest.js', ['-n', '1']),
    {
      name: 'k6, 1 iteration',
      argv: ['k6', 'run', '--quiet', '--no-usage-report', '-e', `URL=${url}`, pathInBench('clients/once-k6.js')],
      missing: programPath('k6') ? undefined : 'not installed',
      sends: true,
    },
  ];
}

/** @type {(work: Work & { times: number[], cpu: number[] }, server: import('node:http').Server) => Promise<void>} */
async function measure({ name, argv, sends, times, cpu }, server) {
  const asked = new Promise((resolve) => server.once('asked', resolve));
  const started = performance.now();
  const command = argv[0] === 'k6' ? ['sh', '-c', '"$@" >/dev/null; times >&3', 'sh', ...argv] : null;
  const child = start(command ?? [process.execPath, '--require', probe, ...argv], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const { code, stderr, extra } = await endOf(child);
  if (code !== 0) throw new Error(`${name} exited with ${code}: ${errorLine(stderr)}`);
  if (sends) times.push((await asked) - started);
  server.removeAllListeners('asked');
  cpu.push(command ? msOfChildren(extra) : Number(extra));
}

/** What `times` of the shell prints about its children. @type {(text: string) => number} */
function msOfChildren(text) {
  const [, , ...children] = Array.from(
    text.matchAll(/(\d+)m([\d.]+)s/g),
    ([, m, s]) => (60 * Number(m) + Number(s)) * 1000,
  );
  return children.reduce((sum, one) => sum + one, 0);
}

/** @type {(url: string) => Promise<number>} */
async function warmRun(url) {
  const argv = [process.execPath, pathInBench('clients/warm-runs.js'), pathInBench('../index.js'), url];
  const { code, stdout, stderr } = await endOf(start(argv));
  if (code !== 0) throw new Error(`warm-runs.js exited with ${code}: ${errorLine(stderr)}`);
  return Number(stdout);
}

/** @type {(measured: (Work & { times: number[], cpu: number[] })[], works: Work[]) => string} */
function table(measured, works) {
  const beside = leastOf(measured.find(({ name }) => name.startsWith('autocannon'))?.cpu);
  const cells = (/** @type {number[]} */ values) =>
    values.length === 0
      ? ''.padStart(16)
      : [leastOf(values), median(values)].map((ms) => ms.toFixed(0).padStart(8)).join('');
  const lines = works.map(({ name, missing }) => {
    const row = measured.find((one) => one.name === name);
    if (!row) return `  ${name.padEnd(20)}  ${missing}\n`;
    const ratio = beside === undefined ? '-' : (leastOf(row.cpu) / beside).toFixed(2);
    return `  ${name.padEnd(20)}${cells(row.cpu)}${ratio.padStart(15)}  ${cells(row.times)}\n`;
  });
  const head = `${'CPU ms: least'.padStart(30)}  median  of autocannon  first request: least  median\n`;
  return `startup, ${RUNS} runs of each in turn\n${head}${lines.join('')}`;
}

/** @type {(values?: number[]) => number | undefined} */
function leastOf(values) {
  return values && Math.min(...values);
}

/** @type {(measured: (Work & { times: number[], cpu: number[] })[]) => import('./goal.js').Goal[]} */
function goalsOf(measured) {
  const beside = leastOf(measured.find(({ name }) => name.startsWith('autocannon'))?.cpu);
  return measured.flatMap(({ name, times, cpu, most = {} }) =>
    [
      { what: `start-up, ${name}: least ms to the first request`, bound: most.time, value: leastOf(times) },
      { what: `start-up, ${name}: least CPU ms`, bound: most.cpu, value: leastOf(cpu) },
      { what: `start-up, ${name}: CPU, of autocannon`, bound: most.ratio, value: beside && leastOf(cpu) / beside },
    ].flatMap(({ bound, ...goal }) =>
      bound === undefined ? [] : [{ ...goal, bound, sign: /** @type {const} */ ('<=') }],
    ),
  );
}
