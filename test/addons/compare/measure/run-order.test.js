import { expect } from 'chai';

import { inTime, orderOf } from '../../../../lib/addons/compare/measure/comparison-method.js';

/** The sides of an order such as `ABBA`: a run per letter, of 10 s, `-` is a pause of 10 s. */
const sidesOf = (order) =>
  ['A', 'B'].map((name) =>
    [...order].flatMap((letter, i) =>
      letter === name ? [{ startedAt: new Date(i * 10_000).toISOString(), totalElapsed: 9000 }] : [],
    ),
  );

describe('the order of the runs of ab', () => {
  for (const [order, found] of [
    ['ABBABAAB', 'mixed'],
    ['ABABAB', 'mixed'],
    ['ABBA', 'mixed'],
    ['AAABBB', 'sequence'],
    ['BBBAAA', 'sequence'],
    ['AAAABBBBAB', 'sequence'],
    ['AAA--BBB', 'sequence'],
    ['AAA-----BBB', 'apart'],
    ['BBBBBBBBABABAB', 'sequence'],
    ['BBBBBABABABBBBB', 'sequence'],
    ['BBABABABB', 'mixed'],
    ['ABBBABBBABBB', 'mixed'],
    ['ABBBBABBBBABBBB', 'mixed'],
    ['AABABB', 'mixed'],
    ['A-B-B-A-A-B', 'mixed'],
    ['ABBA-------ABBA', 'mixed'],
    ['AAB-------ABB', 'mixed'],
    ['ABBAB-------A', 'mixed'],
    ['BBBBB-------ABABAB', 'apart'],
    ['ABABAB-------BBBBB', 'apart'],
    ['AAAAAB--------ABBBBB', 'apart'],
    ['A-A-A-A-A-B-B-B-B-B', 'sequence'],
    ['AB', 'sequence'],
    ['A---B', 'apart'],
  ])
    it(`the order of ${order} is ${found}`, () => expect(orderOf(...sidesOf(order))).to.equal(found));

  it('the order of runs without times, or that began at once, is unknown', () => {
    const [bases, others] = sidesOf('ABBA');
    expect(orderOf(bases, [others[0], { totalElapsed: 1 }])).to.equal('unknown');
    expect(orderOf(bases, [others[0], bases[0]])).to.equal('unknown');
    expect(orderOf(bases, [others[0], { totalElapsed: 1, startedAt: 'yesterday' }])).to.equal('unknown');
  });

  it('runs are put in the order of time', () => {
    const [bases] = sidesOf('AABA');
    expect(inTime([bases[2], bases[0], bases[1]])).to.deep.equal(bases);
  });
});
