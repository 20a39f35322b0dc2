import { expect } from 'chai';

import { checkRows, checksLine, passedShare } from '../../../lib/core/report/rows.js';

describe('checks in reports', () => {
  it('has a row for each check, with its first failure', () => {
    const of = (name, passes, failures, firstFailure) => ({
      name,
      operation: name === 'other' ? '' : 'GET /',
      passed: passes,
      failed: failures,
      share: passes + failures > 0 ? passes / (passes + failures) : null,
      firstFailure,
    });
    const details = [
      of('status 200', 3, 1, { index: 1200, message: 'expected status 200, received 500' }),
      of('text', 0, 1, { index: null, message: 'expected "x", received ""' }),
      of('other', 0, 0),
    ];
    expect(checkRows({ checks: { details } })).to.deep.equal([
      {
        name: 'GET /: status 200',
        total: 4,
        failures: 1,
        passed: '75 %',
        failure: 'expected status 200, received 500 in iteration 1,200',
      },
      { name: 'GET /: text', total: 1, failures: 1, passed: '0 %', failure: 'expected "x", received ""' },
      { name: 'other', total: 0, failures: 0, passed: '-', failure: '' },
    ]);
    expect(checkRows({})).to.deep.equal([]);
    const ofScenario = { ...of('text', 1, 0), scenario: 'buy' };
    expect(checkRows({ checks: { details: [ofScenario] } })[0].name).to.equal('GET /: text (buy)');
  });

  it('tells checks of the same name apart by their places', () => {
    const of = (name, path) => ({ name, path, operation: 'GET /', passed: 1, failed: 0, share: 1 });
    const details = [
      of('text', 'flow.main[0].expect.text'),
      of('status 200', ''),
      of('text', 'flow.main[1].expect.text'),
    ];
    expect(checkRows({ checks: { details } }).map(({ name }) => name)).to.deep.equal([
      'GET /: text, flow.main[0].expect.text',
      'GET /: status 200',
      'GET /: text, flow.main[1].expect.text',
    ]);
  });

  it('sums up all checks in a line', () =>
    expect(checksLine({ passed: 1980, failed: 20, share: 0.99 })).to.equal('1,980 of 2,000 passed (99 %)'));

  it('says that nothing was checked', () =>
    expect(checksLine({ passed: 0, failed: 0, share: null })).to.equal('nothing was checked'));

  for (const [share, text] of [
    [1, '100 %'],
    [0.999999, '> 99.9 %'],
    [0.999, '99.9 %'],
    [0.9951, '99.5 %'],
    [0.00001, '< 0.1 %'],
    [0, '0 %'],
    [null, '-'],
  ])
    it(`${share} is ${text}`, () => expect(passedShare(share)).to.equal(text));
});
