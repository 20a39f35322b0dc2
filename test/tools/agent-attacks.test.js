import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { KEYS, PROTOCOL, pack } from '../../lib/addons/agents/protocol.js';
import { reportName } from '../../lib/addons/agents/report.js';
import { PREPARE } from '../../lib/addons/agents/run-control.js';
import { Seal } from '../../lib/addons/agents/seal.js';
import { onAgents, reported, startAgent, withAgents } from '../support/agents.js';
import { spawned } from '../support/command.js';
import { LAYER, fileOf, forgerOf, urlsOf } from '../support/forger.js';
import { withRedis } from '../support/redis.js';
import { SECRET } from '../support/seal.js';
import { serving } from '../support/serve.js';
import { until } from '../support/until.js';

const oneLine = (text) => text.replaceAll(/\s+/g, ' ');
const parsed = (text) => JSON.parse(text);

describe('attacks by the queue', () => {
  let folder;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs a story with a Redis, a server, one agent and a program that forges orders. */
  const stage = (story, { agent = {}, forger = {}, answer = (req, res) => res.end('ok') } = {}) =>
    withRedis((queue) =>
      serving(answer, (base, seen) =>
        withAgents(
          queue.url,
          ['box'],
          ([box]) => story({ agent: box, forger: forgerOf(queue, forger), base, seen, ...queue }),
          { cwd: folder, ...agent },
        ),
      ),
    );

  /** Orders what an agent runs, so that it is known to be alive. */
  const runs = async ({ forger, agent, redis }, work) => {
    const before = agent.said.text.length;
    const run = await forger.order(work);
    await until(() => /runs shard 1 of 1/.test(agent.said.text.slice(before)));
    const starting = async (sequence) => {
      await forger.control(run, { ...PREPARE, order: 'start', startAt: 0 }, { sequence });
      await until(() => /shard 1 of 1: /.test(agent.said.text.slice(before)));
    };
    await starting(2);
    await redis.del(KEYS.control(run));
    return oneLine(agent.said.text.slice(before));
  };

  it('A60 no property that is not declared has an effect, at any level', () =>
    stage(
      async (context) => {
        const { agent, forger, base, seen } = context;
        const canary = join(folder, 'canary');
        const evil = `{ main: [], x: (() => { process.getBuiltinModule('fs').writeFileSync('${canary}', 'x') })() }`;
        writeFileSync(join(folder, 'evil.js'), `export default ${evil}`);
        const url = `${base}/forged`;
        const flow = urlsOf(url);
        const layer = (options) => ({ flow, config: { name: 'c', options } });
        const orders = [
          [{ flow: urlsOf(url, { evaluate: evil }) }, 'source.evaluate: unknown property'],
          [{ flow: urlsOf(url, { argument: 'evil.js' }) }, 'source.argument: unknown property'],
          [{ flow: urlsOf(url, { file: 'evil.js' }) }, 'source.file: unknown property'],
          [{ flow: urlsOf(url, { bytes: [1], from: 'x' }) }, 'source.bytes: unknown property'],
          [{ flow: urlsOf(url, { recording: {} }) }, 'source.recording: unknown property'],
          [{ flow: { ...flow, source: { evaluate: evil } } }, 'source.kind: expected urls or file'],
          [{ flow: { ...flow, source: { kind: 'evaluate', evaluate: evil } } }, 'source.kind: expected urls or file'],
          [{ flow: { ...flow, source: { kind: ['urls'], urls: [url] } } }, 'source.kind: expected urls or file'],
          [
            {
              flow: { ...flow, source: parsed(`{ "__proto__": { "evaluate": "1" }, "kind": "urls", "urls": ["x"] }`) },
            },
            '__proto__: unknown',
          ],
          [
            { flow: { ...flow, source: { kind: 'urls', urls: { 0: url, length: 1, every: 1 } } } },
            'urls: expected an array',
          ],
          [{ flow: { ...flow, source: { kind: 'urls', urls: Array(20_000).fill(url) } } }, 'urls: expected 1 to'],
          [{ flow: { ...flow, source: { kind: 'file', file: '../evil.js' } } }, 'expected the name of a file'],
          [{ flow: { ...flow, kind: 'code' } }, 'a URL is no code'],
          [{ flow: { ...flow, allowCode: true } }, 'flow.allowCode: unknown property'],
          [{ flow: { ...flow, files: [{ name: 'x', encoding: 'utf8', content: 'x', mode: 511 }] } }, 'files[0].mode'],
          [{ flow, commandLine: [{ ...LAYER, path: '/etc/passwd' }] }, 'commandLine[0].path: unknown property'],
          [{ flow, commandLine: 'x' }, 'commandLine: expected an array'],
          [{ flow, evaluate: evil }, 'work.evaluate: unknown property'],
          [{ flow, 'ключ\u202e': 1 }, 'unknown property'],
          [layer({ start: `touch ${canary}` }), 'its option start'],
          [layer({ nonsense: 1 }), 'nonsense'],
          [layer(parsed('{ "__proto__": { "start": "touch x" } }')), '__proto__'],
          [
            {
              flow: {
                ...fileOf({}),
                source: { kind: 'file', file: 'evil.mjs' },
                files: [{ name: 'evil.mjs', encoding: 'utf8', content: `export default ${evil}` }],
              },
            },
            'evil.mjs is code',
          ],
          [{ flow: fileOf({ main: [{ get: `${base}/#{env.CANARY}` }] }) }, '--allow-env CANARY'],
        ];
        for (const [i, [work, reason]] of orders.entries()) {
          await forger.order(work);
          expect(oneLine(await forger.refusal(agent, i + 1)), reason).to.include(reason);
        }
        const count = orders.length;
        for (const [i, shard] of [{ evil: 1 }, { number: 0 }, { number: 2 }, { number: '1' }, { run: {} }].entries()) {
          await forger.order({ flow }, { shard });
          expect(await forger.refusal(agent, count + i + 1)).to.match(/shard/);
        }
        expect(existsSync(canary)).to.equal(false);
        expect(seen).to.deep.equal([]);
        expect(agent.said.text).to.not.match(/[\u202e]/);
        expect(await runs(context, { flow: urlsOf(`${base}/good`) })).to.match(/shard 1 of 1: completed/);
        expect(seen.map((one) => one.url)).to.deep.equal(['/good']);
      },
      { agent: { env: { CANARY: 'of the agent' } } },
    ));

  it('A61 an agent with a secret refuses orders that are not signed, changed, expired, of another pool or purpose, or copied', () =>
    stage(
      async (context) => {
        const { agent, forger, redis, url, base, seen } = context;
        const flow = urlsOf(`${base}/good`);
        const stranger = forgerOf({ url, redis }, { target: SECRET });
        const other = forgerOf({ url, redis }, { secret: `${SECRET}!`, target: SECRET });
        const berlin = forgerOf({ url, redis }, { secret: SECRET, pool: 'berlin' });
        const shard = { protocol: PROTOCOL, run: 'r9', number: 1, of: 1 };
        const signed = await forger.sealed('shard', 'default', shard);
        const changed = (text) => text.replace('"number":1', '"number":1 ');
        let count = 0;
        const expectRefusal = async (reason) =>
          expect(oneLine(await forger.refusal(agent, ++count)), reason).to.include(reason);

        await stranger.order({ flow });
        await expectRefusal('the shard of a run from the queue is not signed; set the same BENCH_REST_QUEUE_SECRET');
        for (const one of [other, berlin]) {
          await one.order({ flow });
          await expectRefusal('was changed, or is signed with another secret or for another pool');
        }
        await forger.order({ flow }, { run: 'r9', raw: { shard: { sealed: changed(signed) } } });
        await expectRefusal('was changed');
        await forger.order({ flow }, { raw: { shard: { sealed: await forger.sealed('work', 'default', shard) } } });
        await expectRefusal('was changed');
        await forger.order({ flow }, { raw: { shard: { sealed: await forger.sealed('report', 'default', shard) } } });
        await expectRefusal('was changed');
        await forger.order({ flow }, { options: { lifeMs: -1 } });
        await expectRefusal('has expired');
        for (const raw of [{ sealed: '' }, { sealed: 5 }, {}, { sealed: '1 1 -\n{}' }, { sealed: 'x'.repeat(1e6) }]) {
          await forger.order({ flow }, { raw: { shard: raw } });
          await expectRefusal('the shard of a run from the queue');
        }
        // signed orders with one message of somebody else
        const mixed = await forger.sealed('shard', 'default', { ...shard, run: 'r10' });
        await forger.order({ flow }, { run: 'r10', control: null, raw: { shard: { sealed: mixed } } });
        await until(
          async () =>
            (await redis.llen(
              `bench-rest:${KEYS.shards('default', new Seal({ secret: SECRET, pool: 'default' }))}:wait`,
            )) === 0,
        );
        await stranger.control('r11', PREPARE);
        const third = await forger.sealed('shard', 'default', { ...shard, run: 'r11' });
        await forger.order({ flow }, { run: 'r11', control: null, raw: { shard: { sealed: third } } });
        await expectRefusal('the control of a run from the queue is not signed');
        const work = await stranger.sealed('work', 'default', {
          protocol: PROTOCOL,
          run: 'r12',
          flow,
          config: LAYER,
          commandLine: [],
        });
        await forger.order({ flow }, { run: 'r12', raw: { work: { sealed: work } } });
        await expectRefusal('the flow of a run from the queue is not signed');
        expect(seen).to.deep.equal([]);

        expect(await runs(context, { flow })).to.match(/shard 1 of 1: completed/);
        expect(seen).to.have.lengthOf(1);
        const copy = await forger.order({ flow }, { run: 'r13' });
        await until(() => agent.said.text.split('runs shard').length === 3);
        await forger.control(copy, { ...PREPARE, order: 'start', startAt: 0 }, { sequence: 2 });
        await until(() => seen.length === 2);
        // until then it reads its control, which the copy writes again
        await until(() => agent.said.text.split('shard 1 of 1: completed').length === 3);
        await forger.order({ flow }, { run: 'r13' });
        await expectRefusal('shard 1 of 1 from the queue has begun before: it may be a copy');
        expect(seen).to.have.lengthOf(2);
      },
      { agent: { env: { BENCH_REST_QUEUE_SECRET: SECRET } }, forger: { secret: SECRET } },
    ));

  it('A61 a running shard obeys no control that is not signed, or older than the last one', () =>
    stage(
      async ({ agent, forger, redis, url, base, seen }) => {
        const stranger = forgerOf({ url, redis }, { target: SECRET });
        const options = { iterations: 100_000, limit: 1, rate: 20 };
        const run = await forger.order({
          flow: urlsOf(`${base}/`),
          config: { name: 'c', options: {} },
          commandLine: [{ name: 'f', options }],
        });
        await agent.heard(/runs shard/);
        await forger.control(run, { ...PREPARE, order: 'start', startAt: 0 }, { sequence: 5 });
        await until(() => seen.length > 3);
        await stranger.control(run, { ...PREPARE, order: 'abort' }, { sequence: 9 });
        await until(() => /control of a run from the queue is not signed/.test(oneLine(agent.said.text)));
        await forger.control(run, { ...PREPARE, order: 'abort' }, { sequence: 4 });
        await until(() => /is a copy of an older one/.test(oneLine(agent.said.text)));
        const count = seen.length;
        await forger.control(run, { ...PREPARE, order: 'start', startAt: 0 }, { sequence: 6 });
        await until(() => seen.length > count + 5);
        await forger.control(run, { ...PREPARE, order: 'abort' }, { sequence: 7 });
        await agent.heard(/shard 1 of 1: aborted/);
      },
      { agent: { env: { BENCH_REST_QUEUE_SECRET: SECRET } }, forger: { secret: SECRET } },
    ));

  it('A62 command and agents need the same secret, and say so on both sides', () =>
    withRedis(({ url }) =>
      serving(
        (req, res) => res.end('ok'),
        async (base, seen) => {
          const file = join(folder, 'secret');
          writeFileSync(file, `${SECRET}\n`);
          const run = (env, pool, timeout = '2s') =>
            spawned(
              [
                '--agents',
                '1',
                '--agents-queue',
                url,
                '--agents-pool',
                pool,
                '--agents-timeout',
                timeout,
                '-n',
                '4',
                `${base}/`,
              ],
              { env },
            );
          const start = (name, env) => startAgent(url, name, { args: ['--pool', name], env });
          const signing = await start('signing', { BENCH_REST_QUEUE_SECRET: SECRET });
          const open = await start('open', { BENCH_REST_PASSWORD: 'pw-of-agent' });
          try {
            // printed after the line by which an agent is known to be ready
            await signing.heard(/run no code/);
            await open.heard(/run no code/);
            expect(oneLine(signing.said.text)).to.include(
              'Only commands that have its BENCH_REST_QUEUE_SECRET can use it',
            );
            expect(oneLine(open.said.text))
              .to.include('Everyone who can write to redis://')
              .and.include('with the credentials of BENCH_REST_PASSWORD,')
              .and.not.include('pw-of-agent');
            for (const [env, pool, reason] of [
              [{}, 'signing', /signing is not used: .* is signed, and BENCH_REST_QUEUE_SECRET is not set here/],
              [{ BENCH_REST_QUEUE_SECRET: SECRET }, 'open', /open is not used: .* is not signed/],
              [{ BENCH_REST_QUEUE_SECRET: `${SECRET}2` }, 'signing', /is signed with another secret/],
            ]) {
              const { code, stderr } = await run(env, pool);
              expect(code, stderr).to.equal(9);
              expect(oneLine(stderr)).to.match(reason).and.include('set the same BENCH_REST_QUEUE_SECRET');
            }
            expect(seen).to.deep.equal([]);
            const good = await run({ BENCH_REST_QUEUE_SECRET_FILE: file }, 'signing', '60s');
            expect(good.code, good.stderr).to.equal(0);
            expect(seen).to.have.lengthOf(4);
          } finally {
            await Promise.all([signing, open].map((agent) => agent.stop()));
          }
        },
      ),
    ));

  it('A71 agents of another secret are left out by name, and the run goes on with the others or is refused', () =>
    withRedis(({ url }) =>
      serving(
        (req, res) => res.end('ok'),
        async (base, seen) => {
          const env = { BENCH_REST_QUEUE_SECRET: SECRET };
          const agents = await Promise.all([
            startAgent(url, 'box-1', { env }),
            startAgent(url, 'box-2', { env: { BENCH_REST_QUEUE_SECRET: `${SECRET}2` } }),
            startAgent(url, 'box-3', { env: {} }),
          ]);
          const run = (count, timeout) => {
            const args = [...onAgents(url, count), '--agents-timeout', timeout, '-n', '4', '-c', '2'];
            return spawned([...args, `${base}/`], { env });
          };
          const strangers = /box-2 is not used: .* signed with another secret.*box-3 is not used: .* is not signed/;
          try {
            // it takes no shard of the run, whose count of agents is that of the others
            for (let i = 0; i < 2; i++) {
              const { code, stderr } = await run('1', '60s');
              expect(code, stderr).to.equal(0);
              expect(oneLine(stderr)).to.match(strangers);
            }
            const { code, stderr } = await run('2', '2s');
            expect(code, stderr).to.equal(9);
            expect(oneLine(stderr)).to.match(strangers).and.include('1 of 2');
            expect(seen).to.have.lengthOf(8);
            for (const { said } of agents.slice(1)) expect(said.text).to.not.include('refused');
          } finally {
            await Promise.all(agents.map((agent) => agent.stop()));
          }
        },
      ),
    ));

  it('A62 a secret that is too short, or given twice, is refused', async () => {
    for (const [env, reason] of [
      [{ BENCH_REST_QUEUE_SECRET: 'short' }, /expected at least 16 characters/],
      [{ BENCH_REST_QUEUE_SECRET: '' }, /expected at least 16 characters/],
      [{ BENCH_REST_QUEUE_SECRET: SECRET, BENCH_REST_QUEUE_SECRET_FILE: 'x' }, /set either/],
      [{ BENCH_REST_QUEUE_SECRET_FILE: join(folder, 'none') }, /does not exist/],
    ]) {
      const { code, stderr } = await spawned(['agent', '--queue', 'redis://127.0.0.1:1'], { env });
      expect(code, stderr).to.not.equal(0);
      expect(oneLine(stderr)).to.match(reason).and.not.include('short"');
    }
  });

  it('A61 a forged report is named, and the run goes on', () =>
    stage(
      async ({ url, redis, base }) => {
        const stranger = forgerOf({ url, redis }, { target: SECRET });
        const { code, stderr, stdout } = await spawned(
          [...onAgents(url, 1), '-n', '200', '-r', '40', '-c', '2', '--json', `${base}/`],
          {
            env: { BENCH_REST_QUEUE_SECRET: SECRET },
            async act(_child, heard) {
              let isNamed = false;
              void heard(/is\s+not\s+signed/).then(() => (isNamed = true));
              await reported(redis, 1, 10);
              const [key] = await redis.keys('bench-rest:report:*');
              const [, , run] = key.split(':');
              const body = await pack({ protocol: PROTOCOL, state: 'ended' });
              const message = await stranger.sealed('report', reportName(run, 1), body.toString('latin1'));
              // it is read once a second, or later; the end of the run ends this, too
              while (!isNamed) {
                await redis.set(key, message);
                await wait(100);
              }
            },
          },
        );
        expect(code, stderr).to.equal(0);
        expect(oneLine(stderr)).to.include('shard 1: the report of an agent from the queue is not signed');
        expect(parsed(stdout).iterations.completed).to.equal(200);
      },
      { agent: { env: { BENCH_REST_QUEUE_SECRET: SECRET } } },
    ));

  it('A61 a coordinator that reads forged reports stops at Ctrl-C', () =>
    withRedis(({ url, redis }) =>
      serving(
        (req, res) => res.end('ok'),
        (base) =>
          withAgents(url, ['box-1', 'box-2'], async () => {
            // the longest ones that are read: a text, and as many values as there may be
            const forged = [
              `"${'x'.repeat(60e6)}"`,
              `[${'[],'.repeat(400_000)}1]`,
              `{"stats":{"series":{"interval":0}}}`,
            ].map((text) => Buffer.concat([Buffer.from('1 1 -\n'), gzipSync(text)]));
            const { code, stderr, stdout } = await spawned(
              [...onAgents(url, 2), '--forever', '-r', '20', '-c', '2', '--json', `${base}/`],
              {
                async act(child) {
                  await reported(redis, 2, 5);
                  const [key] = (await redis.keys('bench-rest:report:*')).filter((one) => one.endsWith(':1'));
                  for (const bytes of forged) {
                    await redis.set(key, bytes);
                    await wait(300);
                  }
                  child.kill('SIGINT');
                },
              },
            );
            expect(code, stderr).to.be.oneOf([9, 100]);
            const { agents, run } = parsed(stdout);
            expect(run.endReason).to.equal('SIGINT');
            expect(JSON.stringify(agents)).to.include('lost');
          }),
      ),
    ));

  it('A63 a flow reads the variables that the agent names, and no others', () =>
    stage(
      async (context) => {
        const { base, seen } = context;
        const flow = fileOf({ main: [{ get: `${base}/#{env.SHOWN}` }] });
        expect(await runs(context, { flow })).to.match(/shard 1 of 1: completed/);
        expect(seen.map((one) => one.url)).to.deep.equal(['/yes']);
        await context.forger.order({ flow: fileOf({ main: [{ get: `${base}/#{env.HIDDE}` }] }) });
        const said = oneLine(await context.forger.refusal(context.agent, 1));
        expect(said).to.include('by --allow-env HIDDE').and.not.include('HIDDEN');
        expect(seen).to.have.lengthOf(1);
      },
      { agent: { args: ['--allow-env', 'OTHER,SHOWN'], env: { SHOWN: 'yes', HIDDEN: 'no' } } },
    ));

  it('A64 an agent with targets sends nothing elsewhere, and counts what it refused', () =>
    serving(
      (req, res) => res.end('ok'),
      (elsewhere, strayed) =>
        withRedis((queue) =>
          serving(
            (req, res) => {
              if (req.url !== '/redirect')
                return res.end(JSON.stringify({ url: `${elsewhere}/captured`, host: new URL(elsewhere).host }));
              res.writeHead(302, { location: `${elsewhere}/redirected` });
              return res.end();
            },
            async (base, seen) => {
              const args = ['--allow-target', new URL(base).host];
              await withAgents(
                queue.url,
                ['box'],
                async ([agent]) => {
                  const context = { agent, forger: forgerOf(queue), redis: queue.redis };
                  const get = { get: `${base}/`, capture: { url: { json: '$.url' }, host: { json: '$.host' } } };
                  for (const [i, flow] of [
                    { main: [{ get: `${elsewhere}/` }] },
                    { baseUrl: elsewhere, main: [{ get: '/' }] },
                    { main: [{ get: `${base}/`, proxy: elsewhere }] },
                    { main: [{ ws: elsewhere.replace('http', 'ws'), send: 'x' }] },
                    { main: ['http://0.0.0.0:1/'] },
                  ].entries()) {
                    await context.forger.order({ flow: fileOf(flow) });
                    expect(oneLine(await context.forger.refusal(agent, i + 1))).to.include('--allow-target');
                  }
                  expect(seen).to.deep.equal([]);
                  const path = join(folder, 'flow.json');
                  for (const flow of [
                    [get, { get: '#{url}' }],
                    [`${base}/redirect`],
                    [get, { get: 'http://#{host}/' }],
                  ]) {
                    writeFileSync(path, JSON.stringify({ main: flow }));
                    const all = [...onAgents(queue.url, 1), '-n', '2', '--json', path];
                    const { stdout, stderr } = await spawned(all, { cwd: folder });
                    const { errors, iterations } = parsed(stdout || '{}');
                    expect(iterations?.failed, stderr).to.equal(2);
                    expect(errors.count).to.equal(2);
                    expect(JSON.stringify(errors)).to.include('E_TARGET_REFUSED').and.include('--allow-target');
                  }
                  expect(new Set(seen.map((one) => one.url))).to.deep.equal(new Set(['/', '/redirect']));
                },
                { args },
              );
              expect(strayed).to.deep.equal([]);
            },
          ),
        ),
    ));

  it('A66 a flow on the disk of the agent reads no files but its own', () => {
    const content = 'export default [`http://127.0.0.1:1/`];';
    writeFileSync(join(folder, 'flow.js'), content);
    writeFileSync(join(folder, 'flow.json'), '["http://127.0.0.1:1/"]');
    writeFileSync(join(folder, 'beside.pem'), 'x');
    const digest = (name, text) => ({ name, sha256: createHash('sha256').update(text).digest('hex') });
    return stage(async ({ agent, forger }) => {
      let count = 0;
      for (const disk of [digest('flow.js', content), digest('flow.json', '["http://127.0.0.1:1/"]')])
        for (const options of [
          { ca: '/etc/hostname' },
          { ca: '/none' },
          { key: { file: '/etc/hostname' } },
          { cert: 'beside.pem' },
          { ca: ['./flow.pem', '../x'] },
          { pfx: '/etc/hostname' },
        ]) {
          const flow = { kind: 'disk', name: 'x', hash: 'x', folder: '', files: [], disk: [disk] };
          const source = { kind: 'file', file: disk.name };
          await forger.order({ flow: { ...flow, source }, commandLine: [LAYER, { name: 'evil', options }] });
          const said = oneLine(await forger.refusal(agent, ++count));
          expect(said, JSON.stringify(options)).to.include('is outside of the folder that the flow may read');
        }
    });
  });

  it('A65 the folder of a killed agent is removed by the next one', () =>
    stage(
      async ({ agent, forger, base, url }) => {
        const left = () => readdirSync(folder).filter((name) => name.startsWith('bench-rest-flow-'));
        const run = await forger.order({ flow: urlsOf(`${base}/`) });
        await agent.heard(/runs shard/);
        await until(() => left().length === 1);
        expect(run).to.be.a('string');
        await agent.stop();
        expect(left()).to.have.lengthOf(1);
        const next = await startAgent(url, 'next', { env: { TMPDIR: folder } });
        expect(left()).to.deep.equal([]);
        await next.stop();
      },
      {
        agent: {
          env: {
            get TMPDIR() {
              return folder;
            },
          },
        },
      },
    ));
});
