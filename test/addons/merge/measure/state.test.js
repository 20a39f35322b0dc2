import { expect } from 'chai';

import { mergeStats } from '../../../../lib/addons/merge/measure/merge.js';
import fc from '../../../support/fast-check.js';
import { exactPart, recorded, resultOf } from '../../../support/recorded.js';
import { scaled } from '../../../support/scale.js';

const PARTS = 3;

const iterations = (isOpen) =>
  fc
    .array(
      fc.record({
        ms: fc.double({ min: 0.001, max: 5000, noNaN: true }),
        status: fc.constantFrom(200, 304, 503),
        part: fc.nat(PARTS - 1),
        ...(isOpen && { waited: fc.nat(1000) }),
      }),
      { maxLength: 60 },
    )
    .map((all) => all.map((one, i) => ({ ...one, at: i * 100 })));

const split = (all) => Array.from({ length: PARTS }, (_, i) => all.filter(({ part }) => part === i));

describe('files of a run that is split', () => {
  for (const isOpen of [false, true]) {
    const model = isOpen ? 'an open' : 'a closed';
    const planned = (all) => (isOpen ? all.length : null);

    it(`S8 files of ${model} run that is split in any way merge to the result of the whole run`, () => {
      fc.assert(
        fc.property(iterations(isOpen), (all) => {
          const files = split(all).map((part) => resultOf(recorded(part), { planned: planned(part) }));
          const whole = resultOf(recorded(all), { planned: planned(all), traffic: PARTS });
          expect(exactPart(JSON.parse(JSON.stringify(mergeStats(files))))).to.deep.equal(exactPart(whole));
        }),
        { numRuns: scaled(15, 40) },
      );
    });
  }
});
