import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { PROGRAM, command, withFiles } from '../support/command.js';
import { afterGood, faulting, REFUSED_URL } from '../support/faulty-server.js';
import { lacking } from '../support/lacking-transport.js';
import { IS_FULL, scaled } from '../support/scale.js';
import { ok, serving } from '../support/serve.js';
import { uncaught } from '../support/uncaught.js';
import { awake, until } from '../support/until.js';
import { balance, heapInUse, leavingNothing } from '../faults/ground.js';
import { messagesOf } from '../support/messages.js';

const MANY = { limit: 5, iterations: 40, timeout: 5000 };

describe('limits of the client', () => {
  describe('C1 exhausted file descriptors', () => {
    it('too few open files are refused before the run, with a remedy', async () => {
      const { code, stderr } = await withFiles(512, ['-c', '3000', '-n', '9000', REFUSED_URL]);
      expect(stderr).to.match(
        /invalid options; nothing was sent\n.*3,000 virtual users need 3,064 open files, but the limit is 512: .*ulimit -n 3064.*--keep-going\n/,
      );
      expect(code).to.equal(2);
    });

    it('with --keep-going they cause a warning and counted errors with a remedy, and the result is printed', () =>
      serving(
        (req, res) => setTimeout(() => res.end('ok'), 20),
        async (url) => {
          const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
          try {
            const file = join(folder, 'result.json');
            const { code, stdout, stderr } = await withFiles(128, [
              '-c',
              '300',
              '-n',
              '1500',
              '--keep-going',
              '-o',
              file,
              '--progress',
              '0',
              url,
            ]);
            expect(stderr).to.match(/300 virtual users.*limit is 128:.*ulimit -n/s);
            expect(stdout).to.match(/EMFILE.*ulimit -n/s);
            expect(code).to.equal(1);
            const { iterations, errors, loadGenerator, validity } = JSON.parse(readFileSync(file, 'utf8'));
            expect(iterations.started).to.equal(1500);
            expect(iterations.completed).to.be.above(0);
            expect(errors.kinds).to.deep.equal({ connect: iterations.failed });
            expect(loadGenerator.saturated).to.equal(true);
            expect(messagesOf(validity.reasons).join()).to.match(/ran out of open files/);
          } finally {
            rmSync(folder, { recursive: true });
          }
        },
      ));

    for (const [what, files, args] of [
      ['the command', 30, []],
      ['its second thread', 50, []],
      ['a worker', 58, ['--workers', '2']],
      ['another worker', 70, ['--workers', '2']],
    ])
      it(`too few open files to start ${what} are reported in one sentence with a remedy`, () =>
        serving(ok, async (url) => {
          const { code, stdout, stderr } = await withFiles(files, ['-c', '4', '-n', '50', '--json', ...args, url]);
          if (code !== 70) expect(stdout, `exit code ${code}: ${stderr}`).to.not.equal('');
          // the number of open files at a time varies
          if (code === 0) return expect(JSON.parse(stdout).iterations.completed).to.equal(50);
          // Node 22 starts with fewer files: then connections lack them
          if (code === 1) return expect(JSON.parse(stdout).errors.details[0]).to.include({ code: 'EMFILE' });
          expect(code).to.equal(70);
          return expect(stderr).to.match(
            /^bench-rest: .*limit of open files is too low \(EMFILE\); .*ulimit -n \d+\n$/,
          );
        }));

    it('enough open files give no warning', () =>
      serving(ok, async (url) => {
        const connections = scaled('100', '300');
        const args = ['-c', connections, '-n', connections, '--progress', '0', url];
        const { code, stderr } = await (IS_FULL ? withFiles(1024, args) : command(args));
        expect(stderr).not.to.match(/ulimit/);
        expect(code).to.equal(0);
      }));
  });

  for (const [id, code, reason] of [
    ['C2', 'EADDRNOTAVAIL', /local ports/],
    ['C3', 'ENOBUFS', /buffers/],
    ['C3', 'ENOMEM', /memory/],
  ]) {
    it(`${id} ${code} has the kind connect and a remedy; the run continues, and the verdict reports it`, () =>
      lacking(code, async (httpClient) => {
        const { stats } = await benchrest('http://127.0.0.1:1/', { limit: 3, iterations: 20, httpClient });
        balance(stats, 0);
        expect(stats.errors.kinds).to.deep.equal({ connect: 20 });
        expect(stats.errors.details[0].message).to.match(/; .*(virtual users|alive)/);
        expect(stats.validity.status).to.equal('suspect');
        expect(messagesOf(stats.validity.reasons).join()).to.match(reason);
      }));
  }

  it('C5 S2 a server that stalls for half a second does not saturate the client, and the response time shows it', async () => {
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
      const running = benchrest(`http://127.0.0.1:${port}/`, { limit: 200, rate: 100, iterations: 200 });
      await once(running, 'response');
      child.kill('SIGSTOP');
      await wait(500);
      child.kill('SIGCONT');
      const { stats } = await running;
      balance(stats);
      expect(stats.errors.count).to.equal(0);
      // a busy machine may delay the event loop of this process too
      expect(
        messagesOf(stats.loadGenerator.reasons).filter((note) => !/ stalled | event loop | missed the rate/.test(note)),
      ).to.deep.equal([]);
      expect(stats.main.histogram.max).to.be.within(400, 30_000);
      expect(stats.main.histogram.p95).to.be.above(200);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
  });

  it('C9 a stall of the client is reported, and the latencies include it', async () => {
    await serving(ok, async (url, seen) => {
      const child = spawn(process.execPath, [PROGRAM, '-c', '2', '-r', '50', '-t', '3s', '--json', url], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let stdout = '';
      child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
      await until(() => seen.length >= 10);
      child.kill('SIGSTOP');
      await wait(1300);
      child.kill('SIGCONT');
      await once(child, 'close');
      const { main, validity } = JSON.parse(stdout);
      expect(main.histogram.max).to.be.above(1000);
      expect(validity.status).to.equal('suspect');
      expect(messagesOf(validity.reasons).join()).to.match(
        / are ranges: (the load generator was suspended|other programs used the CPU) for /,
      );
    });
  });

  it('C9 a jump of the wall clock changes no duration', () =>
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

  const items = scaled(50_000, 200_000);
  it(`C10 a body of ${items / 10_000} MB is held once for any number of virtual users and iterations`, () =>
    serving(
      (req, res) => {
        expect(Number(req.headers['content-length'])).to.be.above(100 * items);
        res.end();
      },
      async (url, seen) => {
        const json = { items: Array.from({ length: items }, (_, i) => ({ i, text: 'x'.repeat(80) })) };
        const before = heapInUse();
        const running = benchrest({ put: url, json }, { limit: 2, iterations: 6, timeout: 0 });
        const { stats } = await running;
        expect(stats.errors.count).to.equal(0);
        expect(seen).to.have.lengthOf(6);
        seen.length = 0;
        expect(heapInUse() - before).to.be.below(300 * items);
      },
    ));

  it('B10 a flow may have many operations, and its report is bounded', async () => {
    const main = Array.from({ length: scaled(5000, 100_000) }, (_, i) => ({ get: `http://127.0.0.1:1/${i}` }));
    const { stats } = await benchrest(main, { limit: 1, iterations: 1 });
    balance(stats, 0);
    expect(stats.errors.kinds).to.deep.equal({ connect: 1 });
    expect(stats.operations.length).to.be.at.most(1001);
  });

  describe('C17 listeners that throw', () => {
    for (const [event, path] of [
      ['progress', '/'],
      ['error', '/dead'],
      ['end', '/'],
    ]) {
      it(`an error thrown by a listener of ${event} is thrown after the run, with complete counters`, () =>
        serving(
          (req, res) => (req.url === '/dead' ? res.destroy() : res.end()),
          async (url, seen) => {
            const thrown = uncaught();
            const flow = { main: [url + path], after: [`${url}/after`] };
            const run = benchrest(flow, { limit: 2, iterations: 20, progress: 10 });
            run.on(event, () => {
              throw new Error('the listener');
            });
            const { stats } = await run;
            // As in bench-rest 1, the load stops: what was started is complete.
            const { started, completed, failed } = stats.iterations;
            expect(started).to.equal(event === 'end' ? 20 : completed + failed);
            expect(seen.at(-1).url).to.equal('/after');
            expect((await thrown).message).to.equal('the listener');
          },
        ));
    }
  });

  it('C19 an after that hangs ends at its timeout, and after a stop at the teardown timeout', () =>
    leavingNothing(() =>
      faulting(
        async (io) => {
          for (;;)
            if ((await io.readRequest()).includes(' /main '))
              await io.send('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
        },
        async (url, seen) => {
          const flow = { main: [`${url}/main`], after: [{ get: `${url}/after`, timeout: 500 }] };
          const { stats } = await benchrest(flow, { limit: 1, iterations: 1 });
          expect(stats.errors.details.map(({ code, phase }) => [code, phase])).to.deep.equal([
            ['E_TIMEOUT_REQUEST', 'after'],
          ]);
          const patient = { ...flow, after: [`${url}/after`] };
          const stopped = benchrest(patient, { limit: 1, forever: true, timeout: 0, teardownTimeout: 100 });
          const before = seen.requests;
          await until(() => seen.requests > before);
          stopped.stop();
          const { stats: cut } = await stopped;
          expect(cut.errors.details.map(({ code, phase }) => [code, phase])).to.deep.equal([['E_AFTER_CUT', 'after']]);
          balance(cut);
        },
      ),
    ));

  it('S9 a late response after a timeout, and a reset after that, count once', () => {
    let late = 0;
    return leavingNothing(() =>
      faulting(
        afterGood(0, async (io) => {
          await awake(1000);
          await io.send('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
          io.rst();
          late++;
        }),
        async (url, seen) => {
          const { stats } = await benchrest(url, { limit: 5, iterations: 20, timeout: 300 });
          await until(() => late === 20);
          balance(stats, seen.requests);
          expect(stats.errors.details.map(({ code, count }) => [code, count])).to.deep.equal([
            ['E_TIMEOUT_REQUEST', 20],
          ]);
        },
      ),
    );
  });

  it('a refused connection leaves nothing open', async () => {
    for (let i = 0; i < 3; i++) await leavingNothing(() => benchrest(REFUSED_URL, MANY));
  });
});
