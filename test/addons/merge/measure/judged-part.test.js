import { expect } from 'chai';

import { judgedPart, mergeStats } from '../../../../lib/addons/merge/measure/merge.js';
import { readThreshold } from '../../../../lib/core/measure/thresholds.js';
import { recorded, resultOf } from '../../../support/recorded.js';
import { itSlow } from '../../../support/slow.js';

const HOOKS = { names: ['mine'], hasFunctions: true };
const readAll = (...texts) => texts.map((text) => readThreshold(text, { metrics: HOOKS }).threshold);

/** Iterations of 10 s: the last ones are slow, and one in ten fails. */
const part = () => {
  const iterations = Array.from({ length: 100 }, (_, i) => ({
    at: i * 100,
    ms: i < 80 ? 5 + (i % 7) : 40,
    status: i % 10 === 3 ? 500 : 200,
  }));
  const recorder = recorded(iterations, { interval: 1000 });
  for (const name of ['buy', 'look']) {
    const scenario = recorder.scenarios.add(name);
    scenario.took(name === 'buy' ? 70 : 7, 0);
    scenario.ended('completed');
  }
  recorder.operations.add('GET /other', 'main').answered(200, 12);
  return resultOf(recorder);
};

describe('the part of a result that thresholds need', () => {
  const thresholds = readAll(
    ...[
      'p95<20ms',
      'mean<1s',
      'errors<5%',
      'errors<3',
      'requests.rate>1000',
      'status.500==0',
      'iterations.started>500',
      'p90<20ms over 2s',
    ],
    ...['GET / p99<1ms', 'GET / errors<1%', 'buy p50<50ms', 'checks>99%', 'ttfb.p95<1ms', 'mine.p95<1ms', 'max<1s'],
  );

  itSlow('thresholds on the sum of judged parts have the figures of the sum of the whole parts', () => {
    const judge = (parts) => mergeStats(parts, thresholds, { isOver: false }).thresholds;
    const whole = judge([part(), part()]);
    expect(whole.every(({ actual }) => actual !== null)).to.equal(true);
    expect(judge([part(), part()].map((one) => judgedPart(one, thresholds)))).to.deep.equal(whole);
  });

  it('a part has no series and no operations unless a threshold needs them', () => {
    const { series, operations, scenarios, checks } = judgedPart(part(), readAll('p95<1s'));
    expect([series.points, operations, scenarios, checks]).to.deep.equal([[], [], [], undefined]);
  });

  it('a window needs the end of the series, and an operation itself', () => {
    const long = part();
    const times = 20;
    long.series.points = Array.from({ length: times }, () => long.series.points).flat();
    const { series, operations } = judgedPart(long, readAll('p95<1s over 10s', 'GET / p95<1s'));
    expect(series.points.length).to.equal(41);
    expect(operations.map(({ name }) => name)).to.deep.equal(['GET /']);
  });
});
