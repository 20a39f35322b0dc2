import { expect } from 'chai';

import { PrecisionWatch, intervalsOf, precisionSoFar, shortageOf } from '../../../lib/core/measure/confidence.js';
import { HdrCounts } from '../../../lib/core/measure/hdr-counts.js';
import { Series } from '../../../lib/core/measure/series.js';
import { STEADY, drawing, pointsOfRun, steadyRun } from '../../support/simulated-runs.js';
import { IS_FULL } from '../../support/scale.js';
import { itSlow } from '../../support/slow.js';

const RATE = { figure: 'iterations.completedRate', unit: '/s' };
const TIMES = ['mean', 'p50', 'p95', 'p99'].map((figure) => ({ figure, unit: 'ms' }));
const FIGURES = [RATE, ...TIMES];

/** How many intervals of runs of this length contain the true figure, of how many, by figure. */
function coverageOf(service, seconds, runs) {
  const counts = Object.fromEntries(FIGURES.map(({ figure }) => [figure, { inside: 0, of: 0 }]));
  for (let run = 0; run < runs; run++) {
    const { points, truth } = steadyRun(service, seconds, 7919 * run + seconds);
    for (const { figure, interval } of intervalsOf(points, FIGURES)) {
      if (interval === null) continue;
      counts[figure].of++;
      if (interval.low <= truth[figure] && truth[figure] <= interval.high) counts[figure].inside++;
    }
  }
  return counts;
}

/** Points of equal length with this many iterations and failed ones in each. */
function pointsWith(counts, { failed = counts.map(() => 0), ms = 1000 } = {}) {
  const series = new Series({ interval: ms });
  counts.forEach((count, i) =>
    series.add({
      ...{
        from: i * ms,
        to: (i + 1) * ms,
        count,
        failed: failed[i],
        errors: failed[i],
        max: 1,
        area: 0,
        utilization: 0,
      },
      ...{ bytes: 0, counts: countsOf(count) },
    }),
  );
  series.add({ from: counts.length * ms, to: counts.length * ms + 1, ...NOTHING });
  return series.wholePoints();
}

/** So many times of a millisecond. */
function countsOf(count) {
  const counts = new HdrCounts();
  if (count > 0) counts.record(1000, count);
  return counts.toBytes();
}

const NOTHING = { count: 0, failed: 0, errors: 0, max: 0, area: 0, utilization: 0, bytes: 0, counts: new Uint8Array() };

