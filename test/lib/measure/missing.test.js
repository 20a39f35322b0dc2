import { expect } from 'chai';

import { lastKnownState, teardownIncomplete, workerLost } from '../../../lib/measure/incomplete.js';

describe('measure/missing', () => {
  const operation = {};
  for (const [afterMain, after, cancelled, expected, title] of [
    [[], [], 5, [], 'a flow without teardown lacks nothing'],
    [[operation], [], 0, [], 'afterMain of no cancelled iteration is complete'],
    [[operation], [], 2, [/afterMain of 2 iterations did not finish/], 'afterMain of cancelled iterations is missing'],
    [[operation], [operation], 2, [/afterMain of 2 iterations and after did not finish/], 'both are named'],
    [[], [operation], 0, [/: after did not finish/], 'after alone is named'],
  ]) {
    it(title, () => {
      const lines = teardownIncomplete({ afterMain, after }, cancelled);
      expect(lines).to.have.lengthOf(expected.length);
      expected.forEach((pattern, i) => expect(lines[i]).to.match(pattern));
    });
  }

  it('times are seconds with one digit', () => {
    expect(workerLost('worker 1 of 2', 1260)).to.include('worker 1 of 2').and.include('1.3 s');
    expect(lastKnownState(40)).to.include('0.0 s before the end');
  });
});
