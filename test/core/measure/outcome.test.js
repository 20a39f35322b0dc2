import { expect } from 'chai';

import { outcomeOfResult } from '../../../lib/core/measure/outcome-reasons.js';
import { areErrorsAllowed, lacksLoad, reasonsOf, statusOf } from '../../../lib/core/measure/outcome.js';
import { judgedStats } from '../../support/judged-stats.js';

describe('measure/outcome', () => {
  for (const [title, given, reasons] of [
    ['a clean result has no reason', {}, []],
    ['errors', { errors: 1 }, ['errors']],
    ['a failed threshold', { passed: false }, ['threshold']],
    ['an accounting check that failed', { status: 'invalid' }, ['internal']],
    ['a server that ended, whatever is allowed', { kinds: { server: 1 } }, ['server']],
    ['a suspect measurement is no failure', { status: 'suspect' }, []],
    ['all that apply', { errors: 1, passed: false }, ['threshold', 'errors']],
  ])
    it(title, () => expect(reasonsOf(judgedStats(given))).to.deep.equal(reasons));

  it('a flow whose requests were never answered has not passed, and one without requests may', () => {
    const requests = { answered: 0 };
    expect(reasonsOf({ ...judgedStats(), requests })).to.deep.equal(['unanswered']);
    expect(reasonsOf({ ...judgedStats(), requests, operations: [] })).to.deep.equal([]);
  });

  it('a response that never ended is an answer, but no complete one', () => {
    const messageOf = (count) => {
      const requests = { sent: 2, answered: 0, ttfb: { count } };
      return outcomeOfResult({ ...judgedStats(), requests }).reasons.map(({ message }) => message);
    };
    expect(messageOf(2)).to.deep.equal(['no request was answered completely']);
    expect(messageOf(0)).to.deep.equal(['no request was answered']);
  });

  it('a run fails if no iteration of one of its loads completed', () => {
    const load = (name, started, completed) => ({ name, iterations: { started, completed, dropped: 0 } });
    const result = { ...judgedStats(), loads: [load('a', 5, 5), load('b', 0, 0), load('c', 2, 0)] };
    const { passed, reasons } = outcomeOfResult(result);
    expect(passed).to.equal(false);
    expect(reasons.map(({ code, message, of }) => [code, message, of])).to.deep.equal([
      ['unanswered', 'b: no iteration started', { load: 'b' }],
      ['unanswered', 'c: no iteration completed', { load: 'c' }],
    ]);
  });

  it('a load, or a run, that a signal stopped before its first iteration was due lacks none', () => {
    const load = (name, started) => ({ name, iterations: { started, completed: 0, dropped: 0 } });
    const stopped = (...loads) => reasonsOf({ ...judgedStats(), loads }, {}, ['interrupted']);
    expect(stopped(load('b', 0))).to.deep.equal(['interrupted']);
    expect(stopped(load('b', 0), load('c', 2))).to.deep.equal(['interrupted', 'unanswered']);
    const none = { ...judgedStats(), requests: { answered: 0 }, iterations: { started: 0, completed: 0, dropped: 0 } };
    expect(reasonsOf(none, {}, ['interrupted'])).to.deep.equal(['interrupted']);
    expect(reasonsOf(none)).to.deep.equal(['unanswered']);
  });

  it('a part of the load is missing from 1 % of it on', () => {
    const missing = (count) =>
      lacksLoad({ ...judgedStats(), iterations: { ...judgedStats().iterations, started: 200, missing: count } });
    expect([missing(1), missing(3)]).to.deep.equal([false, true]);
  });

  it('a run of which nothing failed is undecided if a threshold is', () => {
    const threshold = { expression: 'p95<1s', figure: 'responseTime.p95', of: {}, passed: false };
    const of = (...thresholds) => statusOf({ ...judgedStats(), thresholds });
    expect(of({ ...threshold, undecided: true })).to.equal('undecided');
    expect(of({ ...threshold, undecided: true }, threshold)).to.equal('failed');
    expect(of({ ...threshold, passed: true })).to.equal('passed');
  });

  it('a missed precision has the time that it would take, in minutes or hours', () => {
    const goal = { expression: 'p95±3%', figure: 'responseTime.p95', bound: 0.03, unit: 'ratio', passed: false };
    const messageOf = (actual) =>
      outcomeOfResult({ ...judgedStats(), measuredElapsed: 20_000, precision: [{ ...goal, actual }] }).reasons[0]
        .message;
    expect(messageOf(0.06)).to.match(/^the precision p95±3% was not reached: .* would take about 2 m in all$/);
    expect(messageOf(0.89)).to.match(/about 5 h in all$/);
  });

  it('each reason has the figure that decided, its value and the limit, as data and in its message', () => {
    expect(outcomeOfResult(judgedStats({ errors: 8, passed: false }))).to.deep.equal({
      passed: false,
      exitCode: 99,
      reasons: [
        {
          ...{ code: 'threshold', message: 'p99 is 2,000 ms; the threshold is p99<1s' },
          ...{ figure: 'responseTime.p99', of: {}, operator: '<', bound: 1000, actual: 2000, unit: 'ms' },
        },
        {
          ...{ code: 'errors', message: '8 of 100 iterations failed (8.0 %)' },
          ...{ figure: 'errors', of: {}, operator: '==', bound: 0, actual: 8, unit: '' },
        },
      ],
    });
    const iterations = { ...judgedStats().iterations, started: 80, dropped: 20 };
    expect(outcomeOfResult({ ...judgedStats(), iterations }).reasons).to.deep.equal([
      {
        ...{ code: 'dropped', message: '20 of 100 planned iterations never started (20 %)' },
        ...{ figure: 'iterations.dropped', of: {}, operator: '<=', bound: 0.01, actual: 0.2, unit: 'ratio' },
      },
    ]);
    expect(outcomeOfResult(judgedStats(), ['interrupted', 'notWritten']).reasons.map(({ code }) => code)).to.deep.equal(
      ['notWritten', 'interrupted'],
    );
  });

  it('a result without thresholds', () => {
    const { thresholds: _none, ...rest } = judgedStats();
    expect(reasonsOf(rest)).to.deep.equal([]);
  });

  describe('errors', () => {
    const rows = [
      ['no errors are allowed', 0, [], true],
      ['errors without a threshold are not', 1, [], false],
      ['an errors threshold decides', 1, ['errors<5'], true],
      ['so does one of a share', 1, [' errors < 5%'], true],
      ['a threshold of an operation does not decide', 1, ['GET / errors<5'], false],
      ['other thresholds do not decide', 1, ['p99<1s', 'status.500<9'], false],
      ['a checks threshold decides if all errors are failed checks', 2, ['checks>99%'], true, { expect: 2 }],
      ['a checks threshold does not decide about other errors', 2, ['checks>99%'], false, { expect: 1, reset: 1 }],
      ['one of a single check does not decide', 2, ['checks.status 2xx>99%'], false, { expect: 2 }],
    ];
    for (const [title, count, expressions, isAllowed, kinds = {}] of rows) {
      it(title, () => {
        const thresholds = expressions.map((expression) => ({ expression }));
        expect(areErrorsAllowed({ errors: { count, kinds }, checks: {}, thresholds })).to.equal(isAllowed);
      });
    }
  });
});
