import { expect } from 'chai';

import { glyphsOf } from '../../../../lib/core/report/terminal.js';
import { timeScaleOf } from '../../../../lib/core/report/text/layout.js';

const scale = (median, p95, max, unicode = true) => timeScaleOf({ median, p95, max }, glyphsOf(unicode));

describe('a scale of times', () => {
  for (const [title, times, unit] of [
    ['times below a millisecond', [0.07, 0.2, 30], 'µs'],
    ['a p95 of a millisecond', [0.07, 1, 30], 'ms'],
    ['a median below ten seconds', [9999, 20_000, 30_000], 'ms'],
    ['a median of ten seconds', [10_000, 20_000, 30_000], 's'],
    ['a single short time, which is only the maximum', [null, null, 0.5], 'µs'],
    ['a single long time', [null, null, 12_000], 's'],
    ['no times', [null, null, null], 'ms'],
  ])
    it(`${title}: ${unit}`, () => expect(scale(...times).unit).to.equal(unit));

  it('formats times without and with the unit, and round ones for an axis', () => {
    const ms = scale(5, 50, 500);
    expect([ms.format(5), ms.withUnit(50), ms.round(0.3161), ms.format(null), ms.withUnit(null)]).to.deep.equal([
      '5.00',
      '50.0 ms',
      '0.32 ms',
      '-',
      '-',
    ]);
    const us = scale(0.07, 0.2, 30, false);
    expect([us.format(0.07), us.withUnit(30), us.round(0.0316)]).to.deep.equal(['70', '30,000 us', '32 us']);
    expect(scale(12_345, 20_000, 3e6).round(3e6)).to.equal('3,000 s');
  });
});
