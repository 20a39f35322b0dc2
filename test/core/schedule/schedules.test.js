import { expect } from 'chai';

import { RUN_OPTIONS } from '../../../lib/core/run/options/index.js';
import { SCHEDULES, scheduleFor, unreadBy } from '../../../lib/core/schedule/index.js';
import fc from '../../support/fast-check.js';
import { scaled } from '../../support/scale.js';

const createSchedule = (options) => scheduleFor(options).create(options);
const near = (value) => (actual) => Math.abs(actual - value) < 1e-6;

describe('schedules', () => {
  describe('every schedule', () => {
    const names = RUN_OPTIONS.map(({ name }) => name);
    for (const { name, chosenBy, options } of SCHEDULES)
      it(`${name} reads run options, that which chooses it among them`, () => {
        expect(names).to.include.members(options);
        if (chosenBy !== null) expect(options).to.include(chosenBy);
      });

    it('an option that only others read has no meaning', () => {
      const unread = Object.fromEntries(SCHEDULES.map((entry) => [entry.name, unreadBy(entry)]));
      expect(unread.closed).to.include.members(['arrival', 'maxBacklog', 'pacing']).and.not.include('rampUp');
      expect(unread.stages).to.include.members(['rate', 'forever', 'rampUp']).and.not.include('maxBacklog');
      expect(unread.constant).to.include.members(['pause', 'expectedInterval']).and.not.include('arrival');
    });

    const stages = [
      { duration: 30_000, rate: 100 },
      { duration: 60_000, rate: 5 },
    ];
    const rows = [
      [{ limit: 50, iterations: 1000 }, '1,000 iterations, 50 virtual users'],
      [{ limit: 1, iterations: 1, duration: 500 }, '1 iteration or 500 ms, 1 virtual user'],
      [{ limit: 5 }, 'until stopped, 5 virtual users'],
      [{ limit: 5, rate: 1500, duration: 10_000 }, '10 s, 1,500/s, up to 5 virtual users'],
      [{ limit: 5, rate: 2, arrival: 'poisson' }, 'until stopped, 2/s at random, up to 5 virtual users'],
      [{ limit: 5, stages }, '30 s to 100/s, 1 m to 5/s, up to 5 virtual users'],
      [{ limit: 5, stages: [{ duration: 1000, rate: 9, ramp: false }] }, '1 s at 9/s, up to 5 virtual users'],
      [{ limit: 5, stages: [{ duration: 1000, limit: 20 }], iterations: 9 }, '9 iterations, 1 s to 20 virtual users'],
    ];
    for (const [options, text] of rows)
      it(`describes ${text}`, () => expect(scheduleFor(options).describe(options)).to.equal(text));

    for (const [options, text] of rows)
      it(`there is no iteration Infinity: ${text}`, () =>
        expect(createSchedule(options).arrival(Infinity)).to.equal(Infinity));

    it('a warm-up has the load of the start of the run, without its end', () => {
      const warmUp = (options) => scheduleFor(options).warmUp(options);
      expect(warmUp({ limit: 3, iterations: 5, rampUp: 100 })).to.deep.equal({ limit: 3 });
      expect(warmUp({ limit: 3, rate: 5, duration: 1 })).to.deep.equal({ limit: 3, rate: 5 });
      expect(warmUp({ limit: 3, stages })).to.deep.equal({ limit: 3, rate: 100 });
      expect(warmUp({ limit: 3, stages: [{ duration: 1, rate: 0 }, ...stages] })).to.deep.equal({
        limit: 3,
        rate: 100,
      });
      expect(warmUp({ limit: 3, stages: [{ duration: 1, limit: 0 }] })).to.deep.equal({ limit: 1, rate: undefined });
    });
  });

  describe('constant', () => {
    const rows = [
      [2, 9, 4500, 'at 2 per second the tenth iteration is due after 4.5 s'],
      [2, 0, 0, 'the first iteration is due at once'],
      [0.5, 1, 2000, 'at 0.5 per second an iteration is due every two seconds'],
      [1 / 60, 3, 180_000, 'at 1 per minute an iteration is due every minute'],
      [50_000, 50_000, 1000, 'at 50,000 per second the 50,001st iteration is due after a second'],
    ];
    for (const [rate, n, due, why] of rows) {
      it(`S3 ${why}`, () => expect(createSchedule({ rate, limit: 10 }).arrival(n)).to.satisfy(near(due)));
    }

    const wholes = [
      [8.3, 30_000, 249],
      [8.8, 3_600_000, 31_680],
      [0.3, 10_000, 3],
      [10, 1050, 11],
      [37.7, 691_200_000, 26_058_240],
      [1e-9, 300, 1],
    ];
    for (const [rate, duration, count] of wholes) {
      it(`S3 ${rate} per second are ${count} in ${duration} ms, none of them due at the end`, () => {
        const { arrival, arrived } = createSchedule({ rate, limit: 10, duration });
        expect([arrival(count - 1) < duration, arrival(count), arrived(duration)]).to.deep.equal([
          true,
          Infinity,
          count,
        ]);
      });
    }

    it('arrived(t) counts iterations due by t, t included, and none after the end', () => {
      const { arrived, end } = createSchedule({ rate: 10, limit: 10, duration: 1000 });
      expect([0, 99, 100, 250, 1000, 9999].map(arrived)).to.deep.equal([1, 1, 2, 3, 10, 10]);
      expect(end).to.equal(1000);
    });
  });

  describe('stages', () => {
    const ramp = [{ duration: 10_000, rate: 100 }];
    const rows = [
      [ramp, 0, 0, 'a ramp from 0 starts with one iteration at once'],
      [ramp, 125, 5000, 'a quarter of its area lies in the first half of a ramp from 0'],
      [ramp, 500, Infinity, 'a ramp from 0 to 100/s in 10 s has 500 iterations'],
      [
        [
          { duration: 1000, rate: 10, ramp: false },
          { duration: 1000, rate: 20, ramp: false },
        ],
        10,
        1000,
        'a step of 10/s has ten iterations in the first second',
      ],
      [
        [
          { duration: 1000, rate: 10, ramp: false },
          { duration: 1000, rate: 20, ramp: false },
        ],
        15,
        1250,
        'a second step of 20/s has one iteration every 50 ms',
      ],
      [
        [
          { duration: 1000, rate: 0, ramp: false },
          { duration: 1000, rate: 10, ramp: false },
        ],
        0,
        1000,
        'a stage with rate 0 has no iteration',
      ],
      [
        [
          { duration: 2000, rate: 10, ramp: false },
          { duration: 2000, rate: 0 },
        ],
        29,
        4000 - 2000 * Math.sqrt(1 / 10),
        'a ramp down to 0 spaces its last iterations ever wider',
      ],
    ];
    for (const [stages, n, due, why] of rows) {
      it(why, () => {
        const at = createSchedule({ stages, limit: 10 }).arrival(n);
        if (due === Infinity) expect(at).to.equal(Infinity);
        else expect(at).to.satisfy(near(due));
      });
    }

    it('no iteration is counted as due while the rate is 0', () => {
      const step = (rate) => ({ duration: 1000, rate, ramp: false });
      const { arrival, arrived } = createSchedule({ stages: [step(0), step(10), step(0), step(10)], limit: 1 });
      expect([arrival(0), arrival(9), arrival(10)]).to.deep.equal([1000, 1900, 3000]);
      expect([0, 999, 1000, 1900, 2999, 3000, 4000].map(arrived)).to.deep.equal([0, 0, 1, 10, 10, 11, 20]);
    });

    it('stages of lanes change the number of lanes linearly', () => {
      const { lanes, arrived, arrival, end } = createSchedule({
        stages: [
          { duration: 1000, limit: 10 },
          { duration: 1000, limit: 10 },
          { duration: 1000, limit: 2, ramp: false },
        ],
        limit: 1,
      });
      expect([0, 500, 1000, 1999, 2000, 2999].map(lanes)).to.deep.equal([1, 5, 10, 10, 2, 2]);
      expect([arrived, arrival(5), end]).to.deep.equal([null, 0, 3000]);
    });
  });

  describe('poisson', () => {
    const gaps = (count, rate, seed) => {
      const { arrival } = createSchedule({ rate, arrival: 'poisson', seed, limit: 1 });
      let last = 0;
      return Array.from({ length: count }, (_, n) => {
        const at = arrival(n);
        const gap = at - last;
        last = at;
        return gap;
      });
    };

    it('S4 poisson arrivals have the mean gap of the rate', () => {
      const all = gaps(100_000, 500, 7);
      expect(all.reduce((sum, gap) => sum + gap, 0) / all.length).to.be.within(1.98, 2.02);
    });

    it('S4 poisson arrivals have exponential gaps: Kolmogorov-Smirnov distance below 1.63 / sqrt(n)', () => {
      const sorted = gaps(100_000, 1000, 11).sort((a, b) => a - b);
      const distance = Math.max(...sorted.map((gap, i) => Math.abs(1 - Math.exp(-gap) - (i + 0.5) / sorted.length)));
      expect(distance).to.be.below(1.63 / Math.sqrt(sorted.length));
    });

    it('S45 a short poisson run stands for the time until its next arrival, so its rate is not that of its last gap', () => {
      const load = { rate: 100 / 3600, arrival: 'poisson', limit: 1, seed: 1 };
      const { arrival } = createSchedule(load);
      const due = Array.from({ length: 6 }, (_, n) => arrival(n));
      expect(createSchedule({ ...load, iterations: 5 }).span).to.equal(due[5]);
      expect(createSchedule({ ...load, iterations: 5, duration: due[2] + 1 }).span).to.equal(due[3]);
      expect(createSchedule({ ...load, duration: due[0] + 1 }).span).to.equal(due[1]);
      expect(createSchedule({ ...load, rate: 5000, duration: 60_000 })).to.not.have.property('span');
      expect(createSchedule(load)).to.not.have.property('span');
    });

    it('S4 poisson arrivals are equal for equal seeds and differ for different ones', () => {
      expect(gaps(50, 10, 3)).to.deep.equal(gaps(50, 10, 3));
      expect(gaps(50, 10, 3)).to.not.deep.equal(gaps(50, 10, 4));
    });
  });

  const anyStages = fc.array(
    fc.record({
      duration: fc.integer({ min: 1, max: 5000 }),
      rate: fc.integer({ min: 0, max: 2000 }),
      ramp: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  );
  const anyOptions = fc.oneof(
    fc.record({ rate: fc.double({ min: 0.01, max: 50_000, noNaN: true }) }),
    fc.record({
      rate: fc.double({ min: 0.01, max: 50_000, noNaN: true }),
      arrival: fc.constant('poisson'),
      seed: fc.integer(),
    }),
    fc.record({ stages: anyStages, speed: fc.double({ min: 0.5, max: 10, noNaN: true }) }),
  );

  it('arrival never falls, and arrived counts exactly those that are due', () => {
    fc.assert(
      fc.property(anyOptions, (options) => {
        const { arrival, arrived, end } = createSchedule({ ...options, limit: 10 });
        let last = 0;
        for (let n = 0; n < 300; n++) {
          const at = arrival(n);
          if (at >= end || at === Infinity) break;
          expect(at).to.be.at.least(last);
          // arrivals at random may be closer together
          if (at - last > 1e-5) expect(arrived(at - 1e-6)).to.be.at.most(n);
          last = at;
          expect(arrived(at + 1e-6)).to.be.at.least(n + 1);
        }
      }),
      { numRuns: scaled(40, 200) },
    );
  });

  it('iterations due do not depend on what was asked before: a result looks ahead, the load goes on', () => {
    fc.assert(
      fc.property(anyOptions, fc.array(fc.nat({ max: 3000 }), { maxLength: 20 }), (options, asked) => {
        const { arrival, arrived, end } = createSchedule({ ...options, limit: 10 });
        for (const n of asked) {
          const fresh = createSchedule({ ...options, limit: 10 });
          const at = fresh.arrival(n);
          expect(arrival(n)).to.equal(at);
          const t = Math.min(at, end === Infinity ? at : end, 1e7);
          expect(arrived(t)).to.equal(fresh.arrived(t));
        }
      }),
      { numRuns: scaled(20, 200) },
    );
  });

  it('an arrival between two stages whose durations are no whole numbers is where they meet', () => {
    const stages = [
      { duration: 60_000, rate: 7 },
      { duration: 7000, rate: 7 },
      { duration: 7000, rate: 0 },
      { duration: 7000, rate: 7 },
    ];
    const { arrival } = createSchedule({ stages, speed: 1.5, limit: 10 });
    expect(arrival(189)).to.be.within(arrival(188), arrival(190));
  });

  it('a number of iterations ends every schedule', () => {
    for (const options of [
      {},
      { rate: 10 },
      { rate: 10, arrival: 'poisson' },
      { stages: [{ duration: 1e6, rate: 10 }] },
    ]) {
      const { arrival } = createSchedule({ ...options, iterations: 5, limit: 2 });
      expect(arrival(4)).to.be.below(Infinity);
      expect(arrival(5)).to.equal(Infinity);
    }
  });
});
