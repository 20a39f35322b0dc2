import { expect } from 'chai';

import { createProblems } from '../../../../lib/core/ground/problems.js';
import { readThresholds } from '../../../../lib/core/measure/thresholds.js';
import { thresholdTexts } from '../../../../lib/core/run/options/checks.js';

/** The expressions that were read, and the reasons against the others. */
function read(given, operations = ['GET /']) {
  const problems = createProblems('E_RUN_OPTIONS');
  const expressions = readThresholds(thresholdTexts(given), problems, { operations }).map(
    ({ expression }) => expression,
  );
  return { expressions, problems: problems.list.map(({ path, reason }) => `${path}: ${reason}`) };
}

describe('thresholds of a run', () => {
  for (const [given, expressions] of [
    [undefined, []],
    ['p99<1s', ['p99<1s']],
    [
      ['p99<1s', 'errors<1%'],
      ['p99<1s', 'errors<1%'],
    ],
    [{ p99: '<1s', 'GET / p95': ['<1s', '>1ms'] }, ['p99<1s', 'GET / p95<1s', 'GET / p95>1ms']],
  ]) {
    it(`${JSON.stringify(given)} is read as ${expressions.length === 0 ? 'no threshold' : expressions.join(' and ')}`, () => {
      expect(read(given)).to.deep.equal({ expressions, problems: [] });
    });
  }

  it('all wrong ones are reported, each with a code frame', () => {
    expect(read(['p99<200', 'p99<1s', 'GET /x p95<1s']).problems).to.deep.equal([
      'thresholds[0]: expected a time with its unit, such as 200ms or 1.5s\n    p99<200\n        ^',
      'thresholds[2]: no operation is called "GET /x", did you mean "GET /"?\n    GET /x p95<1s\n    ^',
    ]);
  });

  it('the frame of a long threshold shows the part around the error', () => {
    const operation = `GET /${'a'.repeat(300)}`;
    const [problem] = read([`${operation} p95<fast`], [operation]).problems;
    const [, line, caret] = problem.split('\n');
    expect(line).to.have.lengthOf.below(110).and.to.include('p95<fast');
    expect(line.slice(caret.length - 1)).to.match(/^fast/);
  });
});
