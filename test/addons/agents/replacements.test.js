import { expect } from 'chai';

import { TIMING } from '../../../lib/addons/agents/protocol.js';
import { Replacements } from '../../../lib/addons/agents/replacements.js';
import { ShardTable } from '../../../lib/addons/agents/shard-table.js';
import fc from '../../support/fast-check.js';

const RATE = { rate: 100, duration: 60_000, limit: 40 };
const reportOf = (number, { started = 0, state = 'running', loads } = {}) => ({
  ...{
    lease: `l${number}`,
    sequence: 1,
    state,
    outcome: state === 'ended' ? { kind: 'ended', why: 'completed' } : null,
  },
  stats: { iterations: { started }, ...(loads && { loads }) },
});

/** Agents that run, and what replaces those that are lost. */
const running = (agents, options = RATE) => {
  const table = new ShardTable(agents, TIMING, () => 0);
  const numbers = Array.from({ length: agents }, (_, i) => i + 1);
  table.take(new Map(numbers.map((number) => [number, reportOf(number)])), 0);
  const replacements = new Replacements(agents, { arrival: 'constant', ...options }, TIMING);
  let below = [];
  return {
    table,
    permit: (ms) => {
      below = replacements.permitted(ms, table).map((index, at) => Math.max(index, below[at] ?? 0));
      return below;
    },
    hold: (numbers) => {
      for (const shard of table.whole) shard.silence.ms = numbers.includes(shard.number) ? 1500 : 0;
      return table.hold(below);
    },
    lose: (...lost) => lost.forEach((number) => table.drop(number, 'killed', 'noSignal')),
    replace: () => replacements.replace(table, below),
  };
};
const partsOf = (table) =>
  table.all.flatMap(({ part, lost }) => (part && lost === null ? [[part.number, part.of, part.from, part.taker]] : []));

