// npm run mutants [-- SEED [COUNT]]: changes one place of lib/core at a time, and prints which test of `npm test` finds it. The tests of its
// folder run first, those of the core next, and then all: a minute for each change that those of the core miss
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { parse } from 'acorn';

import { seeded } from './support/random.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** A change may make a loop endless. */
const MOST_MS = 600_000;
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
const places = readdirSync(join(ROOT, 'lib/core'), { recursive: true })
  .filter((path) => path.endsWith('.js'))
  .sort()
  .flatMap((path) => placesIn(`lib/core/${path}`));
const survivors = [];
// changes are made in a copy of the last commit
const copy = mkdtempSync(join(tmpdir(), 'mutants-'));
process.on('exit', () => rmSync(copy, { recursive: true }));
process.on('SIGINT', () => process.exit(130));
spawnSync('git', ['clone', '--quiet', ROOT, copy]);
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
const failing = firstFailing('');
if (failing !== null) {
  console.error(`Without any change, npm test fails here: ${failing}`);
  process.exit(1);
}
for (let i = 1; i <= Number(count); i++) {
  const place = random.pick(places);
  const foundBy = finder(place);
  if (foundBy === null) survivors.push(place);
  console.log(`${i} ${described(place)}: ${foundBy ?? 'SURVIVES'}`);
}
console.log(`${Number(count) - survivors.length} of ${count} were found, seed ${seed}`);

/** The first test that fails with a change; null if none does. @returns {string | null} */
function finder({ path, start, end, text }) {
  const source = readFileSync(join(copy, path), 'utf8');
  writeFileSync(join(copy, path), source.slice(0, start) + text + source.slice(end));
  try {
    const folder = dirname(path).replace(/^lib\//, '');
    const own = existsSync(join(copy, 'test', folder)) ? [folder] : [];
    for (const part of [...own, 'core', '']) {
      // one process loads the modules of a folder once
      const found = firstFailing(part, part === folder ? ['--no-parallel'] : []);
      if (found !== null) return found;
    }
    return null;
  } finally {
    writeFileSync(join(copy, path), source);
  }
}

/** The first test of a part of `npm test` that fails; null if none does. @returns {string | null} */
function firstFailing(part, options = []) {
  const args = ['test/run.js', ...(part ? [part] : []), '--bail', '--reporter', 'dot', ...options];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: copy, timeout: MOST_MS, encoding: 'utf8' });
  if (status === 0) return null;
  return /^ +1\) (.*?):\n/ms.exec(stdout)?.[1].replace(/\s+/g, ' ') ?? 'the end of the process';
}

/** Every change of a file: `text` replaces what is from `start` to `end`. */
function placesIn(path) {
  const source = readFileSync(join(ROOT, path), 'utf8');
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
  const source = readFileSync(join(ROOT, path), 'utf8');
  const line = source.slice(0, start).split('\n').length;
  return `${path}:${line} ${source.slice(start, end).replace(/\s+/g, ' ')} -> ${text.replace(/\s+/g, ' ')}`;
}
