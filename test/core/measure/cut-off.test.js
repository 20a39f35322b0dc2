import { expect } from 'chai';

import { reasonsOf } from '../../../lib/core/measure/outcome.js';
import { cutOffRecorder, cutOffResult, named } from '../../support/cut-off-runs.js';
import { recorded, resultOf } from '../../support/recorded.js';

describe('measure/cut-off', () => {
  for (const [title, completed, cut, overdue] of [
    ['S41 iterations that ran longer than the slowest completed one', [100], [50, 99, 150, 2000], 2],
    ['iterations that were cut off early', [100], [1, 2, 99], 0],
    ['S41 all that waited, if none completed', [], [5, 2000], 2],
    ['none, if none was cut off', [100], [], 0],
  ])
    it(`${title}: ${overdue} count as errors`, () => {
      const { iterations, errors } = cutOffResult({ completed, cut });
      expect([iterations.overdue, errors.count, errors.kinds.timeout ?? 0, errors.overdue]).to.deep.equal(
        Array(4).fill(overdue),
      );
    });

  it('an iteration whose age differs from the slowest completed one by less than a bin is no error', () => {
    expect(cutOffResult({ completed: [4999], cut: [4997.5, 4997.5, 10] }).errors.count).to.equal(0);
    expect(cutOffResult({ completed: [4999], cut: [4999, 10] }).errors.count).to.equal(0);
    expect(cutOffResult({ completed: [0.03], cut: [0.03, 0.031] }).errors.count).to.equal(1);
  });

  it('the rate of a scenario has its cut off iterations, as its count has', () => {
    const { scenarios, measuredElapsed } = cutOffResult({ completed: [10], cut: [2000, 2000] });
    expect(named(scenarios, 'rare')).to.include({ count: 3, rate: 3000 / measuredElapsed });
  });

  it('the message says how long the slowest completed one took, and that none completed', () => {
    const messageOf = (completed) => cutOffResult({ completed, cut: [2000, 2000] }).errors.details[0].message;
    expect(messageOf([100])).to.match(/it had run longer than the slowest completed iteration of rare \(100 ms\)$/);
    expect(messageOf([])).to.match(/no iteration of rare completed$/);
  });

  it('they are errors of the operation, the scenario and the group that were cut off', () => {
    const { operations, scenarios, groups, errors } = cutOffResult({ completed: [10, 10], cut: [5, 2000, 3000] });
    expect(named(operations, 'GET /hang')).to.include({ count: 3, errors: 2, overdue: 2 });
    expect(named(operations, 'GET /')).to.include({ errors: 0 });
    expect(named(scenarios, 'rare')).to.include({ count: 4, errors: 2 });
    expect(named(groups, 'cart')).to.include({ count: 2, errors: 2 });
    expect(errors.details[0]).to.include({ operation: 'GET /hang', phase: 'main', count: 2 });
  });

  for (const [answers, age, overdue] of [
    [100, 39, 0],
    [100, 45, 1],
    [4, 500, 0],
    [4, 600, 1],
    [0, 1000, 0],
  ])
    it(`after ${answers} answers of at most 20 ms in its operation, one of ${age} ms is ${overdue ? '' : 'not '}overdue`, () => {
      const one = recorded([{ at: 0, ms: 1900, status: 200 }]);
      const operation = one.operations.add('GET /fast', 'main');
      for (let i = 0; i < answers; i++) operation.answered(200, 20);
      operation.oldest = answers > 0 ? 20 : 0;
      for (const measured of [one, operation]) measured.cutOff(age);
      expect(resultOf(one).iterations.overdue).to.equal(overdue);
    });

  it('an iteration that waits for a hook is one of main', () => {
    const one = recorded([{ at: 0, ms: 10, status: 200 }]);
    one.cutOff(2000);
    expect(resultOf(one).errors.details[0]).to.include({ path: 'flow.main', count: 1 });
  });

  for (const phase of ['beforeMain', 'afterMain'])
    it(`a request of ${phase} is an error if it waited longer than the slowest answer of its operation`, () => {
      const { errors, iterations } = cutOffResult({ completed: [5000], cut: [50, 60], phase });
      expect(errors.details[0]).to.include({ operation: 'GET /hang', phase, count: 2 });
      expect(errors.details[0].message).to.match(/none of its operation was answered$/);
      expect(iterations.overdue).to.equal(phase === 'beforeMain' ? 2 : 0);
      const answered = cutOffRecorder({ cut: [50, 60], phase });
      answered.operations.add('GET /other', phase);
      const [, hang] = answered.operations.summary();
      expect(hang.errors).to.equal(0);
    });

  describe('one slow answer does not hide a server that hangs', () => {
    const quick = Array(199).fill(2);

    it('iterations that had run longer than 99 % of the completed ones fail the run, if they are more than 1 %', () => {
      const { iterations, ...stats } = cutOffResult({ completed: [1900, ...quick], cut: Array(101).fill(1000) });
      expect(iterations).to.include({ overdue: 0, cutOff: 101 });
      expect(reasonsOf({ iterations, ...stats })).to.deep.equal(['cutOff']);
    });

    it('so do more of them than have ended', () =>
      expect(reasonsOf(cutOffResult({ completed: [2500, 2500], cut: Array(98).fill(2000) }))).to.deep.equal([
        'cutOff',
      ]));

    it('virtual users whose last iterations were cut off at an ordinary age are no failure', () => {
      const { iterations, ...stats } = cutOffResult({ completed: Array(20).fill(100), cut: [10, 40, 70, 90, 99] });
      expect(iterations.cutOff).to.equal(0);
      expect(reasonsOf({ iterations, ...stats })).to.deep.equal([]);
    });

    it('1 % of them is no failure, and a threshold on cancelled decides instead', () => {
      const judged = (cut, thresholds) =>
        reasonsOf({ ...cutOffResult({ completed: [1900, ...quick], cut: Array(cut).fill(1000) }), thresholds });
      expect(judged(2)).to.deep.equal([]);
      expect(judged(10)).to.deep.equal(['cutOff']);
      expect(judged(10, [{ expression: 'cancelled<20', passed: true, actual: 10, unit: '' }])).to.deep.equal([]);
    });
  });
});
