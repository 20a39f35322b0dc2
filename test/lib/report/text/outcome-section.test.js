import { expect } from 'chai';

import { doubtsText, measurementLines } from '../../../../lib/report/text/counts.js';

const paint = (color, text) => `<${color}>${text}`;
const result = (status, reasons = [], count = 1000) => ({
  verdict: { status, reasons },
  main: { completed: { count } },
});

describe('report/text/outcome-section', () => {
  for (const [word, color] of [
    ['sound', 'green'],
    ['doubtful', 'yellow'],
    ['void', 'red'],
  ])
    it(`a measurement that is ${word} is ${color}`, () =>
      expect(measurementLines(result(word), { paint, width: 80 })).to.deep.equal([`measurement <${color}>${word}`]));

  it('every reason is a line', () => {
    const doubtful = result('doubtful', ['one', 'two']);
    expect(measurementLines(doubtful, { paint, width: 80 }).slice(1)).to.deep.equal(['  one', '  two']);
    expect(doubtsText(doubtful)).to.equal('measurement doubtful:\n  one\n  two\n');
  });

  it('a sound measurement of few values names the percentiles that they cannot support', () => {
    expect(measurementLines(result('sound', [], 12), { paint, width: 100 })).to.deep.equal([
      'measurement <green>sound',
      '  too few values for p95 and p99: p99 needs 100 iterations, this run has 12',
    ]);
  });

  it('a sound measurement is no text in the format of bench-rest 1', () =>
    expect(doubtsText(result('sound'))).to.equal(''));
});
