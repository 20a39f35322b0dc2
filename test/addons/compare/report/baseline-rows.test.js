import { expect } from 'chai';

import { baselineRemarks, baselineRows } from '../../../../lib/addons/compare/report/rows.js';

const figure = {
  ...{ figure: 'responseTime.p99', unit: 'ms', base: 10, new: 12 },
  ...{ change: 0.2, interval: { low: 0.1, high: 0.3 }, verdict: 'worse' },
};
const counts = { count: 10, errors: 0 };
const operation = (name) => ({
  name,
  phase: 'main',
  base: counts,
  new: counts,
  figures: [{ ...figure, figure: 'p99' }],
});

describe('rows of a baseline', () => {
  it('the figures come first, then those of several operations, each with its name', () => {
    const rows = baselineRows({ figures: [figure], operations: [operation('GET /a'), operation('GET /b')] });
    expect(rows.map(({ name }) => name)).to.deep.equal(['p99, ms', 'GET /a p99, ms', 'GET /b p99, ms']);
    expect(rows[1]).to.include({ base: '10.0', other: '12.0', change: '+20.0 %', verdict: 'worse' });
  });

  it('a single operation is that of the iteration', () => {
    expect(baselineRows({ figures: [figure], operations: [operation('GET /a')] })).to.have.lengthOf(1);
  });

  it('warnings, what hinders a test, and exceeded limits are sentences', () => {
    const regressions = [{ expression: 'p99=10%', message: 'p99 is worse by 20.0 %, more than 10 %' }];
    const untested = { message: 'each side has one run' };
    const warnings = [{ message: 'the baseline is of another flow' }];
    const ofOthers = { warnings: [{ code: 'other', message: '' }], regressions: [] };
    expect(baselineRemarks(ofOthers), 'an empty message of a file').to.deep.equal(['.']);
    expect(baselineRemarks({ untested, warnings, regressions })).to.deep.equal([
      'The baseline is of another flow.',
      'Cannot tell noise from change, because each side has one run: run both sides in turn, three times or more (bench-rest ab --runs 10), or say how much runs differ by chance (--noise 5%, or --history).',
      'p99 is worse by 20.0 %, more than 10 % (--max-regression p99=10%).',
    ]);
  });
});
