import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { renderResult } from '../lib/results.js';
import { RUN_HEAD } from '../lib/core/measure/document.js';
import { EXAMPLE } from '../scripts/example-result.js';
import { ROOT, command } from './support/command.js';
import { resultsAt } from './support/literal-history.js';
import { COMPUTE_FOREVER } from './support/scale.js';
import { checkerOf } from './support/schemas.js';
import { ok, serving } from './support/serve.js';
import { itSlow } from './support/slow.js';
import { here } from './support/threads-here.js';
import { until } from './support/until.js';

const isResult = checkerOf('result');
const isComparison = checkerOf('comparison');

describe('results', () => {
  let folder;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name) => join(folder, name);
  const read = (name) => readFileSync(at(name), 'utf8');
  const json = (name) => JSON.parse(read(name));
  const conforms = (value) => {
    isResult(value);
    expect(isResult.errors).to.equal(null);
  };

  describe('files', () => {
    before(() =>
      serving(
        (req, res) => res.writeHead(Number(req.url.slice(1)) % 10 ? 200 : 503).end(),
        async (url) => {
          const files = [
            'all.json',
            'all.ndjson',
            'all.csv',
            'all.xml',
            'all.md',
            'all.hgrm',
            'all.html',
            'all.txt',
          ].flatMap((name) => ['-o', at(name)]);
          const { code, stdout } = await command([
            '-t',
            '2500ms',
            '-c',
            '3',
            '-r',
            '40',
            '-p',
            'CANARY',
            '-u',
            'ann',
            '-H',
            'authorization: Bearer CANARY',
            '--threshold',
            'p99<10s',
            ...files,
            '--base-url',
            url,
            '-e',
            "'/#{INDEX}'",
          ]);
          expect(code).to.equal(1);
          expect(stdout).to.match(/ iterations\/s /);
        },
      ),
    );

    it('X1 are written in the format of their extension, without secrets', () => {
      const starts = {
        json: '{',
        ndjson: '{"type":"point","at":0,',
        csv: 'type,name,',
        xml: '<?xml',
        md: '### ❌ bench-rest: failed',
        hgrm: '       Value',
        html: '<!doctype html>',
        txt: '✗ ',
      };
      for (const [extension, start] of Object.entries(starts)) {
        const text = read(`all.${extension}`);
        expect(text.startsWith(start), extension).to.equal(true);
        expect(text, extension).not.to.include('CANARY');
      }
    });

    it('the example of the reference conforms to the schema, and has all keys of this run', () => {
      const example = JSON.parse(readFileSync(join(ROOT, EXAMPLE), 'utf8'));
      conforms(example);
      for (const [key, value] of Object.entries(json('all.json'))) {
        expect(example).to.have.any.keys(key);
        if (['iterations', 'requests', 'bytes', 'connections', 'virtualUsers', 'main'].includes(key))
          expect(example[key], key).to.have.all.keys(Object.keys(value));
      }
    });

    it('JSON conforms to its schema, and contains the flow, the environment and the exit', () => {
      const result = json('all.json');
      conforms(result);
      expect(result.run).to.include({ endReason: 'completed' });
      expect(result.run.options)
        .to.include({ rate: 40, duration: 2500, limit: 3 })
        .and.not.have.any.keys('password', 'user');
      expect(result.run.flow.sha256).to.match(/^[\da-f]{64}$/);
      // a machine that is busy may drop arrivals, too
      expect(result.outcome.exitCode).to.equal(1);
      expect(result.outcome.reasons.map(({ code }) => code)).to.include('errors');
    });

    it('ndjson has one line per second, then the result', () => {
      const lines = read('all.ndjson')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const last = lines.pop();
      expect(last).to.include(RUN_HEAD);
      expect(lines.length).to.be.at.least(3);
      expect(new Set(lines.map(({ type }) => type))).to.deep.equal(new Set(['point']));
      expect(lines.reduce((sum, { iterations }) => sum + iterations.completed, 0)).to.equal(last.iterations.completed);
    });

    it('report prints or converts them', async () => {
      const { code, stdout } = await command(['report', at('all.json')]);
      expect(code).to.equal(1);
      expect(stdout).to.equal(read('all.txt'));
      // the line of the file may take the place of another one
      const converted = await command(['report', at('all.json'), '-o', at('again.csv')]);
      expect(converted.stdout.endsWith(`  wrote ${at('again.csv')}\n`)).to.equal(true);
      expect(read('again.csv')).to.equal(read('all.csv'));
      expect((await command(['report', at('all.ndjson')])).stdout).to.equal(read('all.txt'));
    });
  });

  itSlow('report and merge judge saved results by --require-valid', () =>
    serving(ok, async (url) => {
      await command(['-n', '20', '-o', at('run.json'), `${url}/`]);
      const run = json('run.json');
      const validity = { ...run.validity, status: 'suspect' };
      writeFileSync(at('doubted.json'), JSON.stringify({ ...run, validity }));
      const judge = async (...args) => (await command([...args, at('doubted.json')])).code;
      expect(await judge('report')).to.equal(0);
      expect(await judge('report', '--require-valid')).to.equal(98);
      expect(await judge('merge', '--require-valid')).to.equal(98);
    }),
  );

  it('library results conform to the schema too', () =>
    serving(ok, async (url) => {
      const { default: benchrest } = await import('../index.js');
      const flow = {
        before: [url],
        main: [{ get: url, beforeHooks: ['startStepTimer'], afterHooks: ['endStepTimer'] }],
      };
      for (const options of [
        { iterations: 20 },
        { rate: 100, duration: 300, warmup: 50 },
        { iterations: 20, workers: 2, expectedInterval: 5 },
      ]) {
        const { stats } = await here('workers', () => benchrest(flow, { limit: 2, ...options }));
        conforms(JSON.parse(await renderResult(stats, { format: 'json' })));
      }
    }));

  itSlow('S8 T12 results of several machines add up; a duplicate is refused', () =>
    serving(ok, async (url) => {
      for (const name of ['one.json', 'two.json'])
        await command(['-n', '50', '-c', '2', '--quiet', '-o', at(name), url]);
      const { code } = await command(['merge', at('one.json'), at('two.json'), '-o', at('both.json')]);
      expect(code).to.equal(0);
      const both = json('both.json');
      conforms(both);
      expect(both.iterations).to.include({ started: 100, completed: 100 });
      expect(both.main.histogram).to.include({
        count: 100,
        max: Math.max(json('one.json').main.histogram.max, json('two.json').main.histogram.max),
      });
      for (const args of [
        ['merge', at('one.json'), at('two.json'), '-o', at('one.json')],
        ['report', at('one.json'), '-o', at('one.json')],
      ]) {
        const refused = await command(args);
        expect(refused.code).to.equal(2);
        expect(refused.stderr.replace(/\s+/g, ' ')).to.include('one.json is one of the results: use another path');
        expect(json('one.json').iterations.started).to.equal(50);
      }
      const twice = await command(['merge', at('one.json'), at('one.json')]);
      expect(twice.code).to.equal(2);
      expect(twice.stderr).to.match(/one\.json is the same run as .*one\.json; pass each result once/);
    }),
  );

  /** Answers only the first hundred requests. */
  const first100 = () => {
    let count = 0;
    return (req, res) => ++count < 100 && res.end();
  };

  const twice = async (child, heard) => {
    child.kill('SIGINT');
    await heard(/Stopping/);
    child.kill('SIGINT');
  };

  it('the result of an aborted run is complete and can be merged', async () => {
    const abort = () =>
      serving(first100(), async (url, seen) => {
        const { code } = await command(['--forever', '-c', '2', '-o', at('left.json'), url], {
          act: async (child, heard) => {
            await until(() => seen.length >= 100);
            await twice(child, heard);
          },
        });
        expect(code).to.equal(100);
        return json('left.json');
      });
    // A thread that the machine does not let answer within half a second counts as blocked, as in the next test.
    await until(async () => 'hdr' in (await abort()).main.histogram);
    conforms(json('left.json'));
    writeFileSync(at('other.json'), JSON.stringify({ ...json('left.json'), id: 'other' }));
    expect((await command(['merge', at('left.json'), at('other.json'), '-o', at('both.json')])).code).to.equal(100);
    expect(json('both.json').requests.count).to.equal(2 * json('left.json').requests.count);
  });

  itSlow('the result of an aborted run whose thread was blocked can be printed, but not merged', () =>
    serving(ok, async (url) => {
      writeFileSync(
        at('blocking.mjs'),
        `import { writeFileSync } from 'node:fs';
        export default { get: '${url}/', afterHooks: [({ env }) => { if (env.index < 100) return; writeFileSync('${at('mark')}', ''); ${COMPUTE_FOREVER} }], pause: 10 };`,
      );
      const { code } = await command(
        ['--forever', '-c', '1', '-d', '100', '-o', at('blocked.json'), at('blocking.mjs')],
        {
          engine: 'thread',
          act: (child, heard) => until(() => existsSync(at('mark'))).then(() => twice(child, heard)),
        },
      );
      expect(code).to.equal(100);
      expect(json('blocked.json').main.histogram).not.to.have.property('hdr');
      expect((await command(['report', at('blocked.json')])).code).to.equal(100);
      const added = await command(['merge', at('blocked.json'), at('blocked.json')]);
      expect([added.code, added.stderr]).to.satisfy(
        ([exit, text]) => exit === 2 && /is of an aborted run and has no histograms/.test(text),
      );
    }),
  );

  itSlow('compare exits with 99 beyond its limits', () =>
    serving(ok, async (url) => {
      await command(['-n', '20', '-c', '2', '--quiet', '-o', at('fast.json'), url]);
      const slow = json('fast.json');
      // What the load generator of a busy machine added would leave the change undecided.
      delete slow.validity.figures;
      writeFileSync(at('fast.json'), JSON.stringify(slow));
      slow.id = 'slow';
      for (const key of ['mean', 'median', 'p90', 'p95', 'p99']) slow.main.completed[key] *= 8;
      writeFileSync(at('slow.json'), JSON.stringify(slow));
      const limit = ['--max-regression', 'p50=50%', '--noise', '10%'];
      const worse = await command(['compare', at('fast.json'), at('slow.json'), ...limit]);
      expect(worse.code).to.equal(99);
      expect(worse.stderr).to.match(/p50 is worse by [\d.,]+ %, more than 50 %/);
      expect(worse.stdout)
        .to.match(/^A {2}fast\.json: 20 iterations[^]*\nB {2}slow\.json: [^]*\n +A +B +change/)
        .and.match(/\n\np50 of B is 700\.0 % higher \(\+[\d.,]+ % to \+[\d.,]+ %\)\n$/);
      expect((await command(['compare', at('slow.json'), at('fast.json'), ...limit])).code).to.equal(0);
      const untested = await command(['compare', at('fast.json'), at('slow.json')]);
      expect(untested.stdout).to.match(
        /\n\nCannot tell noise from change, because each side has one run \(p95: \+700\.0 %\)\n$/,
      );
      const refused = await command(['compare', at('fast.json'), at('slow.json'), '--max-regression', 'p50=50%']);
      expect([refused.code, refused.stderr]).to.satisfy(
        ([code, text]) => code === 2 && /each side has one run; run both sides in turn/.test(text),
      );
      const { figures } = JSON.parse((await command(['compare', at('fast.json'), at('slow.json'), '--json'])).stdout);
      expect(figures.map(({ figure }) => figure)).to.deep.equal([
        'iterations.completedRate',
        ...['mean', 'p50', 'p90', 'p95', 'p99'].map((name) => `responseTime.${name}`),
      ]);
      const wrong = await command(['compare', at('fast.json'), at('slow.json'), '--max-regression', 'p51=5%']);
      expect([wrong.code, wrong.stderr]).to.satisfy(
        ([code, text]) => code === 2 && /p51=5%.*did you mean p50\?/.test(text),
      );
    }),
  );

  itSlow('ab runs both in turn and reports which is worse', () =>
    serving(
      // far apart, and four pairs: a standstill of one run leaves the change significant
      (req, res) => setTimeout(() => res.end(), req.url === '/slow' ? 1000 : 100),
      async (url, seen) => {
        const { code, stdout, stderr } = await command([
          'ab',
          '--runs',
          '4',
          '-n',
          '4',
          '-c',
          '4',
          '--max-regression',
          'p50=20%',
          `${url}/`,
          `${url}/slow`,
        ]);
        expect(seen).to.have.lengthOf(32);
        expect(seen.map(({ url: path }) => path).filter((path, i, all) => path !== all[i - 1])).to.deep.equal([
          '/',
          '/slow',
          '/',
          '/slow',
          '/',
          '/slow',
        ]);
        expect(stderr).to.match(
          /run 1 of 4, A: [\d.,]+ requests\/s, p95 [\d.,]+ ms, 0 errors\nrun 1 of 4, B: .*\nrun 2 of 4, B: /,
        );
        expect(stdout)
          .to.match(/p50, ms.* worse\n/)
          .and.match(/t test of the logarithms of the pairs/)
          .and.match(/\n\np50 of B is [\d.,]+ % higher \([^)]+\)\n$/);
        expect(Math.max(...stdout.split('\n').map(({ length }) => length))).to.be.at.most(100);
        expect(code).to.equal(99);
        const missing = await command(['ab', url]);
        expect([missing.code, missing.stderr]).to.satisfy(
          ([exit, text]) => exit === 2 && /give a second flow, or --versus/.test(text),
        );
      },
    ),
  );

  itSlow('compare and ab write Markdown, JSON and text by the extension, and say so', () =>
    serving(ok, async (url) => {
      const files = ['diff.md', 'diff.json', 'diff.txt'].flatMap((name) => ['-o', at(name)]);
      // Results of other flows show no noise of these.
      mkdirSync(at('past'));
      resultsAt([1, 1.1, 1.2]).forEach((result, i) => writeFileSync(at(`past/${i}.json`), JSON.stringify(result)));
      const load = ['--runs', '1', '-n', '20', '-c', '2', '--history', at('past')];
      const ran = await command(['ab', ...load, ...files, `${url}/a`, `${url}/b`]);
      expect(ran.code, ran.stderr).to.equal(0);
      expect(ran.stderr).to.match(/\nbench-rest: wrote \S*diff\.md, \S*diff\.json, \S*diff\.txt\n/);
      const document = json('diff.json');
      isComparison(document);
      expect(isComparison.errors).to.equal(null);
      const { conclusion, differences } = document;
      expect(ran.stdout)
        .to.match(/\n\nCannot tell noise from change, because each side has one run/)
        .and.include(conclusion.message);
      expect(readFileSync(at('diff.md'), 'utf8').split('\n')[0]).to.equal(`### ${conclusion.message}`);
      expect(readFileSync(at('diff.txt'), 'utf8')).to.equal(ran.stdout);
      expect(differences.map(({ path }) => path)).to.include('run.flow.source');
      const twice = await command(['compare', `${at('fast.json')},${at('slow.json')}`, at('fast.json')]);
      expect([twice.code, twice.stderr]).to.satisfy(
        ([exit, text]) => exit === 2 && /fast\.json is the same run as .*fast\.json; pass each result once/.test(text),
      );
      const { stdout } = await command(['compare', at('diff.json'), at('diff.json')]);
      expect(stdout).to.equal('');
      const wrong = await command(['ab', '-o', at('diff.csv'), url, url]);
      expect([wrong.code, wrong.stderr]).to.satisfy(
        ([exit, text]) => exit === 2 && /no format has the extension \.csv; use one of \.txt \.json \.md/.test(text),
      );
    }),
  );

  itSlow('ab keeps its runs, and compare reads them back: the same comparison', () =>
    serving(ok, async (url) => {
      const runs = at('runs');
      const first = await command([
        'ab',
        '--runs',
        '3',
        '-n',
        '20',
        '--save-runs',
        runs,
        '--json',
        `${url}/a`,
        `${url}/b`,
      ]);
      expect(readdirSync(join(runs, 'A'))).to.deep.equal(['1.json', '2.json', '3.json']);
      const again = await command(['compare', '--paired', '--json', join(runs, 'A'), join(runs, 'B')]);
      const { figures, conclusion, method } = JSON.parse(first.stdout);
      expect(JSON.parse(again.stdout)).to.deep.include({ figures, conclusion, method });
      expect(method).to.equal('pairs');
      const [{ run }] = ['A/1.json'].map((name) => json(join('runs', name)));
      expect(run.origins).to.deep.equal([url]);
      for (const [args, message] of [
        [['ab', '--save-runs', runs, url, url], /has runs already; use another folder/],
        [
          ['compare', '--paired', join(runs, 'A'), join(runs, 'B/1.json')],
          /--paired needs as many results of each side/,
        ],
        [['compare', runs, runs], /has no results/],
        [['compare', join(runs, 'A'), join(runs, 'B'), '-o', join(runs, 'A/2.json')], /is one of the results/],
      ]) {
        const { code, stderr } = await command(args);
        expect([code, stderr]).to.satisfy(([exit, text]) => exit === 2 && message.test(text));
      }
    }),
  );

  it('ab takes the options of requests, for both sides', () =>
    serving(ok, async (url, seen) => {
      const flags = ['-m', 'PUT', '-b', '{"a":1}', '-T', 'json', '-H', 'x-a: 1'];
      const { code, stderr } = await command(['ab', '--runs', '1', '-n', '2', ...flags, `${url}/a`, `${url}/b`]);
      expect(code, stderr).to.equal(0);
      expect(new Set(seen.map(({ method, url: path }) => `${method} ${path}`))).to.deep.equal(
        new Set(['PUT /a', 'PUT /b']),
      );
      for (const { headers } of seen)
        expect(headers).to.include({ 'content-type': 'application/json', 'content-length': '7', 'x-a': '1' });
    }));

  for (const [pairs, runs] of [
    [1, 3],
    [0, 1],
  ]) {
    it(`ab ended by Ctrl-C in run ${runs} prints the comparison of ${pairs} complete pairs: exit 100`, () => {
      let count = 0;
      let reached;
      let release;
      const isReached = new Promise((resolve) => (reached = resolve));
      const held = new Promise((resolve) => (release = resolve));
      return serving(
        async (req, res) => {
          // the run after the last complete one
          if (++count > 5 * runs) {
            reached();
            await held;
          }
          res.end();
        },
        async (url) => {
          const { code, stdout, stderr } = await command(['ab', '-n', '5', '-c', '1', url, url], {
            async act(child, heard) {
              await isReached;
              child.kill('SIGINT');
              await heard(/again to abort/);
              release();
            },
          });
          expect(code).to.equal(100);
          if (pairs > 0) expect(stdout).to.match(/p50, ms/);
          else expect(stdout + stderr).to.match(/run 1 of 10, A: [^]*nothing to compare/);
        },
      );
    });
  }

  itSlow('ab runs one flow against two services', () =>
    serving(ok, (one, seenOne) =>
      serving(ok, async (other, seenOther) => {
        const { code, stdout } = await command([
          'ab',
          '--runs',
          '2',
          '-n',
          '10',
          '-c',
          '2',
          '--base-url',
          one,
          '--versus',
          other,
          '--json',
          join(ROOT, 'examples/simple.js'),
        ]);
        expect(code).to.equal(0);
        expect([seenOne.length, seenOther.length]).to.deep.equal([20, 20]);
        expect(JSON.parse(stdout)).to.include({ method: 'none' });
      }),
    ),
  );

  const broken = [
    ['is empty', '', 2, /is empty; the run that should have written it was killed/],
    ['is truncated', '{"schema":1,"iterations":{', 2, /:1:\d+: /],
    [
      'is a flow',
      '{"main":["http://h/"]}',
      2,
      /is a flow, not a result; run it and save its result: bench-rest -o result\.json /,
    ],
    ['is a list of operations', '["http://h/",{"get":"/"}]', 2, /is a flow, not a result/],
    ['is an operation', '{"post":"http://h/"}', 2, /is a flow, not a result/],
    ['was written by another tool', '{"latency":5}', 2, /is not a result of bench-rest; save one with -o result\.json/],
    ['has no type', '{"schema":9,"iterations":{}}', 2, /has the type undefined; use a file with "type": "run"/],
    [
      'has no version',
      '{"type":"run","iterations":{}}',
      2,
      /has schemaVersion undefined, and this .* reads 2 and newer/,
    ],
    ['lacks a property', '{"type":"run","schemaVersion":2,"iterations":{}}', 2, /has no requests, main, /],
  ];
  for (const [what, text, exit, message] of broken) {
    it(`T11 a file that ${what} is refused`, async () => {
      writeFileSync(at('broken.json'), text);
      for (const args of [
        ['report', at('broken.json')],
        ['merge', at('broken.json'), at('broken.json')],
        ['compare', at('broken.json'), at('broken.json')],
      ]) {
        const { code, stderr, stdout } = await command(args);
        expect([code, stdout]).to.deep.equal([exit, '']);
        expect(stderr).to.match(message).and.include('broken.json');
      }
    });
  }

  it('a flow in a module or in YAML is no result either', async () => {
    for (const name of ['flow.mjs', 'flow.yaml']) {
      writeFileSync(at(name), 'main: [/]');
      const { code, stderr } = await command(['report', at(name)]);
      expect(code).to.equal(2);
      expect(stderr).to.include(`${name} is a flow, not a result; run it`);
    }
  });

  it('a log of requests is named', async () => {
    writeFileSync(at('log.ndjson'), '{"time":1,"due":null,"started":1}\n{"time":2,"due":null,"started":2}\n');
    const { code, stderr } = await command(['report', at('log.ndjson')]);
    expect(code).to.equal(2);
    expect(stderr).to.include('is a log of requests, not a result');
  });

  it('T10 a file of a killed run is incomplete, a missing one is not found', async () => {
    writeFileSync(at('killed.ndjson'), '{"type":"point","at":0}\n{"type":"point","at":1000}\n{"type":"poi');
    const killed = await command(['report', at('killed.ndjson')]);
    expect([killed.code, killed.stderr]).to.satisfy(
      ([code, text]) => code === 2 && /is incomplete: 2 points and no result/.test(text),
    );
    const missing = await command(['report', at('nowhere.json')]);
    expect([missing.code, missing.stderr]).to.satisfy(
      ([code, text]) => code === 2 && /file does not exist: .*nowhere\.json/.test(text),
    );
  });

  const outputs = [
    [
      'in a missing folder',
      () => at('nowhere/x.json'),
      /nowhere\/x\.json: the folder \/.*nowhere does not exist; create it: mkdir -p \/.*nowhere\n/,
    ],
    ['that is a folder', () => folder, /no format has the extension/],
    ['with an unknown extension', () => at('x.pdf'), /no format has the extension \.pdf; use one of \.txt \.json/],
  ];
  for (const [what, path, message] of outputs) {
    it(`T9 a file ${what} is refused before the run`, () =>
      serving(ok, async (url, seen) => {
        const { code, stderr } = await command(['-n', '5', '-o', path(), url]);
        expect(code).to.equal(2);
        expect(stderr).to.match(message);
        expect(seen).to.be.empty;
      }));
  }

  it('no file is created if the flow is refused', async () => {
    const { code } = await command([
      '-n',
      '5',
      '-o',
      at('never.json'),
      '-o',
      at('never.ndjson'),
      '-e',
      "{ gte: 'http://127.0.0.1:9/' }",
    ]);
    expect([code, existsSync(at('never.json')), existsSync(at('never.ndjson'))]).to.deep.equal([2, false, false]);
  });

  it('T9 two outputs to the same file are refused', async () => {
    const { code, stderr } = await command(['-n', '5', '-o', at('x.json'), '-o', at('x.json'), 'http://127.0.0.1:9/']);
    expect([code, stderr]).to.satisfy(([exit, text]) => exit === 2 && /x\.json is named twice/.test(text));
  });

  it('T9 an output to the file of --log is refused, which would lose the log', async () => {
    const { code, stderr } = await command(['-n', '5', '--log', at('x.csv'), '-o', at('x.csv'), 'http://127.0.0.1:9/']);
    expect([code, stderr]).to.satisfy(([exit, text]) => exit === 2 && /x\.csv is a file of --log/.test(text));
  });

  for (const [what, flow] of [
    ['rows', { data: { rows: 'rows.csv' }, main: ['http://127.0.0.1:9/?id=#{rows.id}'] }],
    ['a body', { main: [{ put: 'http://127.0.0.1:9/', body: { file: 'rows.csv' } }] }],
    ['a part of a form', { main: [{ post: 'http://127.0.0.1:9/', formData: { part: { file: 'rows.csv' } } }] }],
  ])
    it(`T9 an output to a file from which the flow reads ${what} is refused, which would lose the file`, async () => {
      const rows = 'id\n1\n';
      writeFileSync(at('rows.csv'), rows);
      writeFileSync(at('flow.json'), JSON.stringify(flow));
      const { code, stderr } = await command(['-n', '5', '-o', at('rows.csv'), at('flow.json')]);
      expect(stderr.replace(/\s+/g, ' ')).to.contain('rows.csv is a file that the flow reads');
      expect([code, readFileSync(at('rows.csv'), 'utf8')]).to.deep.equal([2, rows]);
    });

  it('T8 a file that cannot be written at the end is exit 5, and the result is on stdout', async function () {
    if (process.platform !== 'linux') this.skip();
    const { symlinkSync } = await import('node:fs');
    symlinkSync('/dev/full', at('full.json'));
    const { code, stdout, stderr } = await command(['--serve', '-n', '5', '-o', at('full.json')]);
    expect(code).to.equal(5);
    expect(stdout).to.match(/5 iterations in/);
    expect(stderr).to.match(/a result was not written: .*full\.json: ENOSPC/);
  });

  itSlow('T8 a full disk does not end the run', async function () {
    if (process.platform !== 'linux') this.skip();
    const { symlinkSync } = await import('node:fs');
    symlinkSync('/dev/full', at('full.ndjson'));
    const { code, stdout, stderr } = await command([
      ...['--serve', '-t', '1500ms', '-r', '50', '-d', '200', '-o', at('full.ndjson')],
    ]);
    expect(code).to.equal(5);
    expect(stdout).to.match(/validity/);
    expect(stderr.match(/ENOSPC/g)).to.have.lengthOf(1);
  });

  it('--quiet prints nothing, and the text that -o writes has all figures', async () => {
    const { stdout } = await command(['--serve', '-n', '100', '-c', '2', '--quiet', '-o', join(folder, 'quiet.txt')]);
    expect(stdout).to.equal('');
    expect(readFileSync(join(folder, 'quiet.txt'), 'utf8'))
      .to.match(/iterations\/s {2}p50 /)
      .and.include('100 iterations');
  });

  it('--quiet prints nothing if nothing is wrong', async () => {
    const { code, stdout, stderr } = await command(['--serve', '-n', '5', '--quiet']);
    expect([code, stdout, stderr]).to.deep.equal([0, '', '']);
  });
});
