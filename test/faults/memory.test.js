import { expect } from 'chai';

import benchrest from '../../index.js';
import { GOOD, faulting } from '../support/faulty-server.js';
import { heapInUse } from './ground.js';

/** Short: what is still needed after each part of a run. The long one, of resident memory, is `npm run soak`. */
describe('C6 memory does not grow with the iterations', function () {
  this.timeout(120_000);
  let failures = 0;
  const kinds = [
    ['ok', '/', {}],
    [
      'failing, no two alike',
      {
        get: '/',
        beforeHooks: [
          () => {
            throw Object.assign(new Error(`no two are alike: ${failures++}`), { code: `E${failures}` });
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

  for (const [what, flow, options] of kinds) {
    it(what, () =>
      faulting(
        async (io) => {
          for (let n = 0; ; n++) {
            await io.readRequest();
            await io.send(GOOD.replace('\r\n\r\n', `\r\nSet-Cookie: id=${n}; Path=/\r\nETag: "${n}"\r\n\r\n`));
          }
        },
        async (url, seen) => {
          const samples = [];
          const run = benchrest(flow, { limit: 20, iterations: 24_000, progress: 20, baseUrl: url, ...options });
          run.on('progress', (_, percent) => {
            // what the server remembers is not the client's
            for (const list of [seen.lines, seen.heads]) list.length = 0;
            const part = Math.floor(percent / 25);
            if (samples[part]) return;
            samples[part] = heapInUse();
          });
          const { stats } = await run;
          expect(stats.iterations.started).to.equal(24_000);
          // of 18,000 iterations: 40 bytes kept for each would show
          expect(samples[4] - samples[1]).to.be.below(700_000);
        },
      ),
    );
  }
});