describe('measure/confidence', () => {
  itSlow('nearly all of 95 % intervals of 20 s contain the true figure', () => {
    const all = STEADY.flatMap((service) => Object.values(coverageOf(service, 20, 8)));
    const [inside, of] = ['inside', 'of'].map((key) => all.reduce((sum, one) => sum + one[key], 0));
    expect(of).to.be.above(150);
    expect(inside / of).to.be.within(0.88, 0.99);
  });

  if (IS_FULL)
    for (const service of STEADY)
      for (const seconds of [60, 300])
        it(`95 % intervals of ${seconds} s of ${service.name} contain the true figure in 93 to 97 % of runs`, () => {
          const runs = seconds === 60 ? 400 : 100;
          for (const [figure, { inside, of }] of Object.entries(coverageOf(service, seconds, runs))) {
            // Clusters of few values have no interval in most runs
            if (of < runs / 2) continue;
            // three standard errors of so many runs
            const slack = 3 * Math.sqrt((0.95 * 0.05) / of);
            expect(inside / of, figure).to.be.within(0.93 - slack, 0.97 + slack);
          }
        }).timeout(600_000);

  /** Of runs that end because a figure is known within `bound`: how many intervals contain it. */
  function sequentialCoverage(service, { figure, bound, runs, seconds }) {
    const goal = [{ expression: figure, figure, unit: 'ms', bound }];
    const ends = [];
    for (let run = 1; run <= runs; run++) {
      const { points, truth } = steadyRun(service, seconds, 15_485_863 * run + 1007);
      const watch = new PrecisionWatch(goal);
      for (let ms = 10_000; ms <= seconds * 1000; ms += 1000) {
        if (!watch.isDue(ms) || !watch.isReached(ms, () => points)) continue;
        const known = points.filter(({ to }) => to <= watch.toMs);
        const [{ interval }] = intervalsOf(known, goal, { isEarly: true });
        ends.push({ isInside: interval.low <= truth[figure] && truth[figure] <= interval.high });
        break;
      }
    }
    return { inside: ends.filter(({ isInside }) => isInside).length, of: ends.length };
  }

  const SEQUENTIAL = [
    ['independent', 'p95', 0.05, 200],
    ['independent', 'p99', 0.06, 200],
    ['AR(1) process of iterations', 'mean', 0.08, 300],
    ['half seconds', 'p95', 0.05, 300],
    ['half seconds', 'p99', 0.07, 300],
    ['two modes', 'p95', 0.05, 200],
  ];

  itSlow('nearly all intervals of runs that end because p95 is known within 5 % contain it', () => {
    const services = STEADY.filter(({ name }) => /independent|half seconds|two modes/.test(name));
    const all = services.map((service) =>
      sequentialCoverage(service, { figure: 'p95', bound: 0.05, runs: 8, seconds: 120 }),
    );
    const [inside, of] = ['inside', 'of'].map((key) => all.reduce((sum, one) => sum + one[key], 0));
    expect(of).to.be.above(20);
    expect(inside / of).to.be.above(0.85);
  });

  if (IS_FULL)
    for (const [name, figure, bound, seconds] of SEQUENTIAL)
      it(`93 to 97 % of those of ${figure} within ${bound * 100} % do: ${name}`, () => {
        const service = STEADY.find((one) => one.name.includes(name));
        const { inside, of } = sequentialCoverage(service, { figure, bound, runs: 100, seconds });
        expect(of).to.be.above(60);
        const slack = 3 * Math.sqrt((0.95 * 0.05) / of);
        expect(inside / of).to.be.within(0.93 - slack, 0.97 + slack);
      }).timeout(600_000);

  it('a rate whose points are equal has no width, and that of alternating ones is not wider than their spread', () => {
    const [even] = intervalsOf(pointsWith(Array(20).fill(50)), [RATE]);
    expect(even).to.deep.include({ actual: 50, interval: { low: 50, high: 50 } });
    const [odd] = intervalsOf(pointsWith(Array.from({ length: 20 }, (_, i) => 49 + 2 * (i % 2))), [RATE]);
    expect(odd.interval.high - odd.interval.low).to.be.within(0.1, 1);
  });

  it('points that follow each other alike make the interval wider than the same points in another order', () => {
    const { normal } = drawing(3);
    const values = Array.from({ length: 120 }, () => Math.round(200 + 20 * normal()));
    const sorted = [0, 1, 2, 3, 4, 5].flatMap((part) => values.slice(20 * part, 20 * part + 20).sort((a, b) => a - b));
    const widths = [values, sorted].map((counts) => {
      const [{ interval }] = intervalsOf(pointsWith(counts), [RATE]);
      return interval === null ? Infinity : interval.high - interval.low;
    });
    expect(widths[1]).to.be.above(1.3 * widths[0]);
  });

  it('a run that drifts has no interval', () => {
    const [{ interval, reason }] = intervalsOf(pointsWith(Array.from({ length: 60 }, (_, i) => 100 + i)), [RATE]);
    expect([interval, reason.code]).to.deep.equal([null, 'dependent']);
  });

  it('an interval is around the figure of the whole run, and may be around another value', () => {
    const points = pointsWith(Array.from({ length: 20 }, (_, i) => 49 + 2 * (i % 2)));
    const [own] = intervalsOf(points, [RATE]);
    const [other] = intervalsOf(points, [{ ...RATE, actual: 25 }]);
    expect(other.actual).to.equal(25);
    expect(other.interval.high - 25).to.be.closeTo((own.interval.high - own.actual) / 2, 1e-9);
  });

  it('few values beyond a percentile, and few failed iterations, are no basis for an interval', () => {
    const { next } = drawing(5);
    const points = pointsOfRun(20, { timeOf: () => 10 + next(), gapOf: () => 20 });
    const [p95, p99, errors] = intervalsOf(points, [
      { figure: 'p95', unit: 'ms' },
      { figure: 'p99', unit: 'ms' },
      { figure: 'errors', unit: 'ratio' },
    ]);
    expect(p95.interval.low).to.be.below(p95.actual);
    expect(p99).to.deep.equal({
      ...{ figure: 'p99', unit: 'ms', actual: null, interval: null },
      reason: { code: 'tooFewValues', message: 'an interval of p99 needs 2,000 iterations, this run has 999' },
    });
    expect(errors.reason.code).to.equal('tooFewValues');
    const [p90, p99_7] = ['p90', 'p99.7'].map((figure) => ({ figure, unit: 'ms' }));
    const reasons = intervalsOf(pointsWith(Array(20).fill(10)), [p90, p99_7]).map(({ reason }) => reason?.message);
    expect(reasons).to.deep.equal([undefined, 'an interval of p99.7 needs 6,667 iterations, this run has 200']);
  });

  describe('of times that are equal', () => {
    const widthOf = (timeOf, figure = 'p95', seconds = 20) => {
      const [{ actual, interval }] = intervalsOf(pointsOfRun(seconds, { timeOf, gapOf: () => 5 }), [
        { figure, unit: 'ms' },
      ]);
      return interval && { actual, low: interval.low / actual, high: interval.high / actual };
    };

    it('all of them: an interval has no width', () => {
      for (const figure of ['mean', 'p50', 'p95', 'p99'])
        for (const seconds of [20, 120])
          expect(
            widthOf(() => 10, figure, seconds),
            `${figure} in ${seconds} s`,
          ).to.deep.include({ low: 1, high: 1 });
    });

    it('a tenth, the slowest ones: neither has p95', () => {
      const { next } = drawing(9);
      expect(widthOf(() => (next() < 0.1 ? 1000 : 5 + next()))).to.deep.include({ low: 1, high: 1 });
    });

    it('about a twentieth, the slowest ones: p95 may be below them', () => {
      const { next } = drawing(11);
      const found = widthOf(() => (next() < 0.055 ? 1000 : 5 + next()));
      expect(found.actual).to.be.closeTo(1000, 1);
      expect([found.low < 0.1, found.high]).to.deep.equal([true, 1]);
    });
  });

  it('the share of failed iterations has an interval', () => {
    const failed = Array.from({ length: 20 }, (_, i) => 4 + (i % 3));
    const [
      {
        actual,
        interval: { low, high },
      },
    ] = intervalsOf(pointsWith(Array(20).fill(95), { failed }), [{ figure: 'errors', unit: 'ratio' }]);
    expect(actual).to.be.closeTo(0.05, 0.005);
    expect(low).to.be.within(0.03, actual);
    expect(high).to.be.within(actual, 0.07);
  });

  it('an interval of few values does not lead below zero', () => {
    const counts = Array.from({ length: 20 }, (_, i) => (i === 10 ? 400 : 1));
    const [{ actual, interval }] = intervalsOf(pointsWith(counts), [RATE]);
    expect(interval.low).to.be.above(0);
    expect(interval.high / actual).to.be.closeTo(actual / interval.low, 1e-9);
  });

  it('a run that is too short, or has too few points, says what it lacks', () => {
    expect(shortageOf([]).code).to.equal('tooShort');
    expect(shortageOf(pointsWith(Array(9).fill(10))).code).to.equal('tooShort');
    expect(shortageOf(pointsWith(Array(12).fill(10), { ms: 2000 }))).to.deep.equal({
      code: 'tooFewPoints',
      message:
        'an interval needs 15 points of the series, this run has 12: use a shorter --series-interval, or run it for longer',
    });
    expect(shortageOf(pointsWith(Array(15).fill(10)))).to.equal(null);
  });

  it('a precision is judged from 10 s on, and again when it is likely to be reached', () => {
    const points = pointsWith(Array.from({ length: 40 }, (_, i) => 50 + ((i * 7) % 11)));
    const { actual } = precisionSoFar([{ expression: 'x', ...RATE, bound: 0.5 }], points.slice(0, 20))[0];
    const watch = new PrecisionWatch([{ expression: 'x', ...RATE, bound: actual / Math.sqrt(1.5) }]);
    expect([watch.isDue(9_999), watch.isDue(10_000)]).to.deep.equal([false, true]);
    expect(watch.isReached(9_800, () => points)).to.equal(false);
    expect([watch.reached, watch.isDue(10_800)]).to.deep.equal([[], true]);
    expect(watch.isReached(20_500, () => points)).to.equal(false);
    expect(watch.toMs).to.equal(20_000);
    expect(watch.share).to.be.closeTo(1 / 1.5, 1e-9);
    expect([watch.isDue(20_500 * 1.49), watch.isDue(20_500 * 1.51)]).to.deep.equal([false, true]);
    expect(watch.isReached(40_500, () => points)).to.equal(true);
  });

  it('a precision is reached when half of the interval is at most the bound', () => {
    const points = pointsWith(Array.from({ length: 40 }, (_, i) => 50 + ((i * 7) % 11)));
    const judged = (bound) => precisionSoFar([{ expression: 'x', ...RATE, bound }], points)[0];
    const { actual } = judged(0.5);
    expect(judged(actual).passed).to.equal(true);
    expect(judged(actual * 0.99).passed).to.equal(false);
    expect(precisionSoFar([{ expression: 'x', ...RATE, bound: 0.5 }], points.slice(0, 5))).to.equal(null);
  });
});
