import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { Histogram } from '../../lib/core/measure/histogram.js';
import { missingIn } from '../../lib/core/measure/validity.js';
import { KEYS, PROTOCOL } from '../../lib/addons/agents/protocol.js';
import { onAgents, reported, startAgent, withAgents } from '../support/agents.js';
import { spawned } from '../support/command.js';
import { withRedis } from '../support/redis.js';
import { serving } from '../support/serve.js';

const PAIR = ['box-1', 'box-2'];

describe('agents on a queue', () => {
  let folder;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  after(() => rmSync(folder, { recursive: true }));

  /**
   * Runs `story` with a Redis, a server and agents; `run(args)` runs the flow on the agents and resolves with its result. The server
   * answers requests of INDEX `held` and above when `released` resolves.
   */
  const stage = (story, { names = PAIR, more = () => ({}), options, held = Infinity, released } = {}) =>
    withRedis(({ url, redis }) =>
      serving(
        async (req, res) => {
          if (Number(req.url.slice(1)) >= held) await released;
          res.end('ok');
        },
        (base, seen) => {
          const path = join(folder, 'flow.json');
          writeFileSync(path, JSON.stringify({ main: [{ get: `${base}/#{INDEX}` }], ...more(base) }));
          const run = async (args, { count = names.length, ...others } = {}) => {
            const out = join(folder, `${Math.random()}.json`);
            const all = [...onAgents(url, count), ...args, '-o', out, path];
            const said = await spawned(all, { cwd: folder, ...others });
            const result = said.code === 3 || said.stdout === '' ? null : JSON.parse(readFileSync(out, 'utf8'));
            return { ...said, result };
          };
          return withAgents(url, names, (agents) => story({ run, agents, seen, redis, url }), options);
        },
      ),
    );

  it('run each INDEX once, and the merged result has all of them', () =>
    stage(async ({ run, seen }) => {
      const { code, result, stdout, stderr } = await run(['-n', '3001', '-c', '6']);
      expect(code, stderr).to.equal(0);
      const indexes = seen.map(({ url }) => Number(url.slice(1))).sort((a, b) => a - b);
      expect(indexes).to.deep.equal(Array.from({ length: 3001 }, (_, i) => i));
      expect(result.iterations).to.include({ started: 3001, completed: 3001 });
      expect(result.main.histogram.count).to.equal(3001);
      expect(result.loadGenerators.map(({ iterations }) => iterations.started)).to.deep.equal([1501, 1500]);
      expect(result.loadGenerators.map(({ name }) => name).sort()).to.deep.equal(PAIR);
      expect(result.run).to.include({ endReason: 'completed' });
      expect(result.run.options).to.include({ agents: 2 });
      expect(stdout).to.match(/2 agents, started within/);
    }));

  it('1, 2 or 3 run their part of each of several loads, also of one that starts after another one', () =>
    stage(
      async ({ run, seen }) => {
        for (const count of [1, 2, 3]) {
          const { code, result, stderr } = await run([], { count });
          expect(code, stderr).to.equal(0);
          const indexes = seen.splice(0).map(({ url }) => Number(url.slice(1)));
          const of = (most, at) => Array.from({ length: most }, (_, n) => n * 3 + at);
          const all = [...of(60, 0), ...of(90, 1), ...of(30, 2)];
          expect(indexes.sort((a, b) => a - b)).to.deep.equal(all.sort((a, b) => a - b));
          const { loads, main } = result;
          expect(loads.map(({ name, iterations }) => [name, iterations.completed])).to.deep.equal([
            ['visits', 60],
            ['import', 90],
            ['later', 30],
          ]);
          const sum = new Histogram();
          for (const { times } of loads) sum.add(Histogram.decode(times.responseTime));
          expect(sum.encoded()).to.deep.equal(Histogram.decode(main.completed).encoded());
          expect(Math.max(...loads.map(({ times }) => times.responseTime.max))).to.equal(main.completed.max);
          expect(loads[2].startAfter).to.be.above(0);
          expect(result.run.loads[2]).to.include({ name: 'later', after: 'import' });
        }
      },
      {
        names: ['box-1', 'box-2', 'box-3'],
        more: (base) => {
          const main = [{ get: `${base}/#{INDEX}` }];
          return {
            main: undefined,
            scenarios: {
              visits: { load: { rate: 200, iterations: 60, limit: 6 }, main },
              import: { load: { limit: 3, iterations: 90 }, main },
              later: { load: { limit: 3, iterations: 30 }, startAfter: 'import', main },
            },
          };
        },
      },
    ));

  it('keep to their limits, which they state, whatever a run asks for', () =>
    stage(
      async ({ run, seen, agents }) => {
        const stated = /at most 1 m, 3 virtual users, 50 requests per second, 20 requests and 1 GiB of traffic/;
        for (const { heard } of agents) await heard(stated);
        for (const [args, reason] of [
          [['-n', '8', '-c', '8'], /virtual users: 4 planned, at most 3 allowed here: .*--max-users/],
          [['-t', '1s', '-c', '4', '-r', '200'], /the rate: 100\/s planned, at most 50\/s/],
          [['-t', '2m', '-c', '2'], /120 s planned|2 m planned/],
        ])
          expect((await run(args)).stderr).to.match(reason);
        expect(seen).to.have.length(0);
        const { result, stderr } = await run(['-n', '1000', '-c', '6']);
        expect(stderr).to.match(/limit/);
        expect(seen.length).to.be.within(20, 40);
        expect(result.run.endReason).to.equal('limit');
      },
      {
        options: {
          args: [
            ...['--max-duration', '1m', '--max-users', '3', '--max-rate', '50'],
            ...['--max-requests', '20', '--max-bytes', '1GiB'],
          ],
        },
      },
    ));

  it('run the steps of a capacity one after the other', () =>
    stage(async ({ url }) =>
      serving(
        (_, res) => res.end('ok'),
        async (base) => {
          const steps = ['--step', '1s', '-W', '100ms', '--from', '500/s', '--threshold', 'p99<1h'];
          const args = ['capacity', ...onAgents(url, 2), ...steps, '--json', base];
          const { code, stdout, stderr } = await spawned(args, {
            cwd: folder,
            async act(child, heard) {
              await heard(/^ +2 {2}/m);
              child.kill('SIGINT');
            },
          });
          expect(code, stderr).to.equal(100);
          const { steps: done, loadGenerators } = JSON.parse(stdout);
          expect(done.length).to.be.at.least(2);
          expect(loadGenerators).to.have.length(2);
        },
      ),
    ));

  it('each writes its own log of requests into its folder, and merge --log joins them', () => {
    const logs = mkdtempSync(join(folder, 'logs-'));
    return stage(
      async ({ run, seen }) => {
        const args = ['-n', '40', '-c', '4', '--log', '/ignored/all.csv'];
        const { code, result, stdout, stderr } = await run(args);
        expect(code, stderr).to.equal(0);
        const { files } = result.log;
        expect(files.map(({ lines }) => lines).reduce((sum, lines) => sum + lines, 0)).to.equal(seen.length);
        const names = readdirSync(logs).sort();
        expect(names).to.include.members(['all.shard1.csv', 'all.shard2.csv']);
        const places = files.map(({ file }) => file.split(':'));
        expect([...new Set(places.map(([machine]) => machine))].sort()).to.deep.equal(PAIR);
        expect(places.map(([, path]) => path).sort()).to.deep.equal(names.map((name) => join(logs, name)));
        expect(stdout).to.match(/a line for each of 40 requests/);
        const merged = await spawned(['merge', '--log', ...names], { cwd: logs });
        expect(merged.stdout.trimEnd().split('\n')).to.have.length(41);
      },
      { options: { args: ['--log-folder', logs] } },
    );
  });

  it('a run with --log is refused by an agent without a folder, which is named', () =>
    stage(
      async ({ run, seen }) => {
        const { code, stderr } = await run(['-n', '4', '--log', 'all.csv']);
        expect([code, seen]).to.deep.equal([2, []]);
        expect(stderr).to.match(
          /agent box-1: .*all\.csv: this agent has no folder for it; start agents with --log-folder/s,
        );
      },
      { names: ['box-1'] },
    ));

  it('run one run after the other, and leave no key of it behind', () =>
    stage(async ({ run, redis }) => {
      for (const n of [20, 30])
        expect((await run(['-n', String(n), '-c', '2'])).result.iterations.completed).to.equal(n);
      const keys = await redis.keys('*');
      expect(keys.filter((key) => /:(control|report|lock|runs\.)/.test(key))).to.deep.equal([]);
    }));

  for (const [tolerance, exit] of [
    [[], 9],
    [['--agents-max-lost', '1'], 0],
  ])
    it(`A1 the last state of a killed agent counts; exit code ${exit} with ${tolerance.join(' ') || 'no tolerance'}`, () => {
      let release;
      const released = new Promise((resolve) => (release = resolve));
      return stage(
        async ({ run, agents, redis }) => {
          let shard;
          const { code, result, stdout, stderr } = await run(['-n', '600', '-c', '8', ...tolerance], {
            async act() {
              await reported(redis, 2, 20);
              shard = await agents[0].shard();
              agents[0].child.kill('SIGKILL');
              release();
            },
          });
          expect(code, stderr).to.equal(exit);
          const lost = result.loadGenerators[shard - 1];
          const survivor = result.loadGenerators[2 - shard];
          expect(lost).to.include({ name: 'box-1' }).and.have.property('lost');
          expect(lost.iterations.started).to.be.within(20, 299);
          expect(survivor.iterations.started).to.equal(300);
          expect(result.iterations.started).to.equal(lost.iterations.started + survivor.iterations.started);
          expect(missingIn(result).join()).to.match(/agent box-1 was lost/);
          expect(stdout).to.match(/1 lost/);
        },
        { held: 100, released },
      );
    });

  it('A9 one Ctrl-C stops all agents gracefully, with after', () =>
    stage(
      async ({ run, agents, seen, redis }) => {
        const { code, result } = await run(['--forever', '-r', '100', '-c', '4'], {
          async act(child) {
            await reported(redis, 2, 5);
            child.kill('SIGINT');
          },
        });
        expect(code).to.equal(100);
        expect(result.iterations.cancelled).to.equal(0);
        expect(result.run.endReason).to.equal('SIGINT');
        const { iterations } = result;
        const measured = seen.filter(({ url }) => /^\/\d+$/.test(url)).length;
        expect(measured).to.equal(iterations.completed);
        expect(seen.filter(({ url }) => url === '/bye')).to.have.lengthOf(2);
        for (const { heard } of agents) await heard(/: SIGINT/);
      },
      { more: (base) => ({ after: [{ get: `${base}/bye` }] }) },
    ));

  it('ramps of a rate are divided, and their highest rate is that of the whole run', () =>
    stage(async ({ run, seen }) => {
      const { code, result, stderr } = await run(['--stage', '1s:40', '--stage', '1s:0', '-c', '4']);
      expect(code, stderr).to.be.oneOf([0, 96]);
      expect(result.iterations.peakRate).to.be.closeTo(40, 1);
      const { started, dropped } = result.iterations;
      expect(started + dropped).to.equal(40);
      expect(seen).to.have.lengthOf(started);
    }));

  it('the run is refused if agents are missing, and names those that are there', () =>
    stage(async ({ run, seen }) => {
      const { code, stderr } = await run(['-n', '10', '-c', '3', '--agents-timeout', '100ms'], { count: 3 });
      expect(code).to.equal(9);
      expect(stderr).to.match(/2 of 3 agents of the pool default are ready.*\(ready: box-1, box-2\)/);
      expect(stderr).to.match(/start bench-rest agent --queue .* on one more machine/);
      expect(seen).to.have.lengthOf(0);
    }, {}));

  it('the run waits for an agent that comes later', () =>
    stage(
      async ({ run, url }) => {
        let late;
        const { code, result } = await run(['-n', '10', '-c', '2'], {
          count: 2,
          async act(_, heard) {
            await heard(/waiting for agents of the pool default: 1 of 2/);
            late = await startAgent(url, 'box-2');
          },
        });
        await late.stop();
        expect(code).to.equal(0);
        expect(result.iterations.completed).to.equal(10);
      },
      { names: ['box-1'] },
    ));

  it('A11 agents of another protocol are refused by name and version', () =>
    withRedis(async ({ url, redis }) => {
      const stranger = {
        ...{ protocol: PROTOCOL + 1, id: 'x', name: 'box-9', version: '9.1.0', cores: 2 },
        ...{ allowsCode: false, isBusy: false, roundTripMs: 1 },
      };
      await redis.sadd(KEYS.members('default'), 'x');
      await redis.set(KEYS.agent('x'), JSON.stringify(stranger));
      const args = ['--agents', '1', '--agents-queue', url, '--agents-timeout', '0ms', '-n', '1', '-c', '1'];
      const { code, stderr } = await spawned([...args, 'http://127.0.0.1:1/']);
      expect(code).to.equal(9);
      expect(stderr).to.match(/box-9 has version 9\.1\.0 with protocol \d+, not \d+/);
      expect(stderr).to.include('install the same version of bench-rest on all machines');
    }));

  it('A7 a wrong password is refused by agent and run, and not shown', () =>
    withRedis(
      async ({ url }) => {
        const wrong = url.replace('//', '//:CANARY@');
        for (const args of [
          ['agent', '--queue', wrong],
          ['--agents', '1', '--agents-queue', wrong, '-n', '1', '-c', '1', 'http://127.0.0.1:1/'],
        ]) {
          const { code, stderr, stdout } = await spawned(args);
          expect(code, stderr).to.equal(9);
          expect(stderr).to.match(/refuses the user or the password; set BENCH_REST_QUEUE_PASSWORD/);
          expect(stderr + stdout).not.to.include('CANARY');
        }
      },
      { args: ['--requirepass', 'right'] },
    ));

  it('user and password come from the environment', () =>
    withRedis(
      async ({ url, redis }) => {
        await redis.auth('right').catch(() => {});
        const agent = await startAgent(url, 'box-1', { env: { BENCH_REST_QUEUE_PASSWORD: 'right' } });
        await agent.stop();
        expect(agent.said.text).not.to.include('right');
      },
      { args: ['--requirepass', 'right'] },
    ));
});
