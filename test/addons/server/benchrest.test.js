import http from 'node:http';
import { expect } from 'chai';

import { benchrest } from '../../../lib/core/run/benchrest.js';
import { refusedPaths } from '../../support/refused-paths.js';
import { here } from '../../support/threads-here.js';

const OPTIONS = { limit: 2, iterations: 4 };

describe('a run of a program with a server of its process', () => {
  const wrong = { limit: 1.5, iterations: 4 };
  for (const [flow, expected] of [
    [['/x'], ['runOptions.limit']],
    [[{ get: '/x', gett: 1 }], ['runOptions.limit', 'flow.main[0].gett']],
  ])
    it(`refuses all problems together, and has a URL: ${JSON.stringify(flow)}`, () =>
      expect(refusedPaths(flow, { ...wrong, target: http.createServer() })).to.deep.equal([
        'E_RUN_OPTIONS',
        ...expected,
      ]));

  it('listens during the run and is closed after it', async () => {
    let count = 0;
    const target = http.createServer((req, res) => res.end(String(++count)));
    const { errorCount } = await here('workers', () => benchrest('/', { ...OPTIONS, target }));
    expect([count, errorCount, target.listening]).to.deep.equal([4, 0, false]);
  });
});
