import { expect } from 'chai';

import { withBaseline } from '../../../../lib/cli/result/programs.js';
import { modelOf } from '../../../../lib/report/html/model.js';
import { literalResult } from '../../../support/literal-result.js';

/** 1 to 100 ms, each once. */
const distributionOf = () => Array.from({ length: 100 }, (_, i) => ({ ms: i + 1, upTo: i + 1 }));
const model = (changes = {}) => modelOf({ ...literalResult(), ...changes }, distributionOf);
describe('report/html/model', () => {
  it('a card is marked as failed by its threshold', () => {
    const thresholds = [
      { expression: 'p95<1ms', passed: false, actual: 5, unit: 'ms' },
      { expression: 'p99<1s', passed: true, actual: 5, unit: 'ms' },
    ];
    const failed = model({ thresholds })
      .cards.filter((card) => card.failed)
      .map(({ label }) => label);
    expect(failed).to.include('p95').and.not.include('p99');
  });

  it('the first card has the messages per second of WebSockets, or else the number of iterations', () => {
    const { requests, iterations } = literalResult();
    const noteOf = (more) => model(more).cards[0].note;
    expect(noteOf({})).to.equal(`${iterations.started.toLocaleString('en')} in all`);
    expect(noteOf({ requests: { ...requests, messagesReceived: 20, messageRate: 1234.5 } })).to.match(
      /^1,235 messages \/s$/,
    );
  });

  it('a client that was too slow without being busy is not called saturated', () => {
    const { client } = literalResult();
    const noteOf = (more) => model({ client: { ...client, ...more } }).cards.at(-1).note;
    expect(noteOf({ saturated: false, utilization: 0.1 })).to.equal('client not saturated');
    expect(noteOf({ saturated: true, utilization: 0.1 })).to.equal('client slow, see measurement');
    expect(noteOf({ saturated: true, utilization: 0.99 })).to.equal('client saturated');
  });

  it('has the changes against a baseline, or none', () => {
    expect(model().baseline).to.equal(null);
    const result = withBaseline(literalResult(), literalResult(), { from: 'base.json' });
    const { from, rows, remarks } = modelOf(result, distributionOf).baseline;
    expect(from).to.equal('base.json');
    expect(rows.map(({ name }) => name)).to.include.members(['iterations/s', 'p95, ms']);
    expect(remarks.join()).to.match(/^Too few data/);
  });

  it('service times are shown where they can differ: in an open run', () => {
    const { client } = literalResult();
    const closed = model({ client: { ...client, rate: null } });
    expect([closed.distribution.below, closed.percentiles.service]).to.deep.equal([null, null]);
    const open = model({ client: { ...client, rate: { asked: 10, reached: 10 } } });
    expect(open.distribution.below.shares.reduce((sum, share) => sum + share, 0)).to.be.closeTo(1, 0.01);
    expect(open.percentiles.service.at(-1)).to.equal(100);
  });

  it('a live result has no outcome and no heat map yet', () => {
    const live = modelOf(literalResult(), () => [], { isRunning: true, share: 0.4 });
    expect([live.outcome, live.heat, live.distribution, live.percentiles]).to.deep.equal([null, null, null, null]);
    expect(live.live.share).to.equal(0.4);
    expect(live.metrics).to.deep.equal([]);
  });
});