describe('shard/replacements', () => {
  it('divides the stride of a lost shard among the others, from the first INDEX that no agent could start', () => {
    const { table, permit, lose, replace } = running(3);
    permit(1000);
    lose(2);
    expect(replace()).to.equal(true);
    // 100 per second, 1 s after the start, 3 s ahead
    expect(partsOf(table)).to.deep.equal([
      [2, 6, [401], 1],
      [5, 6, [401], 3],
    ]);
    expect(table.untaken.map(({ report, lease }) => [report, lease])).to.deep.equal([
      [4, 'l1'],
      [5, 'l3'],
    ]);
    expect(replace()).to.equal(false);
  });

  it('begins where the permit of an agent ended that has not reported for a moment', () => {
    const { table, permit, hold, lose, replace } = running(3);
    permit(1000);
    expect(hold([2])).to.deep.equal(['l2']);
    permit(2000);
    expect(hold([2, 3])).to.deep.equal(['l2', 'l3']);
    permit(3000);
    lose(2);
    expect(hold([])).to.deep.equal([]);
    replace();
    expect(partsOf(table).map(([, , from]) => from)).to.deep.equal([[401], [401]]);
    lose(3);
    replace();
    expect(partsOf(table).map(([, , from]) => from)).to.deep.equal([[401], [601], [601]]);
  });

  it('prefers agents that have taken over least', () => {
    const { table, permit, lose, replace } = running(4, { ...RATE, limit: 4 });
    for (const [i, lost] of [1, 2].entries()) {
      permit(1000 * i);
      lose(lost);
      replace();
    }
    // a shard of one virtual user is not divided
    expect(partsOf(table).map(([, , , taker]) => taker)).to.deep.equal([3, 4]);
  });

  it('uses at most 16 agents for a shard', () => {
    const { table, lose, replace } = running(40, { ...RATE, limit: 4000 });
    lose(7);
    replace();
    expect(partsOf(table)).to.have.lengthOf(16);
  });

  it('gives a part that was taken over to others again', () => {
    const { table, permit, lose, replace } = running(3);
    permit(0);
    lose(1);
    replace();
    permit(5000);
    lose(2);
    replace();
    expect(table.lost.map(({ number }) => number)).to.deep.equal([1, 2, 4]);
    expect(partsOf(table)).to.deep.equal([
      [4, 6, [301], 3],
      [2, 3, [801], 3],
      [1, 6, [801], 3],
    ]);
  });

  it('gives nothing to agents that have ended, or if none is left', () => {
    const { table, lose, replace } = running(2);
    table.take(new Map([[2, { ...reportOf(2, { state: 'ended' }), sequence: 2 }]]), 1);
    lose(1);
    expect(replace()).to.equal(false);
    expect(partsOf(table)).to.deep.equal([]);
  });

  it('gives a part that an agent could not run to no other one', () => {
    const { table, lose, replace } = running(2);
    lose(1);
    replace();
    table.take(new Map([[3, { ...reportOf(2, { state: 'refused' }) }]]), 1);
    lose(3);
    expect(replace()).to.equal(false);
  });

  it('gives nothing away if nothing is left to start', () => {
    const { permit, lose, replace } = running(2);
    permit(58_000);
    lose(1);
    expect(replace()).to.equal(false);
  });

  it('permits more INDEX in a closed run than an agent starts until its next report', () => {
    const { permit, table } = running(2, { limit: 8, duration: 60_000 });
    expect(permit(0)).to.deep.equal([2e7]);
    table.take(new Map([[2, { ...reportOf(2, { started: 500 }), sequence: 2 }]]), 1);
    expect(permit(1000)).to.deep.equal([2e7 + 1000]);
  });

  it('divides each load of several from its own iteration on, as long as one of them goes on', () => {
    const loads = [
      { name: 'visits', from: 0, hasEnd: true, rate: 100, duration: 60_000, limit: 40 },
      { name: 'later', from: 10_000, hasEnd: true, rate: 10, duration: 50_000, limit: 40 },
      { name: 'import', from: 0, hasEnd: true, duration: 30_000, limit: 8 },
    ];
    const { table, permit, lose, replace } = running(4, { loads });
    expect(permit(1000)).to.deep.equal([401, 0, 4e7]);
    const started = (...counts) => ({ loads: counts.map((count) => ({ iterations: { started: count } })) });
    table.take(new Map([[2, { ...reportOf(2, started(300, 25, 500)), sequence: 2 }]]), 1);
    expect(permit(10_000)).to.deep.equal([1301, 31, 4e7 + 2000]);
    lose(2);
    replace();
    // a virtual user of each load for each part: the shard has two of import
    expect(partsOf(table)).to.deep.equal([
      [2, 8, [1301, 31, 40_002_000], 1],
      [6, 8, [1301, 31, 40_002_000], 3],
    ]);
    permit(40_000);
    lose(3);
    replace();
    // import has ended, so its users do not matter
    expect(table.all.filter(({ part }) => part?.replaces === 3).length).to.equal(2);
    permit(58_000);
    lose(4);
    expect(replace()).to.equal(false);
  });

  it('requests in flight on one connection do not reduce the virtual users that are divided', () => {
    const { table, lose, replace } = running(3, { ...RATE, limit: 6, pipelining: 4 });
    lose(2);
    replace();
    expect(partsOf(table).map(([number, of]) => [number, of])).to.deep.equal([
      [2, 6],
      [5, 6],
    ]);
  });

  it('a load of which the lost agent had no virtual user takes no other load along', () => {
    const loads = [
      { name: 'visits', from: 0, hasEnd: true, rate: 100, duration: 60_000, limit: 40 },
      { name: 'few', from: 0, hasEnd: true, stages: [{ duration: 60_000, limit: 2 }], limit: 40 },
    ];
    const { table, lose, replace } = running(4, { loads });
    lose(4);
    expect(replace()).to.equal(true);
    expect(partsOf(table).map(([number, of]) => [number, of])).to.deep.equal([
      [4, 12],
      [8, 12],
      [12, 12],
    ]);
  });

  it('gives nothing to others if the lost agent had no virtual user', () => {
    const { table, lose, replace } = running(3, { stages: [{ duration: 60_000, limit: 2 }], limit: 40 });
    lose(3);
    replace();
    expect(partsOf(table)).to.deep.equal([]);
  });

  it('every iteration of each load belongs to one agent at most, and to exactly one after the last loss', () => {
    const quiet = fc.array(fc.integer({ min: 1, max: 10 }), { maxLength: 4 });
    const losses = fc.array(fc.tuple(fc.integer({ min: 100, max: 3000 }), fc.nat(9), quiet), { maxLength: 9 });
    const each = { hasEnd: true, arrival: 'constant', limit: 30 };
    const several = [
      { ...each, name: 'a', from: 0, rate: 40, duration: 60_000 },
      { ...each, name: 'b', from: 2500, rate: 25, duration: 50_000 },
    ];
    const runs = fc.constantFrom(
      { rate: 40, duration: 60_000, limit: 30 },
      { rate: 40, iterations: 2400, limit: 30 },
      { loads: several },
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), losses, runs, (agents, lost, options) => {
        const { table, permit, hold, lose, replace } = running(agents, options);
        /** where the loads of a shard or part end, by its number */
        const ends = new Map();
        let ms = 0;
        for (const [after, which, silent] of lost) {
          permit(ms);
          hold(silent);
          const open = table.whole.filter((shard) => shard.lost === null);
          if (open.length <= 1) break;
          ms += after;
          const below = permit(ms);
          lose(open[which % open.length].number);
          for (const shard of table.lost)
            if (!ends.has(shard.number)) ends.set(shard.number, table.freeFrom(shard, below));
          replace();
        }
        const isRunOnce = (at, count) => {
          const from = Math.max(0, ...[...ends.values()].map((end) => end[at]));
          return Array.from({ length: Math.min(from + 200, count) }, (_, index) => index).every((index) => {
            const owners = table.all.filter(({ number, part }) => {
              const stride = part ?? { number, of: agents, from: [0, 0] };
              const isIts = index % stride.of === stride.number - 1 && index >= stride.from[at];
              return isIts && index < (ends.get(number)?.[at] ?? Infinity);
            });
            return owners.length === 1 || (owners.length === 0 && index < from);
          });
        };
        return isRunOnce(0, 2400) && (options.loads === undefined || isRunOnce(1, 1250));
      }),
    );
  });
});
