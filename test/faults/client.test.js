import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { TRANSPORTS } from '../../lib/transport/index.js';
import { NO_TRAFFIC } from '../../lib/transport/totals.js';
import { PROGRAM, saidBy } from '../support/command.js';
import { afterGood, faulting, REFUSED_URL } from '../support/faulty-server.js';
import { ok, serving } from '../support/serve.js';
import { balance, heapInUse, leavingNothing } from './ground.js';

const MANY = { limit: 5, iterations: 40, timeout: 5000 };

/** A transport whose connections cannot be made, for want of something. */
function withoutResources(code, story) {
  const fail = () =>
    Promise.reject(Object.assign(new Error(`connect ${code} 127.0.0.1:1`), { code, syscall: 'connect' }));
  const connection = {
    isDead: false,
    isConnecting: true,
    wasSent: false,
    wasReused: false,
    sawBytes: false,
    send: fail,
    abort() {},
    close() {},
  };
  const open = () => ({ connect: () => connection, totals: () => NO_TRAFFIC, close: async () => {} });
  TRANSPORTS.push({ name: 'lacking', about: '', load: async () => ({ open }) });
  return story('lacking').finally(() => TRANSPORTS.pop());
}

/** Runs the command with few files. */
const withFiles = (count, args) =>
  saidBy('sh', ['-c', `ulimit -n ${count}; exec "$0" "$@"`, process.execPath, PROGRAM, ...args]);

const INDEX = JSON.stringify(new URL('../../index.js', import.meta.url).href);

/** Runs a script that imports bench-rest. */
const script = (text) =>
  saidBy(process.execPath, ['--input-type=module', '-e', `import benchrest from ${INDEX};\n${text}`]);

