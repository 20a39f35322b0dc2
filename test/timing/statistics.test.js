import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { bytes, count, counted, ms, percent, rate } from '../../lib/core/ground/decimal.js';
import { Histogram } from '../../lib/core/measure/histogram.js';
import { spawned } from '../support/command.js';
import { faulting } from '../support/faulty-server.js';
import { ok, serving } from '../support/serve.js';
import { balance, leavingNothing } from '../faults/ground.js';

describe('accuracy of figures', () => {
  let folder;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  after(() => rmSync(folder, { recursive: true }));

  it('S1 percentiles of 1 to 10^6 us match their rank, other figures are exact', () => {
    const histogram = new Histogram();
    for (let us = 1; us <= 1_000_000; us++) histogram.update(us / 1000);
    const { min, max, sum, count: n, mean } = histogram.toJSON();
    expect({ min, max, n }).to.deep.equal({ min: 0.001, max: 1000, n: 1_000_000 });
    expect(sum).to.equal(500_000_500);
    expect(mean).to.equal(500.0005);
    for (const q of [50, 75, 90, 95, 99, 99.9, 99.99, 99.999]) {
      const rank = (q / 100) * 1000;
      expect(histogram.valueAt(q), `p${q}`).to.be.within(rank * 0.999 - 0.001, rank * 1.001 + 0.001);
    }
  });

  for (const [what, answer, { duration, timeout = 5000, gracefulStop }] of [
    ['a fast server', ok, { duration: 200 }],
    ['a server slower than the run', (req, res) => setTimeout(() => res.end(), 700), { duration: 300 }],
    ['a server that never answers', () => {}, { duration: 300, timeout: 600 }],
    ['a server that never answers, with a short timeout', () => {}, { duration: 300, gracefulStop: 100 }],
  ]) {
    it(`S5 iterations start until the duration is over, and running ones finish: ${what}`, () =>
      serving(answer, async (url, seen, deserted) => {
        const starts = [];
        const hook = () => {
          starts.push(performance.now());
        };
        const { stats } = await benchrest(
          { get: url, beforeHooks: [hook] },
          { limit: 3, duration, timeout, gracefulStop },
        );
        // it may read the requests that were cancelled after the run
        await deserted();
        balance(stats, seen.length);
        expect(Math.max(...starts) - starts[0]).to.be.below(duration + 30_000);
        expect(stats.measuredElapsed).to.be.at.least(duration - 5);
        // none of the durations below are asserted exactly: response time, timeout and graceful stop vary
        expect(stats.measuredElapsed).to.be.below(duration + 30_000);
        if (gracefulStop) expect(stats.iterations.cancelled).to.equal(3);
      }));
  }

  it('S11 a timeout counts as a latency: one in a hundred makes p99.5 at least the timeout', () =>
    leavingNothing(() =>
      faulting(
        async (io) => {
          for (;;) {
            const index = Number((await io.readRequest()).split(/[ /]/)[2]);
            if (index % 100 !== 50) await io.send('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
          }
        },
        async (url, seen) => {
          const { stats } = await benchrest(`${url}/#{INDEX}`, { limit: 10, iterations: 1000, timeout: 1000 });
          balance(stats, seen.requests);
          expect(stats.errors.kinds).to.deep.equal({ timeout: 10 });
          const { histogram, completed: good } = stats.main;
          expect(histogram.count).to.equal(1000);
          expect(histogram.p999).to.be.at.least(999);
          expect(histogram.max).to.be.at.least(999);
          expect(good.count).to.equal(990);
          expect(good.p95).to.be.below(1000);
        },
      ),
    ));

  it('S12 fast failures do not lower the times of completed iterations', () =>
    leavingNothing(() =>
      faulting(
        async (io) => {
          for (;;) {
            const index = Number((await io.readRequest()).split(/[ /]/)[2]);
            if (index % 2) {
              await io.wait(20);
              await io.send('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
            } else await io.send('HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n');
          }
        },
        async (url) => {
          const { stats } = await benchrest(`${url}/#{INDEX}`, { limit: 10, iterations: 400 });
          expect(stats.iterations).to.include({ completed: 200, failed: 200 });
          expect(stats.main.completed.median).to.be.at.least(19);
          expect(stats.main.completed.min).to.be.at.least(19);
          expect(stats.main.histogram.min).to.be.below(19);
          expect(stats.iterations.completedRate).to.be.closeTo(stats.iterations.rate / 2, 0.001);
          expect(stats.requests.statusCodes[200]).to.equal(200);
        },
      ),
    ));

  describe('S16 units and rounding', () => {
    it('a figure has one format for every size', () => {
      for (const value of [999.9996, 0.0004, 0, 1e21, 59_999.9, 1])
        for (const write of [ms, rate, count, bytes])
          expect(write(value))
            .to.be.a('string')
            .and.not.match(/NaN|undefined|Infinity/);
      expect([ms(999.9996), rate(999.96), bytes(999_950)]).to.deep.equal([ms(1000), rate(1000), bytes(1_000_000)]);
    });

    it('a share is 0 % or 100 % only if it is none or the whole', () => {
      const shares = [0, 0.0001, 0.004, 0.0996, 0.1, 0.994, 0.995, 0.9989, 0.9999, 1, 1.5];
      expect(shares.map(percent)).to.deep.equal([
        '0 %',
        '< 0.1 %',
        '0.4 %',
        '10 %',
        '10 %',
        '99 %',
        '99.5 %',
        '99.9 %',
        '> 99.9 %',
        '100 %',
        '150 %',
      ]);
    });

    it('one thing is singular', () => {
      expect([0, 1, 2000].map((n) => counted(n, 'error'))).to.deep.equal(['0 errors', '1 error', '2,000 errors']);
    });

    it('the language of the system does not change the format', () =>
      serving(ok, async (url) => {
        const { stdout } = await spawned(['-n', '1000', '-c', '2', '-o', 'result.json', url], {
          cwd: folder,
          env: { LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' },
        });
        expect(stdout).to.match(/^[✓✗?] [\d.,–]+ iterations\/s [^]*\n {2}1,000 iterations in \d+\.\d+ s/);
        expect(JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')).main.histogram.mean).to.be.a('number');
      }));
  });
});
