import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../index.js';
import { assertThresholds } from '../lib/results.js';
import { command } from './support/command.js';
import { inFolder } from './support/in-folder.js';
import { ok, serving } from './support/serve.js';
import { itSlow } from './support/slow.js';

describe('thresholds', () => {
  const forms = {
    'a string': 'p99<10s',
    'an array': ['p99<10s'],
    'an object': { p99: '<10s' },
  };
  for (const [form, thresholds] of Object.entries(forms)) {
    it(`may be ${form}, in run options or in the flow`, () =>
      serving(ok, async (url) => {
        const one = await benchrest(url, { limit: 1, iterations: 5, thresholds });
        const other = await benchrest({ main: [url], thresholds }, { limit: 1, iterations: 5 });
        for (const { stats } of [one, other])
          expect(stats.thresholds.map(({ expression, passed }) => [expression, passed])).to.deep.equal([
            ['p99<10s', true],
          ]);
      }));
  }

  it('may name an operation and have several bounds', () =>
    serving(ok, async (url) => {
      const { stats } = await benchrest(
        { main: [{ get: url, name: 'look' }] },
        { limit: 1, iterations: 5, thresholds: { 'look p95': ['<10s', '>0ms'], 'look errors': '<1%' } },
      );
      expect(stats.thresholds.map(({ expression, passed }) => `${expression} ${passed}`)).to.deep.equal([
        'look p95<10s true',
        'look p95>0ms true',
        'look errors<1% true',
      ]);
    }));

  const names = ['checks.list', 'my checks.v2', 'goodput(x)', '50% (a): b.c', '"quoted"', 'errors'];
  const ofNames = names.flatMap((name) => [`${name} p95<10s`, `${name} errors<1%`, `${name} checks.status 200>99%`]);

  for (const target of [false, true])
    itSlow(`may name operations that are called as a figure${target ? ', for a server of this process' : ''}`, () =>
      serving(ok, async (baseUrl) => {
        const main = names.map((name) => ({ get: '/', name, expect: { status: 200 } }));
        const { stats } = await benchrest(main, {
          ...{ limit: 1, iterations: 2, thresholds: ofNames, abortOnFailOf: names },
          ...(target ? { target: ok } : { baseUrl }),
        });
        const read = stats.thresholds.map(({ of, passed }) => [of.operation, passed]);
        expect(read).to.deep.equal(names.flatMap((name) => Array(3).fill([name, true])));
        expect(assertThresholds(stats, ofNames)).to.have.lengthOf(ofNames.length);
      }),
    );

  it('may name operations of a YAML file that are called as a figure, on the command line', () =>
    serving(ok, (url) =>
      inFolder(
        async (folder) => {
          const named = names.flatMap((name) => ['--abort-on-fail-of', name]);
          const limits = ofNames.flatMap((text) => ['--threshold', text]);
          const args = [
            '-n',
            '2',
            '-c',
            '1',
            '--base-url',
            url,
            ...named,
            ...limits,
            '--json',
            join(folder, 'flow.yaml'),
          ];
          const { code, stdout, stderr } = await command(args);
          expect(code, stderr).to.equal(0);
          expect(JSON.parse(stdout).thresholds).to.have.lengthOf(ofNames.length);
        },
        {
          'flow.yaml': `main:\n${names.map((name) => `  - { get: /, name: '${name}', expect: { status: 200 } }\n`).join('')}`,
        },
      ),
    ));

  it('are validated before the run and reported together, with a caret under the column', () =>
    serving(ok, async (url, seen) => {
      const run = () => benchrest(url, { limit: 1, iterations: 1, thresholds: ['p99<200', 'GET /x p95<5ms'] });
      expect(run)
        .to.throw('thresholds[0]: expected a time with its unit, such as 200ms or 1.5s\n    p99<200\n        ^')
        .with.property('problems')
        .that.has.lengthOf(2);
      expect(() => benchrest(url, { limit: 1, iterations: 1, thresholds: 5 })).to.throw(
        /runOptions\.thresholds: expected a test such as/,
      );
      expect(seen).to.be.empty;
    }));

  const setup = { post: 'http://127.0.0.1:1/setup', name: 'setup', tags: { team: 'a' } };
  const outOfScope = [
    ['errors.rate<1', { afterHooks: [() => {}] }, /unknown figure errors\.rate/],
    ['setup rate>1', {}, /setup rate>1: is of requests .* in beforeMain, main and afterMain, where "setup" has no/],
    ['team:a rate>1', {}, /where "team:a" has no operation/],
    ['setup eventRate>1', { stream: 'sse' }, /eventRate>1: is of .* where "setup" has no operation/],
    ['outside.sent>1', null, /outside\.sent>1: is of requests in before and after, where the flow has no operation/],
  ];
  for (const [threshold, own, reason] of outOfScope)
    it(`${threshold} is refused before the first request of a flow whose phases have no such figure`, () => {
      const flow = { main: ['http://127.0.0.1:1/'], ...(own && { before: [{ ...setup, ...own }] }) };
      expect(() => benchrest(flow, { limit: 1, iterations: 1, thresholds: [threshold] })).to.throw(reason);
    });

  it('figures that requests of before have can be thresholds', () =>
    serving(ok, async (url) => {
      const flow = { before: [{ ...setup, post: url }], main: [url] };
      const thresholds = ['setup p95<10s', 'team:a errors<1', 'outside.sent==1'];
      const { stats } = await benchrest(flow, { limit: 1, iterations: 1, thresholds });
      expect(stats.thresholds.map(({ passed }) => passed)).to.deep.equal([true, true, true]);
    }));

  it('abortOnFail ends the run early', () =>
    serving(
      (req, res) => setTimeout(() => res.writeHead(500).end(), 20),
      async (url) => {
        const { stats, endReason } = await benchrest(url, {
          limit: 2,
          forever: true,
          thresholds: 'errors<50%',
          abortOnFail: true,
        });
        expect(endReason).to.equal('threshold');
        expect(stats.thresholds[0]).to.include({ passed: false, actual: 1 });
      },
    ));

  itSlow('abortOnFail ends a run whose server does not answer any more, and the result says why', () =>
    serving(
      () => {},
      async (url) => {
        for (const workers of [undefined, 1]) {
          const { stats, endReason } = await benchrest(url, {
            ...{ limit: 2, forever: true, thresholds: ['p99<200ms', 'errors<101%'], abortOnFail: true },
            ...{ gracefulStop: 0, workers },
          });
          expect(endReason).to.equal('threshold');
          const [{ passed, actual, running }] = stats.thresholds;
          expect({ passed, running }).to.deep.equal({ passed: false, running: 2 });
          expect(actual).to.be.above(200);
        }
      },
    ),
  );

  it('an iteration with several errors counts once in the share of errors', () =>
    serving(
      (req, res) => res.writeHead(500).end(),
      async (url) => {
        const flow = { main: [url], afterMain: [`${url}/down`] };
        const { stats } = await benchrest(flow, { limit: 1, iterations: 3, thresholds: ['errors<1%', 'errors<1'] });
        expect(stats.errors).to.include({ count: 6, share: 1 });
        expect(stats.iterations.furtherErrors).to.equal(3);
        expect(stats.thresholds.map(({ actual }) => actual)).to.deep.equal([1, 6]);
      },
    ));

  it('a hook that fails before its requests makes no share above 100 %', () =>
    serving(ok, async (url) => {
      const fails = (all) => {
        if (all.env.index > 0) throw new Error('no');
      };
      const flow = { main: [{ get: url, name: 'look', beforeHooks: [fails] }] };
      const { stats } = await benchrest(flow, { limit: 1, iterations: 3, thresholds: ['errors<1%', 'look errors<1%'] });
      expect(stats.thresholds.map(({ actual }) => Math.round(actual * 100))).to.deep.equal([67, 100]);
    }));

  it('a run goes on until abortAfter', () =>
    serving(
      (req, res) => setTimeout(() => res.writeHead(500).end(), 20),
      async (url) => {
        const { stats, endReason } = await benchrest(url, {
          ...{ limit: 1, forever: true, thresholds: 'errors<50%', abortOnFail: true, abortAfter: '1500ms' },
        });
        expect(endReason).to.equal('threshold');
        expect(stats.measuredElapsed).to.be.at.least(1500);
        expect(() => benchrest(url, { limit: 1, iterations: 1, abortAfter: '1s' })).to.throw(
          'runOptions.abortAfter: has no effect without abortOnFail',
        );
      },
    ));

  it('a threshold on an operation named errors is not a threshold on errors', () =>
    serving(
      (req, res) => res.writeHead(req.url === '/0' ? 200 : 500).end(),
      async (url) => {
        const { code } = await command([
          '-n',
          '5',
          '--json',
          '--threshold',
          'errors page p99<10s',
          '-e',
          `{ main: [{ get: '${url}/#{INDEX}', name: 'errors page' }] }`,
        ]);
        expect(code).to.equal(1);
      },
    ));

  const half = (req, res) => res.writeHead(Number(req.url.slice(1)) % 2 ? 500 : 200).end();
  const rows = [
    ['a failed threshold is exit 99, and wins over errors', ['p99<1us', 'requests.rate>0'], 99],
    ['a passed threshold on errors allows the errors', ['errors<60%'], 0],
    ['a failed threshold on errors is exit 99', ['errors<40%'], 99],
    ['other thresholds do not allow errors', ['p99<10s'], 1],
  ];
  for (const [what, thresholds, exit] of rows) {
    it(what, () =>
      serving(half, async (url) => {
        const { code, stdout } = await command([
          '-n',
          '20',
          ...thresholds.flatMap((one) => ['--threshold', one]),
          '--json',
          '--base-url',
          url,
          '-e',
          "'/#{INDEX}'",
        ]);
        expect(code).to.equal(exit);
        expect(JSON.parse(stdout).thresholds).to.have.lengthOf(thresholds.length);
      }),
    );
  }
});
