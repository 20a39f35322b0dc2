import { Worker } from 'node:worker_threads';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { scaled } from '../support/scale.js';
import { itSlow } from '../support/slow.js';
import { NAMES } from '../support/transports.js';
import { awake } from '../support/until.js';
import { balance } from './ground.js';
import { messagesOf } from '../support/messages.js';

const TIMEOUT = 1000;
const STANDSTILL = 1300;
/** One in 40 stands still. */
const ITERATIONS = scaled(130, 200);
const FLOW = new URL('../support/flows/standstill.mjs', import.meta.url);

/** Runs `story(url)` against a server in its own thread, which continues while this thread stalls. */
async function servingApart(answer, story) {
  const worker = new Worker(
    `const http = require('node:http');
     const { parentPort } = require('node:worker_threads');
     http.createServer(${answer}).listen(0, '127.0.0.1', function () {
       parentPort.postMessage(this.address().port);
     });`,
    { eval: true },
  );
  try {
    const port = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    return await story(`http://127.0.0.1:${port}`);
  } finally {
    await worker.terminate();
  }
}

/** Blocks the thread as a hook that computes does, and leaves the CPU to others. */
const standStill = (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
/** Answers at different times, so that requests of other lanes are in flight while one computes. */
const quick = "((n) => (req, res) => setTimeout(() => res.end('ok'), 2 + 5 * (n++ % 7)))(0)";
const byPath = "(req, res) => req.url === '/hang' || setTimeout(() => res.end('ok'), 2)";

for (const httpClient of scaled(NAMES.slice(0, 1), NAMES)) {
  describe(`N9 a standstill of the client is not counted as the server's time: ${httpClient}`, () => {
    const expectSpared = (stats) => {
      balance(stats);
      expect(stats.errors.details).to.deep.equal([]);
      expect(stats.loadGenerator.stall.longest).to.be.above(STANDSTILL - 50);
      expect(stats.loadGenerator.stall.extendedTimeouts).to.be.above(0);
      expect(messagesOf(stats.validity.reasons).join()).to.match(/stalled for \d+\.\d s.* timeouts .* postponed/);
    };
    const computing = (all) => {
      if (all.env.index % 40 === 20) standStill(STANDSTILL);
    };

    for (const [what, hooks] of [
      ['before the request', { beforeHooks: [computing] }],
      ['after the response', { afterHooks: [computing] }],
    ]) {
      itSlow(`a hook that computes longer than the timeout ${what} causes no timeout in another lane`, () =>
        servingApart(quick, async (url) => {
          const { stats } = await benchrest(
            { get: url, ...hooks },
            { limit: 10, iterations: ITERATIONS, timeout: TIMEOUT, httpClient },
          );
          expectSpared(stats);
        }),
      );
    }

    it('a standstill while connections are opened causes no connect timeout', () =>
      servingApart(quick, async (url) => {
        const { stats } = await benchrest(
          { get: url, beforeHooks: [(all) => void (all.env.index === 9 && standStill(STANDSTILL))] },
          { limit: 10, iterations: 50, timeout: 10_000, connectTimeout: TIMEOUT, httpClient },
        );
        expectSpared(stats);
      }));

    itSlow('two lanes that compute one after the other cause no timeout', () =>
      servingApart(quick, async (url) => {
        const { stats } = await benchrest(
          { get: url, beforeHooks: [(all) => void ([20, 21, 22].includes(all.env.index) && standStill(STANDSTILL))] },
          { limit: 10, iterations: 100, timeout: TIMEOUT, httpClient },
        );
        expectSpared(stats);
      }),
    );

    it('a server that never answers still times out, later by at most the standstill', () =>
      servingApart(byPath, async (url) => {
        const { stats } = await benchrest(
          [
            { get: `${url}/ok`, afterHooks: [(all) => void (all.env.index === 5 && standStill(STANDSTILL))] },
            `${url}/hang`,
          ],
          { limit: 4, iterations: 8, timeout: TIMEOUT, httpClient },
        );
        balance(stats);
        expect(stats.errors.kinds).to.deep.equal({ timeout: 8 });
        expect(stats.errors.details.map(({ code }) => code)).to.deep.equal(['E_TIMEOUT_REQUEST']);
        // generous: a suspension of this process is a standstill too
        expect(stats.main.histogram.max).to.be.below(20_000);
      }));

    it("a hook's own computing counts towards its timeout", () =>
      servingApart(quick, async (url) => {
        const slow = async () => {
          await null;
          await new Promise((resolve) => setTimeout(resolve, 10));
          standStill(STANDSTILL);
          await awake(50, 10);
        };
        const { stats } = await benchrest(
          { get: url, afterHooks: [slow] },
          { limit: 1, iterations: 1, timeout: TIMEOUT, httpClient },
        );
        expect(stats.errors.details[0]).to.include({ kind: 'hook', code: 'E_TIMEOUT_HOOK' });
      }));

    itSlow('a standstill of workers causes no timeout, and is reported', () => {
      return servingApart(quick, async (url) => {
        const { stats } = await benchrest(FLOW, {
          limit: 10,
          iterations: ITERATIONS,
          timeout: TIMEOUT,
          workers: scaled(1, 2),
          baseUrl: url,
          httpClient,
        });
        expectSpared(stats);
      });
    });
  });
}
