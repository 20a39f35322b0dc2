import { expect } from 'chai';

import { readFlow } from '../../../../lib/flow/compile.js';
import { fitToFlow } from '../../../../lib/run/options/fit-to-flow.js';

const URL = 'http://127.0.0.1/';
const compiled = (flow) => readFlow(flow).compile({});
const four = { beforeMain: [URL], main: [URL, URL], afterMain: [URL], before: [URL], after: [URL] };

describe('run/options/fit-to-flow', () => {
  const rows = [
    [
      { limit: 5, iterations: 7 },
      URL,
      { limit: 5, iterations: 7 },
      'options that do not depend on the flow stay the same',
    ],
    [
      { limit: 5, maxOverallRequests: 103 },
      four,
      { iterations: 25 },
      'maxOverallRequests becomes whole iterations; before and after do not count',
    ],
    [
      { limit: 5, maxConnectionRequests: 11 },
      four,
      { iterationsOfLane: 2, iterations: 10 },
      'maxConnectionRequests becomes iterations of a lane, and of all lanes',
    ],
    [
      { limit: 5, maxConnectionRequests: 11, maxOverallRequests: 12, iterations: 100 },
      four,
      { iterationsOfLane: 2, iterations: 3 },
      'the smallest limit applies',
    ],
    [{ limit: 5, pipelining: 10, forever: true }, URL, { limit: 50 }, 'pipelined requests become lanes'],
    [
      { limit: 5, pipelining: 10, maxConnectionRequests: 2 },
      URL,
      { limit: 50, iterations: 10, iterationsOfLane: 2 },
      'maxConnectionRequests applies to each connection, however many requests are in flight on it',
    ],
    [{ limit: 5, pipelining: 1 }, four, { limit: 5 }, 'pipelining of 1 changes nothing'],
  ];
  for (const [options, flow, fitted, why] of rows)
    it(why, () => expect(fitToFlow({ transport: 'wire', ...options }, compiled(flow))).to.include(fitted));

  it('pipelining applies to the virtual users of stages and warm-up as well', () => {
    const options = { limit: 2, pipelining: 3, stages: [{ duration: 1, limit: 4 }], warmup: { duration: 1, limit: 1 } };
    expect(fitToFlow({ transport: 'wire', ...options }, compiled(URL))).to.deep.include({
      stages: [{ duration: 1, limit: 12 }],
      warmup: { duration: 1, limit: 3 },
    });
    const rates = { stages: [{ duration: 1, rate: 4 }], warmup: { duration: 1 } };
    expect(fitToFlow({ transport: 'wire', limit: 2, pipelining: 3, ...rates }, compiled(URL))).to.deep.include(rates);
  });

  it('without limits of requests lanes have no limit of iterations', () => {
    expect(fitToFlow({ limit: 5, forever: true }, compiled(URL))).to.not.have.any.keys(
      'iterations',
      'iterationsOfLane',
    );
  });

  it('all options that do not fit are reported together', () => {
    expect(() =>
      fitToFlow(
        { limit: 1, transport: 'wire', maxOverallRequests: 3, maxConnectionRequests: 2, pipelining: 2 },
        compiled([URL, URL, URL, { get: URL, headers: { connection: 'close' } }]),
      ),
    )
      .to.throw()
      .with.property('problems')
      .that.has.lengthOf(3);
  });
});