describe('limits of the client', () => {
  describe('C1 files run out', () => {
    it('is warned of before, counted, named with its cure, and the result is written all the same', () =>
      serving(
        (req, res) => setTimeout(() => res.end('ok'), 20),
        async (url) => {
          const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
          try {
            const file = join(folder, 'result.json');
            const { code, stdout, stderr } = await withFiles(80, [
              '-c',
              '300',
              '-n',
              '1500',
              '-o',
              file,
              '--progress',
              '0',
              url,
            ]);
            expect(stderr).to.match(/300 lanes.*80 files.*ulimit -n/s);
            expect(stdout).to.match(/EMFILE.*ulimit -n/s);
            expect(code).to.equal(1);
            const { iterations, errors, client, verdict } = JSON.parse(readFileSync(file, 'utf8'));
            expect(iterations.started).to.equal(1500);
            expect(iterations.completed).to.be.above(0);
            expect(errors.kinds).to.deep.equal({ connect: iterations.failed });
            expect(client.saturated).to.equal(true);
            expect(verdict.reasons.join()).to.match(/ran out of files/);
          } finally {
            rmSync(folder, { recursive: true });
          }
        },
      ));

    it('is not spoken of where there are enough', () =>
      serving(ok, async (url) => {
        const { code, stderr } = await withFiles(1024, ['-c', '300', '-n', '300', '--progress', '0', url]);
        expect(stderr).not.to.match(/ulimit/);
        expect(code).to.equal(0);
      }));
  });

  for (const [id, code, reason] of [
    ['C2', 'EADDRNOTAVAIL', /local ports/],
    ['C3', 'ENOBUFS', /buffers/],
    ['C3', 'ENOMEM', /memory/],
  ]) {
    it(`${id} ${code} is kind connect, with its cure; the run goes on, and the verdict says so`, () =>
      withoutResources(code, async (transport) => {
        const { stats } = await benchrest('http://127.0.0.1:1/', { limit: 3, iterations: 20, transport });
        balance(stats, 0);
        expect(stats.errors.kinds).to.deep.equal({ connect: 20 });
        expect(stats.errors.samples[0].message).to.match(/; .*(lanes|alive)/);
        expect(stats.verdict.status).to.equal('suspect');
        expect(stats.verdict.reasons.join()).to.match(reason);
      }));
  }

  it('C5 S2 a server that stands still for half a second does not make the client the limit, and shows in the response time', async () => {
    const child = spawn(
      process.execPath,
      [
        '-e',
        "require('http').createServer((req, res) => res.end('ok')).listen(0, '127.0.0.1', function () { console.log(this.address().port) })",
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    try {
      const port = Number(await once(child.stdout, 'data'));
      const running = benchrest(`http://127.0.0.1:${port}/`, { limit: 200, rate: 100, duration: 2000 });
      setTimeout(() => child.kill('SIGSTOP'), 700);
      setTimeout(() => child.kill('SIGCONT'), 1200);
      const { stats } = await running;
      balance(stats);
      expect(stats.errors.count).to.equal(0);
      expect(stats.client.saturated, stats.client.notes.join()).to.equal(false);
      expect(stats.main.histogram.max).to.be.within(400, 1500);
      expect(stats.main.histogram.p95).to.be.above(200);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
  });

  it('C9 a client that stood still says so, and its latencies have it', async () => {
    await serving(ok, async (url) => {
      const child = spawn(process.execPath, [PROGRAM, '-c', '2', '-r', '50', '-t', '3s', '--json', url], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let stdout = '';
      child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
      await wait(1500);
      child.kill('SIGSTOP');
      await wait(1300);
      child.kill('SIGCONT');
      await once(child, 'close');
      const { main, client } = JSON.parse(stdout);
      expect(main.histogram.max).to.be.above(1000);
      expect(client.saturated).to.equal(true);
      expect(client.notes.join()).to.match(/stood still for 1\.\d s/);
    });
  });

  it('C9 a jump of the clock on the wall changes no duration', () =>
    serving(ok, async (url) => {
      const { now } = Date;
      let calls = 0;
      Date.now = () => now() + (calls++ % 2) * 3_600_000;
      try {
        const { stats } = await benchrest(url, MANY);
        expect(stats.totalElapsed).to.be.within(0, 60_000);
        expect(stats.main.histogram.max).to.be.below(60_000);
      } finally {
        Date.now = now;
      }
    }));

  it('C10 a body of 20 MB is one, whatever the number of lanes and iterations', () =>
    serving(
      (req, res) => {
        expect(Number(req.headers['content-length'])).to.be.above(20e6);
        res.end();
      },
      async (url, seen) => {
        const json = { items: Array.from({ length: 200_000 }, (_, i) => ({ i, text: 'x'.repeat(80) })) };
        const before = heapInUse();
        const running = benchrest({ put: url, json }, { limit: 2, iterations: 6, timeout: 0 });
        const { stats } = await running;
        expect(stats.errors.count).to.equal(0);
        expect(seen).to.have.lengthOf(6);
        seen.length = 0;
        expect(heapInUse() - before).to.be.below(60e6);
      },
    )).timeout(60_000);

  it('B10 100,000 operations are read, and told within bounds', async () => {
    const main = Array.from({ length: 100_000 }, (_, i) => ({ get: `http://127.0.0.1:1/${i}` }));
    const { stats } = await benchrest(main, { limit: 1, iterations: 1 });
    balance(stats, 0);
    expect(stats.errors.kinds).to.deep.equal({ connect: 1 });
    expect(stats.operations.length).to.be.at.most(1001);
  });

  describe('C17 listeners that throw', () => {
    for (const [event, errorOf] of [
      ['progress', "''"],
      ['error', "'/dead'"],
      ['end', "''"],
    ]) {
      it(`${event}: after runs, the books are closed, then it is thrown`, async () => {
        const { code, stdout, stderr } = await script(`
          import http from 'node:http';
          const paths = [];
          const server = http.createServer((req, res) => { paths.push(req.url); if (req.url === '/dead') res.destroy(); else res.end(); }).listen(0, '127.0.0.1', () => {
            const base = 'http://127.0.0.1:' + server.address().port;
            const run = benchrest({ main: [base + ${errorOf}], after: [base + '/after'] }, { limit: 2, iterations: 20, progress: 10 });
            run.on('${event}', () => { throw new Error('the listener') });
            run.then(({ stats }) => console.log(JSON.stringify([stats.iterations.started, paths.includes('/after')])));
          }).unref();`);
        expect(stdout.trim()).to.equal('[20,true]');
        expect(stderr)
          .to.match(/the listener/)
          .and.not.match(/unhandled/i);
        expect(code).to.equal(1);
      });
    }
  });

  it('C19 an after that hangs ends at its timeout, and after a stop at that of the tear-down', () =>
    leavingNothing(() =>
      faulting(
        async (io) => {
          for (;;)
            if ((await io.readRequest()).includes(' /main '))
              await io.send('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
        },
        async (url) => {
          const flow = { main: [`${url}/main`], after: [`${url}/after`] };
          const { stats } = await benchrest(flow, { limit: 1, iterations: 1, timeout: 100 });
          expect(stats.errors.samples.map(({ code, context }) => [code, context])).to.deep.equal([
            ['E_TIMEOUT_REQUEST', 'after'],
          ]);
          const stopped = benchrest(flow, { limit: 1, forever: true, timeout: 0, teardownTimeout: 100 });
          setTimeout(() => stopped.stop(), 50);
          const { stats: cut } = await stopped;
          expect(cut.errors.samples.map(({ code, context }) => [code, context])).to.deep.equal([
            ['E_AFTER_CUT', 'after'],
          ]);
          balance(cut);
        },
      ),
    ));

  it('S9 a late answer after a timeout, and a reset after that, are one end', () =>
    leavingNothing(() =>
      faulting(
        afterGood(0, async (io) => {
          await io.wait(120);
          await io.send('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
          io.rst();
        }),
        async (url, seen) => {
          const { stats } = await benchrest(url, { limit: 5, iterations: 20, timeout: 60 });
          await wait(100);
          balance(stats, seen.requests);
          expect(stats.errors.samples.map(({ code, count }) => [code, count])).to.deep.equal([
            ['E_TIMEOUT_REQUEST', 20],
          ]);
        },
      ),
    ));

  it('a refused connection, and again when all is closed, leaves nothing', async () => {
    for (let i = 0; i < 3; i++) await leavingNothing(() => benchrest(REFUSED_URL, MANY));
  });
});
