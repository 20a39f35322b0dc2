import { expect } from 'chai';

import { comparedOperations } from '../../../../lib/addons/compare/measure/compare.js';

const operation = (name, p95, { phase = 'main', count = 100, errors = 0 } = {}) => ({
  name,
  phase,
  count,
  errors,
  times: { serviceTime: { count, median: p95 / 2, p95, p99: p95 * 2 } },
});
const run = (...operations) => ({ operations });
const runs = (...levels) => levels.map((level) => run(operation('GET /', level), operation('PUT /', 2 * level)));

describe('operations that are compared', () => {
  it('operations of the same phase and name are compared, with p50, p95 and p99', () => {
    const [get, put] = comparedOperations(runs(9.9, 10, 10.1), runs(19.8, 20, 20.2), { method: 'runs' });
    expect([get.name, put.name]).to.deep.equal(['GET /', 'PUT /']);
    expect(get.figures.map(({ figure, verdict }) => [figure, verdict])).to.deep.equal([
      ['p50', 'worse'],
      ['p95', 'worse'],
      ['p99', 'worse'],
    ]);
    expect(get.figures[1].change).to.be.closeTo(1, 1e-9);
    expect([get.base, get.new]).to.deep.equal([
      { count: 300, errors: 0 },
      { count: 300, errors: 0 },
    ]);
  });

  it('an operation of one side alone has counts of this side', () => {
    const [, old, added] = comparedOperations(
      [run(operation('a', 1), operation('old', 1, { errors: 3 }))],
      [run(operation('a', 1), operation('new', 1))],
      { method: 'none' },
    );
    expect([old.name, old.base, old.new]).to.deep.equal(['old', { count: 100, errors: 3 }, null]);
    expect([added.name, added.base, added.figures[1].base, added.figures[1].new]).to.deep.equal(['new', null, null, 1]);
  });

  it('figures of streams are compared beside the times, and more events per second are better', () => {
    const times = (level, count = 1000) => ({ count, median: level, p95: 2 * level, p99: 3 * level });
    const streaming = (level, rate) => ({
      ...operation('chat', level),
      stream: {
        ...{ count: 100, events: 1000, eventRate: rate, firstEvent: times(100 * level), gap: times(level) },
        ...{ meanGap: times(level), duration: times(level, 0) },
      },
    });
    const side = (...levels) => levels.map((level) => run(streaming(level, 1000 / level)));
    const [{ figures }] = comparedOperations(side(9.9, 10, 10.1), side(19.8, 20, 20.2), { method: 'runs' });
    expect(figures.slice(3).map(({ figure, unit, verdict }) => [figure, unit, verdict])).to.deep.equal([
      ['firstEvent.p50', 'ms', 'worse'],
      ['firstEvent.p95', 'ms', 'worse'],
      ['firstEvent.p99', 'ms', 'worse'],
      ['gap.p50', 'ms', 'worse'],
      ['gap.p99', 'ms', 'worse'],
      ['meanGap.p50', 'ms', 'worse'],
      ['meanGap.p95', 'ms', 'worse'],
      ['eventRate', '/s', 'worse'],
    ]);
  });

  it('several operations of one name are compared in their order', () => {
    const twice = (a, b) => [run(operation('a', a), operation('a', b), operation('a', 7, { phase: 'after' }))];
    const rows = comparedOperations(twice(1, 10), twice(2, 20), { method: 'none' });
    expect(rows.map(({ figures }) => Math.round(figures[1].change))).to.deep.equal([1, 1, 0]);
    expect(rows.map(({ phase }) => phase)).to.deep.equal(['main', 'main', 'after']);
  });

  it('noise of the whole run gives no verdict for operations; percentiles need enough values', () => {
    const [few] = comparedOperations([run(operation('a', 1, { count: 30 }))], [run(operation('a', 2, { count: 30 }))], {
      method: 'noise',
    });
    expect(few.figures.map(({ change, verdict }) => [change, verdict])).to.deep.equal([
      [1, 'unknown'],
      [1, 'unknown'],
      [null, 'unknown'],
    ]);
  });
});
