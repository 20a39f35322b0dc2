import { expect } from 'chai';

import { textsOf } from '../../../../lib/addons/server/report/live.js';

describe('the server in displays', () => {
  it('has the figures of its last second, until its processes have ended', () => {
    const series = {
      points: [
        { cpuCores: 0.5, memory: 2e6 },
        { cpuCores: 0.98, memory: 3e6, eventLoopDelay: 31.2 },
      ],
    };
    const figuresOf = (change) =>
      textsOf({ servers: [{ source: 'process', series, ...change }] }).map((one) => one.figures);
    expect(figuresOf({})).to.deep.equal([['0.98 cores', '3.0 MB', 'event loop delay p99 31.2 ms']]);
    expect(figuresOf({ endedAfter: 3140 })).to.deep.equal([['ended after 3.1 s']]);
    expect(figuresOf({ source: 'thread' })).to.deep.equal([]);
  });
});
