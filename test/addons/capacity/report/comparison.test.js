import { expect } from 'chai';

import { CAPACITY_COMPARISON_FORMATS } from '../../../../lib/addons/capacity/formats.js';
import { compareCapacities, withCapacityLimits } from '../../../../lib/addons/capacity/report/comparison.js';
import { literalCapacity } from '../../../support/literal-capacity.js';
import { checkerOf } from '../../../support/schemas.js';

/** A capacity with this load and interval. */
const capacity = (load, low, high, more) => ({
  ...literalCapacity(),
  conclusion: { ...literalCapacity().conclusion, load, interval: { low, high } },
  ...more,
});
const [renderText, , renderMarkdown] = await Promise.all(
  CAPACITY_COMPARISON_FORMATS.map(async ({ load }) => (await load()).render),
);
const compared = (a, b) => compareCapacities(a, b, ['a.json', 'b.json']);

describe('a comparison of capacities', () => {
  it('capacities differ if their intervals do not overlap', () => {
    const { change, interval, verdict, message } = compared(capacity(100, 95, 105), capacity(150, 140, 160)).conclusion;
    expect({ change, verdict }).to.deep.equal({ change: 0.5, verdict: 'better' });
    expect(interval.low).to.be.closeTo(140 / 105 - 1, 1e-9);
    expect(interval.high).to.be.closeTo(160 / 95 - 1, 1e-9);
    expect(message).to.equal('The capacity of B is higher by 50.0 % (+33.3 % to +68.4 %)');
    expect(compared(capacity(150, 140, 160), capacity(100, 95, 105)).conclusion.message).to.match(
      /^The capacity of B is lower by/,
    );
  });

  it('overlapping intervals are no difference', () => {
    const { verdict, message } = compared(capacity(100, 95, 105), capacity(103, 99, 108)).conclusion;
    expect(verdict).to.equal('noise');
    expect(message).to.match(/^No significant difference: the intervals overlap \(\+3\.0 %/);
  });

  it('an interval without its end can show that the other one is lower', () => {
    expect(compared(capacity(100, 95, 105), capacity(200, 190, null)).conclusion.verdict).to.equal('better');
    expect(compared(capacity(200, 190, null), capacity(100, 95, 105)).conclusion.verdict).to.equal('worse');
    expect(compared(capacity(100, 95, null), capacity(150, 140, 160)).conclusion.verdict).to.equal('unknown');
    expect(compared(capacity(null, 0, null), capacity(150, 140, 160)).conclusion).to.deep.include({
      ...{ verdict: 'unknown', message: 'Nothing to compare: a.json has no capacity' },
    });
  });

  it('a service that holds none of its loads has less than another one, if that holds more', () => {
    const none = capacity(null, 0, 20);
    const some = capacity(150, 140, 160);
    expect(compared(none, some).conclusion).to.include({
      verdict: 'better',
      message: 'The capacity of B is higher: A holds none of its loads',
    });
    const worse = withCapacityLimits(compared(some, none), [{ expression: '10%', bound: 0.1 }]);
    expect(worse.outcome.reasons[0].message).to.equal(
      'The capacity of B is lower: it holds none of its loads: more than --max-regression allows',
    );
  });

  it('a comparison of capacities has the shape of every comparison, with limits or without', () => {
    const isComparison = checkerOf('comparison');
    for (const other of [capacity(150, 140, 160), capacity(80, 75, 85), capacity(null, 0, 20)]) {
      const limited = withCapacityLimits(compared(capacity(100, 95, 105), other), [{ expression: '10%', bound: 0.1 }]);
      isComparison(JSON.parse(JSON.stringify(limited)));
      expect(isComparison.errors).to.equal(null);
    }
    const worse = withCapacityLimits(compared(capacity(100, 95, 105), capacity(80, 75, 85)), [
      { expression: '10%', bound: 0.1 },
    ]);
    expect(worse.outcome).to.deep.include({ passed: false, exitCode: 99 });
    expect(worse.outcome.reasons[0]).to.include({ code: 'regression', figure: 'capacity', bound: 0.1 });
  });

  it('text and Markdown have both sides, and what differs beside them', () => {
    const other = capacity(150, 140, 160, { within: 0.02 });
    const comparison = compared(capacity(100, 95, 105), other);
    expect(renderText(comparison)).to.equal(`side       capacity       interval  note
A  a.json     100/s  95.0 to 105/s
B  b.json     150/s   140 to 160/s

A: at 208/s p99<300ms failed with 748 ms
B: at 208/s p99<300ms failed with 748 ms

- precision differs: 0.05 and 0.02

The capacity of B is higher by 50.0 % (+33.3 % to +68.4 %)
`);
    expect(renderMarkdown(comparison)).to.match(
      /^### The capacity of B is higher[^]*\| precision \| 0\.05 \| 0\.02 \|/,
    );
  });
});
