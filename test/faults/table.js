// npm run catalogue: the rows of the fault catalogue, each with its tests. Reads the titles of
// the tests without running them. Exits 1 if a row has no test, two rows
// have one id, or a title has an id without a row.
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import Mocha from 'mocha';

import '../../lib/addons-of-command.js';
import { CATALOGUE } from './catalogue.js';

const IDS = /^((?:[FCTBSXNA]\d+ )+)/;
/** An id in the text of a test, or the property of a table of tests. Loading the other files would take most of the time. */
const MAY_HAVE_IDS = /\b[FCTBSXNA]\d+ |\bid\b/;
const TESTS = fileURLToPath(new URL('..', import.meta.url));

const mocha = new Mocha();
mocha.files = filesWithIds();
await mocha.loadFilesAsync();
const found = testsById(mocha.suite);
const rows = CATALOGUE.map((row) => ({ ...row, tests: found.get(row.id) ?? [] }));

const width = Math.max(...CATALOGUE.map(({ about }) => about.length));
const lines = rows.map((row) => `${row.id.padEnd(4)} ${row.about.padEnd(width)}  ${stateOf(row)}`);
const problems = [
  ...CATALOGUE.filter(({ id }, i) => CATALOGUE.findIndex((row) => row.id === id) < i).map(
    ({ id }) => `${id}: is the id of two rows`,
  ),
  ...rows.filter(({ notYet, tests }) => !notYet && tests.length === 0).map(({ id }) => `${id}: has no test`),
  ...rows.filter(({ notYet, tests }) => notYet && tests.length > 0).map(({ id }) => `${id}: has a test: remove notYet`),
  ...[...found.keys()]
    .filter((id) => !CATALOGUE.some((row) => row.id === id))
    .map((id) => `${id}: is not in the catalogue`),
];
process.stdout.write([...lines, ...problems, ''].join('\n'));
// modules of the tests may have open handles
process.exit(problems.length > 0 ? 1 : 0);

function filesWithIds() {
  return readdirSync(TESTS, { recursive: true })
    .filter((path) => path.endsWith('.test.js') && (!path.startsWith('tools') || /agent/.test(path)))
    .sort()
    .map((path) => join(TESTS, path))
    .filter((path) => MAY_HAVE_IDS.test(readFileSync(path, 'utf8')));
}

/** The tests by the ids at the beginning of their titles, and of the titles of their suites. */
function testsById(suite, inherited = [], byId = new Map()) {
  const ofSuite = [...inherited, ...idsOf(suite.title)];
  for (const test of suite.tests) {
    for (const id of new Set([...ofSuite, ...idsOf(test.title)])) byId.set(id, [...(byId.get(id) ?? []), test]);
  }
  for (const inner of suite.suites) testsById(inner, ofSuite, byId);
  return byId;
}

function idsOf(title) {
  return IDS.exec(title)?.[1].trim().split(' ') ?? [];
}

function stateOf({ notYet, tests }) {
  if (notYet) return `not yet: ${notYet}`;
  const files = new Set(tests.map(({ file }) => relative(TESTS, file)));
  return `${String(tests.length).padStart(3)} tests: ${[...files].join(', ')}`;
}
