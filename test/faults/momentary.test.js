import dns from 'node:dns';
import net from 'node:net';
import { once } from 'node:events';
import tls from 'node:tls';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { scaled } from '../support/scale.js';
import { listen, ok, serving, shut } from '../support/serve.js';
import { selfSigned } from '../support/certificate.js';
import { itSlow } from '../support/slow.js';
import { NAMES, requestTo, exchange, transporting, runsWorkers } from '../support/transports.js';
import { balance, leavingNothing } from './ground.js';

const FLOW = new URL('../support/flows/lookup-fails-once.mjs', import.meta.url);
const HERE = [{ address: '127.0.0.1', family: 4 }];

/** Replaces the system's lookup of `app.test` while `story(asked)` runs; `asked` counts its lookups. */
async function lookingUp(answer, story) {
  const { lookup } = dns;
  const asked = { count: 0 };
  dns.lookup = (hostname, options, callback) => {
    if (hostname !== 'app.test') return lookup(hostname, options, callback);
    return process.nextTick(callback, ...answer(asked.count++));
  };
  try {
    return await leavingNothing(() => story(asked));
  } finally {
    dns.lookup = lookup;
  }
}

const lookupError = (code) =>
  Object.assign(new Error(`getaddrinfo ${code} app.test`), { code, syscall: 'getaddrinfo' });

/**
 * Expects that each failed lookup failed at least the iteration that asked, and at most one of each virtual user of its
 * thread: how many have begun by its answer is up to the machine.
 */
function expectFailed(stats, lookups, users = 10) {
  const { completed, failed } = stats.iterations;
  expect(failed).to.be.within(lookups, lookups * users);
  expect(completed).to.equal(300 - failed);
  balance(stats, completed);
}

describe('N2 a temporary failure is not cached', () => {
  for (const httpClient of NAMES) {
    describe(httpClient, () => {
      for (const dnsCache of [true, false]) {
        const suffix = dnsCache ? '' : ' (no dnsCache)';
        const failing = dnsCache ? 1 : 10;
        for (const code of ['EAI_AGAIN', 'EAI_FAIL', 'ESERVFAIL', 'EMFILE'])
          itSlow(`${code} at the first lookup fails only the connections that waited for it${suffix}`, () =>
            serving(ok, (url) =>
              lookingUp(
                (n) => (n < failing ? [lookupError(code)] : [null, HERE]),
                async () => {
                  const app = url.replace('127.0.0.1', 'app.test');
                  const { stats } = await benchrest(app, { limit: 10, iterations: 300, dnsCache, httpClient });
                  expectFailed(stats, failing);
                },
              ),
            ),
          );
      }

      it('a run whose lookups all fail ends with its duration, after few lookups', () =>
        lookingUp(
          () => [lookupError('EAI_AGAIN')],
          async (asked) => {
            const options = { limit: 10, duration: 300, gracefulStop: 0, keepGoing: true, httpClient };
            const from = performance.now();
            const { stats } = await benchrest('http://app.test/', options);
            const elapsed = performance.now() - from;
            expect(stats.errors.kinds.dns).to.equal(stats.iterations.failed);
            // at 0, 100, 300, 700, 1500, 2500 ms, and so on: the machine may have suspended this process
            let most = 1;
            for (let at = 100, pause = 200; at <= elapsed; at += pause, pause = Math.min(2 * pause, 1000)) most++;
            expect(asked.count).to.be.within(1, most);
          },
        ));

      for (const [what, answer] of [
        ['does not exist', [lookupError('ENOTFOUND')]],
        ['has no address', [null, []]],
      ])
        it(`F3 a name that ${what} is not looked up once per iteration`, () =>
          lookingUp(
            () => answer,
            async (asked) => {
              const iterations = scaled(200, 2000);
              const options = { limit: 10, iterations, keepGoing: true, httpClient };
              const { stats } = await benchrest('http://app.test/', options);
              expect(stats.errors.kinds).to.deep.equal({ dns: iterations });
              // one per second at most
              expect(asked.count).to.be.at.most(1 + Math.ceil(stats.totalElapsed / 1000));
            },
          ));

      itSlow('a name that appears during the run is found', () =>
        serving(ok, (url) =>
          lookingUp(
            (n) => (n === 0 ? [lookupError('ENOTFOUND')] : [null, HERE]),
            async () => {
              const run = benchrest(url.replace('127.0.0.1', 'app.test'), {
                limit: 2,
                rate: 50,
                duration: 20_000,
                keepGoing: true,
                httpClient,
                progress: 50,
              });
              run.on('progress', ({ iterations }) => iterations.completed > 0 && run.stop());
              const { stats } = await run;
              expect(stats.iterations.completed).to.be.above(0);
            },
          ),
        ),
      );

      if (runsWorkers(httpClient, 'undici'))
        itSlow('a failed lookup in each worker fails only the connections that waited for it', () =>
          serving(ok, async (url) => {
            // each virtual user has its share, however late its worker begins
            const options = { limit: 10, iterations: 300, maxRequestsPerUser: 30, workers: 2, httpClient };
            const { stats } = await benchrest(FLOW, { ...options, baseUrl: url.replace('127.0.0.1', 'app.test') });
            expectFailed(stats, 2, 5);
          }),
        );

      it('a TLS session is not offered again after a failed handshake', async () => {
        const resumed = [];
        const server = tls.createServer({ ...selfSigned(), maxVersion: 'TLSv1.2' }, (socket) => {
          resumed.push(socket.isSessionReused());
          socket.on('error', () => {});
          socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok'));
        });
        await listen(server);
        let breaks = false;
        const front = net.createServer((socket) => {
          if (breaks) return socket.destroy();
          const behind = net.connect(server.address().port, '127.0.0.1');
          socket.on('error', () => {}).pipe(behind);
          return behind.on('error', () => {}).pipe(socket);
        });
        const url = (await listen(front)).replace('http:', 'https:');
        try {
          await transporting(httpClient, async (open) => {
            const visit = () => {
              const request = requestTo(url, { tls: { rejectUnauthorized: false } });
              return exchange(open.connect(request.endpoint), request);
            };
            for (const isBroken of [false, false, true, false]) {
              breaks = isBroken;
              const result = await visit();
              if (isBroken) expect(result.code).to.be.a('string');
              else expect(result).to.include({ status: 200 });
            }
          });
          expect(resumed).to.deep.equal([false, true, false]);
        } finally {
          front.close();
          server.close();
          await once(server, 'close');
          await shut(front).catch(() => {});
        }
      });
    });
  }
});
