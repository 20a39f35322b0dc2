import { expect } from 'chai';

import { mergedResult } from '../../../lib/addons/merge/merge-results.js';
import { outcomeOf } from '../../../lib/core/report/outcome.js';
import { literalResult } from '../../support/literal-result.js';
import { recorded, resultOf } from '../../support/recorded.js';
import { missingIn } from '../../../lib/core/measure/validity.js';
import { outcomeFor } from '../../../lib/core/measure/outcome.js';

/** Results of runs with these options. */
const resultsWith = (...all) =>
  all.map((options, i) => {
    const { schema, run } = literalResult();
    return {
      ...{ schema, run: { ...run, options: { ...run.options, ...options } } },
      ...resultOf(recorded([{ at: 0, ms: 35, status: 200 }])),
      id: `${i}`,
    };
  });
const correctedOf = (results) => mergedResult(results, ['1.json', '2.json']).main.corrected;

describe('merge of saved results', () => {
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

  it('a missing shard lacks its part of each load, also if another program wrote the result', () => {
    const loads = [
      { name: 'a', model: 'open', rate: 10, virtualUsers: 4, iterations: 40 },
      { name: 'toString', model: 'closed', virtualUsers: 4, duration: 1000, stages: [] },
    ];
    const [shard] = resultsWith({});
    Object.assign(shard.run, { loads });
    const generator = { ...literalResult().loadGenerators[0], shard: { number: 1, of: 2 } };
    const result = mergedResult([{ ...shard, loadGenerators: [generator] }], ['1.json'], { isPartial: true });
    // the other load has no number of iterations, only a time
    expect(result.iterations.missing).to.equal(20);
    loads.pop();
    loads.push({ ...loads[0], name: 'b' });
    const both = mergedResult([{ ...shard, loadGenerators: [generator] }], ['1.json'], { isPartial: true });
    expect(both.iterations.missing).to.equal(40);
  });

  describe('a part that was stopped', () => {
    /** Two parts of a run, of which the second one ended for a reason. */
    const merged = (why, reasons) => {
      const [one, other] = resultsWith({}, {});
      other.run.endReason = why;
      other.outcome = outcomeFor(reasons);
      return mergedResult([one, other], ['1.json', '2.json']);
    };

    it('is named, the run was not whole, and its reason decides the outcome of the sum', () => {
      const result = merged('SIGINT', ['interrupted']);
      expect(result.run.endReason).to.equal('SIGINT');
      expect(result.validity.status).to.equal('suspect');
      expect(missingIn(result)).to.deep.equal([
        '2.json was stopped before its end (SIGINT); its load is missing from then on',
      ]);
      expect(result.outcome).to.deep.equal(outcomeFor(['interrupted']));
      expect(outcomeOf(result)).to.include({
        status: 'failed',
        headline: 'Stopped by a signal; the result covers the run until then.',
      });
    });

    for (const [what, why, reasons, kept] of [
      ['that was lost fails the sum', 'lost', ['errors'], ['errors']],
      ['whose agents were lost fails the sum', 'completed', ['agents'], ['agents']],
      ['whose errors a threshold of the sum may allow leaves them to it', 'completed', ['errors'], undefined],
      [
        'that failed by its own flags leaves that to those of the sum',
        'completed',
        ['suspect', 'saturated'],
        undefined,
      ],
    ])
      it(what, () => expect(merged(why, reasons).outcome?.reasons.map(({ code }) => code)).to.deep.equal(kept));

    it('by a hook has ended as its flow wants', () => expect(missingIn(merged('hook', []))).to.deep.equal([]));
  });
});
