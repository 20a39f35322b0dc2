import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import { parse } from 'yaml';

import { onAgents, reported, withAgents } from '../support/agents.js';
import { ROOT, spawned } from '../support/command.js';
import { withRedis } from '../support/redis.js';
import { serving } from '../support/serve.js';

const LOAD = ['-n', '40', '-c', '4', '--json'];

describe('flows on agents', () => {
  let folder; // of the command
  let disk; // of the agents
  beforeEach(() => {
    [folder, disk] = ['command', 'agent'].map((name) => mkdtempSync(join(tmpdir(), `bench-rest-${name}-`)));
    mkdirSync(join(folder, 'lib'));
  });
  afterEach(() => [folder, disk].forEach((one) => rmSync(one, { recursive: true })));

  /** Runs a story with a server and two agents; `run(args)` runs the command in its folder. */
  const stage = (story, agent = {}) =>
    withRedis(({ url, redis }) =>
      serving(
        (req, res) => res.end('ok'),
        (base, seen) => {
          const run = (args, options) => spawned([...onAgents(url, 2), ...args], { cwd: folder, ...options });
          const code = `import { hook } from './lib/hook.js'; export default [{ get: '${base}/', beforeHooks: [hook] }];`;
          writeFileSync(join(folder, 'flow.js'), code);
          writeFileSync(
            join(folder, 'lib/hook.js'),
            "export function hook(all) {\n  all.requestOptions.headers = { x: 'hooked' };\n  return all;\n}\n",
          );
          return withAgents(url, ['box-1', 'box-2'], () => story({ run, base, seen, redis }), { cwd: disk, ...agent });
        },
      ),
    );

  it('code runs on agents that allow it, with the files of --agents-include', () =>
    stage(
      async ({ run, base, seen }) => {
        writeFileSync(join(folder, 'value.txt'), 'included-');
        writeFileSync(
          join(folder, 'flow.js'),
          `import { readFileSync } from 'node:fs';
          import { hook } from './lib/hook.js';
          const name = readFileSync(new URL('value.txt', import.meta.url), 'utf8');
          export default [{ get: '${base}/' + name, beforeHooks: [hook] }];`,
        );
        const { code, stderr } = await run([...LOAD, '--agents-include', 'value.txt', 'flow.js']);
        expect(code, stderr).to.equal(0);
        expect(seen.map(({ url, headers }) => url + headers.x)).to.deep.equal(Array(40).fill('/included-hooked'));
      },
      { args: ['--allow-code'] },
    ));

  it('code that is not allowed is refused, with both remedies, until its files are on the disk of the agents', () =>
    stage(async ({ run, seen }) => {
      const refused = await run([...LOAD, 'flow.js']);
      expect(refused.code).to.not.equal(0);
      expect(refused.stderr.replaceAll(/\s+/g, ' ')).to.match(
        /agent box-\d: flow\.js is code, .*flow\.js is missing.*--allow-code, or put the files/,
      );
      expect(seen).to.have.lengthOf(0);
      cpSync(folder, disk, { recursive: true });
      const { code, stderr } = await run([...LOAD, 'flow.js']);
      expect(code, stderr).to.equal(0);
      expect(seen).to.have.lengthOf(40);
    }));

  it('A16 no secret is in Redis during a run, and agents send their own', () =>
    stage(
      async ({ run, base, seen, redis }) => {
        writeFileSync(
          join(folder, 'flow.json'),
          JSON.stringify([{ get: `${base}/`, headers: { 'x-token': '#{env.TOKEN}' } }]),
        );
        let stored = '';
        const args = ['--forever', '-r', '40', '-c', '4', '--json', 'flow.json'];
        const { code, stderr } = await run(args, {
          env: { TOKEN: 'CANARY-of-command', BENCH_REST_PASSWORD: 'CANARY-password', BENCH_REST_USER: 'CANARY-user' },
          async act(child) {
            await reported(redis, 2, 5);
            for (const key of await redis.keys('*')) stored += (await redis.dump(key).catch(() => null)) ?? '';
            for (const key of await redis.keys('*'))
              if ((await redis.type(key)) === 'hash') stored += JSON.stringify(await redis.hgetall(key));
            child.kill('SIGINT');
          },
        });
        expect(code, stderr).to.equal(100);
        expect(stored).to.include('#{env.TOKEN}').and.not.include('CANARY');
        expect(new Set(seen.map(({ headers }) => headers['x-token']))).to.deep.equal(new Set(['of-agent']));
        expect(seen[0].headers.authorization).to.equal(`Basic ${Buffer.from('me:own').toString('base64')}`);
      },
      { args: ['--allow-env', 'TOKEN'], env: { TOKEN: 'of-agent', BENCH_REST_USER: 'me', BENCH_REST_PASSWORD: 'own' } },
    ));
});

describe('examples/docker-compose.yaml, as processes', () => {
  it('runs on its agents', () => {
    const { services } = parse(readFileSync(join(ROOT, 'examples/docker-compose.yaml'), 'utf8'));
    const { agent, run } = services;
    return withRedis(({ url }) =>
      serving(
        (req, res) => res.end('ok'),
        (base) => {
          const here = { 'redis://redis:6379': url, 'http://target/': `${base}/`, '10s': '1s' };
          const local = (words) => words.map((word) => here[word] ?? word);
          const names = Array.from({ length: agent.deploy.replicas }, (_, i) => `agent-${i + 1}`);
          const args = local(agent.command).slice(1);
          return withAgents(
            url,
            names,
            async () => {
              const { code, stdout, stderr } = await spawned([...local(run.command), '--json']);
              expect(code, stderr).to.equal(0);
              expect(
                JSON.parse(stdout)
                  .loadGenerators.map(({ name }) => name)
                  .sort(),
              ).to.deep.equal(names);
            },
            { args },
          );
        },
      ),
    );
  });
});
