import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../index.js';
import { missingIn } from '../lib/core/measure/validity.js';
import { toCommonTime } from '../lib/core/run/clock.js';
import { command } from './support/command.js';
import { serving } from './support/serve.js';
import { itSlow } from './support/slow.js';
import { suiteHere } from './support/threads-here.js';

/** Keeps the paths of all requests, and the time of each. */
function recording() {
  const seen = [];
  return { seen, answer: (req, res) => void (seen.push(req.url), res.end('{}')) };
}

const numbersOf = (seen) => seen.map((path) => Number(path.slice(1))).sort((a, b) => a - b);
const range = (count) => Array.from({ length: count }, (_, i) => i);

describe('shards', () => {
  suiteHere('workers');

  let folder;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-shards-'))));
  after(() => rmSync(folder, { recursive: true }));
  const at = (name) => join(folder, name);
  const json = (name) => JSON.parse(readFileSync(at(name), 'utf8'));

  for (const [what, load] of [
    ['a closed model', { iterations: 50, limit: 7 }],
    ['an arrival rate', { iterations: 50, limit: 7, rate: 500 }],
    ['poisson arrivals', { iterations: 50, limit: 7, rate: 500, arrival: 'poisson' }],
    ['stages', { iterations: 50, limit: 7, stages: ['100ms:500', '1h:500'] }],
    ['preallocated requests', { iterations: 50, limit: 7, prealloc: 30 }],
    ['a warm-up', { iterations: 50, limit: 7, warmup: '20ms' }],
  ])
    itSlow(`${what}: every INDEX runs in one shard`, () => {
      const { seen, answer } = recording();
      return serving(answer, async (url) => {
        for (const number of [1, 2, 3]) {
          const { stats } = await benchrest({ get: `${url}/#{INDEX}` }, { ...load, shard: `${number}/3` });
          expect(stats.iterations.completed).to.equal(number < 3 ? 17 : 16);
        }
        const measured = numbersOf(seen).filter((index) => index < 1e12);
        expect(measured).to.deep.equal(range(50));
      });
    });

  it('shards have the rows of data, the random tokens and the scenarios of the whole run', () => {
    const { seen, answer } = recording();
    return serving(answer, async (url) => {
      const get = (name) => ({ main: [{ get: `${url}/${name}/#{INDEX}/#{users.name}/#{randomInt(1,100000)}` }] });
      const flow = {
        data: { users: { rows: [{ name: 'ann' }, { name: 'bob' }, { name: 'eve' }], order: 'random' } },
        scenarios: { a: { weight: 2, ...get('a') }, b: { weight: 1, ...get('b') } },
      };
      const load = { iterations: 30, limit: 6, seed: 7 };
      await benchrest(flow, load);
      const whole = seen.splice(0).sort();
      for (const number of [1, 2, 3]) await benchrest(flow, { ...load, shard: { number, of: 3 } });
      expect(seen.sort()).to.deep.equal(whole);
    });
  });

  it('workers of a shard take its iterations and its virtual users', () => {
    const { seen, answer } = recording();
    return serving(answer, async (url) => {
      writeFileSync(at('flow.json'), JSON.stringify({ main: [{ get: `${url}/#{INDEX}` }] }));
      for (const number of [1, 2]) {
        const { stats } = await benchrest(at('flow.json'), {
          iterations: 40,
          limit: 5,
          workers: 2,
          shard: { number, of: 2 },
        });
        expect(stats.virtualUsers.started).to.be.at.most(number === 1 ? 3 : 2);
      }
      expect(numbersOf(seen)).to.deep.equal(range(40));
    });
  });

  it('SHARD in the environment, which other tools set, divides no run', () => {
    const { seen, answer } = recording();
    return serving(answer, async (url) => {
      const args = ['-n', '4', '-c', '2', `${url}/#{INDEX}`];
      await command(args, { env: { SHARD: '1/2' } });
      expect(numbersOf(seen)).to.deep.equal(range(4));
    });
  });

  itSlow('shards are merged to the result of one run', () => {
    const { seen, answer } = recording();
    return serving(answer, async (url) => {
      const run = (shard) =>
        command(
          ['-n', '30', '-c', '3', '--run-id', 'seven', '-o', at(`${shard[0]}.json`), '--quiet', `${url}/#{INDEX}`],
          { env: { BENCH_REST_SHARD: shard } },
        );
      for (const shard of ['1/3', '2/3', '3/3']) {
        expect(await run(shard)).to.include({ code: 0, stderr: '' });
        // as on a machine of its own
        const result = json(`${shard[0]}.json`);
        writeFileSync(at(`${shard[0]}.json`), JSON.stringify({ ...result, measuredAt: '2026-11-22T12:00:00.000Z' }));
      }
      expect(numbersOf(seen)).to.deep.equal(range(30));
      const { code, stdout } = await command(['merge', ...[1, 2, 3].map((i) => at(`${i}.json`)), '-o', at('all.json')]);
      expect(code).to.equal(0);
      expect(stdout).to.match(/3 of 3 shards, started within [\d.]+ ms/);
      const all = json('all.json');
      expect(all.run.shards).to.deep.equal({ merged: 3, of: 3 });
      expect(all.iterations).to.include({ started: 30, completed: 30 });
      expect(all.main.histogram.count).to.equal(30);
      expect(all.run.id).to.equal('seven');
      expect(all.run.loads[0].text).to.equal('30 iterations, 3 virtual users, by 3 shards');
      expect(all.loadGenerators.map(({ shard }) => shard.number)).to.deep.equal([1, 2, 3]);
      for (const { machine, iterations, loadGenerator } of all.loadGenerators) {
        expect(machine.cores).to.be.at.least(1);
        expect([iterations.started, loadGenerator.saturated]).to.deep.equal([10, false]);
      }
      const judged = await command([
        'merge',
        ...[1, 2, 3].map((i) => at(`${i}.json`)),
        '--threshold',
        'iterations.started>29',
        '--json',
      ]);
      expect(judged.code, judged.stderr).to.equal(0);
      expect(JSON.parse(judged.stdout).thresholds).to.deep.equal([
        {
          expression: 'iterations.started>29',
          figure: 'iterations.started',
          of: {},
          ...{ operator: '>', bound: 29, actual: 30, unit: '', passed: true },
        },
      ]);
      const some = await command(['merge', at('1.json'), at('3.json')]);
      expect(some.code).to.equal(2);
      expect(some.stderr).to.match(/shard 1 of 3, and shard 2 is missing/);
      const partial = await command(['merge', '--partial', '--json', at('1.json'), at('3.json')]);
      expect(missingIn(JSON.parse(partial.stdout))).to.deep.equal([
        'shard 2 is missing, of 3',
        '10 of 30 planned iterations are missing: shards that were lost or stopped did not start or report them',
      ]);
    });
  });

  it('a run waits for its start, and says when its measurement began', () =>
    serving(
      (req, res) => res.end(),
      async (url) => {
        const startAt = new Date(Date.now() + 300).toISOString();
        const { stats } = await benchrest(url, { iterations: 1, limit: 1, startAt });
        // the clock of the run and the wall clock are read one after the other
        expect(Date.parse(stats.measuredAt)).to.be.at.least(Date.parse(startAt) - 100);
        expect(stats.iterations.completed).to.equal(1);
      },
    ));

  for (const workers of [undefined, 2])
    it(`a part of a run says once when all its threads have started, ${workers ? 'with workers' : 'without workers'}`, () =>
      serving(
        (req, res) => res.end(),
        async (url) => {
          const started = [];
          const run = benchrest(url, { iterations: 4, limit: 2, workers });
          let agreed;
          run.agreement = {
            ready: async () => toCommonTime((agreed = performance.now() + 30)),
            started: (instant) => started.push(instant),
          };
          await run;
          expect(started).to.have.length(1);
          expect(started[0]).to.be.at.least(agreed - 1);
          expect(started[0]).to.be.below(performance.now());
        },
      ));

  it('a stop ends the wait for the start', async () => {
    const run = benchrest('http://127.0.0.1:1/', { iterations: 1, limit: 1, startAt: '2100-01-01T00:00:00Z' });
    run.on('start', () => setImmediate(() => run.stop()));
    const { stats } = await run;
    expect(stats.iterations.started).to.equal(0);
  });

  for (const [options, says] of [
    [{ shard: '3/2' }, /runOptions\.shard: expected a shard such as 1\/3/],
    [{ shard: 'auto/2' }, /JOB_COMPLETION_INDEX/],
    [{ shard: '1/20' }, /10 virtual users cannot be divided by 20 shards/],
    [{ shard: '1/8', iterations: 5 }, /5 iterations cannot be divided by 8 shards/],
    [{ shard: '1/5', workers: 3 }, /3 workers need at least as many virtual users, got 2 of limit 10/],
    [{ startAt: '2026-11-22T12:00:00' }, /has no time zone/],
    [{ runId: 'a b' }, /runOptions\.runId: expected up to 100 letters/],
  ])
    it(`${JSON.stringify(options)} is refused`, () =>
      expect(() => benchrest('http://127.0.0.1:1/', { iterations: 100, limit: 10, ...options })).to.throw(says));
});
