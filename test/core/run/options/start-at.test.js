import { expect } from 'chai';

import { readInstant, refuseWithoutZone } from '../../../../lib/core/run/options/load.js';

describe('a start at a time', () => {
  it('reads a time with its zone', () => {
    const noon = Date.UTC(2026, 10, 22, 12);
    for (const text of ['2026-11-22T12:00:00Z', '2026-11-22T12:00Z', '2026-11-22T14:00:00.000+02:00'])
      expect(readInstant(text), text).to.equal(noon);
  });

  it('without a zone it could be several times', () => {
    expect(readInstant('2026-11-22T12:00:00')).to.be.NaN;
    expect(refuseWithoutZone('2026-11-22T12:00:00')).to.equal(
      '2026-11-22T12:00:00 has no time zone: write 2026-11-22T12:00:00Z for UTC, or an offset such as +02:00',
    );
  });

  it('other texts are no times', () => {
    for (const text of ['', 'noon', '12:00', '2026-13-40T12:00:00Z', 5]) expect(readInstant(text), text).to.be.NaN;
    expect(refuseWithoutZone('noon')).to.equal(undefined);
  });
});
