import { expect } from 'chai';

import { REPORTERS } from '../../../lib/core/report/formats/index.js';
import { readable, unsupportedPercentiles } from '../../../lib/core/report/supported.js';
import { literalResult } from '../../support/literal-result.js';
import { judged } from '../../support/judged.js';

const [renderText, renderMarkdown] = await Promise.all(
  ['text', 'markdown'].map(async (name) => (await REPORTERS.find((one) => one.name === name).load()).render),
);

/** A result of so many values. */
const of = (count) => {
  const result = literalResult();
  result.main.completed = { ...result.main.completed, count };
  return result;
};
const shown = (count) => {
  const { median, p75, p90, p95, p99, p999, max } = readable(of(count)).main.completed;
  return [median, p75, p90, p95, p99, p999, max].map((value) => value !== null);
};

describe('report/supported', () => {
  for (const [count, expected] of [
    [1, [0, 0, 0, 0, 0, 0, 1]],
    [2, [1, 0, 0, 0, 0, 0, 1]],
    [4, [1, 1, 0, 0, 0, 0, 1]],
    [10, [1, 1, 1, 0, 0, 0, 1]],
    [19, [1, 1, 1, 0, 0, 0, 1]],
    [20, [1, 1, 1, 1, 0, 0, 1]],
    [99, [1, 1, 1, 1, 0, 0, 1]],
    [100, [1, 1, 1, 1, 1, 0, 1]],
    [999, [1, 1, 1, 1, 1, 0, 1]],
    [1000, [1, 1, 1, 1, 1, 1, 1]],
  ])
    it(`${count} values`, () => expect(shown(count)).to.deep.equal(expected.map(Boolean)));

  it('covers the times of operations, scenarios and groups, of each status, of requests, of hooks, and those of the run option', () => {
    const result = literalResult();
    const few = { ...result.main.completed, count: 50 };
    result.operations[0].times.serviceTime = few;
    result.operations[0].serviceTimeByStatus = { 200: few };
    result.requests.ttfb = few;
    const { meter } = result.main;
    Object.assign(result, {
      metrics: { step_0: { meter, histogram: few }, sizes: few },
      percentiles: [{ percentile: 99.5, responseTime: 9 }],
    });
    result.scenarios = [{ name: 'buy', count: 50, errors: 0, labels: {}, times: { responseTime: few } }];
    result.groups = [{ name: 'checkout', count: 50, errors: 0, labels: {}, times: { duration: few } }];
    const { operations, requests, scenarios, groups, metrics } = readable(result);
    const all = [
      operations[0].times.serviceTime,
      operations[0].serviceTimeByStatus[200],
      scenarios[0].times.responseTime,
      groups[0].times.duration,
      requests.ttfb,
      metrics.step_0.histogram,
      metrics.sizes,
    ];
    expect(all.map(({ p95, p99 }) => [p95, p99])).to.deep.equal(all.map(() => [95, null]));
    expect(renderText(result)).to.include('p99.5 -');
  });

  it('leaves the result as it is', () => {
    const result = of(1);
    readable(result);
    expect(result).to.deep.equal(of(1));
  });

  it('names the main percentiles that are missing, none of an empty run', () => {
    expect([0, 1, 19, 50, 100].map((count) => unsupportedPercentiles(of(count)).join())).to.deep.equal([
      '',
      'p50,p95,p99',
      'p95,p99',
      'p99',
      '',
    ]);
  });

  it('text and Markdown mark each percentile with fewer than five values above it', () => {
    const result = of(150);
    const few = { ...result.main.completed, count: 50 };
    Object.assign(result, {
      metrics: { step_0: { meter: result.main.meter, histogram: few }, sizes: few },
      percentiles: [{ percentile: 99.2, responseTime: 397 }],
      thresholds: [judged('p99<1s', 99), judged('p50<1s', 50), judged('sizes.p95<100', 95)],
    });
    const text = renderText(result, { width: 120, full: true, distributionOf: () => [{ ms: 1, upTo: 100 }] });
    expect(text).to.match(/percentiles, ms {2}p99\.2 ~397/);
    expect(text)
      .to.match(/step_0 .*~95\.0 /)
      .and.to.match(/sizes .*~95\.0 /);
    expect(text)
      .to.match(/p99<1s +~99\.0 ms/)
      .and.match(/p50<1s +50\.0 ms/)
      .and.match(/sizes\.p95<100 +~95/);
    expect(text).to.include('~ marks p99 and p99.2: fewer than five of 150 values are above');
    expect(renderMarkdown(result))
      .to.match(/\n- percentiles, ms: p99\.2 &#126;397/)
      .and.to.include('| &#126;99.0 ms |');
  });
});
