import { expect } from 'chai';

import { judgeThresholds } from '../../../lib/core/measure/judge-thresholds.js';
import { readThreshold, shareOfChecks } from '../../../lib/core/measure/thresholds.js';

/** operations, a scenario, a group and a tag */
const OPERATIONS = ['GET /', 'POST /checks.json', 'log in', 'buy', 'order', 'team:shop'];
const CHECKS = [
  { name: 'status 201', operation: 'POST /checks.json', labels: { group: 'order', team: 'shop' } },
  { name: '$.age >= 18', operation: 'GET /' },
  { name: 'status 2xx', operation: 'GET /', scenario: 'buy' },
];
const stats = {
  checks: {
    passed: 197,
    failed: 3,
    share: 0.985,
    details: [
      { ...CHECKS[0], passed: 98, failed: 2 },
      { ...CHECKS[1], passed: 0, failed: 0 },
      { ...CHECKS[2], passed: 99, failed: 1 },
    ],
  },
  operations: [],
};

describe('thresholds of checks', () => {
  for (const [text, passed, actual] of [
    ['checks>99%', false, 0.985],
    ['checks>=98.5%', true, 0.985],
    ['checks.status 201>=98%', true, 0.98],
    ['checks.$.age >= 18>50%', false, null],
    ['GET / checks>=99%', true, 0.99],
    ['GET / checks.status 2xx==100%', false, 0.99],
    ['POST /checks.json checks.status 201<99%', true, 0.98],
    ['log in checks.status 201<99%', false, null],
    ['buy checks==99%', true, 0.99],
    ['order checks==98%', true, 0.98],
    ['team:shop checks.status 201>99%', false, 0.98],
  ])
    it(`${text} ${passed ? 'holds' : 'fails'} at ${actual}`, () => {
      const [judgement] = judgeThresholds([readThreshold(text, { operations: OPERATIONS }).threshold], stats);
      expect(judgement).to.include({ expression: text, figure: 'checks', passed, actual, unit: 'ratio' });
    });

  it('the name of an operation may look like a check', () =>
    expect(readThreshold('POST /checks.json p95<1s', { operations: OPERATIONS, checks: CHECKS }).threshold).to.include({
      operation: 'POST /checks.json',
      figure: 'p95',
      check: null,
    }));

  for (const part of ['buy', 'GET / (buy)', 'order', 'team:shop'])
    it(`${part} has the checks of its operations`, () =>
      expect(readThreshold(`${part} checks>90%`, { checks: CHECKS }).threshold.operation).to.equal(part));

  it('names of checks are masked as in results', () =>
    expect(readThreshold('checks.a?token=CANARY>1%').threshold.check).to.equal('a?token=***'));

  for (const [text, column, reason] of [
    ['checks>99', 7, /expected a share of the checks that pass, such as 99%/],
    ['checks.status 202>99%', 0, /no check is called "status 202", did you mean checks\.status 201\?/],
    ['GET / checks.other>99%', 6, /no check is called "other": there are \$\.age >= 18, status 2xx/],
    ['log in checks>99%', 7, /"log in" has no checks: add expect/],
    ['checks.share>90%', 0, /^the share of the checks that passed is called checks, as in 'checks>90%'$/],
    ['GET / checks.failed<1%', 6, /is called checks, as in 'checks>90%'$/],
  ])
    it(`${text} is refused`, () => {
      const reading = readThreshold(text, { operations: OPERATIONS, checks: CHECKS });
      expect(reading.reason).to.match(reason);
      expect(reading.column).to.equal(column);
    });

  it('a flow without checks has no figure of them', () => {
    expect(readThreshold('checks>99%', { operations: OPERATIONS, checks: [] }).reason).to.match(
      /^the flow has no checks/,
    );
    const own = [{ name: 'share', operation: 'GET /' }];
    expect(readThreshold('checks.share>99%', { operations: OPERATIONS, checks: own }).threshold.check).to.equal(
      'share',
    );
    expect(shareOfChecks(null, null, {})).to.equal(null);
  });
});
