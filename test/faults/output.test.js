import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { expect } from 'chai';

import { REPORTERS } from '../../lib/core/report/formats/index.js';
import { start } from '../../lib/addons/bar/index.js';
import { PROGRAM, command, spawned } from '../support/command.js';
import { literalResult } from '../support/literal-result.js';
import { scaled } from '../support/scale.js';
import { holding, ok, serving } from '../support/serve.js';
import { itSlow } from '../support/slow.js';
import { here } from '../support/threads-here.js';
import { until } from '../support/until.js';
import { balance } from './ground.js';
import { missingIn } from '../../lib/core/measure/validity.js';

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;

describe('signals and output', () => {
  let cwd;
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), 'bench-rest-'));
  });
  afterEach(() => rmSync(cwd, { recursive: true }));

  const flowOf = (url) =>
    `{ before: ['${url}/before'], main: ['${url}/main'], afterMain: ['${url}/afterMain'], after: ['${url}/after'] }`;

  for (const phase of ['before', 'afterMain', 'after']) {
    it(`T3 Ctrl-C in ${phase}: running iterations finish, after runs once, the result is printed: exit 100`, () =>
      holding(`/${phase}`, async ({ url, seen, arrived, release }) => {
        const most = phase === 'after' ? 1 : 10_000;
        const { code, stdout, stderr } = await command(['-n', String(most), '-c', '1', '--json', '-e', flowOf(url)], {
          async act(child, heard) {
            await arrived;
            child.kill('SIGINT');
            await heard(/again to abort/);
            release();
          },
        });
        expect(code, stderr).to.equal(100);
        const paths = seen.map(({ url: path }) => path);
        const count = (path) => paths.filter((one) => one === path).length;
        expect([paths[0], paths.at(-1), count('/before'), count('/after')]).to.deep.equal(['/before', '/after', 1, 1]);
        const { iterations, outcome } = JSON.parse(stdout);
        // the stop needs a moment to reach the run
        if (most > 1) expect(iterations.started).to.be.below(most);
        expect([count('/main'), count('/afterMain')]).to.deep.equal([iterations.started, iterations.started]);
        expect(iterations.started).to.equal(iterations.completed + iterations.failed + iterations.cancelled);
        expect([outcome.exitCode, outcome.reasons[0].code]).to.deep.equal([100, 'interrupted']);
      }));
  }

  for (const phase of ['before', 'main', 'afterMain', 'after']) {
    for (const workers of phase.endsWith('ain') ? ['1', '2'] : ['1']) {
      it(`T2 S7 Ctrl-C twice in ${phase}, ${workers} workers: no request is started, and the counters match the server`, async () => {
        const abortTwice = () =>
          holding(`/${phase}`, async ({ url, seen, arrived, deserted }) => {
            const args = ['-n', '2', '-c', '2', '-w', workers, '--json', '-e', flowOf(url)];
            const { code, stdout, stderr } = await here('workers', () =>
              command(args, {
                async act(child, heard) {
                  await arrived;
                  child.kill('SIGINT');
                  await heard(/again to abort/);
                  child.kill('SIGINT');
                },
              }),
            );
            expect(code, stderr).to.equal(100);
            const stats = JSON.parse(stdout);
            if (missingIn(stats).join().includes('last known state')) return false;
            await deserted();
            balance(stats, seen.length);
            expect(stats.requests.cancelled + (stats.outside?.cancelled ?? 0)).to.be.above(0);
            expect(stats.errors.count).to.equal(0);
            const phases = ['before', 'main', 'afterMain', 'after'];
            expect(Math.max(...seen.map((request) => phases.indexOf(request.url.slice(1))))).to.equal(
              phases.indexOf(phase),
            );
            return true;
          });
        // a busy machine may not let the run end in its half second: then once more
        while (!(await abortTwice()));
      });
    }
  }

  itSlow('T3 Ctrl-C while the result is written: it is written completely: exit 100', () =>
    serving(ok, async (url) => {
      // about 700 KB, several times the capacity of a pipe and its reader, even if the signal is late; of few requests,
      // as each takes long on a busy machine
      const operations = Array.from({ length: 50 }, (_, i) => ({ get: `${url}/${i}`, name: `${i} `.repeat(4000) }));
      writeFileSync(join(cwd, 'flow.json'), JSON.stringify({ main: operations }));
      const child = spawn(process.execPath, [PROGRAM, '-n', '1', '--json', 'flow.json'], {
        cwd,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ended = once(child, 'close');
      let said = '';
      child.stderr.on('data', (chunk) => (said += chunk));
      await once(child.stdout, 'readable');
      child.kill('SIGINT');
      let text = '';
      for await (const chunk of child.stdout) text += chunk;
      expect(text).to.have.length.above(600_000);
      expect(JSON.parse(text).operations).to.have.lengthOf(50);
      expect(await ended).to.deep.equal([100, null]);
      expect(said)
        .to.match(/the result is being written/)
        .and.match(/exit code 100/);
    }),
  );

  itSlow('T3 Ctrl-C after the result is written does not kill the command', () =>
    serving(ok, async (url) => {
      for (const ms of scaled([2], [0, 4, 8])) {
        const child = spawn(process.execPath, [PROGRAM, '-n', '1', '--json', url], {
          stdio: ['ignore', 'pipe', 'ignore'],
        });
        const ended = once(child, 'close');
        child.stdout.once('data', () => setTimeout(() => child.kill('SIGINT'), ms)).resume();
        const [code, signal] = await ended;
        expect(signal).to.equal(null);
        expect(code).to.be.oneOf([0, 100]);
      }
    }),
  );

  itSlow('T5 SIGHUP ends the run like SIGTERM, SIGPIPE is ignored', () =>
    holding('/main', async ({ url, seen, arrived }) => {
      const { code, signal, stdout } = await spawned(['-n', '1000', '-c', '1', '--json', '-e', flowOf(url)], {
        async act(child) {
          await arrived;
          child.kill('SIGPIPE');
          await wait(50);
          child.kill('SIGHUP');
        },
      });
      expect({ code, signal }).to.deep.equal({ code: 100, signal: null });
      expect(JSON.parse(stdout).iterations).to.include({ started: 1, cancelled: 1 });
      expect(seen.at(-1).url).to.equal('/after');
    }),
  );

  itSlow('T5 T7 a run with a closed stderr that is suspended by SIGSTOP continues after SIGCONT', () =>
    serving(ok, async (url, seen) => {
      const { code, stdout } = await spawned(['-n', '30', '-c', '1', '-r', '50', '--json', url], {
        async act(child) {
          child.stderr.destroy();
          await until(() => seen.length >= 5);
          child.kill('SIGSTOP');
          await wait(100);
          child.kill('SIGCONT');
        },
      });
      expect(code).to.equal(0);
      expect(JSON.parse(stdout).iterations.completed).to.equal(30);
    }),
  );

  for (const [how, args, exit] of [
    ['the thread of the run', [], 70],
    ['one of two workers', ['-w', '2'], 1],
  ]) {
    itSlow(`C18 ${how} runs out of memory: the last known result is printed, the rest is cancelled: exit ${exit}`, () =>
      serving(
        // few requests take a second, in which the thread reports its state
        (req, res) => setTimeout(() => res.end(), 25),
        async (url) => {
          const file = join(cwd, 'hungry.mjs');
          writeFileSync(
            file,
            `const kept = [];
            const hook = ({ env }) => { if (env.index > 80) kept.push(new Array(6e5).fill(Math.random())); };
            export default { main: [{ get: '${url}/', afterHooks: [hook] }] };`,
          );
          const { code, stdout, stderr } = await spawned(
            ['-n', '1m', '-c', '2', '--json', '--progress', '0', ...args, file],
            { env: { NODE_OPTIONS: '--max-old-space-size=80' } },
          );
          expect(code, stderr).to.equal(exit);
          expect(stderr + stdout).to.match(/out of memory/);
          const { started, completed, failed, cancelled } = JSON.parse(stdout).iterations;
          expect(started)
            .to.be.above(0)
            .and.equal(completed + failed + cancelled);
          expect(completed).to.be.above(0);
        },
      ),
    );
  }

  describe('T7 any terminal, or none', () => {
    for (const env of [{ TERM: 'dumb' }, { CI: 'true' }, { TERM: '' }, { COLUMNS: '1' }]) {
      it(`${JSON.stringify(env)}: the report is plain text without control characters`, () =>
        serving(
          (req, res) => setTimeout(() => res.end(), 20),
          async (url) => {
            const { code, stdout, stderr } = await command(['-t', '300ms', '-c', '2', '-d', '50', url], { env });
            expect(code).to.equal(0);
            expect(stdout)
              .to.match(/ [\d,]+ iterations? in /)
              .and.not.match(CONTROL);
            expect(stderr).not.to.match(CONTROL);
          },
        ));
    }

    for (const width of [1, 2, 7, 20, 39]) {
      it(`reports and the progress bar fit ${width} columns`, async () => {
        for (const { load } of REPORTERS)
          expect(
            (await load()).render(literalResult(), { width, fullDistribution: true, distributionOf: () => [] }),
          ).to.have.length.above(10);
        let text = '';
        const stream = {
          isTTY: true,
          columns: width,
          write: (more) => (text += more),
          on() {},
          off() {},
          once() {},
          removeListener() {},
          cursorTo() {},
          clearLine() {},
          moveCursor() {},
        };
        const display = start({ stderr: stream, color: false, unicode: true, totalMs: 10_000 });
        display.tick({ phase: 'main', elapsedMs: 4000, share: 0.4, ended: 1, inFlight: 7, errors: 0 });
        display.print('a line');
        display.stop();
        expect(text).to.include('a line\n');
      });
    }
  });

  itSlow('T8 a full disk loses no result in any format: exit 5', async function () {
    if (process.platform !== 'linux') this.skip();
    const full = openSync('/dev/full', 'w');
    try {
      await serving(ok, async (url) => {
        for (const format of ['text', 'json', 'csv', 'ndjson', 'object']) {
          const { code, stderr } = await command(['-n', '5', '--format', format, url], {
            stdio: ['ignore', full, 'pipe'],
          });
          expect(code, format).to.equal(5);
          expect(stderr, format)
            .to.match(/result was not written: ENOSPC/)
            .and.match(/\b5\b/);
        }
      });
    } finally {
      closeSync(full);
    }
  });

  describe('exit codes', () => {
    it('are printed with all reasons, on stderr and in JSON', () =>
      serving(
        (req, res) => res.writeHead(500).end(),
        async (url) => {
          const { code, stdout, stderr } = await command([
            '-n',
            '5',
            '-c',
            '1',
            '--json',
            '--threshold',
            'p99<1us',
            url,
          ]);
          expect(code).to.equal(99);
          const { reasons, ...outcome } = JSON.parse(stdout).outcome;
          expect(outcome).to.deep.equal({ passed: false, exitCode: 99 });
          expect(reasons.map((one) => [one.code, one.figure, one.actual])).to.deep.equal([
            ['threshold', 'responseTime.p99', null],
            ['errors', 'errors', 5],
            ['unanswered', 'iterations.completed', 0],
          ]);
          expect(stderr.replaceAll(/\s+/g, ' ')).to.match(
            /exit code 99: a threshold failed[^;]*; also: errors during the run; also: no iteration of a load completed, or no request was answered $/,
          );
        },
      ));

    it('merge writes nothing if one of its files is damaged', async () => {
      writeFileSync(join(cwd, 'good.json'), JSON.stringify({ ...literalResult() }));
      writeFileSync(join(cwd, 'bad.json'), '{');
      const { code, stdout } = await command(['merge', 'good.json', 'bad.json', '-o', 'all.json'], { cwd });
      expect([code, stdout]).to.deep.equal([2, '']);
      expect(() => readFileSync(join(cwd, 'all.json'))).to.throw(/ENOENT/);
    });
  });
});
