// npm run mutants [-- SEED [COUNT]]: changes one place of lib/core at a time, and prints which test of `npm test` finds it. Tests that call
// the changed function run first, and of these the ones that call little else
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { parse } from 'acorn';

import { seeded } from './support/random.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** A change may make a loop endless: all tests have so many times the time that they take without it, the nearest ones once. */
const MOST_TIMES = 3;
/** Files of tests that run in one process, before all others that reach a place. */
const NEAREST = 12;
const OPERATORS = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};

const [seed = '1', count = '100'] = process.argv.slice(2);
const random = seeded(Number(seed));
const survivors = [];
// changes are made in a copy of the last commit
const copy = mkdtempSync(join(tmpdir(), 'mutants-'));
/** The tests that run, with all their processes. @type {import('node:child_process').ChildProcess | null} */
let running = null;
process.on('exit', () => {
  stopTests();
  rmSync(copy, { recursive: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
spawnSync('git', ['clone', '--quiet', ROOT, copy]);
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
const places = readdirSync(join(copy, 'lib/core'), { recursive: true })
  .filter((path) => path.endsWith('.js'))
  .sort()
  .flatMap((path) => placesIn(`lib/core/${path}`));
const began = Date.now();
const tests = await readReached();
const usualMs = Date.now() - began;
for (let i = 1; i <= Number(count); i++) {
  const place = random.pick(places);
  const foundBy = await finder(place);
  if (foundBy === null) survivors.push(place);
  console.log(`${i} ${described(place)}: ${foundBy ?? 'SURVIVES'}`);
}
console.log(`${Number(count) - survivors.length} of ${count} were found, seed ${seed}`);

/** The first test that fails with a change; null if none does. @returns {Promise<string | null>} */
async function finder({ path, start, end, text }) {
  const source = readFileSync(join(copy, path), 'utf8');
  writeFileSync(join(copy, path), source.slice(0, start) + text + source.slice(end));
  try {
    const reaching = tests.filter((test) => reaches(test, path, start));
    const others = tests.filter((test) => !reaching.includes(test));
    // one process loads the modules of a few files once
    const stages = [
      [reaching.slice(0, NEAREST), '--no-parallel', 1],
      [reaching.slice(NEAREST), '--parallel', MOST_TIMES],
      [others, '--parallel', MOST_TIMES],
    ];
    for (const [some, option, times] of stages) {
      const options = [...some.map(({ test }) => test), option];
      const found = some.length > 0 ? await firstFailing(options, { mostMs: times * usualMs }) : null;
      if (found !== null) return found;
    }
    return null;
  } finally {
    writeFileSync(join(copy, path), source);
  }
}

/**
 * Runs `npm test` without any change, and returns its files with the functions that they call: those that call few of
 * them first.
 */
async function readReached() {
  const folder = join(copy, 'reached');
  mkdirSync(folder);
  const failing = await firstFailing(['--require', './test/support/reached.js'], { variables: { REACHED: folder } });
  if (failing !== null) {
    console.error(`Without any change, npm test fails here: ${failing}`);
    process.exit(1);
  }
  const found = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const width = ({ sources }) =>
    sources.flatMap(({ functions }) => functions).filter(([, , isCalled]) => isCalled).length;
  return found.sort((a, b) => width(a) - width(b));
}

/** Whether tests call the function around a place: the innermost one that is known. */
function reaches({ sources }, path, at) {
  const functions = sources.find((source) => source.path === path)?.functions ?? [];
  const around = functions.filter(([start, end]) => start <= at && at < end);
  const innermost = around.reduce((a, b) => (b[1] - b[0] < a[1] - a[0] ? b : a), [0, Infinity, false]);
  // the code of the module itself runs once in each process
  return innermost[0] === 0 ? functions.some(([, , isCalled]) => isCalled) : innermost[2];
}

/** The first test that fails with options of test/run.js; null if none does. @returns {Promise<string | null>} */
async function firstFailing(options, { variables = {}, mostMs = 600_000 } = {}) {
  const child = spawn(process.execPath, ['test/run.js', ...options, '--bail', '--reporter', 'dot'], {
    ...{ cwd: copy, env: { ...process.env, ...variables } },
    // a group of processes, which end together
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  running = child;
  const timer = setTimeout(stopTests, mostMs);
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  const [code] = await once(child, 'close');
  running = null;
  clearTimeout(timer);
  if (code === 0) return null;
  return /^ +1\) (.*?):\n/ms.exec(said)?.[1].replace(/\s+/g, ' ') ?? 'the end of the process';
}

function stopTests() {
  if (running !== null) process.kill(-running.pid, 'SIGKILL');
}

/** Every change of a file: `text` replaces what is from `start` to `end`. */
function placesIn(path) {
  const source = readFileSync(join(copy, path), 'utf8');
  const found = [];
  const add = (start, end, text) => found.push({ path, start, end, text });
  const visit = (node) => {
    if (typeof node?.type !== 'string' || node.type === 'ImportDeclaration') return;
    if (OPERATORS[node.operator] && node.left) {
      const at = source.indexOf(node.operator, node.left.end);
      add(at, at + node.operator.length, OPERATORS[node.operator]);
    }
    if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') {
      add(node.test.start, node.test.end, `!(${source.slice(node.test.start, node.test.end)})`);
    }
    if (node.type === 'ExpressionStatement' && !node.directive) add(node.start, node.end, ';');
    if (node.type === 'Literal' && typeof node.value === 'number') add(node.start, node.end, String(node.value + 1));
    if (node.type === 'Literal' && typeof node.value === 'boolean') add(node.start, node.end, String(!node.value));
    for (const child of Object.values(node)) for (const one of [child].flat()) visit(one);
  };
  visit(parse(source, { ecmaVersion: 'latest', sourceType: 'module' }));
  return found;
}

function described({ path, start, end, text }) {
  const source = readFileSync(join(copy, path), 'utf8');
  const line = source.slice(0, start).split('\n').length;
  return `${path}:${line} ${source.slice(start, end).replace(/\s+/g, ' ')} -> ${text.replace(/\s+/g, ' ')}`;
}
