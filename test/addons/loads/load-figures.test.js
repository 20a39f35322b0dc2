import { expect } from 'chai';

import { untilNext } from '../../../lib/addons/loads/load-figures.js';
import { Stride } from '../../../lib/core/run/options/shard.js';
import { scheduleFor } from '../../../lib/core/schedule/index.js';

describe('the figures of a load', () => {
  const options = { rate: 10, limit: 1 };
  const schedule = scheduleFor(options).create(options);

  it('a load that went on until the others had ended has the planned rate of its plan', () => {
    for (const [planned, shard, plannedMs] of [
      [1, undefined, 100],
      [7, undefined, 700],
      [3, { number: 2, of: 4 }, 1200],
      [0, undefined, 53],
    ]) {
      const plan = untilNext({ planned, plannedMs: 53 }, { schedule, stride: new Stride(shard) });
      expect(plan).to.deep.equal({ planned, plannedMs });
    }
  });
});
