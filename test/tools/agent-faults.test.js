import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { expect } from 'chai';

import { KEYS } from '../../lib/addons/agents/protocol.js';
import { onAgents, reported, reportsIn, startAgent, withAgents } from '../support/agents.js';
import { ROOT, spawned } from '../support/command.js';
import { withFakeAgent } from '../support/fake-agent.js';
import { startRedis, withRedis } from '../support/redis.js';
import { jsonIn } from '../support/seal.js';
import { serving } from '../support/serve.js';
import { until } from '../support/until.js';

const PAIR = ['box-1', 'box-2'];
const MEMORY = /out of memory.*maxmemory/;

describe('faults of runs on agents', () => {
  let folder;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  after(() => rmSync(folder, { recursive: true }));

  /** Runs a story with a Redis, a server and agents; `run(args)` runs the flow on them. */
  const stage = (story, { names = PAIR, agent, answer = (req, res) => res.end('ok'), headers = {}, more } = {}) =>
    withRedis((queue) =>
      serving(answer, (base, seen) => {
        const path = join(folder, 'flow.json');
        const main = [{ get: `${base}/#{INDEX}`, headers }];
        const flow = { main, ...more?.(main), after: [{ get: `${base}/bye` }] };
        writeFileSync(path, JSON.stringify(flow));
        const run = async (args, { count = names.length, ...others } = {}) => {
          const out = join(folder, `${Math.random()}.json`);
          const all = [...onAgents(queue.url, count), ...args, '-o', out, path];
          const said = await spawned(all, { cwd: folder, ...others });
          return { ...said, result: said.stdout === '' ? null : JSON.parse(readFileSync(out, 'utf8')) };
        };
        return withAgents(queue.url, names, (agents) => story({ run, agents, seen, ...queue }), agent);
      }),
    );

  const indexesOf = (seen) => seen.filter(({ url }) => /^\/\d+$/.test(url)).map(({ url }) => Number(url.slice(1)));
  /** Each request reached the server once. */
  const expectOnce = (seen) => {
    const indexes = indexesOf(seen);
    expect(new Set(indexes).size).to.equal(indexes.length);
  };
  const byes = (seen) => seen.filter(({ url }) => url === '/bye').length;
  /** The leases that the coordinator has dropped. */
  const dropped = async (redis) => {
    const keys = await redis.keys(KEYS.control('*'));
    const controls = await Promise.all(keys.map((key) => redis.get(key)));
    return controls.flatMap((text) => jsonIn(text ?? '\n{}').dropped ?? []);
  };
  const runsAgain = async (run) => {
    const { code, result, stderr } = await run(['-n', '40', '-c', '2', '--agents-timeout', '60s']);
    expect(code, stderr).to.equal(0);
    expect(result.iterations.completed).to.equal(40);
  };

  it('A2 an agent that was stopped, dropped and resumed is refused, and nothing counts twice', () =>
    stage(async ({ run, agents, seen, redis }) => {
      let shard;
      const { code, result, stderr } = await run(['-n', '1200', '-r', '60', '-c', '10', '--agents-max-lost', '1'], {
        async act() {
          await reported(redis, 2, 10);
          shard = await agents[0].shard();
          agents[0].child.kill('SIGSTOP');
          await until(async () => (await dropped(redis)).length > 0);
          agents[0].child.kill('SIGCONT');
          // it has read that it was dropped
          await agents[0].heard(new RegExp(`shard ${shard} of 2: `));
        },
      });
      expect(code, stderr).to.equal(0);
      const lost = result.loadGenerators[shard - 1];
      const survivor = result.loadGenerators[2 - shard];
      expect(lost).to.have.property('lost');
      expect(survivor.iterations.started).to.equal(600);
      expect(result.iterations.started).to.equal(lost.iterations.started + survivor.iterations.started);
      const { started, completed, failed, cancelled } = result.iterations;
      expect(started).to.equal(completed + failed + cancelled);
      expect(result.main.histogram.count).to.equal(completed + failed);
      expectOnce(seen);
      await runsAgain(run);
    }));

  it('A3 agents of a coordinator that is killed stop within seconds, with after', () =>
    stage(async ({ run, agents, seen, redis }) => {
      let killed;
      await run(['--forever', '-r', '60', '-c', '4'], {
        async act(child) {
          await reported(redis, 2, 10);
          killed = performance.now();
          child.kill('SIGKILL');
        },
      });
      for (const { heard } of agents) await heard(/shard \d of 2: /);
      const elapsed = performance.now() - killed;
      expect(byes(seen)).to.equal(2);
      // 5 s on an idle machine
      expect(elapsed).to.be.below(60_000);
      const count = indexesOf(seen).length;
      await runsAgain(run);
      expect(indexesOf(seen)).to.have.lengthOf(count + 40);
    }));

  it('A4 a Redis that restarts with nothing does not end a run', () =>
    stage(async ({ run, redis, port, child: first, seen }) => {
      let second;
      const { code, result, stderr } = await run(['-n', '720', '-r', '60', '-c', '6'], {
        async act() {
          await reported(redis, 2, 20);
          first.kill('SIGKILL');
          await new Promise((resolve) => first.once('close', resolve));
          second = await startRedis({ port });
        },
      });
      await second.stop();
      expect(code, stderr).to.equal(0);
      expect(result.iterations.completed).to.equal(720);
      expectOnce(seen);
    }));

  it('A5 a Redis that cannot be reached for 6 s does not end a run', () =>
    stage(async ({ run, redis, child, seen }) => {
      const { code, result, stderr } = await run(['-n', '600', '-r', '60', '-c', '6'], {
        async act() {
          await reported(redis, 2, 20);
          child.kill('SIGSTOP');
          await wait(6000);
          child.kill('SIGCONT');
        },
      });
      expect(code, `${stderr}${JSON.stringify(result.loadGenerators)}`).to.equal(0);
      expect(result.iterations.completed).to.equal(600);
      expect(result.agents.lost).to.equal(0);
      expectOnce(seen);
    }));

  it('A6 a Redis without memory refuses a run before the first request', () =>
    stage(async ({ run, redis, seen }) => {
      await redis.config('SET', 'maxmemory', '1');
      const { code, stderr } = await run(['-n', '10', '-c', '2', '--agents-timeout', '1s']);
      expect(code).to.equal(9);
      expect(stderr).to.match(MEMORY);
      expect(seen).to.have.lengthOf(0);
    }));

  it('A6 a Redis that runs out of memory ends a run, and all that was counted is in the result', () =>
    stage(async ({ run, agents, redis, seen }) => {
      const { code, result, stderr } = await run(['--forever', '-r', '60', '-c', '4'], {
        async act() {
          await reported(redis, 2, 20);
          await redis.config('SET', 'maxmemory', '1');
          for (const { heard } of agents) await heard(/the result is kept/);
          await redis.config('SET', 'maxmemory', '0');
        },
      });
      expect(code).to.equal(9);
      expect(stderr).to.match(/stopped, because agents could not reach the queue/);
      expect(result.iterations.started).to.equal(indexesOf(seen).length);
      expect(result.agents.lost).to.equal(0);
      expect(byes(seen)).to.equal(2);
      await runsAgain(run);
    }));

  it('A68 a Redis that is out of memory for 5 s loses no agent', () =>
    stage(async ({ run, agents, redis, seen }) => {
      const { code, result, stderr } = await run(['-n', '720', '-r', '60', '-c', '6'], {
        async act() {
          await reported(redis, 2, 20);
          await redis.config('SET', 'maxmemory', '1');
          await wait(5000);
          await redis.config('SET', 'maxmemory', '0');
        },
      });
      expect(code, `${stderr}${agents.map(({ said }) => said.text)}`).to.equal(0);
      expect(result.iterations.completed).to.equal(720);
      expect(result.agents.lost).to.equal(0);
      expectOnce(seen);
    }));

  it('A67 a shard that cannot run after it was ready ends the run with its reason', () =>
    withRedis(({ url }) =>
      withFakeAgent(
        url,
        ['preparing', 'ready', 'refused'],
        { code: 'E_FLOW', message: 'flow.main: no memory' },
        async () => {
          const args = ['--agents', '1', '--agents-queue', url, '-n', '1', 'http://127.0.0.1:1/'];
          const { code, stderr } = await spawned(args);
          expect(stderr).to.include('agent fake: flow.main: no memory').and.not.include('stopped by a signal');
          expect(code).to.equal(2);
        },
      ),
    ));

  it('A8 a read-only replica is refused by agent and run', () =>
    withRedis(async ({ port }) => {
      const replica = await startRedis({ args: ['--replicaof', '127.0.0.1', String(port)] });
      try {
        for (const args of [
          ['agent', '--queue', replica.url],
          ['--agents', '1', '--agents-queue', replica.url, '-n', '1', 'http://127.0.0.1:1/'],
        ]) {
          const { code, stderr } = await spawned(args);
          expect(code, stderr).to.equal(9);
          expect(stderr).to.match(/is a read-only replica; use the address of the primary/);
        }
      } finally {
        await replica.stop();
      }
    }));

  it('A9 a second Ctrl-C aborts all agents', () =>
    stage(
      async ({ run, agents, redis }) => {
        const { code, result } = await run(['--forever', '-c', '4'], {
          async act(child, heard) {
            await until(async () => {
              const reports = [...(await reportsIn(redis)).values()];
              return reports.length === 2 && reports.every(({ inFlight }) => inFlight > 0);
            });
            child.kill('SIGINT');
            await heard(/Press Ctrl-C again/);
            child.kill('SIGINT');
          },
        });
        expect(code).to.equal(100);
        const { started, completed, failed, cancelled } = result.iterations;
        expect(cancelled).to.be.above(0);
        expect(started).to.equal(completed + failed + cancelled);
        for (const { heard } of agents) await heard(/shard \d of 2: /);
      },
      // requests that have no answer keep a graceful stop waiting
      { answer: () => {} },
    ));

  it('A10 a second run on a pool waits for the first', () =>
    stage(async ({ run, redis, seen }) => {
      let second;
      const first = await run(['--forever', '-r', '40', '-c', '2'], {
        async act(child) {
          await reported(redis, 2, 5);
          second = run(['-n', '40', '-c', '2', '--agents-timeout', '60s'], {
            async act(_, heard) {
              await heard(/waiting: the pool default is used by another run/);
              child.kill('SIGINT');
            },
          });
        },
      });
      const { code, result, stderr } = await second;
      expect({ first: first.code, second: code }, stderr).to.deep.equal({ first: 100, second: 0 });
      expect(result.iterations.completed).to.equal(40);
      expect(indexesOf(seen)).to.have.lengthOf(first.result.iterations.completed + 40);
    }));

  it('A10 it is refused if it does not wait, and the first goes on', () =>
    stage(async ({ run, redis, seen }) => {
      let refused;
      const { code, result } = await run(['--forever', '-r', '40', '-c', '2'], {
        async act(child) {
          await reported(redis, 2, 5);
          refused = await run(['-n', '40', '-c', '2', '--agents-timeout', '0ms']);
          const [{ stats }] = (await reportsIn(redis)).values();
          await reported(redis, 2, stats.iterations.completed + 5);
          child.kill('SIGINT');
        },
      });
      expect(refused.code).to.equal(9);
      expect(refused.stderr).to.match(/pool default/);
      expect(code).to.equal(100);
      expect(indexesOf(seen)).to.have.lengthOf(result.iterations.completed);
    }));

  it('A12 agents whose clocks are an hour apart start together', () =>
    withRedis(({ url }) =>
      serving(
        (req, res) => res.end('ok'),
        async (base, seen) => {
          const clock = {
            NODE_OPTIONS: `--import ${join(ROOT, 'test/support/clock-ahead.js')}`,
            CLOCK_AHEAD: '3600000',
          };
          const agents = [await startAgent(url, 'box-1'), await startAgent(url, 'box-2', { env: clock })];
          try {
            const out = join(folder, 'clocks.json');
            const args = [...onAgents(url, 2), '-n', '100', '-r', '100', '-c', '4', '-o', out];
            const { code, stderr } = await spawned([...args, `${base}/`]);
            expect(code, stderr).to.equal(0);
            const { loadGenerators, loadGenerator, iterations } = JSON.parse(readFileSync(out, 'utf8'));
            expect(iterations.completed).to.equal(100);
            expect(seen).to.have.lengthOf(100);
            const offsets = loadGenerators
              .map(({ clockOffset }) => Math.round(clockOffset / 60_000) + 0) // no -0
              .sort((a, b) => a - b);
            expect(offsets).to.deep.equal([0, 60]);
            expect(loadGenerator.startSkew).to.be.below(60_000);
          } finally {
            await Promise.all(agents.map((agent) => agent.stop()));
          }
        },
      ),
    ));

  it('A13 a slow agent runs its own part, and the table shows which one it is', () =>
    withRedis(({ url }) =>
      serving(
        (req, res) => void setTimeout(() => res.end('ok'), Number(req.headers['x-delay'])),
        async (base) => {
          const path = join(folder, 'slow.json');
          writeFileSync(path, JSON.stringify({ main: [{ get: `${base}/`, headers: { 'x-delay': '#{env.DELAY}' } }] }));
          const agents = await Promise.all(
            ['10', '100'].map((DELAY, i) =>
              startAgent(url, `box-${i + 1}`, { env: { DELAY }, args: ['--allow-env', 'DELAY'] }),
            ),
          );
          try {
            const out = join(folder, 'slow-result.json');
            const args = [...onAgents(url, 2), '-n', '200', '-c', '4', '-o', out];
            const { code, stderr } = await spawned([...args, path]);
            expect(code, stderr).to.equal(0);
            const { loadGenerators, iterations } = JSON.parse(readFileSync(out, 'utf8'));
            expect(iterations.completed).to.equal(200);
            const [fast, slow] = loadGenerators.toSorted((a, b) => a.name.localeCompare(b.name));
            expect({ fast: fast.iterations.started, slow: slow.iterations.started }).to.deep.equal({
              fast: 100,
              slow: 100,
            });
            expect(slow.responseTime.p99).to.be.at.least(99);
            expect(fast.iterations.completedRate).to.be.above(slow.iterations.completedRate);
          } finally {
            await Promise.all(agents.map((agent) => agent.stop()));
          }
        },
      ),
    ));
});
