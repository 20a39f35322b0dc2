import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { readCapacity, reportCapacity } from '../lib/addons/capacity/capacities.js';
import { command } from './support/command.js';
import { checkerOf } from './support/schemas.js';
import { serving } from './support/serve.js';
import { itSlow } from './support/slow.js';

const QUICK = ['--step', '1s', '-W', '100ms', '--from', '500/s'];
const ok = (_, res) => res.end('ok');

describe('bench-rest capacity', () => {
  itSlow(
    'writes the document, the report and the page of the best answer in its time, and cannot tell --at-least',
    () =>
      serving(ok, async (url) => {
        const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
        try {
          const files = ['c.json', 'c.md', 'c.txt', 'c.html', 'c.svg'];
          const { code, stdout, stderr } = await command([
            ...[
              'capacity',
              ...QUICK,
              '-w',
              '2',
              '--max-duration',
              '2s',
              '--at-least',
              '100k/s',
              '--threshold',
              'p99<10s',
              '--json',
            ],
            ...files.flatMap((name) => ['-o', join(folder, name)]),
            url,
          ]);
          const document = JSON.parse(stdout);
          // on a busy machine the step may fail: then the capacity is lower
          expect(code).to.be.oneOf(document.conclusion.code === 'none' ? [99] : [98, 99]);
          const isCapacity = checkerOf('capacity');
          isCapacity(document);
          expect(isCapacity.errors).to.equal(null);
          expect(document.steps).to.have.length(1);
          expect(document.steps[0].load).to.deep.include({ rate: 500, duration: 1000, warmup: 100 });
          expect(document.steps[0].resultId).to.be.a('string');
          expect(document.tool.name).to.equal('bench-rest');
          expect(document.loadGenerators).to.have.length(1);
          expect(document.run.options).to.deep.include({ workers: 2, thresholds: ['p99<10s'] });
          expect(document.outcome).to.deep.include({ passed: false, exitCode: code });
          expect(stderr).to.match(/^ +1 {2}[✓✗?] 500\/s /m);
          expect(JSON.parse(readFileSync(join(folder, 'c.json'), 'utf8'))).to.deep.equal(document);
          for (const name of files.slice(1, -1)) expect(readFileSync(join(folder, name), 'utf8')).to.include('500/s');
          expect(readFileSync(join(folder, 'c.svg'), 'utf8')).to.match(/^<svg /);
          const both = join(folder, 'both.html');
          const compared = await command(['compare', join(folder, 'c.json'), join(folder, 'c.json'), '-o', both]);
          expect(readFileSync(both, 'utf8')).to.match(/^<!doctype html>/);
          expect(compared.stdout).to.match(/c\.json +(500\/s|-) /);
          expect(compared.code).to.equal(0);
          const reported = await command(['report', join(folder, 'c.json'), '-o', join(folder, 'again.html')]);
          expect(reported).to.include({ code, stdout: readFileSync(join(folder, 'c.txt'), 'utf8') });
          const saved = readCapacity('c.json', folder);
          const flags = { outputs: [], color: 'never', full: false, latency: false, quiet: false, requireValid: true };
          expect(() => reportCapacity(saved, { ...flags, path: 'c.json' }, {})).to.throw(
            'c.json is a capacity: --full, --latency, --quiet and --require-valid are for results of runs',
          );
          const replacing = {
            ...flags,
            requireValid: false,
            outputs: [join(folder, 'c.json')],
            path: join(folder, 'c.json'),
          };
          expect(() => reportCapacity(saved, replacing, { cwd: () => folder })).to.throw(
            'c.json is the capacity itself',
          );
          expect(readFileSync(join(folder, 'again.html'), 'utf8')).to.equal(
            readFileSync(join(folder, 'c.html'), 'utf8'),
          );
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }),
  );

  itSlow('Ctrl-C prints the best answer so far: exit 100', () =>
    serving(ok, async (url) => {
      const { code, stdout } = await command(['capacity', ...QUICK, '--threshold', 'p99<10s', url], {
        async act(child, heard) {
          await heard(/^ +1 {2}/m);
          child.kill('SIGINT');
        },
      });
      expect(code).to.equal(100);
      expect(stdout).to.match(/^highest arrival rate against http:/);
    }),
  );

  for (const [about, args, message] of [
    ['a number of virtual users', ['--by', 'users', '--at-least', '500/s'], /--at-least 500\/s: with --by users/],
    ['virtual users that it varies', ['--by', 'users', '-c', '9'], /-c and --by users cannot be combined/],
    ['a load of its own', ['-n', '100'], /unknown option '-n'/],
    ['a step that is too short', ['--step', '10ms'], /Expected a time of 1s or more/],
    ['a precision with other characters', ['--within', '5x%'], /Expected a share between 0 and 100 %/],
    ['no precision', ['--within', '0'], /Expected a share between 0 and 100 %/],
    ['more than any rate', ['--from', '1e400'], /'--from <load>' argument '1e400' is invalid/],
    [
      'a first step with a few iterations',
      ['--from', '1/h'],
      /--from: at 1\/h a step would take 100 h for the 100 iter/,
    ],
    [
      'a first step that has too few for its threshold',
      ['--from', '20/s', '--threshold', 'p99.99<1s'],
      /--from: at 20\/s a step would take 500 s for the 10,000 iterations [^]* begin at 100\/s or above/,
    ],
    [
      'a search that ends before its first step',
      ['--max-duration', '5s'],
      /--max-duration: ends before the first step, wh/,
    ],
  ])
    it(`refuses ${about}: exit 2`, async () => {
      const { code, stderr } = await command(['capacity', ...args, 'http://127.0.0.1:1/']);
      expect({ code, stderr }).to.deep.include({ code: 2 });
      expect(stderr).to.match(message);
    });

  it('a refused step ends the search with its answer; workers are no more than the virtual users', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    const flow = join(folder, 'flow.json');
    const once = (_, res) => {
      rmSync(flow, { force: true });
      res.end('ok');
    };
    try {
      await serving(once, async (url) => {
        writeFileSync(flow, JSON.stringify({ main: [{ get: url }] }));
        const args = ['capacity', '--step', '1s', '-W', '100ms', '--by', 'users', '-w', '2', flow];
        const { code, stdout, stderr } = await command(args);
        expect({ code, stderr }).to.deep.include({ code: 1 });
        expect(stderr).to.match(/step 2 was refused: /);
        expect(stdout).to.match(/^highest number of virtual users [^]*\n *1 virtual user /);
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('a service that cannot be reached ends the search: exit 1', async () => {
    const { code, stderr } = await command(['capacity', ...QUICK, 'http://127.0.0.1:1/']);
    expect(code).to.equal(1);
    expect(stderr).to.match(/no connection succeeded/);
  });
});
