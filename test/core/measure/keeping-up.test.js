import { expect } from 'chai';

import { backlogOf } from '../../../lib/core/measure/keeping-up.js';
import { normal } from '../../../lib/core/ground/units.js';
import { exponential, simulatedRun } from '../../support/open-run.js';
import { scaled } from '../../support/scale.js';
import { itSlow } from '../../support/slow.js';

const RUNS = scaled(20, 100);

/** The share of simulated runs in which the service is said not to have kept up. */
function shareBehind(load, service) {
  const runs = Array.from({ length: RUNS }, (_, seed) => backlogOf(simulatedRun(load, service, seed + 1)));
  return runs.filter((backlog) => backlog !== null).length / RUNS;
}

/** A service of 100 iterations per second. */
const ONE_WORKER = { servers: 1, seconds: () => 0.01 };
const POOL = { servers: 4, seconds: exponential(0.04) };

describe('measure/keeping-up', () => {
  const lengths = scaled([4], [4, 10, 30]);
  for (const length of lengths) {
    const even = (rate) => ({ rate, most: rate, length });
    const poisson = (rate) => ({ ...even(rate), isPoisson: true });

    it(`services that keep up with runs of ${length} s are not accused`, () => {
      const slow = (share, seconds) => (at, random) => (random() < share ? seconds : 0.02);
      const rows = {
        'a queue at 90 %': [poisson(90), ONE_WORKER],
        'a pool at 90 %': [even(90), POOL],
        'no queue, times of a heavy tail': [
          poisson(100),
          { servers: Infinity, seconds: (_at, random) => 0.02 * Math.exp(1.5 * normal(random)) },
        ],
        'no queue, a hundredth is very slow': [poisson(100), { servers: Infinity, seconds: slow(0.01, length / 3) }],
        'no queue, 1 s': [even(20), { servers: Infinity, seconds: () => 1 }],
        'no queue, one of ten is slow': [even(50), { servers: Infinity, seconds: slow(0.1, length / 5) }],
        'a slow start': [even(50), { servers: Infinity, seconds: (at) => (at < 2 ? 0.2 : 0.02) }],
        'times that grow fourfold': [even(100), { servers: Infinity, seconds: (at) => 0.02 + (0.06 * at) / length }],
        'a stop every 2 s': [
          even(100),
          { servers: Infinity, seconds: (at) => 0.02 + Math.max(0, 0.3 - ((at + 1) % 2)) },
        ],
        'a ramp without a queue': [
          { rate: (at) => (200 * at) / length, most: 200, length, isPoisson: true },
          { servers: Infinity, seconds: exponential(0.2) },
        ],
        'a step below the capacity': [
          { rate: (at) => (at < length / 2 ? 50 : 80), most: 80, length, isPoisson: true },
          ONE_WORKER,
        ],
      };
      for (const [name, [load, service]] of Object.entries(rows))
        expect(shareBehind(load, service), name).to.be.at.most(0.05);
    });

    it(`services that cannot keep up with runs of ${length} s are found`, () => {
      const rows = {
        '105 %, even': [even(105), ONE_WORKER, 1],
        '110 %, even': [even(110), ONE_WORKER, 1],
        '130 %, random': [poisson(130), ONE_WORKER, 0.95],
        '200 %, a pool': [even(200), POOL, 1],
        '200 %, even': [even(200), ONE_WORKER, 1],
        '300 %, even': [even(300), ONE_WORKER, 1],
        '500 %, random': [poisson(500), ONE_WORKER, 1],
        'a ramp to 200 %': [{ rate: (at) => (200 * at) / length, most: 200, length }, ONE_WORKER, 1],
        'a step to 150 % in the middle': [
          { rate: (at) => (Math.abs(at / length - 0.5) < 1 / 6 ? 150 : 50), most: 150, length },
          ONE_WORKER,
          1,
        ],
      };
      for (const [name, [load, service, share]] of Object.entries(rows))
        expect(shareBehind(load, service), name).to.be.at.least(share);
    });
  }

  itSlow('a queue that takes longer to empty than the plan lasted is found, however coarse the series is', () => {
    for (const [length, rate] of [
      [1, 300],
      [3, 250],
      [3, 2000],
      [8, 1000],
    ]) {
      const load = { rate, most: rate, length };
      expect(shareBehind(load, ONE_WORKER), `${rate}/s for ${length} s`).to.equal(1);
      const { waiting, rate: ended } = backlogOf(simulatedRun(load, ONE_WORKER, 1));
      expect([waiting, ended], `${rate}/s for ${length} s`).to.satisfy(
        ([count, perSecond]) =>
          Math.abs(count / (length * (rate - 100)) - 1) < 0.1 && Math.abs(perSecond / 100 - 1) < 0.1,
      );
    }
    expect(shareBehind({ rate: (at) => 400 * at, most: 1200, length: 3 }, ONE_WORKER)).to.equal(1);
  });

  itSlow('iterations that take longer than the plan without waiting are no queue', () => {
    for (const length of [1, 3, 8]) {
      const load = { rate: 50, most: 50, length };
      const rows = {
        'all as long': () => length,
        'all three times as long': () => 3 * length,
        'at random': exponential(length),
        'half of them': (_at, random) => (random() < 0.5 ? 2 * length : 0.02),
        'half of them as long': (_at, random) => (random() < 0.5 ? length : 0.02),
        'half of them nearly as long': (_at, random) => (random() < 0.5 ? 0.9 * length : 0.02),
        'one of ten, 30 s': (_at, random) => (random() < 0.1 ? 30 : 0.02),
      };
      for (const [name, seconds] of Object.entries(rows))
        expect(shareBehind(load, { servers: Infinity, seconds }), `${name}, ${length} s`).to.be.at.most(0.05);
    }
  });

  it('the waiting iterations, their growth, and the rate of the service are those of the queue', () => {
    const backlog = backlogOf(simulatedRun({ rate: 130, most: 130, length: 10 }, ONE_WORKER, 1));
    expect(backlog.waiting).to.be.within(280, 300);
    expect(backlog.growth).to.be.closeTo(30, 1.5);
    expect(backlog.rate).to.be.closeTo(100, 1.5);
    expect(backlog.from).to.equal(null);
  });

  it('a rate that rises has the rate from which on the service did not keep up', () => {
    const load = { rate: (at) => 20 * at, most: 200, length: 10 };
    expect(backlogOf(simulatedRun(load, ONE_WORKER, 1)).from).to.be.within(90, 130);
  });

  it('a closed run, and one of too few intervals, are not judged', () => {
    const run = simulatedRun({ rate: 130, most: 130, length: 10 }, ONE_WORKER, 1);
    expect(backlogOf({ ...run, iterations: { started: 1000 } })).to.equal(null);
    expect(backlogOf({ ...run, series: { ...run.series, points: run.series.points.slice(0, 5) } })).to.equal(null);
  });
});
