import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { command, withFiles } from '../support/command.js';
import { REFUSED_URL } from '../support/faulty-server.js';
import { lacking } from '../support/lacking-transport.js';
import { combinations } from '../support/scale.js';
import { ok, serving } from '../support/serve.js';
import { itSlow } from '../support/slow.js';
import { here } from '../support/threads-here.js';
import { NAMES } from '../support/transports.js';
import { until } from '../support/until.js';
import { balance, leavingNothing } from './ground.js';

/** a broadcast address: connect(2) fails before it returns */
const UNREACHABLE_URL = 'http://255.255.255.255/';
const FLOW = new URL('../support/flows/unreachable.mjs', import.meta.url);

/** Flows whose iterations end without waiting for I/O. */
const FLOWS = {
  'a connection that fails synchronously': { flow: UNREACHABLE_URL, outcome: 'failed' },
  'a name that does not exist': { flow: 'http://x.invalid/', outcome: 'failed' },
  'a before-hook that throws': { flow: { get: REFUSED_URL, beforeHooks: [fail] }, outcome: 'failed' },
  'a before-hook that rejects': { flow: { get: REFUSED_URL, beforeHooks: [async () => fail()] }, outcome: 'failed' },
  'a request that cannot be written': {
    flow: { get: REFUSED_URL, beforeHooks: [(all) => void (all.requestOptions.headers.x = 'a\r\nb')] },
    outcome: 'failed',
  },
  'an after-hook that ignores the error of a connection': {
    flow: { get: UNREACHABLE_URL, afterHooks: [(all) => void (all.err = null)] },
    outcome: 'completed',
  },
};

function fail() {
  throw new Error('no');
}

describe('N5 timers and signals are served although iterations end without I/O', () => {
  for (const [what, httpClient] of combinations(Object.keys(FLOWS), NAMES)) {
    const { flow, outcome } = FLOWS[what];
    it(`${what}: a timer stops a run without an end (${httpClient})`, () =>
      leavingNothing(async () => {
        const run = benchrest(flow, { limit: 200, forever: true, keepGoing: true, httpClient });
        const timer = setInterval(() => run.snapshot()?.iterations[outcome] > 0 && run.stop(), 50);
        const { stats, endReason } = await run;
        clearInterval(timer);
        expect(endReason).to.equal('stopped');
        expect(stats.iterations[outcome]).to.be.above(0);
        balance(stats, 0);
      }));

    it(`${what}: a duration ends the run (${httpClient})`, () =>
      leavingNothing(async () => {
        const { stats, endReason } = await benchrest(flow, { limit: 200, duration: 100, keepGoing: true, httpClient });
        expect(endReason).to.equal('completed');
        balance(stats, 0);
      }));
  }

  /** Runs again while a stall of the machine took the whole duration of a run. */
  const untilAny = async (run, count) => {
    for (;;) {
      const result = await run();
      if (count(result.stats) > 0) return result;
    }
  };

  for (const httpClient of NAMES) {
    it(`a duration ends the warm-up and the run (${httpClient})`, async () => {
      const options = { limit: 200, duration: 50, warmup: { duration: 50 }, keepGoing: true, httpClient };
      const { endReason } = await untilAny(
        () => benchrest(UNREACHABLE_URL, options),
        ({ warmup, iterations }) => warmup.iterations * iterations.started,
      );
      expect(endReason).to.equal('completed');
    });

    it(`a run that misses its rate ends with its duration (${httpClient})`, async () => {
      const { stats, endReason } = await benchrest(UNREACHABLE_URL, {
        limit: 200,
        rate: 1e6,
        duration: 50,
        keepGoing: true,
        httpClient,
      });
      expect(endReason).to.equal('completed');
      balance(stats, 0);
    });

    it(`workers end with the duration (${httpClient})`, async () => {
      const options = { limit: 200, duration: 50, workers: 2, keepGoing: true, httpClient };
      const { stats, endReason } = await untilAny(
        () => here('workers', () => benchrest(FLOW, options)),
        ({ iterations }) => iterations.failed,
      );
      expect(endReason).to.equal('completed');
      balance(stats, 0);
    });

    itSlow(`C1 a run with more connections than files ends with its duration (${httpClient})`, () =>
      serving(ok, async (url) => {
        const args = ['-c', '300', '-t', '1s', '--keep-going', '--json', '--http-client', httpClient, url];
        // virtual users start in groups, and a process without a CPU may not reach the second one
        const { code, stats } = await untilAny(
          async () => {
            const { code, stdout } = await withFiles(128, args);
            return { code, stats: JSON.parse(stdout) };
          },
          ({ iterations }) => iterations.completed * iterations.failed,
        );
        const { run, errors } = stats;
        expect(code).to.equal(1);
        expect(run.endReason).to.equal('completed');
        expect(errors.details[0]).to.include({ kind: 'connect', code: 'EMFILE' });
        expect(errors.details[0].message).not.to.include('undefined');
      }),
    );

    it(`T1 one Ctrl-C ends a run whose connections all fail, and its result is printed (${httpClient})`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
      const [flow, mark] = [join(folder, 'flow.mjs'), join(folder, 'mark')];
      const hook = `({ env }) => { if (env.index === 400) writeFileSync('${mark}', ''); }`;
      writeFileSync(
        flow,
        `import { writeFileSync } from 'node:fs';
        export default { get: '${UNREACHABLE_URL}', beforeHooks: [${hook}] };`,
      );
      const args = ['-c', '200', '--forever', '--keep-going', '--json', '--http-client', httpClient, flow];
      const { code, stdout } = await command(args, {
        act: async (child) => {
          await until(() => existsSync(mark));
          child.kill('SIGINT');
        },
      });
      rmSync(folder, { recursive: true });
      expect(code).to.equal(100);
      const { iterations, errors } = JSON.parse(stdout);
      expect(iterations.failed).to.be.above(200);
      expect(errors.kinds).to.deep.equal({ connect: iterations.failed });
    });
  }

  const codes = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'EACCES'];
  for (const [code, throws] of combinations(codes, [false, true])) {
    it(`${code} ${throws ? 'thrown' : 'rejected'} by the transport: a timer stops the run`, () =>
      lacking(
        code,
        async (httpClient) => {
          const run = benchrest(REFUSED_URL, { limit: 200, forever: true, keepGoing: true, httpClient });
          const timer = setInterval(() => run.snapshot()?.iterations.failed > 0 && run.stop(), 50);
          const { stats, endReason } = await run;
          clearInterval(timer);
          expect(endReason).to.equal('stopped');
          expect(stats.errors.kinds).to.deep.equal({ connect: stats.iterations.failed });
        },
        { throws },
      ));
  }

  itSlow('a flow of 5,000 steps that fail without I/O, ignored by their hooks, does not exhaust the stack', () =>
    lacking('EMFILE', async (httpClient) => {
      const step = { get: REFUSED_URL, afterHooks: [(all) => void (all.err = null)] };
      const { stats } = await benchrest({ main: Array(5000).fill(step) }, { limit: 1, iterations: 1, httpClient });
      expect(stats.iterations).to.include({ completed: 1, failed: 0 });
      expect(stats.errors.count).to.equal(0);
    }),
  );
});
