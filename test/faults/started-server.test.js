import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect } from 'chai';

import { benchrest } from '../../index.js';
import { readConfig } from '../../lib/core/cli/config.js';
import { stateOf } from '../../lib/addons/processes/processes.js';
import { isGroupAlive } from '../../lib/addons/server/process-group.js';
import { RUN_OPTIONS } from '../../lib/core/run/options/index.js';
import { freePort } from '../../lib/addons/server/run-with-server.js';
import { accepts } from '../../lib/addons/server/started-server.js';
import { commandHere } from '../support/command.js';
import { inFolder } from '../support/in-folder.js';
import { scaled } from '../support/scale.js';
import { describeSlow } from '../support/slow.js';
import { here } from '../support/threads-here.js';
import { until } from '../support/until.js';

const APP = fileURLToPath(new URL('../support/servers/app.js', import.meta.url));
const NODE = [process.execPath, APP];
const LOAD = ['-n', '20', '-c', '2', '-d', '0'];

/** The origin of a result on stdout. */
const originOf = ({ stdout }) => JSON.parse(stdout).run.origins[0];

describeSlow('a server that the run starts', () => {
  it('is measured, and ended after the run', async () => {
    const run = benchrest('/', { limit: 2, iterations: 20, start: { command: NODE } });
    const origins = [];
    run.on('start', (start) => origins.push(...start.origins));
    const { stats, errorCount } = await run;
    expect(errorCount).to.equal(0);
    expect(stats.iterations.completed).to.equal(20);
    expect(await accepts({ origin: origins[0] })).to.equal(false);
    if (process.platform !== 'linux') return;
    expect(stats.servers[0].memory.peak).to.be.above(1e6);
    expect(stats.servers[0].cpuTimePerRequest).to.equal(stats.servers[0].cpuTime / 20);
    expect(stats.servers[0].cpuCores).to.equal(stats.servers[0].cpuTime / stats.measuredElapsed);
  });

  it('is started for workers, whose requests reach it', () =>
    here('workers', async () => {
      const { stats } = await benchrest('/', { limit: 2, workers: 2, iterations: 20, start: NODE });
      expect(stats.iterations.completed).to.equal(20);
    }));

  it('is the command after --, and needs no flow', async () => {
    const said = await commandHere([...LOAD, '--json', '--', ...NODE]);
    expect(said.code, said.stderr).to.equal(0);
    expect(JSON.parse(said.stdout).requests.statusCodes).to.deep.equal({ 200: 20 });
    expect(await accepts({ origin: originOf(said) })).to.equal(false);
  });

  it('is started for each run of ab, for each side its own', async () => {
    const start = `"${process.execPath}" "${APP}"`;
    const args = ['ab', ...LOAD, '--runs', '1', '--start', start, '--versus-start', start, '/'];
    const { code, stderr } = await commandHere(args);
    expect(code, stderr).to.equal(0);
    expect(stderr)
      .to.match(/run 1 of 1, A: .* 0 errors/)
      .and.match(/run 1 of 1, B: .* 0 errors/);
  });

  it('F98 is found at IPv6 alone, at a port of its own, and when it is ready late', async function () {
    const port = await freePort();
    const ready = `http://127.0.0.1:${port}/status/3`;
    const env = { OWN_PORT: port };
    const late = await benchrest('/', { limit: 1, iterations: 1, start: { command: NODE, ready, env } });
    expect(late.stats.requests.statusCodes).to.deep.equal({ 200: 1 });
    const probe = createServer().on('error', () => {});
    const hasIpv6 = await new Promise((resolve) => {
      probe.once('error', () => resolve(false)).listen(0, '::1', () => probe.close(() => resolve(true)));
    });
    if (!hasIpv6) this.skip();
    const start = { command: NODE, env: { HOST_OF_APP: '::1' } };
    const { stats } = await benchrest('/', { limit: 1, iterations: 1, start });
    expect(stats.requests.statusCodes).to.deep.equal({ 200: 1 });
  });

  it('F96 that dies at once ends the command with its output and an exit code of its own', async () => {
    const { code, stderr } = await commandHere([...LOAD, '--start', 'echo "no database" >&2; exit 1']);
    expect(code).to.equal(1);
    expect(stderr).to.match(/the server ended with code 1 .*\n {2}\| no database/);
  });

  it('F96 is not started for a flow that is malformed', async () => {
    const { code, stderr } = await commandHere([...LOAD, '-e', '{ "main": [{ "got": "/" }] }', '--start', 'exit 9']);
    expect(code).to.equal(2);
    expect(stderr).to.not.include('ended with');
  });

  it('F97 that dies ends the run early, with its output and an error group', async () => {
    const said = await commandHere(['--forever', '-c', '2', '-d', '0', '--json', '/die', '--', ...NODE]);
    const { errors, run, outcome } = JSON.parse(said.stdout);
    expect(run.endReason).to.equal('server');
    expect(errors.kinds.server).to.equal(1);
    expect(outcome.reasons.map(({ code }) => code)).to.include('server');
    expect(said.code).to.equal(1);
    expect(said.stderr).to.match(
      /last output of the server, which ended with code \d+ after [\d.]+ s:\n[^]*\| Error: the database is gone/,
    );
  });

  for (const [written, expected] of [
    ['', /the server ended with code 3 after [\d.]+ s; it wrote nothing/],
    ["console.error('last words');", /the server, which ended with code 3 after [\d.]+ s:\n +\| last words/],
  ])
    it(`that ends after its last answer is named with its exit code${written ? ' and its output' : ''}`, async () => {
      const text = `require('node:http').createServer((_, res) => {
        res.end(() => { ${written} process.exit(3); });
      }).listen(process.env.PORT, '127.0.0.1');`;
      // The pause gives it the time to end.
      const flow = "[{ get: '/', pause: '500ms' }]";
      const { stderr } = await commandHere(['-n', '1', '-c', '1', '-e', flow, '--', process.execPath, '-e', text]);
      expect(stderr).to.match(expected);
      expect(stderr).to.not.match(/^bench-rest: the server wrote nothing/m);
    });

  it('F97 that dies is reported to a program, whatever its thresholds allow', async () => {
    const run = benchrest('/die', { limit: 1, forever: true, start: NODE, thresholds: 'errors<=100%' });
    const errors = [];
    run.on('error', ({ code }) => errors.push(code));
    const { endReason } = await run;
    expect(endReason).to.equal('server');
    expect(errors).to.include('E_SERVER_ENDED');
  });

  it('F101 may write megabytes while it is measured', async () => {
    const path = `/fill/${scaled(2, 200)}`;
    const { stats } = await benchrest(path, { limit: 1, iterations: 4, start: NODE });
    expect(stats.requests.statusCodes).to.deep.equal({ 200: 4 });
  });

  it('F103 T1 T2 ends after Ctrl-C, once or twice', async () => {
    for (const times of [1, 2]) {
      const act = async (child, heard) => {
        await heard(/flow:/);
        for (let i = 0; i < times; i++) child.kill('SIGINT');
      };
      const said = await commandHere(['--forever', '-d', '0', '--', ...NODE], { act });
      expect(said.code).to.equal(100);
      const [, origin] = /against (\S+)/.exec(said.stderr);
      expect(await accepts({ origin })).to.equal(false);
    }
  });

  it('F103 ends if the command is interrupted before it is ready', () =>
    inFolder(async (folder) => {
      const pid = join(folder, 'pid');
      const act = async (child) => {
        await until(() => existsSync(pid) && readFileSync(pid, 'utf8').endsWith('\n'));
        child.kill('SIGINT');
      };
      const args = [...LOAD, '--start', `echo $$ > "${pid}"; exec sleep 100`];
      // a thread, whose end ends its wait for the server
      const { code } = await commandHere(args, { act, engine: 'thread' });
      expect(code).to.equal(100);
      expect(isGroupAlive(Number(readFileSync(pid, 'utf8')))).to.equal(false);
    }));

  describe('F132 that goes to the background', function () {
    before(function () {
      if (process.platform === 'win32') this.skip();
    });

    /** Ends the process whose number a command has written. */
    const endOf = (file) => process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL');

    it('is refused, with what it left and still listens', () =>
      inFolder(async (folder) => {
        const port = await freePort();
        const daemon = `setsid sh -c 'echo $$ > "${folder}/pid"; exec "${process.execPath}" "${APP}"' > /dev/null 2>&1`;
        const start = `${daemon} & while ! [ -s "${folder}/pid" ]; do :; done; sleep 2; exit 0`;
        const args = ['--base-url', `http://127.0.0.1:${port}`, '--start-ready', '/status/404', '--start', start, '/'];
        const { code, stderr } = await commandHere([...LOAD, ...args]);
        endOf(join(folder, 'pid'));
        expect(code).to.equal(1);
        expect(stderr.replace(/\s+/g, ' ')).to.match(
          /ended with code 0 .* must stay in the foreground: the command without &; end what it left at http:/,
        );
      }));

    it('is refused, and ended if it has stayed in the group', () =>
      inFolder(async (folder) => {
        const start = `sh -c 'echo $$ > "${folder}/pid"; exec sleep 100' & sleep 0.3`;
        const { code, stderr } = await commandHere([...LOAD, '--start', start, '/']);
        expect(code).to.equal(1);
        expect(stderr.replace(/\s+/g, ' '))
          .to.match(/must stay in the foreground: the command without &/)
          .and.not.include('end what it left');
        const left = stateOf(Number(readFileSync(join(folder, 'pid'), 'utf8')));
        expect(left?.isRunning ?? false).to.equal(false);
      }));

    it('ends the run if it does so after it was ready', () =>
      inFolder(async (folder) => {
        const daemon = `setsid sh -c 'echo $$ > "${folder}/pid"; exec "${process.execPath}" "${APP}"'`;
        const start = `${daemon} > /dev/null 2>&1 & sleep 3; exit 0`;
        const run = benchrest('/', { limit: 1, forever: true, start });
        const errors = [];
        run.on('error', ({ message }) => errors.push(message));
        const { endReason } = await run;
        endOf(join(folder, 'pid'));
        expect(endReason).to.equal('server');
        expect(errors.join()).to.match(/ended with code 0 .* must stay in the foreground/);
      }));
  });

  it('F133 that accepts and never answers fails at the time limit, also while a probe waits', async () => {
    const mute = 'require("net").createServer(() => {}).listen(process.env.PORT)';
    const drip = `require("net").createServer((s) => { s.on("error", () => {}); s.write("HTTP/1.1 200 OK\\r\\n"); setInterval(() => s.write("a: b\\r\\n"), 20) }).listen(process.env.PORT)`;
    for (const code of [mute, drip]) {
      const from = performance.now();
      const start = { command: [process.execPath, '-e', code], ready: '/', timeout: 300 };
      const error = await benchrest('/', { limit: 1, iterations: 1, start }).then(null, (thrown) => thrown);
      expect(error.code, error.message).to.equal('E_START_TIMEOUT');
      // a probe alone took ten
      expect(performance.now() - from).to.be.below(8000);
    }
  });

  it('a run that is stopped before its server is ready does not wait for it', async () => {
    const run = benchrest('/', { limit: 1, iterations: 1, start: 'exec sleep 100', gracefulStop: 0 });
    run.stop();
    expect((await run).endReason).to.equal('stopped');
  });

  for (const { name } of RUN_OPTIONS.filter(({ flag }) => flag?.includes('<command>')))
    it(`a flow that is data, and a configuration in a folder of all users, run no command: ${name}`, () =>
      inFolder(
        async (cwd) => {
          const ofData = await commandHere([...LOAD, 'flow.json'], { cwd });
          expect(ofData.stderr).to.include(`flow.runOptions.${name}: runs a command`);
          chmodSync(cwd, 0o777);
          const refusal = await readConfig(cwd).catch(({ message }) => message);
          expect(refusal).to.include(`${name}: is not run, because it is a command`);
          expect(existsSync(join(cwd, 'proof'))).to.equal(false);
        },
        {
          'package.json': '{}',
          'flow.json': JSON.stringify({ main: ['/'], runOptions: { [name]: 'touch proof' } }),
          '.bench-restrc.json': JSON.stringify({ [name]: 'touch proof' }),
        },
      ));

  it('X3 a flow that is data cannot start a command, one that is code can', () =>
    inFolder(
      async (cwd) => {
        const ofData = await commandHere([...LOAD, 'flow.json'], { cwd });
        expect(ofData.code).to.equal(2);
        expect(ofData.stderr).to.include('flow.runOptions.start: runs a command, which only a flow that is a module');
        const ofCode = await commandHere([...LOAD, 'flow.mjs'], { cwd });
        expect(ofCode.stderr).to.include('the server ended with code 9');
        const flow = { main: ['/'], runOptions: { start: 'exit 9' } };
        expect(() => benchrest(flow, { limit: 1, iterations: 1 })).to.throw('only a flow that is a module');
      },
      {
        'flow.json': JSON.stringify({ main: ['/'], runOptions: { start: 'echo started > proof' } }),
        'flow.mjs': `export default { main: ['/'], runOptions: { start: 'exit 9' } };`,
      },
    ));

  it('X67 it does not get the credentials of the run', async () => {
    const names = ['BENCH_REST_PASSWORD', 'BENCH_REST_QUEUE_PASSWORD', 'BENCH_REST_QUEUE'];
    const before = names.map((name) => process.env[name]);
    names.forEach((name) => (process.env[name] = name.endsWith('QUEUE') ? 'redis://ann:CANARY@host' : 'CANARY'));
    try {
      // Without colons, the output shows a password in a URL.
      const { stderr } = await commandHere(['--start', 'env | grep BENCH_REST | tr : _; exit 9', ...LOAD]);
      expect(stderr)
        .to.match(/ended with code 9/)
        .and.not.include('CANARY');
    } finally {
      names.forEach((name, i) =>
        before[i] === undefined ? delete process.env[name] : (process.env[name] = before[i]),
      );
    }
  });

  it('N16 a configuration in the project starts it in its own folder, one above does not', () =>
    inFolder(
      async (above) => {
        const inside = join(above, 'project');
        mkdirSync(inside);
        const ofProject = await commandHere([...LOAD], { cwd: above });
        expect(ofProject.stderr)
          .to.match(/ended with code 9/)
          .and.include(`| ${above}`);
        writeFileSync(join(inside, 'package.json'), '{}');
        const ofOther = await commandHere([...LOAD], { cwd: inside });
        expect(ofOther.code).to.equal(2);
        expect(ofOther.stderr).to.match(/a flow is missing/);
        if (process.platform === 'win32') return;
        chmodSync(above, 0o777);
        const shared = await commandHere([...LOAD], { cwd: above });
        expect(shared.code).to.equal(2);
        expect(shared.stderr).to.match(
          /start: is not run, because it is a command and every user can write to .*--config/,
        );
      },
      { '.bench-restrc.json': JSON.stringify({ start: 'pwd; exit 9' }) },
    ));

  for (const [args, message] of [
    [['--serve', '--start', 'x'], 'use either --serve or --start, not both'],
    [['--serve', 'http://localhost:1/'], 'http://localhost:1/ is elsewhere: use a path such as /'],
    [['--start-ready', '/health', '/'], '--start: needs the command that starts the server'],
    [['--start', 'x', '--start-timeout', '5', '/'], '5s or 5ms?'],
  ]) {
    it(`${args.slice(0, -1).join(' ')} is refused before anything starts`, async () => {
      const { code, stderr } = await commandHere([...LOAD, ...args]);
      expect(code).to.equal(2);
      expect(stderr).to.include(message);
    });
  }
});
