import { expect } from 'chai';

import { methodOf } from '../../../../lib/addons/compare/measure/comparison-method.js';

/** The sides of an order such as `ABBA`: a run per letter, of 10 s, `-` is a pause of 10 s. */
const sidesOf = (order) =>
  ['A', 'B'].map((name) =>
    [...order].flatMap((letter, i) =>
      letter === name ? [{ startedAt: new Date(i * 10_000).toISOString(), totalElapsed: 9000 }] : [],
    ),
  );

const CODES = new Map([
  ['each side has one run', 'singleRuns'],
  ['a side has fewer than 3 runs', 'fewRuns'],
  ['the sides ran at different times, so the machine may have changed', 'runsApart'],
  ['the order of the runs is not known, because they have no times', 'orderUnknown'],
  ['the sides did not run in turn, and one has fewer than 5 runs, so the machine may have drifted', 'runsInSequence'],
]);

describe('the method of a comparison', () => {
  const known = { isPaired: false, hasNoise: false };
  const unknown = (count) => Array.from({ length: count }, () => ({ totalElapsed: 1 }));
  for (const [sides, options, method, why] of [
    ['ABBABA', { isPaired: true }, 'pairs'],
    ['ABBABA', {}, 'runs'],
    [
      'AAABBB',
      { isPaired: true },
      'none',
      'the sides did not run in turn, and one has fewer than 5 runs, so the machine may have drifted',
    ],
    ['AAABBB', { hasNoise: true }, 'noise'],
    ['AAAAABBBBB', {}, 'sequence'],
    ['AAAAABBBBB', { hasNoise: true }, 'sequence'],
    ['AAAAA------BBBBB', {}, 'none', 'the sides ran at different times, so the machine may have changed'],
    ['AAAAA------BBBBB', { hasNoise: true }, 'noise'],
    ['AB', {}, 'none', 'each side has one run'],
    ['AB', { hasNoise: true }, 'noise'],
    ['ABBA', {}, 'none', 'a side has fewer than 3 runs'],
    ['AAAB', {}, 'none', 'a side has fewer than 3 runs'],
    [[unknown(9), unknown(9)], {}, 'none', 'the order of the runs is not known, because they have no times'],
    [[unknown(9), unknown(9)], { hasNoise: true }, 'noise'],
    [
      [unknown(9), unknown(9)],
      { isPaired: true },
      'none',
      'the order of the runs is not known, because they have no times',
    ],
    [[unknown(4), unknown(4)], { isPaired: true, order: 'mixed' }, 'pairs'],
    [
      'BBBBBBBBABABAB',
      {},
      'none',
      'the sides did not run in turn, and one has fewer than 5 runs, so the machine may have drifted',
    ],
  ]) {
    const title =
      typeof sides === 'string' ? sides : `runs without times, ${sides.map((side) => side.length).join(' and ')},`;
    it(`${title} ${Object.keys(options).join(' ')} is tested by the method ${method}`, () => {
      const [bases, others] = typeof sides === 'string' ? sidesOf(sides) : sides;
      expect(methodOf(bases, others, { ...known, ...options })).to.deep.equal({
        method,
        ...(why && { untested: { code: CODES.get(why), message: why } }),
      });
    });
  }
});
