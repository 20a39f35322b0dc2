import { expect } from 'chai';

import { CASES, LIMITS, UNEQUAL_CASES, alarmsOf, limitsOf, powerOf } from '../../../../bench/alarms.js';
import { createRandom } from '../../../../lib/core/ground/random.js';
import { compareStats } from '../../../../lib/addons/compare/measure/compare.js';
import { failureText } from '../../../../lib/addons/compare/measure/compared-sides.js';
import { noiseOf } from '../../../../lib/addons/compare/measure/comparison-method.js';
import { scaled } from '../../../support/scale.js';
import { itSlow } from '../../../support/slow.js';

const random = createRandom(11);
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** A run with `level` ms for every figure. */
const run = (level, second) => ({
  ...(second !== undefined && { startedAt: new Date(second * 1000).toISOString() }),
  totalElapsed: 900,
  measuredElapsed: 900,
  iterations: { completedRate: 1000 / level, started: 1000, completed: 1000, failed: 0, dropped: 0 },
  main: { completed: { count: 1000, mean: level, median: level, p90: level, p95: level, p99: level } },
  requests: { sent: 1000, answered: 1000 },
  operations: [],
  errors: { count: 0, kinds: {} },
  loadGenerator: { saturated: false },
  validity: { status: 'valid', reasons: [] },
});
/** Two sides that ran in turn. */
const inTurn = (...sides) => sides.map((levels, side) => levels.map((level, i) => run(level, 2 * i + side)));
const p95 = ({ figures }) => figures.find(({ figure }) => figure === 'responseTime.p95');
/** 5 % and two standard errors of the trials, whose numbers are the same each time: 7.2 % of 400. */
const allowed = (trials) => 0.05 + 2 * Math.sqrt((0.05 * 0.95) / trials);

