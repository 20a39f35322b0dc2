import { expect } from 'chai';

import { mergeStats } from '../../../../lib/addons/merge/measure/merge.js';
import fc from '../../../support/fast-check.js';
import { exactPart, recorded, resultOf } from '../../../support/recorded.js';
import { scaled } from '../../../support/scale.js';
import { describeSlow } from '../../../support/slow.js';
import { PARTS, iterations, split } from '../../../support/split-runs.js';

describeSlow('files of a run that is split', () => {
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
