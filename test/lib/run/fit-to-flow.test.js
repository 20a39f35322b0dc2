import { expect } from 'chai';

import { readFlow } from '../../../lib/flow/index.js';
import { fitToFlow } from '../../../lib/run/fit-to-flow.js';

const URL = 'http://127.0.0.1/';
const compiled = (flow) => readFlow(flow).compile({});
const four = { beforeMain: [URL], main: [URL, URL], afterMain: [URL], before: [URL], after: [URL] };

describe('run/fit-to-flow', () => {
  const rows = [
    [{ limit: 5, iterations: 7 }, URL, { limit: 5, iterations: 7 }, 'nothing to fit, nothing fitted'],
    [
      { limit: 5, maxOverallRequests: 103 },
      four,
      { iterations: 25 },
      'requests become whole iterations; before and after are not counted',
    ],
    [
      { limit: 5, maxConnectionRequests: 11 },
      four,
      { iterationsOfLane: 2, iterations: 10 },
      'those of a lane become iterations of a lane, and of all',
    ],
    [
      { limit: 5, maxConnectionRequests: 11, maxOverallRequests: 12, iterations: 100 },
      four,
      { iterationsOfLane: 2, iterations: 3 },
      'the smallest counts',
    ],
    [{ limit: 5, pipelining: 10, forever: true }, URL, { limit: 50 }, 'requests in flight are lanes'],
    [
      { limit: 5, pipelining: 10, maxConnectionRequests: 2 },
      URL,
      { limit: 50, iterations: 100 },
      'each with its own requests',
    ],
    [{ limit: 5, pipelining: 1 }, four, { limit: 5 }, 'one in flight is no pipelining'],
  ];
  for (const [options, flow, fitted, why] of rows)
    it(why, () => expect(fitToFlow({ transport: 'wire', ...options }, compiled(flow))).to.include(fitted));

  it('options that need no fitting have no limit of a lane', () => {
    expect(fitToFlow({ limit: 5, forever: true }, compiled(URL))).to.not.have.any.keys(
      'iterations',
      'iterationsOfLane',
    );
  });

  it('all that does not fit is said at once', () => {
    expect(() =>
      fitToFlow(
        { limit: 1, transport: 'wire', maxOverallRequests: 3, maxConnectionRequests: 2, pipelining: 2 },
        compiled(four),
      ),
    )
      .to.throw()
      .with.property('problems')
      .that.has.lengthOf(3);
  });
});