describe('S15 measure/compare', () => {
  for (const one of LIMITS)
    itSlow(
      `--max-regression ${one.given.join(' ')}${one.ours ? ', with a part of the load generator' : ''}: false alarms are few, twice the limit is found, and nothing contradicts`,
      () => {
        const trials = scaled(60, 400);
        const { alarms, found, contradictions } = limitsOf(one, trials);
        expect(alarms).to.be.at.most(allowed(trials));
        if (!one.ours) expect(found).to.be.at.least(0.9 - 2 * Math.sqrt((0.9 * 0.1) / trials));
        expect(contradictions).to.equal(0);
      },
    );

  const suits = ({ runs, isMany, order }) => (isMany ? runs === 5 && order === 'pairs' : [1, 3, 5].includes(runs));
  for (const one of scaled(CASES.filter(suits), CASES)) {
    itSlow(`${one.name}, ${one.runs} of each side: equal services differ in at most one of twenty cases`, () => {
      const trials = scaled(one.isMany ? 30 : 100, one.isMany ? 80 : 400);
      const { alarms, told } = alarmsOf(one, trials);
      expect(alarms).to.be.at.most(allowed(trials));
      if (one.runs < 3 && !one.noise && !one.history) expect(told).to.equal(0);
    });
  }

  for (const one of UNEQUAL_CASES) {
    itSlow(`${one.name}: equal services differ in at most one of twenty cases`, () => {
      const trials = scaled(60, 200);
      expect(alarmsOf(one, trials).alarms).to.be.at.most(allowed(trials));
    });
  }

  // the power of version 2.0.0-alpha.0 at commit ce6b411, by bench/alarms.js
  for (const [order, runs, least] of [
    ['ab', 3, 0.22],
    ['ab', 5, 0.55],
    ['ab', 10, 0.95],
    ['in turn', 3, 0.28],
    ['in turn', 5, 0.67],
    ['in turn', 10, 0.97],
    ['in turn', 20, 0.99],
  ]) {
    it(`${order}, ${runs} of each side: 10 % more is found as often as before`, () => {
      const found = CASES.find((one) => one.name === `${order}, independent` && one.runs === runs);
      const times = scaled(40, 250);
      expect(powerOf(found, times)).to.be.at.least(least - 2 * Math.sqrt((least * (1 - least)) / times));
    });
  }

  it('a disturbance shared by both sides of a pair cancels out', () => {
    const disturbed = Array.from({ length: 6 }, () => Math.exp(0.5 * normal()));
    const sides = inTurn(
      ...[1, 1.05].map((shift) => disturbed.map((level) => 10 * level * shift * Math.exp(0.005 * normal()))),
    );
    expect(p95(compareStats(...sides)).verdict).to.equal('noise');
    expect(p95(compareStats(...sides, { isPaired: true })).verdict).to.equal('worse');
  });

  it('more iterations per second are better, more milliseconds are worse, and a change has bounds', () => {
    const { method, figures } = compareStats(...inTurn([9.9, 10, 10.1], [4.9, 5, 5.1]));
    expect(method).to.equal('runs');
    expect(figures.map(({ verdict }) => verdict)).to.deep.equal(Array(6).fill('better'));
    const { base, new: other, change, interval } = p95({ figures });
    const { low, high } = interval;
    expect([base, other, change].map((value) => Math.round(value * 10) / 10)).to.deep.equal([10, 5, -0.5]);
    expect(low).to.be.below(change).and.above(-0.6);
    expect(high).to.be.above(change).and.below(-0.4);
  });

  it('single runs, or figures without data, give no verdict', () => {
    const { method, untested, figures } = compareStats([run(10)], [run(20)]);
    expect([method, untested]).to.deep.equal(['none', { code: 'singleRuns', message: 'each side has one run' }]);
    const { change, ...rest } = p95({ figures });
    expect(change).to.be.closeTo(1, 1e-9);
    expect(rest).to.include({ interval: null, p: null, verdict: 'unknown' });
    const empty = {
      ...run(1),
      iterations: { completedRate: 0, started: 0, failed: 0 },
      main: { completed: { count: 0, mean: null, median: null, p90: null, p95: null, p99: null } },
    };
    expect(p95(compareStats([empty], [run(1)]))).to.include({ base: null, change: null, verdict: 'unknown' });
  });

  it('single runs have a verdict by the noise that the user knows', () => {
    const verdictOf = (noise) => p95(compareStats([run(10)], [run(11)], { noise: noiseOf(noise) })).verdict;
    expect([verdictOf(['2%']), verdictOf(['5%']), verdictOf(['iterations.completedRate=2%'])]).to.deep.equal([
      'worse',
      'noise',
      'unknown',
    ]);
  });

  it('the conclusion is about p95: its change, with its interval', () => {
    const lower = compareStats(...inTurn([9.9, 10, 10.1], [4.9, 5, 5.1])).conclusion;
    expect(lower).to.include({ figure: 'responseTime.p95', verdict: 'better' });
    expect(lower.change).to.be.closeTo(-0.5, 0.01);
    expect(lower.interval.low).to.be.below(lower.change);
    expect(lower.interval.high).to.be.above(lower.change);
    const higher = compareStats(...inTurn([4.9, 5, 5.1], [9.9, 10, 10.1])).conclusion;
    expect(higher).to.include({ verdict: 'worse' });
    expect((1 + higher.change) * (1 + lower.change)).to.be.closeTo(1, 1e-9);
  });

  it('the conclusion is about p50 if a run has too few values for p95', () => {
    const few = { ...run(10), main: { completed: { ...run(10).main.completed, count: 19 } } };
    const { conclusion } = compareStats([run(10)], [few]);
    expect(conclusion).to.include({ figure: 'responseTime.p50', verdict: 'unknown', interval: null });
    expect(conclusion.change).to.be.closeTo(0, 1e-9);
  });

  it('there is no conclusion if all iterations of a side failed', () => {
    const failed = {
      ...run(10),
      iterations: { completedRate: 100, started: 1000, completed: 0, failed: 1000, dropped: 0 },
    };
    expect(compareStats([run(10)], [failed]).conclusion).to.include({
      verdict: 'unknown',
      change: null,
      interval: null,
    });
  });

  /** A run in which some iterations failed, hung, or never started. */
  const failing = ({ failed = 0, overdue = 0, dropped = 0, ...more }) => ({
    ...run(10),
    iterations: { completedRate: 100, started: 1000, completed: 1000 - failed, failed, overdue, dropped },
    errors: { count: failed + overdue, kinds: {} },
    ...more,
  });

  it('shares of failures have two digits, however small they are', () => {
    const textOf = (base, other) => failureText({ figure: 'iterations.failedShare', base, new: other });
    expect(textOf(0.0314, 0.12345)).to.equal('12 % of the iterations failed, before 3.1 %');
    expect(textOf(0, 0.00000421)).to.equal('0.00042 % of the iterations failed, before 0 %');
  });

  it('totals add up the runs of a side: failed, with those that hung, and never started', () => {
    const one = failing({ failed: 10, overdue: 5, dropped: 250 });
    const { totals } = compareStats([run(10)], [one, one]);
    const none = { failed: 0, failedShare: 0, unsent: 0, unsentShare: 0 };
    expect(totals.base).to.deep.equal({ runs: 1, iterations: { started: 1000, ...none }, errors: { count: 0 } });
    expect(totals.new).to.deep.equal({
      runs: 2,
      iterations: { started: 2000, failed: 30, failedShare: 0.015, unsent: 500, unsentShare: 0.2 },
      errors: { count: 30 },
    });
  });

  const sideOf = (level, more, runs = 6) =>
    Array.from({ length: runs }, (_, i) => {
      const one = run(level * (1 + 0.01 * (i % 3)));
      return more ? { ...failing(more), main: one.main, ...more.own } : one;
    });
  const compared = (base, other) => compareStats(base, other, { isPaired: true, order: 'mixed' });
  for (const [what, more] of [
    ['fails', { failed: 400 }],
    ['hangs', { overdue: 400 }],
    ['drops iterations', { dropped: 400 }],
  ]) {
    it(`a side that ${what} is not better, and its share is worse`, () => {
      const { conclusion, failures, figures } = compared(sideOf(10), sideOf(1, more));
      expect(p95({ figures }).verdict).to.equal('better');
      expect(conclusion.verdict).to.equal('unknown');
      expect(conclusion.reason.code).to.equal('sideFailed');
      expect(conclusion.change).to.be.closeTo(-0.9, 0.01);
      expect(failures.filter(({ verdict }) => verdict === 'worse')).to.have.lengthOf(1);
    });
  }

  it('a side that fails as the other does has no worse share', () => {
    const { failures } = compared(sideOf(10, { failed: 400 }), sideOf(1, { failed: 400 }));
    expect(failures.map(({ verdict }) => verdict)).to.deep.equal(['noise', 'noise']);
  });

  const ofThreshold = (passed) => ({ own: { thresholds: [{ expression: 'p95<5ms', passed, actual: 1, unit: 'ms' }] } });
  it('a base that fails a threshold can become better; a side that fails one is not', () => {
    const repaired = compared(sideOf(10, ofThreshold(false)), sideOf(1, ofThreshold(true)));
    expect(repaired.conclusion.verdict).to.equal('better');
    expect(repaired.thresholds).to.deep.equal([{ expression: 'p95<5ms', base: 6, new: 0 }]);
    expect(compared(sideOf(10), sideOf(1, ofThreshold(false))).conclusion.verdict).to.equal('unknown');
  });

  it("a change that may be the load generator's has a doubt instead of a verdict", () => {
    const judged = (clientMs) => ({
      validity: {
        status: 'suspect',
        reasons: [],
        figures: [{ figure: 'responseTime.p95', of: {}, actual: 20, loadGeneratorTime: clientMs, status: 'suspect' }],
      },
    });
    const of = (clientMs) => compared(sideOf(10), sideOf(20, { own: judged(clientMs) }));
    const { conclusion, figures } = of(10);
    const reason = {
      code: 'loadGeneratorInFigures',
      message: "up to 10.0 ms of the p95 of B (20.2 ms) are the load generator's",
    };
    expect(conclusion).to.deep.include({ verdict: 'unknown', reason });
    expect(p95({ figures })).to.deep.include({ verdict: 'unknown', reason });
    expect(of(1).conclusion.verdict).to.equal('worse');
  });

  it('a figure whose noise is not known says so', () => {
    const noise = noiseOf(['p99=8%']);
    const { conclusion, figures } = compareStats([run(10)], [run(11)], { noise });
    expect(conclusion.reason).to.deep.equal({ code: 'noiseUnknown', message: 'the noise of p95 is not known' });
    expect(figures.filter(({ reason }) => reason)).to.have.lengthOf(5);
  });

  it('noise is not used if the runs decide', () => {
    const noise = noiseOf(['4%']);
    expect(compareStats(...inTurn([9, 10, 11], [9, 10, 11]), { noise }).ignoresNoise).to.equal(true);
    expect(compareStats([run(10)], [run(11)], { noise }).ignoresNoise).to.equal(false);
  });

  it('a history of too few results says how many it needs', () =>
    expect(compareStats([run(10)], [run(11)], { history: 1 }).untested.message).to.equal(
      'each side has one run, and the history has 1 result: it needs 3',
    ));
});
