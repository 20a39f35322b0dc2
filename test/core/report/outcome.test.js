import { expect } from 'chai';

import { hintsAt } from '../../../lib/core/ground/addons.js';
import { readPercent } from '../../../lib/core/ground/units.js';
import { measuredBeside } from '../../../lib/core/measure/outcome-reasons.js';
import { outcomeOf, trustOf } from '../../../lib/core/report/outcome.js';
import fc from '../../support/fast-check.js';
import { judged } from '../../support/judged.js';
import { literalResult } from '../../support/literal-result.js';
import { outcomeFor } from '../../../lib/core/measure/outcome.js';

/** What an add-on says about the limit of a service. */
const CAPACITY = hintsAt('unknown limit')
  .map((hint) => ` ${hint},`)
  .join('');

const result = ({ errors = 0, failed = errors, answered = 1000, allowed = errors === 0, ...rest } = {}) => ({
  iterations: { started: 1000, completed: 1000 - failed, failed, cancelled: 0, dropped: 0 },
  requests: { sent: 1000, answered },
  virtualUsers: { started: 10, answered: 10 },
  series: { interval: 1000, points: [] },
  operations: [{ name: 'GET /', phase: 'main', count: 1000 }],
  loadGenerator: { saturated: false },
  errors: { kinds: {}, count: errors, allowed },
  validity: { status: 'valid', reasons: [] },
  ...rest,
});
const threshold = (expression, passed, actual = expression.includes('p') ? 241 : 0.007) => ({
  ...judged(expression, actual),
  passed,
});

const lost = { code: 'noSignal', message: 'x' };

