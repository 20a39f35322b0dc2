// npm test: what needs nothing but Node, without the slow tests of test/support/slow.js. npm run test:all: everything, in full
// counts. Both take parts of test/, and options of mocha after them: npm test -- core faults/ending --bail
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TESTS = new URL('.', import.meta.url);
const MOCHA = fileURLToPath(new URL('../node_modules/mocha/bin/mocha.js', TESTS));
const TIMING = 'test/timing/*.test.js';
const ALONE = 'test/tools/timing/*.test.js';
/** A heap that begins large is collected less often: a fifth less CPU. The tests of memory have the usual one. */
const QUICK_NODE = ['--initial-heap-size=256'];

const args = process.argv.slice(2);
const isAll = args[0] === '--all';
if (isAll) args.shift();
const parts = [];
while (args.length > 0 && !args[0].startsWith('-')) parts.push(...patternsOf(args.shift()));

for (const stage of isAll ? stagesOfAll() : [['--require', './test/support/quick.js', ...patternsOfQuick()]]) {
  const node = isAll ? [] : QUICK_NODE;
  const { status } = spawnSync(process.execPath, [...node, MOCHA, ...stage, ...args], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Files are given to processes in this order: the folders of lib last, because theirs are short. */
function patternsOfQuick() {
  const long = 'test/!(addons|compat|core|timing|tools)/**/*.test.js';
  const all = [long, 'test/*.test.js', 'test/@(core|addons)/**/*.test.js'];
  return ['--parallel', '--jobs', '5', ...(parts.length > 0 ? parts : all)];
}

/** Tests that measure time run after the others, and two of their files at a time, or alone. */
function stagesOfAll() {
  const full = ['--require', './test/support/full.js'];
  if (parts.length > 0) return [[...full, '--parallel', '--jobs', '2', ...parts]];
  const others = [
    '--ignore',
    'test/**/timing/**',
    'test/tools/*.test.js',
    'test/!(tools)/**/*.test.js',
    'test/*.test.js',
  ];
  return [
    [...full, '--parallel', '--jobs', '5', ...others],
    [...full, '--parallel', '--jobs', '2', TIMING],
    [...full, ALONE],
  ];
}

/** A part is a folder, or a file without its ending. */
function patternsOf(name) {
  const part = name.replace(/^test\//, '').replace(/(\.test\.js|\/)$/, '');
  const found = [`${part}.test.js`, `${part}/`].filter((path) => existsSync(new URL(path, TESTS)));
  if (found.length > 0) return found.map((path) => `test/${path.replace(/\/$/, '/**/*.test.js')}`);
  console.error(`test/ has no ${part}`);
  process.exit(1);
}
