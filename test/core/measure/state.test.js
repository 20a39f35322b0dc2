import { expect } from 'chai';

import { Recorder } from '../../../lib/core/measure/recorder.js';
import { stateOf } from '../../../lib/core/measure/state.js';
import fc from '../../support/fast-check.js';
import { exactPart, recorded, resultOf } from '../../support/recorded.js';
import { scaled } from '../../support/scale.js';
import { iterations, split } from '../../support/split-runs.js';

/** The sum of the states, as the result of one run. */
const sumOf = (states, options) => {
  const sum = new Recorder();
  for (const state of states) sum.add(state);
  return resultOf(sum, options);
};

describe('measure/state', () => {
  for (const isOpen of [false, true]) {
    const model = isOpen ? 'an open' : 'a closed';
    const planned = (all) => (isOpen ? all.length : null);

    it(`S8 states of ${model} run that is split in any way add up to the result of the whole run`, () => {
      fc.assert(
        fc.property(iterations(isOpen), (all) => {
          const states = split(all).map((part) => {
            const recorder = recorded(part, { isDrained: true });
            recorder.close();
            return structuredClone(recorder.drain());
          });
          const whole = resultOf(recorded(all), { planned: planned(all) });
          expect(exactPart(sumOf(states, { planned: planned(all) }))).to.deep.equal(exactPart(whole));
        }),
        { numRuns: scaled(8, 40) },
      );
    });
  }

  it('the state of a result gives the result again', () => {
    const all = [200, 503, 304, 200].map((status, i) => ({ at: i * 700, ms: i + 0.5, status }));
    const stats = resultOf(recorded(all));
    expect(exactPart(sumOf([stateOf(stats)]))).to.deep.equal(exactPart(stats));
  });

  it('a result without times by status keeps its statuses and its times', () => {
    const all = [200, 503, 200].map((status, i) => ({ at: i * 700, ms: i + 1, status }));
    const stats = resultOf(recorded(all));
    delete stats.operations[0].serviceTimeByStatus;
    const { operations } = sumOf([stateOf(stats), stateOf(stats)]);
    expect(operations[0]).to.include({ count: 6, errors: 2 }).and.not.have.property('serviceTimeByStatus');
    expect(operations[0].statusCodes).to.deep.equal({ 200: 4, 503: 2 });
    expect(operations[0].times.serviceTime).to.include({ count: 6, max: 3 });
  });

  it('operations of the same phase and name stay apart, others are added', () => {
    const flow = (...names) => {
      const recorder = new Recorder({ isDrained: true });
      names.forEach((name, i) => recorder.operations.add(name, 'main').answered(200, i + 1));
      recorder.close();
      return recorder.drain();
    };
    const { operations } = sumOf([flow('a', 'b', 'a'), flow('a', 'c', 'a')]);
    expect(operations.map(({ name, count, times }) => [name, count, times.serviceTime.max])).to.deep.equal([
      ['a', 2, 1],
      ['b', 1, 2],
      ['a', 2, 3],
      ['c', 1, 2],
    ]);
  });
});