describe('report/outcome', () => {
  it('names answers of other questions beside ranges, and in a run of one iteration', () => {
    const note = { code: 'surplusMessages', message: 'messages: 9 more than expected' };
    const given = literalResult();
    given.main.least = Object.fromEntries(
      Object.entries(given.main.completed).map(([key, value]) => [
        key,
        /^(median|p\d+)$/.test(key) ? value / 2 : value,
      ]),
    );
    const ranges = trustOf(given);
    expect(ranges).to.match(/^p50, p95 and p99 are ranges/);
    const withNote = (iterations) => ({
      ...given,
      iterations: { ...given.iterations, ...iterations },
      validity: { status: 'suspect', reasons: [note] },
    });
    expect(trustOf(withNote({}))).to.equal(`Messages: 9 more than expected. ${ranges}`);
    expect(trustOf(withNote({ completed: 1 }))).to.equal('Messages: 9 more than expected.');
  });

  for (const [title, given, status, text] of [
    ['a clean run', result(), 'passed', '1,000 iterations completed without errors.'],
    [
      'thresholds that passed',
      result({ thresholds: [threshold('p95<1s', true)] }),
      'passed',
      '1,000 iterations completed without errors. 1 of 1 threshold passed.',
    ],
    ['errors', result({ errors: 7 }), 'failed', '7 of 1,000 iterations failed (0.7 %).'],
    [
      'errors of a saved result, whose report judges thresholds alone',
      result({ errors: 7, outcome: outcomeFor([]) }),
      'failed',
      '7 of 1,000 iterations failed (0.7 %).',
    ],
    [
      'iterations that were cut off, and virtual users without a response',
      {
        ...result({ errors: 7 }),
        iterations: { started: 1000, completed: 990, failed: 7, cancelled: 3, dropped: 0 },
        requests: { sent: 1000, answered: 1000 },
        virtualUsers: { started: 10, answered: 8 },
      },
      'failed',
      '7 of 1,000 iterations failed (0.7 %). 3 iterations were still running when the run ended. 8 of 10 virtual users ever received a response.',
    ],
    [
      'dropped iterations, with advice',
      {
        ...result(),
        iterations: {
          started: 1000,
          completed: 1000,
          failed: 0,
          cancelled: 0,
          dropped: 500,
          busyTime: 10_000,
          plannedRate: 1500,
        },
        main: {},
        loadGenerator: { saturated: false, eventLoopUtilization: 0.1, workers: 1 },
      },
      'failed',
      `500 of 1,500 planned iterations never started (33 %). 1,000 iterations completed without errors. Iterations took 10 ms on average: unless the service is the limit,${CAPACITY} about 27 virtual users are enough for the rate (-c 27).`,
    ],
    ['errors of before', result({ errors: 1, failed: 0 }), 'failed', '1 error, in no measured iteration.'],
    [
      'errors that a threshold allows',
      result({ errors: 7, allowed: true, thresholds: [threshold('errors<1%', true)] }),
      'passed',
      '7 of 1,000 iterations failed (0.7 %). 1 of 1 threshold passed.',
    ],
    [
      'a server that is not there',
      result({ errors: 1000, answered: 0 }),
      'failed',
      'No request was answered. 1,000 of 1,000 iterations failed (100 %).',
    ],
    [
      'the failed threshold comes first',
      result({ errors: 7, thresholds: [threshold('p95<200ms', false), threshold('GET /a<b p99 <= 1s', true)] }),
      'failed',
      'p95 is 241 ms; the threshold is p95<200ms. 7 of 1,000 iterations failed (0.7 %). 1 of 2 thresholds passed.',
    ],
    [
      'a threshold on errors',
      result({
        errors: 70,
        allowed: true,
        thresholds: [judged('errors<1%', 0.07)],
      }),
      'failed',
      'errors are 7.00 %; the threshold is errors<1%. 70 of 1,000 iterations failed (7.0 %). 0 of 1 threshold passed.',
    ],
    [
      'a threshold that failed in a window',
      result({
        thresholds: [{ ...threshold('p95<200ms over 10s', false), window: { from: 12_040, to: 22_000, count: 100 } }],
      }),
      'failed',
      'p95 is 241 ms from 12 s to 22 s; the threshold is p95<200ms over 10s. 1,000 iterations completed without errors. 0 of 1 threshold passed.',
    ],
    [
      'a threshold that failed by running iterations',
      result({ thresholds: [{ ...threshold('p95<200ms', false), running: 12 }] }),
      'failed',
      'p95 is 241 ms with 12 running iterations; the threshold is p95<200ms. 1,000 iterations completed without errors. 0 of 1 threshold passed.',
    ],
    [
      'a window in which a server answered nothing',
      result({
        thresholds: [
          {
            ...threshold('p95<200ms over 2s', false, 4200),
            ...{ window: { from: 4200, to: 6200, count: 5 }, cutOff: 5 },
          },
        ],
      }),
      'failed',
      'p95 is 4,200 ms from 4.2 s to 6.2 s, when nothing completed; the threshold is p95<200ms over 2s. 1,000 iterations completed without errors. 0 of 1 threshold passed.',
    ],
    [
      'hooks that leave out all requests',
      {
        ...result({ answered: 0 }),
        requests: { sent: 0, answered: 0 },
        virtualUsers: {},
        operations: [{ name: 'GET /', count: 0 }],
      },
      'failed',
      'No request was sent.',
    ],
    [
      'a teardown that failed',
      {
        ...result({ errors: 5, failed: 0 }),
        iterations: { started: 1000, completed: 1000, failed: 0, dropped: 0, teardownFailed: 5 },
      },
      'failed',
      'The teardown of 5 of 1,000 iterations failed (0.5 %).',
    ],
    [
      'iterations that the end of the run cut off',
      {
        ...result({}),
        iterations: { started: 1000, completed: 900, failed: 0, dropped: 0, cutOff: 90, overdue: 10 },
      },
      'failed',
      '100 of 1,000 iterations got no answer until the end of the run (10 %). 900 iterations completed without errors.',
    ],
    [
      'shards that are missing',
      { ...result({}), iterations: { ...result({}).iterations, missing: 1000 } },
      'passed',
      '1,000 of 2,000 planned iterations are missing (50 %). 1,000 iterations completed without errors.',
    ],
    [
      'shards that are missing of a run without a plan',
      { ...result({}), run: { shards: { merged: 2, of: 4 } } },
      'passed',
      'The load of 2 of 4 shards is missing. 1,000 iterations completed without errors.',
    ],
    [
      'a lost agent that was tolerated',
      { ...result({}), agents: { lost: 1, maxLost: 1 }, loadGenerators: [{ name: 'a', lost }, { name: 'b' }] },
      'passed',
      'The load of 1 of 2 agents is missing. 1,000 iterations completed without errors.',
    ],
    [
      'two thresholds, of which the second sentence begins with a capital',
      result({
        thresholds: [threshold('p95<1s', false, 2000), threshold('errors<1%', false, 0.07)],
      }),
      'failed',
      'p95 is 2,000 ms; the threshold is p95<1s. Errors are 7.00 %; the threshold is errors<1%. 1,000 iterations completed without errors. 0 of 2 thresholds passed.',
    ],
    [
      'a threshold that fails by little, with enough digits to see it',
      result({
        thresholds: [threshold('p95<200ms', false, 200.191), threshold('errors<1%', false, 0.010004)],
      }),
      'failed',
      'p95 is 200.2 ms; the threshold is p95<200ms. Errors are 1.0004 %; the threshold is errors<1%. 1,000 iterations completed without errors. 0 of 2 thresholds passed.',
    ],
    [
      'a threshold without data',
      result({ thresholds: [threshold('connect.p95<1s', false, null)] }),
      'failed',
      'connect.p95 was not measured; the threshold is connect.p95<1s. 1,000 iterations completed without errors. 0 of 1 threshold passed.',
    ],
    [
      'a signal, which only the exit code knows',
      result({ outcome: outcomeFor(['interrupted']) }),
      'failed',
      'Stopped by a signal; the result covers the run until then. 1,000 iterations completed without errors.',
    ],
  ])
    it(title, () => {
      const outcome = outcomeOf(given);
      expect(outcome.status).to.equal(status);
      expect(`${outcome.headline} ${outcome.details}`.trim()).to.equal(text);
    });

  for (const [expression, actual, shown] of [
    ['p95<1321.08ms', 1321.13, '1,321.1 ms'],
    ['p95<12.8146ms', 12.815, '12.815 ms'],
    ['p95<12814us', 12.8146, '12.815 ms'],
    ['requests.rate>2467.861', 2467.85, '2,467.8 /s'],
    ['p50<3960us', 3.963, '3.963 ms'],
    ['p95<1s', 999.96, '999.96 ms'],
    ['p95<200ms', 150.04, '150 ms'],
    ['errors<1%', 0.0100004, '1.00004 %'],
    ['checks>99%', 0.98999999, '98.999999 %'],
  ])
    it(`${actual} beside ${expression} is ${shown}`, () =>
      expect(measuredBeside(judged(expression, actual))).to.equal(shown));

  it('a shown value is on the same side of the bound as the measured one, whatever they are', () => {
    const number = fc.oneof(
      fc.double({ min: 0, max: 1e5, noNaN: true }),
      fc.integer({ min: 0, max: 100_000 }).map((n) => n / 1000),
    );
    const near = fc.oneof(number, fc.constantFrom(-1e-3, -1e-7, 0, 1e-9, 1e-4, 0.04));
    const comparisons = fc.constantFrom('<', '<=', '>', '>=', '==', '!=');
    const units = fc.constantFrom(
      ...[
        ['p95', 'ms', 1],
        ['p95', 'us', 1000],
        ['serviceTime.p99', 's', 0.001],
        ['requests.rate', '', 1],
        ['errors', '%', 100],
      ],
    );
    fc.assert(
      fc.property(number, near, comparisons, units, (value, away, comparison, [figure, unit, factor]) => {
        const bound = Math.max(0, (value + away) * factor).toFixed(6);
        const judgement = judged(`${figure}${comparison}${bound}${unit}`, value);
        const shown = Number(measuredBeside(judgement).split(' ')[0].replaceAll(',', ''));
        const again = judged(
          `${figure}${comparison}${bound}${unit}`,
          unit === '%' ? readPercent(String(shown)) : shown,
        );
        expect(again.passed).to.equal(judgement.passed);
      }),
      { numRuns: 2000 },
    );
  });
});
