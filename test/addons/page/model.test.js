import { expect } from 'chai';

import { withBaseline } from '../../../lib/results.js';
import { modelOf } from '../../../lib/addons/page/model.js';
import { literalResult } from '../../support/literal-result.js';
import { judged } from '../../support/judged.js';

/** 1 to 100 ms, each once. */
const distributionOf = () => Array.from({ length: 100 }, (_, i) => ({ ms: i + 1, upTo: i + 1 }));
const model = (changes = {}) => modelOf({ ...literalResult(), ...changes }, distributionOf);
describe('the data of a page', () => {
  it('a status from 400 is expected if its operation has fewer errors than answers with it', () => {
    const result = literalResult();
    const [first] = result.operations;
    result.requests.statusCodes = { 200: 5, 401: 5, 503: 2 };
    result.operations = [
      { ...first, errors: 0, statusCodes: { 401: 5 } },
      { ...first, errors: 2, statusCodes: { 200: 5, 503: 2 } },
    ];
    expect(modelOf(result, () => []).statuses.filter(({ isExpected }) => isExpected)).to.deep.equal([
      { status: '401', count: 5, isExpected: true },
    ]);
  });

  it('rows of a section have as many cells as the section has columns', () => {
    const rows = [['x'], ['y', 1, 2]];
    const blocksOf = (section) => model({ section }).sections.find(({ name }) => name === 'section').blocks;
    expect(blocksOf({ title: 'own', columns: ['a', 'b'], rows })[0].rows).to.deep.equal([
      [{ text: 'x' }, '-'],
      [{ text: 'y' }, '1'],
    ]);
    expect(blocksOf({ title: 'own', rows })[0].rows).to.deep.equal([]);
    expect(blocksOf(undefined)).to.deep.equal([]);
  });

  it('a card is marked as failed by its threshold', () => {
    const thresholds = [judged('p95<1ms', 5), judged('p99<1s', 5)];
    const failed = model({ thresholds })
      .cards.filter((card) => card.failed)
      .map(({ label }) => label);
    expect(failed).to.include('p95').and.not.include('p99');
  });

  it('the first card has the messages per second of WebSockets, or else the number of iterations', () => {
    const { iterations } = literalResult();
    const noteOf = (more) => model(more).cards[0].note;
    expect(noteOf({})).to.equal(`${iterations.started.toLocaleString('en')} in all`);
    expect(noteOf({ messages: { received: 20, receivedRate: 1234.5 } })).to.match(/^1,235 messages \/s$/);
  });

  it('a client that was too slow without being busy is not called saturated', () => {
    const { loadGenerator } = literalResult();
    const noteOf = (more) => model({ loadGenerator: { ...loadGenerator, ...more } }).cards.at(-1).note;
    expect(noteOf({ reasons: [{ code: 'stopped' }], eventLoopUtilization: 0.1 })).to.equal(
      'load generator not saturated',
    );
    expect(noteOf({ reasons: [{ code: 'missedRate' }], eventLoopUtilization: 0.1 })).to.equal(
      'load generator slow, see validity',
    );
    expect(noteOf({ reasons: [{ code: 'saturated' }], eventLoopUtilization: 0.99 })).to.equal(
      'load generator saturated',
    );
  });

  it('the load of an open run says how evenly iterations started', () => {
    const { loadGenerator } = literalResult();
    const { usage } = model({ loadGenerator: { ...loadGenerator, spacing: { count: 100, p95: 0.05, p99: 0.1 } } });
    expect(usage).to.include('arrivals: spaced within 0.050 ms (p99 0.100 ms)');
    expect(model().usage.join()).to.not.include('arrivals');
  });

  it('the last interval of a load that ends early has its iterations per whole interval, which may be shorter', () => {
    const { series, main } = literalResult();
    const times = { responseTime: main.completed, serviceTime: main.completed };
    const interval = series.interval / 4;
    const point = (at, completed, completedRate) => ({ at, iterations: { completed, completedRate } });
    const load = {
      name: 'visits',
      iterations: { started: 30, completed: 30, dropped: 0, plannedRate: 12 },
      virtualUsers: { started: 1 },
    };
    const rest = { count: 30, times, errors: 0, rate: 10, startAfter: 0, validity: { status: 'valid', reasons: [] } };
    const points = Array.from({ length: 11 }, (_, i) => point(i * interval, 10, i === 10 ? 1e6 : 10_000 / interval));
    const at = (i) => i * series.interval;
    const all = { ...series, points: Array.from({ length: 4 }, (_, i) => ({ ...series.points[0], at: at(i) })) };
    const { byLoad } = model({ series: all, loads: [{ ...load, ...rest, series: { interval, points } }] });
    expect(byLoad[0].values[2]).to.equal((1000 * 10) / interval);
    expect(byLoad[0]).to.include({ whole: 10, wholePlanned: 12 });
  });

  it('a card has the range of a figure that the load generator touched', () => {
    const { main } = literalResult();
    const { cards } = model({ main: { ...main, least: { ...main.completed, p95: 60 } } });
    const valueOf = (name) => cards.find(({ label }) => label === name).value;
    expect([valueOf('p50'), valueOf('p95')]).to.deep.equal(['50.0 ms', '60.0–95.0 ms']);
  });

  it('S44 tables mark percentiles with fewer than five values above them', () => {
    const { latency, operations } = model();
    expect(latency.rows[0].summary).to.deep.include({ count: 100, weak: ['p99'] });
    expect(operations[0].time.weak).to.be.an('array');
  });

  it('has the changes against a baseline, or none', () => {
    const blocksOf = ({ sections }) => sections.find(({ name }) => name === 'baseline').blocks;
    expect(blocksOf(model())).to.deep.equal([]);
    const base = literalResult();
    base.id = 'earlier';
    base.errors.count = 0;
    base.thresholds = [];
    base.outcome = undefined;
    base.validity = { status: 'valid', reasons: [] };
    const result = withBaseline(literalResult(), base, { from: 'base.json' });
    const [{ columns, rows, remarks }] = blocksOf(modelOf(result, distributionOf));
    expect(columns[0].head).to.equal('compared with base.json');
    expect(rows.map(([name]) => name)).to.include.members(['iterations/s', 'p95, ms']);
    expect(remarks.map(({ text }) => text).join()).to.match(/^Cannot tell noise from change, because/);
  });

  it('service times are shown where they can differ: in an open run', () => {
    const { iterations } = literalResult();
    const closed = model({ iterations: { ...iterations, plannedRate: undefined } });
    expect([closed.distribution.below, closed.percentiles.service]).to.deep.equal([null, null]);
    const open = model({ iterations });
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
