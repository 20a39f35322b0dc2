import { execFileSync } from 'node:child_process';
import { constants, closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { connect } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { command, commandHere, spawned } from '../support/command.js';
import { COMPUTE_FOREVER, combinations, scaled } from '../support/scale.js';
import { holding, ok, serving } from '../support/serve.js';
import { describeSlow } from '../support/slow.js';
import { here } from '../support/threads-here.js';
import { NAMES } from '../support/transports.js';
import { awake, until } from '../support/until.js';
import { balance } from './ground.js';
import { missingIn } from '../../lib/core/measure/validity.js';

/** Far less than the duration of the faults below. */
const SOON_MS = 15_000;

describeSlow('the end of a run', () => {
  let cwd;
  let fifo;
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    fifo = join(cwd, 'fifo');
  });
  afterEach(() => {
    // a thread or child process that still reads the FIFO gets its end
    if (existsSync(fifo)) closeSync(openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK));
    rmSync(cwd, { recursive: true });
  });
  /** Skips on a system without FIFOs. */
  const withFifo = () =>
    beforeEach(function () {
      if (process.platform === 'win32') this.skip();
      execFileSync('mkfifo', [fifo]);
    });

  const mark = () => join(cwd, 'blocked');
  const isBlocked = () => until(() => existsSync(mark()));
  /** Writes a flow whose operation writes the mark, then runs `code`, before the request of iteration `index`. */
  const flowFile = (code, { index = 20, runOptions = {}, phase = 'main' } = {}) => {
    const file = join(cwd, 'flow.mjs');
    const hooked = `{ get: '/', beforeHooks: [(all) => {
      if (!(all.env.index < ${index})) { fs.writeFileSync('${mark()}', ''); ${code} }
      return all;
    }] }`;
    writeFileSync(
      file,
      `import { execSync } from 'node:child_process'; import fs from 'node:fs';
      export default {
        main: ['/'], ${phase}: [${hooked}], ${phase === 'after' ? '' : "after: ['/after'],"}
        runOptions: ${JSON.stringify(runOptions)},
      };`,
    );
    return file;
  };
  const blockings = () => ({
    'computes forever': COMPUTE_FOREVER,
    'is blocked by execSync': `execSync('cat ${fifo}');`,
    'is blocked by a read': `fs.readFileSync('${fifo}');`,
  });

  describe('N1 open connections to our own servers', () => {
    /** Connections to `url` on which the client stops responding. */
    const clients = {
      'a client that sends nothing': () => '',
      'a client that sends half a request': () => 'GET / HT',
      'a page that stopped reading': ({ host }) => `GET /events HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
      'an idle connection': ({ host }) => `GET / HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
    };
    const joinAt = async (url, say) => {
      const { hostname, port, host } = new URL(url);
      const socket = connect(Number(port), hostname).on('error', () => {});
      await once(socket, 'connect');
      socket.pause().write(say({ host }));
      return socket;
    };

    const each = Object.keys(clients).map((name) => [name, [name]]);
    for (const [what, names] of [['a client of every kind', Object.keys(clients)], ...scaled([], each)]) {
      it(`--dashboard with ${what}: the result is printed and the command ends`, () =>
        holding('/', async ({ url, release }) => {
          let sockets;
          // a process of its own, which must end
          const { code, stdout } = await spawned(['-n', '5', '-c', '1', '-d', '50', '--dashboard', '--json', url], {
            async act(_child, heard) {
              const [, at] = await heard(/dashboard: (\S+)/);
              sockets = await Promise.all(names.map((name) => joinAt(at, clients[name])));
              release();
            },
          });
          for (const socket of sockets) socket.destroy();
          expect(code).to.equal(0);
          balance(JSON.parse(stdout));
        }));
    }

    it('--dashboard: a page receives the final result before its connection ends', () =>
      holding('/', async ({ url, release }) => {
        let events;
        const { code } = await commandHere(['-n', '5', '-c', '1', '--dashboard', url], {
          async act(_child, heard) {
            const [, at] = await heard(/dashboard: (\S+)/);
            const [response] = await once(http.get(`${at}events`), 'response');
            events = response.setEncoding('utf8').toArray();
            release();
          },
        });
        expect(code).to.equal(0);
        const last = (await events).join('').trim().split('\n\n').at(-1);
        expect(last).to.match(/^event: result\ndata: /);
        // on a busy machine it is suspect
        expect(last)
          .to.include('"isLive":false')
          .and.match(/"status":"(passed|suspect)"/);
      }));

    const idle = ['a client that sends nothing', 'an idle connection'];
    for (const names of [idle, ...scaled([], [idle.slice(0, 1), idle.slice(1)])]) {
      const what = names.join(' and ');

      it(`the target of --serve with ${what}: the command ends`, async () => {
        let sockets;
        const { code, stdout } = await command(['--serve', '--forever', '-r', '20', '-d', '50'], {
          target: 'thread',
          async act(child, heard) {
            const [, at] = await heard(/(http:\/\/127\S+)/);
            sockets = await Promise.all(names.map((name) => joinAt(at, clients[name])));
            child.kill('SIGINT');
          },
        });
        for (const socket of sockets) socket.destroy();
        expect(code).to.equal(100);
        expect(stdout).to.match(/^ {2}\d+ iterations? in /m);
      });

      it(`serve with ${what}: Ctrl-C ends it, and the number of requests is printed`, async () => {
        let sockets;
        const { code, stdout } = await command(['serve', '--port', '0'], {
          async act(child, heard) {
            const [, at] = await heard(/REST target at (\S+)/);
            sockets = await Promise.all(names.map((name) => joinAt(at, clients[name])));
            await heard(/echo\n/);
            child.kill('SIGINT');
          },
        });
        for (const socket of sockets) socket.destroy();
        expect(code).to.equal(0);
        expect(stdout).to.match(/\d+ requests?\n$/);
      });
    }

    for (const [name, httpClient] of combinations(idle, NAMES)) {
      it(`the target of a program with ${name}, ${httpClient}: the run resolves, the target is closed`, async () => {
        let socket;
        const server = http.createServer(async (req, res) => {
          socket ??= await joinAt(`http://127.0.0.1:${server.address().port}`, clients[name]);
          res.end();
        });
        const { stats } = await here('workers', () =>
          benchrest('/', { limit: 1, iterations: 5, target: server, httpClient }),
        );
        expect(stats.iterations.completed).to.equal(5);
        expect(server.listening).to.equal(false);
        expect(server.listenerCount('connection')).to.equal(http.createServer().listenerCount('connection'));
        socket.destroy();
      });
    }

    it('an https target with a client that never starts its handshake: the run resolves', async () => {
      const server = https.createServer(ok);
      let socket;
      server.once('listening', async () => {
        socket = await joinAt(`https://127.0.0.1:${server.address().port}`, () => '');
      });
      const { stats } = await benchrest('/', { limit: 1, iterations: 1, target: server, insecure: true });
      expect(stats.iterations.started).to.equal(1);
      expect(server.listening).to.equal(false);
      socket.destroy();
    });
  });

  describe('N3 N10 aborting', () => {
    withFifo();

    for (const [what, args] of combinations(Object.keys(blockings()), [['-w', '2'], [], ['-w', '1']])) {
      it(`Ctrl-C twice while a hook ${what} ${args.join(' ')}: the result is printed, exit 100`, async () => {
        let secondAt;
        // one of the small counts in a process of its own, which must end
        const { code, signal, stdout, stderr } = await (args.length === 0 ? spawned : command)(
          ['--serve', '-n', '1000', '-c', '2', '-d', '50', '--json', ...args, flowFile(blockings()[what])],
          {
            // of workers, one of their threads is blocked
            engine: args.length === 0 ? 'thread' : undefined,
            workers: 'thread',
            async act(child, heard) {
              await isBlocked();
              child.kill('SIGINT');
              await heard(/again to abort/);
              secondAt = Date.now();
              child.kill('SIGINT');
            },
          },
        );
        expect(Date.now() - secondAt).to.be.below(SOON_MS);
        expect({ code, signal }, stderr).to.deep.equal({ code: 100, signal: null });
        const result = JSON.parse(stdout);
        balance(result);
        expect(result.validity.status).to.equal('suspect');
        expect(missingIn(result).join())
          .to.match(/aborted/)
          .and.match(/teardown incomplete: .*after/);
      });
    }

    it('SIGTERM while a hook is blocked: the result is printed within 8 s, exit 100', async () => {
      let termAt;
      const { code, signal, stdout } = await command(
        ['--serve', '-n', '1000', '-d', '50', '--json', flowFile(blockings()['is blocked by execSync'])],
        {
          engine: 'thread',
          async act(child) {
            await isBlocked();
            termAt = Date.now();
            child.kill('SIGTERM');
          },
        },
      );
      expect(Date.now() - termAt).to.be.below(SOON_MS);
      expect({ code, signal }).to.deep.equal({ code: 100, signal: null });
      balance(JSON.parse(stdout));
    });

    it('Ctrl-C while the flow blocks its import: the command ends, exit 100', async () => {
      const file = join(cwd, 'flow.mjs');
      writeFileSync(
        file,
        `import fs from 'node:fs'; fs.writeFileSync('${mark()}', ''); fs.readFileSync('${fifo}'); export default '/';`,
      );
      const { code } = await command([file], {
        engine: 'thread',
        async act(child) {
          await isBlocked();
          child.kill('SIGINT');
        },
      });
      expect(code).to.equal(100);
    });

    it('work that blocks the thread pool of libuv: the command ends, exit 100, or 137 before Node 22.15', async () => {
      const flow = flowFile(`return new Promise((resolve) => fs.readFile('${fifo}', resolve));`);
      const { code, signal, stdout } = await spawned(['--serve', '-n', '1000', '-d', '50', '--json', flow], {
        async act(child, heard) {
          await isBlocked();
          child.kill('SIGINT');
          await heard(/again to abort/);
          child.kill('SIGINT');
        },
      });
      expect({ code, signal }).to.deep.equal(
        process.execve ? { code: 100, signal: null } : { code: null, signal: 'SIGKILL' },
      );
      balance(JSON.parse(stdout));
    });

    it('run.leave() while a worker is blocked: the run resolves with the last known result', () =>
      serving(ok, async (url) => {
        const run = benchrest(flowFile(blockings()['is blocked by a read']), {
          baseUrl: url,
          limit: 2,
          forever: true,
          workers: scaled(1, 2),
        });
        await isBlocked();
        run.leave();
        const { stats, endReason } = await run;
        expect(endReason).to.equal('aborted');
        balance(stats);
        expect(missingIn(stats).join()).to.match(/aborted/);
      }));
  });

  it('N10 an abort keeps the final report of a slow worker', () =>
    serving(ok, async (url, seen) => {
      const [flow, block, release] = ['flow.mjs', 'block', 'release'].map((name) => join(cwd, name));
      writeFileSync(
        flow,
        `import fs from 'node:fs';
        export default { main: [{ get: '/', afterHooks: [() => {
          if (!fs.existsSync('${block}')) return;
          fs.writeFileSync('${mark()}', '');
          while (!fs.existsSync('${release}'));
        }] }] };`,
      );
      const options = { baseUrl: url, limit: 1, forever: true, workers: 1, progress: 20 };
      const run = benchrest(new URL(`file://${flow}`), options);
      // one that reported a moment ago is slow, not stuck
      await new Promise((resolve) => {
        run.on('progress', ({ iterations }) => iterations.completed > 0 && resolve());
      });
      writeFileSync(block, '');
      await isBlocked();
      run.abort();
      writeFileSync(release, '');
      const { stats } = await run;
      balance(stats, seen.length);
      expect(stats.errors.details).to.deep.equal([]);
    }));

  for (const [how, ends] of [
    ['stop', ({ iterations, requests }) => expect([iterations.cancelled, requests.cancelled]).to.deep.equal([0, 0])],
    ['abort', ({ iterations }) => expect(iterations.cancelled).to.be.above(0)],
  ])
    it(`C50 run.${how}() while responses wait for their group loses none of them`, () => {
      const held = [];
      return serving(
        (req, res) => {
          // the first ones all at once: several groups
          if (held.push(res) === 150) for (const one of held) one.end();
          else if (held.length > 150) res.end();
        },
        async (url, seen) => {
          let answered = 0;
          const afterHooks = [() => void (++answered === 3 && run[how]())];
          const run = benchrest({ get: url, afterHooks }, { limit: 150, iterations: 300, httpClient: 'builtin' });
          const { stats } = await run;
          balance(stats, seen.length);
          expect(stats.errors.details).to.deep.equal([]);
          expect(stats.iterations.started).to.be.within(150, 300);
          ends(stats);
        },
      );
    });

  it('C44 a process that is suspended while it stops gives its iterations and their teardown the rest of their time', function () {
    if (process.platform === 'win32') this.skip();
    return holding('/', async ({ url, arrived, release }) => {
      const { stdout } = await spawned(
        [
          '-n',
          '1',
          '-c',
          '1',
          '--json',
          '--graceful-stop',
          '2s',
          '-e',
          `{ main: ['${url}/'], after: ['${url}/after'] }`,
        ],
        {
          async act(child, heard) {
            await arrived;
            child.kill('SIGINT');
            await heard(/Stopping/);
            child.kill('SIGSTOP');
            // longer than the grace period
            await awake(3000);
            child.kill('SIGCONT');
            release();
          },
        },
      );
      const { iterations, validity } = JSON.parse(stdout);
      expect(iterations).to.include({ started: 1, completed: 1, cancelled: 0 });
      expect(missingIn({ validity })).to.deep.equal([]);
    });
  });

  it('F134 a server that never answers in before ends the run by the time limit, and nothing is measured', () =>
    holding('/setup', async ({ url, release }) => {
      const flow = `{ before: ['${url}/setup'], main: ['${url}/'], after: ['${url}/after'] }`;
      const { code, stdout, stderr } = await command([
        '-t',
        '100ms',
        '-c',
        '2',
        '--timeout',
        '300ms',
        '--json',
        '-e',
        flow,
      ]);
      release();
      expect(code).to.equal(1);
      expect(stderr).to.include('no iterations were run, because before failed');
      const { iterations, errors } = JSON.parse(stdout);
      expect(iterations.started).to.equal(0);
      expect(errors.details.map((sample) => [sample.phase, sample.code])).to.deep.equal([
        ['before', 'E_TIMEOUT_REQUEST'],
      ]);
    }));

  describe('N4 N10 a run with a duration', () => {
    withFifo();
    const runOptions = { teardownTimeout: 100, gracefulStop: 100, timeout: 100 };

    const places = [
      // the first iterations of two virtual users start however late the thread is; index 20 may not come in time
      { index: 0 },
      { index: 1 },
      { phase: 'before' },
      { phase: 'after' },
      { phase: 'afterMain', index: 1 },
    ];
    // only one of the small counts computes: that takes all CPU until the thread is lost
    for (const [what, options] of combinations(Object.keys(blockings()).reverse(), places)) {
      it(`ends although a hook ${what} ${JSON.stringify(options)}: the last known result is printed, exit 1`, async () => {
        const args = ['--serve', '-t', '600ms', '-c', '2', '-d', '50', '--json', '--progress', '100'];
        const flow = flowFile(blockings()[what], { ...options, runOptions });
        const { code, stdout, stderr } = await command([...args, flow], { engine: 'thread' });
        expect(code, stderr).to.equal(1);
        expect(stderr).to.match(/did not respond for \d+ s: a hook blocks the event loop/);
        const result = JSON.parse(stdout);
        expect(result.run.endReason).to.equal('lost');
        balance(result);
        expect(result.validity.status).to.equal('suspect');
        expect(missingIn(result).join('\n'))
          .to.match(/lost: its thread did not respond/)
          .and.match(/last known state: \d/)
          .and.match(/teardown incomplete: .*after/);
      });
    }

    it('a hook that blocks in the warm-up: the run ends', async () => {
      const { code, stderr } = await command(
        [
          ...['--serve', '-t', '300ms', '-c', '2', '--warmup', '100ms'],
          flowFile(blockings()['is blocked by a read'], { index: 0, runOptions }),
        ],
        { engine: 'thread' },
      );
      expect(code, stderr).to.equal(1);
    });

    for (const [what, warmup] of combinations(['computes forever', 'is blocked by a read'], [undefined, 100])) {
      it(`in a program ends although a worker ${what}${warmup ? ' in its warm-up' : ''}: that worker is named`, () =>
        serving(ok, async (url) => {
          const flow = flowFile(blockings()[what], { index: warmup ? 0 : 1, runOptions });
          const workers = scaled(1, 2);
          const options = { baseUrl: url, limit: 2, duration: 600, workers, ...(warmup && { warmup }) };
          const { stats, endReason } = await benchrest(flow, options);
          expect(endReason).to.equal('worker');
          balance(stats);
          expect(stats.validity.status).to.equal('suspect');
          expect(missingIn(stats).join('\n')).to.match(/worker \d of [12] was lost: .* are not counted/);
        }));
    }

    it('a slow after phase is not cut off while its thread responds', () =>
      serving(
        (req, res) => setTimeout(() => res.end(), req.url === '/after' ? 3500 : 0),
        async (url) => {
          const file = join(cwd, 'slow.json');
          writeFileSync(file, JSON.stringify({ main: ['/'], after: ['/after'] }));
          const args = [
            '-t',
            '500ms',
            '-c',
            '1',
            '-d',
            '50',
            '--graceful-stop',
            '0',
            '--json',
            '--base-url',
            url,
            file,
          ];
          // the iteration that the end cuts off may be the only one
          const { code, stdout, stderr } = await command([...args, '--threshold', 'cancelled>=0'], {
            engine: 'thread',
          });
          expect(code, stderr).to.equal(0);
          expect(JSON.parse(stdout).run.endReason).to.equal('completed');
        },
      ));
  });

  describe('N10 a result that was cut off', () => {
    for (const httpClient of NAMES) {
      it(`counts the requests in flight when the thread dies, ${httpClient}`, async () => {
        let held = 0;
        let release;
        const bothHeld = new Promise((resolve) => (release = resolve));
        await serving(
          async (req, res) => {
            if (req.url === '/held' && ++held === 2) release();
            if (req.url !== '/exit') return;
            await bothHeld;
            // several reports of the thread
            await awake(2000);
            res.end();
          },
          async (url) => {
            const file = join(cwd, 'flow.mjs');
            writeFileSync(
              file,
              `export default { main: [{
                get: '/held',
                beforeHooks: [(all) => { if (all.env.index === 0) all.requestOptions.uri = '${url}/exit'; }],
                afterHooks: [() => process.exit(0)],
              }], afterMain: ['/tidy'], after: ['/after'] };`,
            );
            const { code, stdout } = await command(
              ['-n', '10', '-c', '3', '--json', '--base-url', url, '--http-client', httpClient, file],
              { engine: 'thread' },
            );
            expect(code).to.equal(1);
            const result = JSON.parse(stdout);
            balance(result);
            expect(result.iterations).to.include({ started: 3, cancelled: 3 });
            expect(result.requests).to.include({ sent: 3, cancelled: 3 });
            expect(result.validity.status).to.equal('suspect');
            expect(missingIn(result).join('\n'))
              .to.match(/lost: the flow ended its process/)
              .and.match(/teardown incomplete: afterMain of 3 iterations and after/);
          },
        );
      });
    }

    for (const [httpClient, workers] of combinations(NAMES, [undefined, 2])) {
      it(`states that an abort skipped teardown, ${httpClient}, workers ${workers}`, () => {
        let arrived = 0;
        let leave;
        return serving(
          () => ++arrived === 2 && leave(),
          async (url) => {
            const flow = { main: ['/'], afterMain: ['/tidy'], after: ['/after'] };
            const { stats } = await here('workers', () => {
              const run = benchrest(flow, { baseUrl: url, limit: 2, iterations: 10, httpClient, workers });
              leave = () => run.leave();
              return run;
            });
            balance(stats, 2);
            expect(stats.validity).to.include({ status: 'suspect' });
            expect(missingIn(stats)).to.deep.equal([
              'aborted: running iterations were cancelled without a grace period',
              'teardown incomplete: afterMain of 2 iterations and after did not finish',
            ]);
          },
        );
      });
    }
  });
});
