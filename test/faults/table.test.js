import { expect } from 'chai';

import { CATALOGUE } from './catalogue.js';

const IDS = /^((?:[FCTBSX]\d+ )+)/;

/** The tests that name an id at the beginning of their title, or of a suite's that they are in. */
function testsById(suite, inherited = [], found = new Map()) {
  const ofSuite = [...inherited, ...idsOf(suite.title)];
  for (const test of suite.tests) {
    for (const id of new Set([...ofSuite, ...idsOf(test.title)])) found.set(id, [...(found.get(id) ?? []), test]);
  }
  for (const inner of suite.suites) testsById(inner, ofSuite, found);
  return found;
}

function idsOf(title) {
  return IDS.exec(title)?.[1].trim().split(' ') ?? [];
}

// whatever was read, B16
afterEach('nothing was put into Object.prototype', () => expect(Object.keys(Object.prototype)).to.deep.equal([]));

after('the fault catalogue: every row is shown, or says why not', function () {
  const found = testsById(this.test.parent);
  const rows = CATALOGUE.map(({ id, about, notYet }) => {
    const tests = found.get(id) ?? [];
    const failed = tests.filter(({ state }) => state !== 'passed').length;
    const state = notYet
      ? `not yet applicable: ${notYet}`
      : tests.length === 0
        ? 'NOT SHOWN'
        : failed > 0
          ? `${failed} of ${tests.length} FAILED`
          : `${tests.length} passing`;
    return { id, about, state, isFine: notYet ? tests.length === 0 : tests.length > 0 };
  });
  const width = Math.max(...rows.map(({ about }) => about.length));
  process.stdout.write(
    `\n  The fault catalogue\n${rows.map(({ id, about, state }) => `    ${id.padEnd(4)} ${about.padEnd(width)}  ${state}\n`).join('')}`,
  );
  const unknown = [...found.keys()].filter((id) => !CATALOGUE.some((row) => row.id === id));
  expect(unknown, 'ids that are in no row').to.deep.equal([]);
  expect(
    rows.filter(({ isFine }) => !isFine).map(({ id }) => id),
    'rows that no test shows',
  ).to.deep.equal([]);
});
