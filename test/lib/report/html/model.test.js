import { expect } from 'chai';

import { modelOf } from '../../../../lib/report/html/model.js';
import { literalResult } from '../../../support/literal-result.js';

/** 1 to 100 ms, each once. */
const distributionOf = () => Array.from({ length: 100 }, (_, i) => ({ ms: i + 1, upTo: i + 1 }));
const model = (changes = {}) => modelOf({ ...literalResult(), ...changes }, distributionOf);
const point = (at, values = {}) => ({
  at,
  count: 10,
  rate: 10,
  errors: 0,
  errorRate: 0,
  p50: 5,
  p99: 9,
  max: 10,
  concurrency: 1,
  utilization: 0.5,
  ...values,
});
const series = (points) => ({ interval: 1000, points, rates: null });

describe('report/html/model', () => {
  it('a card is marked as failed by its threshold', () => {
    const thresholds = [
      { expression: 'p95<1ms', passed: false, actual: 5, unit: 'ms' },
      { expression: 'p99<1s', passed: true, actual: 5, unit: 'ms' },
    ];
    const failed = model({ thresholds })
      .cards.filter((card) => card.failed)
      .map(({ label }) => label);
    expect(failed).to.include('p95').and.not.include('p99');
  });

  it('the first card has the messages per second of WebSockets, or else the number of iterations', () => {
    const { requests, iterations } = literalResult();
    const noteOf = (more) => model(more).cards[0].note;
    expect(noteOf({})).to.equal(`${iterations.started.toLocaleString('en')} in all`);
    expect(noteOf({ requests: { ...requests, messagesReceived: 20, messageRate: 1234.5 } })).to.match(
      /^1,235 messages \/s$/,
    );
  });

  it('the title is the file of the flow, or the first operation of an inline flow', () => {
    const { run } = literalResult();
    const titleOf = (from) => model({ run: { ...run, flow: { ...run.flow, from } } }).title;
    expect(titleOf('/home/me/checkout.mjs')).to.equal('checkout.mjs');
    expect(titleOf('-e')).to.equal(literalResult().operations[0].name);
    expect(model({ run: undefined }).title).to.equal('result');
  });

  it('points are at the middle of their intervals; a short last interval is left out', () => {
    const three = series([point(0), point(1000), point(2000)]);
    expect(model({ series: three, measuredElapsed: 2800 }).time.at).to.deep.equal([0.5, 1.5, 2.4]);
    expect(model({ series: three, measuredElapsed: 2100 }).time.at).to.deep.equal([0.5, 1.55]);
  });

  it('a long run has at most 1,200 points: rates are averaged, the highest times stay', () => {
    const points = Array.from({ length: 2400 }, (_, i) =>
      point(i * 1000, { rate: i % 2 ? 20 : 10, p99: i === 7 ? 99 : 9 }),
    );
    const { time } = model({ series: series(points), measuredElapsed: 2_400_000 });
    expect(time.at).to.have.lengthOf(1200);
    expect(time.rate.every((rate) => rate === 15)).to.equal(true);
    expect(time.p99.indexOf(99)).to.equal(3);
  });

  it('thresholds on times of all iterations are lines of the chart', () => {
    const judged = ['p95<200ms', 'errors<1%', 'GET / p95<1s', 'ttfb.p95<1s', 'max<=2s'].map((expression) => ({
      expression,
      passed: true,
      actual: 1,
      unit: 'ms',
    }));
    expect(model({ thresholds: judged }).lines).to.deep.equal([
      { label: 'p95<200ms', ms: 200 },
      { label: 'max<=2s', ms: 2000 },
    ]);
  });

  it('service times are shown where they can differ: in an open run', () => {
    const { client } = literalResult();
    const closed = model({ client: { ...client, rate: null } });
    expect([closed.distribution.service, closed.percentiles.service]).to.deep.equal([null, null]);
    const open = model({ client: { ...client, rate: { asked: 10, reached: 10 } } });
    expect(open.distribution.service.reduce((sum, share) => sum + share, 0)).to.be.closeTo(1, 0.01);
    expect(open.percentiles.service.at(-1)).to.equal(100);
  });

  it('a live result has no outcome and no heat map yet', () => {
    const live = modelOf({ ...literalResult(), isLive: true, percent: 40 }, () => []);
    expect([live.outcome, live.heat, live.distribution, live.percentiles]).to.deep.equal([null, null, null, null]);
    expect(live.percent).to.equal(40);
  });
});
