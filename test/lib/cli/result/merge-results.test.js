import { expect } from 'chai';

import { mergedResult } from '../../../../lib/cli/result/merge-results.js';
import { literalResult } from '../../../support/literal-result.js';
import { recorded, resultOf } from '../../../support/recorded.js';

/** Results of runs with these options. */
const resultsWith = (...all) =>
  all.map((options, i) => {
    const { schema, run } = literalResult();
    return {
      ...{ schema, run: { ...run, id: `${i}`, options: { ...run.options, ...options } } },
      ...resultOf(recorded([{ at: 0, ms: 35, status: 200 }])),
    };
  });
const correctedOf = (results) => mergedResult(results, ['1.json', '2.json']).result.main.corrected;

describe('cli/result/merge-results', () => {
  it('times are corrected for the expected interval that all results have', () => {
    const results = resultsWith({ expectedInterval: '10ms' }, { expectedInterval: '10ms' });
    expect(correctedOf(results)).to.include({ count: 6, max: 35 });
  });

  for (const [what, ...options] of [
    ['without an expected interval', {}, {}],
    ['with different ones', { expectedInterval: 10 }, { expectedInterval: 20 }],
    ['with one that is no time', { expectedInterval: 'x' }, { expectedInterval: 'x' }],
  ])
    it(`results ${what} have no corrected times`, () =>
      expect(correctedOf(resultsWith(...options))).to.equal(undefined));
});
