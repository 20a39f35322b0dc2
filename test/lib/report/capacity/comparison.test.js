import { expect } from 'chai';

import { compareCapacities, renderMarkdown, renderText } from '../../../../lib/report/capacity/comparison.js';
import { literalCapacity } from '../../../support/literal-capacity.js';

/** A capacity with this load and interval. */
const capacity = (load, low, high, more) => ({
  ...literalCapacity(),
  conclusion: { ...literalCapacity().conclusion, load, interval: { low, high } },
  ...more,
});
const compared = (a, b) => compareCapacities(a, b, ['a.json', 'b.json']);

describe('report/capacity/comparison', () => {
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
    expect(compared(capacity(null, 0, 20), capacity(150, 140, 160)).conclusion.message).to.match(
      /^Nothing to compare: a\.json/,
    );
  });

  it('text and Markdown have both sides, and what differs beside them', () => {
    const other = capacity(150, 140, 160, { within: 0.02 });
    const comparison = compared(capacity(100, 95, 105), other);
    expect(renderText(comparison)).to.equal(`           capacity       interval
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
