import { expect } from 'chai';

import { agreeStart, measureOffset } from '../../../lib/addons/agents/start.js';

/** A clock that is ahead by `ahead` ms, behind a network whose ways there and back take these times. */
const remote = (ahead, ways) => {
  let at = 0;
  const next = ways[Symbol.iterator]();
  return {
    now: () => at,
    async readTime() {
      const [there, back] = next.next().value;
      at += there;
      const time = at + ahead;
      at += back;
      return time;
    },
  };
};

describe('the start of several machines', () => {
  it('machines start after the shortest lead if they are near', () => {
    expect(agreeStart(1000, [0.2, 0.4], 400)).to.equal(1400);
  });

  it('machines start after three round trips of the farthest one', () => {
    expect(agreeStart(1000, [1, 300], 400)).to.equal(1000 + 200 + 900);
  });

  it('the offset of another clock is that of the shortest round trip', async () => {
    const { now, readTime } = remote(5000, [
      [90, 10],
      [1, 1],
      [3, 40],
    ]);
    expect(await measureOffset(readTime, now, 3)).to.deep.equal({ offsetMs: 5000, roundTripMs: 2 });
  });

  it('the offset of another clock is wrong by at most half of the round trip', async () => {
    const { now, readTime } = remote(-3_600_000, Array(9).fill([10, 0]));
    const { offsetMs, roundTripMs } = await measureOffset(readTime, now);
    expect(Math.abs(offsetMs + 3_600_000)).to.be.at.most(roundTripMs / 2);
  });
});
