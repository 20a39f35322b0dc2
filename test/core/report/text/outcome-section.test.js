import { expect } from 'chai';

import { validityLines } from '../../../../lib/core/report/text/counts.js';

const paint = (color, text) => `<${color}>${text}`;
const result = (status, reasons = [], count = 1000) => ({
  validity: { status, reasons: reasons.map((message) => ({ code: 'test', message })) },
  main: { completed: { count } },
});

describe('the outcome in a text report', () => {
  for (const [word, color] of [
    ['valid', 'green'],
    ['suspect', 'yellow'],
    ['invalid', 'red'],
  ])
    it(`a measurement that is ${word} is ${color}`, () =>
      expect(validityLines(result(word), { paint, width: 80 })).to.deep.equal([`validity: <${color}>${word}`]));

  it('every reason is a line', () => {
    const suspect = result('suspect', ['one', 'two']);
    expect(validityLines(suspect, { paint, width: 80 }).slice(1)).to.deep.equal(['  one', '  two']);
  });

  it('a valid measurement of few values names the percentiles that they cannot support', () => {
    expect(validityLines(result('valid', [], 12), { paint, width: 100 })).to.deep.equal([
      'validity: <green>valid',
      '  too few values for p95 and p99: p99 needs 100 iterations, this run has 12',
    ]);
  });
});
