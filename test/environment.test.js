import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../index.js';
import { commandHere, command as run, spawned } from './support/command.js';
import { ok, serving } from './support/serve.js';
import { itSlow } from './support/slow.js';
import { here } from './support/threads-here.js';

const SECRET = 'w7-secret "é"';

describe('variables of the environment', () => {
  let folder;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    process.env.BENCH_REST_TEST_KEY = SECRET;
  });
  afterEach(() => {
    delete process.env.BENCH_REST_TEST_KEY;
    rmSync(folder, { recursive: true });
  });
  const write = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it('a file of variables that is a FIFO is refused without waiting for a writer', async () => {
    if (process.platform === 'win32') return;
    execFileSync('mkfifo', [join(folder, 'fifo')]);
    const { code, stderr } = await commandHere(['--dotenv', join(folder, 'fifo'), 'http://127.0.0.1:1/']);
    expect(code).to.equal(2);
    expect(stderr.replace(/\s+/g, ' ')).to.include('fifo is a FIFO, not a regular file');
  });

  itSlow('X13 stand anywhere in a flow, encoded like the text around them, and are hidden in all output', () =>
    serving(ok, async (url, seen) => {
      const flow = write(
        'flow.yaml',
        [
          "baseUrl: '#{env.BASE}'",
          "headers: { x-client: '#{env.KIND}' }",
          "main: [{ put: '/x', qs: { k: '#<env.BENCH_REST_TEST_KEY>' }, json: { key: '#{env.BENCH_REST_TEST_KEY}', type: '#{env.KIND}' } }]",
        ].join('\n'),
      );
      const env = write('.env', `# where\nBASE=${url}\nKIND='w7-kind of it'\nBENCH_REST_TEST_KEY=unused\n`);
      const outputs = ['result.json', 'result.html', 'result.md', 'result.xml', 'result.csv', 'result.ndjson'].flatMap(
        (name) => ['-o', join(folder, name)],
      );
      for (const args of [['--debug'], ['--json'], outputs]) {
        seen.length = 0;
        const { code, stdout, stderr } = await run([flow, '--dotenv', env, ...args]);
        expect(code, stderr).to.equal(0);
        expect(seen[0].url).to.equal(`/x?k=${encodeURIComponent(SECRET)}`);
        expect(JSON.parse(seen[0].body)).to.deep.equal({ key: SECRET, type: 'w7-kind of it' });
        const written = readdirSync(folder).filter((name) => name.startsWith('result.'));
        const said = stdout + stderr + written.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
        for (const text of ['w7-secret', 'w7-kind of it', url.slice('http://'.length)])
          expect(said).to.not.include(text);
      }
    }),
  );

  it('that are not set are refused with their place', async () => {
    const unset = await run(['http://a/#{env.BENCH_REST_TEST_KEZ}']);
    expect(unset.stderr).to.match(/flow\.main\[0\]\.get: #\{env\.BENCH_REST_TEST_KEZ\} \(column 10\) has no value\. Did you mean #\{env\.BENCH_REST_TEST_KEY\}\?/); // prettier-ignore
    expect(unset.code).to.equal(2);
  });

  itSlow('--dotenv with a file that does not exist is refused before the first request', () =>
    serving(ok, async (url, seen) => {
      const { code, stderr } = await spawned([url, '--dotenv', join(folder, 'none.env')]);
      expect(stderr.replace(/\s+/g, ' ')).to.match(/--dotenv: .*none\.env does not exist; check the path/);
      expect([code, seen]).to.deep.equal([2, []]);
    }),
  );

  // Every Node from 20 to 26 reads this flag of the whole command line, up to a `--`, before any code runs.
  itSlow('--env-file with a file means the same, and without it Node ends before the first request', () =>
    serving(ok, async (url, seen) => {
      write('.env', 'SPAWNED_NAME=w7-spawned\n');
      const path = `${url}/#{env.SPAWNED_NAME}`;
      const codes = [];
      for (const flag of ['--dotenv', '--env-file'])
        for (const name of ['.env', 'none.env'])
          codes.push((await spawned([path, '-n', '1', flag, join(folder, name)])).code);
      expect(codes).to.deep.equal([0, 2, 0, 9]);
      expect(seen.map((request) => request.url)).to.deep.equal(['/w7-spawned', '/w7-spawned']);
    }),
  );

  it('--env-file means the same, also where the file is missing and Node has not read the flag', async () => {
    const { code, stderr } = await commandHere(['http://127.0.0.1:9/', '--env-file', join(folder, 'none.env')]);
    expect(stderr).to.match(/--dotenv: .*none\.env does not exist; check the path/);
    expect(code).to.equal(2);
  });

  it('X13 are known in workers, and hidden in the errors of a run', () =>
    serving(
      (request, response) => response.destroy(),
      async (url) => {
        const envFiles = write('.env', 'HIDDEN_NAME=w7-canary\n');
        const flow = { main: [{ get: `${url}/#{env.HIDDEN_NAME}`, afterHooks: [] }], afterHooks: [] };
        const options = { limit: 1, iterations: 1, workers: 1, envFiles };
        const { stats, errorCount } = await here('workers', () => benchrest(flow, options));
        expect(errorCount).to.equal(1);
        expect(JSON.stringify(stats)).to.not.include('w7-canary');
        const hidden = { main: [{ get: url, expect: { body: '#{env.HIDDEN_NAME}' } }] };
        await serving(ok, async (other) => {
          const { stats: failed } = await benchrest({ ...hidden, main: [{ ...hidden.main[0], get: other }] }, { ...options, workers: undefined });
          expect(failed.errors.details[0].message).to.include('***').and.not.include('w7-canary');
        });
      },
    )); // prettier-ignore
});
