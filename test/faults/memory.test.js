import { expect } from 'chai';

import benchrest from '../../index.js';
import { GOOD, faulting } from '../support/faulty-server.js';
import { scaled } from '../support/scale.js';
import { describeSlow } from '../support/slow.js';
import { here } from '../support/threads-here.js';
import { heapInUse } from './ground.js';

const ITERATIONS = scaled(1000, 24_000);

/** Short: heap in use after each part of a run. `npm run soak` measures resident memory for a long time. */
describeSlow('C6 memory does not grow with the iterations', () => {
  let failures = 0;
  let sample;
  const kinds = [
    ['ok', '/', {}],
    [
      'failing, no two alike',
      {
        get: '/',
        beforeHooks: [
          () => {
            sample();
            throw Object.assign(new Error(`a different message each time: ${failures++}`), { code: `E${failures}` });
          },
        ],
      },
      {},
    ],
    ['cookies', ['/#{INDEX}', '/#{INDEX}'], {}],
    [
      'hooks',
      {
        get: '/',
        beforeHooks: ['useEtag'],
        afterHooks: [
          'saveEtag',
          async ({ body, env, iterCtx }) => {
            iterCtx.kept = [body, env.index];
          },
        ],
      },
      {},
    ],
    ['two workers', '/', { workers: 2 }],
  ];

  const answer = async (io) => {
    for (let n = 0; ; n++) {
      await io.readRequest();
      sample();
      await io.send(GOOD.replace('\r\n\r\n', `\r\nSet-Cookie: id=${n}; Path=/\r\nETag: "${n}"\r\n\r\n`));
    }
  };

  // The first run of a process loads and compiles modules, which stay in memory.
  before(() => {
    sample = () => {};
    return faulting(answer, (url) => here('workers', () => benchrest(url, { limit: 20, iterations: 1000 })));
  });

  for (const [what, flow, options] of kinds) {
    it(what, () =>
      faulting(answer, async (url, seen) => {
        // one request per operation, or one call of the failing hook
        const last = ITERATIONS * [flow].flat().length;
        let count = 0;
        let early;
        let late;
        sample = () => {
          count++;
          if (count !== last / 4 && count !== last) return;
          // the server keeps its requests in the same heap
          for (const list of [seen.lines, seen.heads]) list.length = 0;
          early ??= heapInUse();
          late = heapInUse();
        };
        const all = { limit: 20, iterations: ITERATIONS, baseUrl: url, ...options };
        const { stats } = await here('workers', () => benchrest(flow, all));
        expect(stats.iterations.started).to.equal(ITERATIONS);
        expect(count).to.equal(last);
        // with the full count, 18,000 iterations later: 40 bytes kept for each would show
        expect(late - early).to.be.below(700_000);
      }),
    );
  }
});
