import { expect } from 'chai';

import { findApart, offsetsOf, skewDoubt, skewOf, spansOf } from '../../../../lib/addons/merge/measure/merge.js';

const span = (from, to) => ({ from, to });
const lasting = (...times) => times.map((measuredElapsed) => ({ measuredElapsed }));

describe('results that ran at the same time', () => {
  it('spans follow the wall clocks', () => {
    const results = [{ measuredAt: '1970-01-01T00:00:01.000Z', measuredElapsed: 500 }];
    expect(spansOf(results)).to.deep.equal([span(1000, 1500)]);
    expect(spansOf([...results, { measuredElapsed: 500 }])).to.deep.equal([span(1000, 1500), null]);
  });

  it('the skew is the time between the first and the last start', () => {
    expect(skewOf([0.1, null, 0.6])).to.be.closeTo(0.5, 1e-9);
    expect(skewOf([null])).to.equal(null);
  });

  for (const [what, spans, expected] of [
    ['equal spans are together', [span(0, 10), span(0, 10)], null],
    ['spans that overlap are together', [span(0, 1000), span(999, 2000)], null],
    ['clocks may differ by 100 ms', [span(0, 1000), span(1100, 2000)], null],
    ['spans one after the other are apart', [span(1101, 2000), span(0, 1000)], { earlier: 1, later: 0 }],
    ['those without a time may be together', [null, span(0, 1000), null], null],
    [
      'the one that ended first and the one that began last are named',
      [span(0, 9), span(500, 600), span(0, 700)],
      { earlier: 0, later: 1 },
    ],
  ])
    it(what, () => expect(findApart(spans)).to.deep.equal(expected));

  for (const [what, spans, offsets] of [
    ['a later start is an offset', [span(100, 300), span(150, 350)], [0, 50]],
    ['time in which nothing ran is left out', [span(100, 300), span(1000, 1200)], [0, 200]],
    ['also before an earlier one in the list', [span(9000, 9100), span(0, 50), span(10, 60)], [60, 0, 10]],
    ['a time that is not known has no offset', [null, span(100, 300), span(150, 350)], [null, 0, 50]],
    ['far away times are no long run', [span(0, 1), span(8e15, 8e15 + 1)], [0, 1]],
  ])
    it(what, () => expect(offsetsOf(spans)).to.deep.equal(offsets));

  for (const [what, offsets, results, expected] of [
    ['a skew of 1 % of the run is no doubt', [0, 600], lasting(60_000, 60_000), null],
    ['more than 1 % is', [0, 610], lasting(60_000, 60_000), /parts started 0\.61 s apart, so only 59\.4 s of 60\.6 s/],
    ['more than 1 s is, in a run of any length', [0, 1001], lasting(3_600_000, 3_600_000), /1\.00 s apart/],
    ['a short run may have that of the clocks', [0, 100], lasting(1000, 1000), null],
    [
      'parts that followed each other are named',
      [0, 3500],
      lasting(3000, 3000),
      /did not run at the same time, so the whole load was never sent/,
    ],
    ['one part has no skew', [0], lasting(10), null],
  ])
    it(what, () => {
      const doubt = skewDoubt(offsets, results);
      if (expected === null) expect(doubt).to.equal(null);
      else expect(doubt).to.match(expected);
    });
});
