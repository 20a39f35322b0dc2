import { expect } from 'chai';

import { divideRows, fitToData } from '../../../../lib/core/run/options/fit-to-data.js';
import fc from '../../../support/fast-check.js';

const EMPTY = { before: [], beforeMain: [], main: [], afterMain: [], after: [] };
/** A step that reads feeders by tokens, of a scenario. */
const step = (names, scenario = null) => ({
  ...{ scenario, call: null, control: null, beforeHooks: [], afterHooks: [] },
  values: names.map((name) => ({ where: `flow.data.${name}`, isFromCode: false })),
});
const flowOf = (...main) => ({ ...EMPTY, main });
/** One scenario for each load. */
const loadsOf = (...names) => flowOf(...names.map((own, load) => step(own, { load, at: 0 })));
const feeder = (count, { name = 'users', isUnique = true, endsRun = isUnique } = {}) => {
  const one = { name, count, isUnique, endsRun, rowAt: null, divide: (rowAt) => void (one.rowAt = rowAt) };
  return one;
};
const fit = (options, flow, ...feeders) => fitToData(options, { all: () => feeders }, flow);
const READING = flowOf(step(['users', 'more']));

describe('run/options/fit-to-data', () => {
  it('without rows that are used once the options are the same', () => {
    const options = { iterations: 7 };
    expect(fitToData(options, null, READING)).to.equal(options);
    expect(fit(options, READING, feeder(3, { isUnique: false }))).to.equal(options);
    expect(fit(options, READING, feeder(3, { endsRun: false }))).to.equal(options);
    expect(fit(options, flowOf(step([])), feeder(3))).to.equal(options);
  });

  it('the iterations end with the first feeder that runs out', () => {
    expect(fit({ iterations: 7 }, READING, feeder(5), feeder(3, { name: 'more' }))).to.deep.equal({ iterations: 3 });
    expect(fit({ iterations: 2 }, READING, feeder(5))).to.deep.equal({ iterations: 2 });
    expect(fit({ duration: 1 }, READING, feeder(5))).to.deep.equal({ duration: 1, iterations: 5 });
  });

  it('only loads that read the rows end with them', () => {
    const loads = [{ iterations: 50 }, { iterations: 50 }, { rate: 10, duration: 5000 }];
    const fitted = fit({ loads }, loadsOf(['users'], [], []), feeder(10)).loads;
    expect(fitted).to.deep.equal([{ iterations: 10, hasEnd: true }, loads[1], loads[2]]);
  });

  it('a load that reads fewer rows than its part leaves the others to the next one', () => {
    const loads = [{ iterations: 3 }, { rate: 1000, duration: 5000 }, { duration: 5000 }];
    const fitted = fit({ loads }, loadsOf(['users'], ['users'], ['users']), feeder(13)).loads;
    expect(fitted.map(({ iterations }) => iterations)).to.deep.equal([3, 5, 5]);
  });

  it('iterations of scenarios that do not read them use no rows', () => {
    const shared = (at) => ({ load: 0, at, choose: (number) => number % 2 });
    const flow = flowOf(step(['users'], shared(0)), step([], shared(1)));
    expect(fit({ iterations: 50 }, flow, feeder(10))).to.deep.equal({ iterations: 20 });
    const users = feeder(10);
    divideRows({ all: () => [users] }, flow, { iterations: 20 });
    expect([0, 1, 2, 18, 20].map(users.rowAt)).to.deep.equal([0, null, 1, 9, Infinity]);
  });

  it('functions of the flow read rows if no token does, or if they have the word data', () => {
    const hooked = (hook, scenario) => ({ ...step([], scenario), beforeHooks: [{ hook }] });
    const own = (load) => ({ load, at: 0 });
    const loads = [{ iterations: 50 }, { iterations: 50 }];
    const counts = (...steps) => fit({ loads }, flowOf(...steps), feeder(10)).loads.map(({ iterations }) => iterations);
    const [plain, reading] = [(all) => all, ({ data }) => data.users];
    expect(counts(hooked(plain, own(0)), step([], own(1)))).to.deep.equal([10, 50]);
    expect(counts(hooked(plain, own(0)), step(['users'], own(1)))).to.deep.equal([50, 10]);
    expect(counts(hooked(reading, own(0)), step(['users'], own(1)))).to.deep.equal([5, 5]);
  });

  it('a warm-up is refused, unless nothing reads the rows', () => {
    const options = { warmup: { duration: 1 } };
    expect(() => fit(options, READING, feeder(5, { endsRun: false }))).to.throw(
      'runOptions.warmup: would use rows of data.users, whose order is unique',
    );
    expect(fit(options, flowOf(step([])), feeder(5))).to.equal(options);
  });

  it('each row is used once, by loads that read it, and all of them if these have enough iterations', () => {
    const load = fc.record({ iterations: fc.integer({ min: 1, max: 30 }), reads: fc.boolean() });
    fc.assert(
      fc.property(fc.array(load, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 40 }), (given, count) => {
        const flow = loadsOf(...given.map(({ reads }) => (reads ? ['users'] : [])));
        const users = feeder(count);
        const { loads } = fit({ loads: given }, flow, users);
        divideRows({ all: () => [users] }, flow, { loads });
        const rows = loads.flatMap(({ iterations, reads }, place) =>
          reads ? Array.from({ length: iterations }, (_, i) => users.rowAt(i * loads.length + place)) : [],
        );
        const wanted = given.reduce((sum, { reads, iterations }) => sum + (reads ? iterations : 0), 0);
        expect(new Set(rows).size).to.equal(rows.length);
        expect(rows).to.have.lengthOf(Math.min(count, wanted));
        expect(rows.every((row) => row < count)).to.equal(true);
        for (const [i, { reads, iterations }] of given.entries())
          if (!reads) expect(loads[i].iterations).to.equal(iterations);
      }),
      { numRuns: 200 },
    );
  });
});
