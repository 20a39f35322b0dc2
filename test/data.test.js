import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { expect } from 'chai';

import benchrest from '../index.js';
import { openFeeders } from '../lib/core/flow/data/open-feeders.js';
import { createProblems } from '../lib/core/ground/problems.js';
import { command as run } from './support/command.js';
import { ok, serving } from './support/serve.js';
import { itSlow } from './support/slow.js';
import { here } from './support/threads-here.js';

const ONE = { limit: 1, iterations: 1 };

describe('data', () => {
  let folder;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const rejected = async (flow, options = ONE) =>
    Promise.resolve()
      .then(() => benchrest(flow, options))
      .then(
        () => expect.fail('not refused'),
        (error) => error.message,
      );

  it('gives each iteration a row; values keep their types and are encoded for their place; hooks see the same row', () =>
    serving(ok, async (url, seen) => {
      write('users.csv', 'email,"full name"\nann@a.test,"Ann, A."\nbob+x@b.test,Bob & Co\n');
      const items = [{ sku: 1, tags: ['a'], size: { w: 2.5 } }];
      const rows = [];
      const flow = {
        baseUrl: url,
        data: { users: join(folder, 'users.csv'), items },
        beforeHooks: [({ data, env }) => void rows.push([data.users, env.data.users === data.users, data.items.sku])],
        beforeMain: ['/login/#{users.email}'],
        main: [
          {
            post: '/#{users.email}',
            qs: { q: '#{users.email}' },
            json: { user: '#{users.email}', sku: '#{items.sku}', text: 'n#{items.sku}', tags: '#{items.tags}', w: '#{items.size.w}' },
            headers: { 'x-name': ({ data }) => data.users['full name'] },
          },
        ],
      };
      const { errorCount } = await benchrest(flow, { limit: 1, iterations: 3 });
      expect(errorCount).to.equal(0);
      const [, first, , second, , third] = seen;
      expect(first.url).to.equal('/ann%40a.test?q=ann%40a.test');
      expect(second.url).to.equal('/bob%2Bx%40b.test?q=bob%2Bx%40b.test');
      expect(third.url).to.equal(first.url);
      expect(first.headers['x-name']).to.equal('Ann, A.');
      expect(JSON.parse(second.body)).to.deep.equal({ user: 'bob+x@b.test', sku: 1, text: 'n1', tags: ['a'], w: 2.5 });
      expect({ ...rows[0][0] }).to.deep.equal({ email: 'ann@a.test', 'full name': 'Ann, A.' });
      expect([rows[0][0] === rows[1][0], rows[0][1], rows[0][2]]).to.deep.equal([true, true, 1]);
    })); // prettier-ignore

  itSlow('is the same with any number of workers, in every order', () =>
    serving(ok, async (url, seen) => {
      const rows = Array.from({ length: 10 }, (_, id) => ({ id }));
      const data = Object.fromEntries(['sequential', 'shuffled', 'random', 'unique'].map((order) => [order, { rows, order }]));
      const flow = { data, main: ['/#{INDEX}/#{sequential.id}/#{shuffled.id}/#{random.id}/#{unique.id}'] };
      const sent = async (options) => {
        seen.length = 0;
        const { stats, errorCount } = await here('workers', () => benchrest(flow, { baseUrl: url, limit: 4, ...options }));
        expect([stats.iterations.completed, errorCount]).to.deep.equal([10, 0]);
        return seen.map((request) => request.url).sort();
      };
      const urls = await sent({ iterations: 1000 });
      for (const at of [2, 3, 5])
        expect(new Set(urls.map((one) => one.split('/')[at])).size).to.equal(10);
      expect(await sent({ iterations: 1000, workers: 2 })).to.deep.equal(urls);
      expect(await sent({ forever: true, workers: 2 })).to.deep.equal(urls);
      expect(await sent({ duration: '1h', rate: 1000 })).to.deep.equal(urls);
    })); // prettier-ignore

  it('B32 with order unique and whenEmpty fail, iterations without a row fail', () =>
    serving(ok, async (url, seen) => {
      const flow = {
        data: { users: { rows: [{ id: 'a' }, { id: 'b' }], order: 'unique', whenEmpty: 'fail' } },
        main: [{ get: `${url}/#{users.id}` }],
      };
      const { stats, errorCount } = await benchrest(flow, { limit: 1, iterations: 5 });
      expect(seen.map((request) => request.url)).to.deep.equal(['/a', '/b']);
      expect([errorCount, stats.errors.kinds.data]).to.deep.equal([3, 3]);
      expect(stats.errors.details[0]).to.include({ kind: 'data', code: 'E_DATA' });
      expect(stats.errors.details[0].message).to.match(/^flow\.data\.users has no row for iteration 2: each of its 2 rows is used once; /);
    })); // prettier-ignore

  itSlow('of a flow file is relative to the file, in its workers and with --debug too; names may be arguments', () =>
    serving(ok, async (url, seen) => {
      write('users.csv', 'name\nann\nbob\n');
      const flow = write('flow.yaml', `data: { users: '#{args.file}' }\nmain: ['${url}/#{users.name}']\n`);
      const args = ['--arg', 'file=users.csv'];
      expect((await run([flow, '-n', '4', '-c', '2', '-w', '2', ...args])).code).to.equal(0);
      expect(seen.map((request) => request.url).sort()).to.deep.equal(['/ann', '/ann', '/bob', '/bob']);
      const debug = await run([flow, '--debug', ...args]);
      expect(debug.stderr + debug.stdout).to.include('/ann');
      seen.length = 0;
      await benchrest(flow, { limit: 1, iterations: 1, args: { file: 'users.csv' } });
      expect(seen[0].url).to.equal('/ann');
    }),
  );

  it('all problems are reported together, before the run', async () => {
    write('users.csv', 'email,name\na\n');
    write('items.csv', 'sku\n1\n');
    const message = await rejected({
      data: {
        users: join(folder, 'users.csv'),
        items: join(folder, 'items.csv'),
        none: 'none.csv',
        index: [{ a: 1 }],
        vars: [{ a: 1 }],
        'a b': [{ a: 1 }],
      },
      vars: { vars: 1 },
      before: ['http://a/#{items.sku}'],
      main: [
        'http://a/#{items.skv}',
        'http://a/#{items}',
        'http://a/#{items.sku(1)}',
        { get: 'http://a/#{itmes.sku}' },
        'http://a/#{none.a}/#{users.email}',
      ],
    });
    for (const expected of [
      'flow.data.users: users.csv:2: has 1 value, but a row needs 2 (email, name)',
      'none.csv does not exist; check the path',
      'flow.data.index: #{INDEX} is a built-in token: use another name',
      'flow.data.vars: is the name of flow.vars.vars, too: rename one',
      'flow.data.a b: is not the name of a token: use letters, digits and _',
      'flow.before[0].get: before runs once and has no #{items}: use beforeMain',
      'flow.main[0].get: #{items.skv} (column 10) is not a column of items.csv. Did you mean #{items.sku}?',
      'flow.main[1].get: #{items} (column 10) needs the name of a column: write #{items.sku}',
      'flow.main[2].get: #{items.sku(1)} (column 10) needs the name of a column',
      'flow.main[3].get: #{itmes.sku} (column 10) is not a token. Did you mean #{items}?',
    ])
      expect(message).to.include(expected);
    // tokens of a feeder that cannot be read are no problems of their own
    expect(message).to.not.include('flow.main[4]');
  });

  it('has no rows in before and after: functions that read them fail, and a warm-up cannot use unique rows', () =>
    serving(ok, async (url) => {
      const data = { users: { rows: [{ id: 1 }], order: 'unique' } };
      const before = [{ get: url, qs: { id: ({ data: rows }) => rows.users.id } }];
      const { stats } = await benchrest({ data, before, main: [url] }, ONE);
      expect(stats.errors.details[0].message).to.include(
        'flow.data.users has no row in before and after, which run once; read it in beforeMain or afterMain',
      );
      expect(await rejected({ data, main: [`${url}#{users.id}`] }, { ...ONE, warmup: '1s' })).to.include(
        'runOptions.warmup: would use rows of data.users, whose order is unique: use another order, or no warm-up',
      );
    }));

  for (const [what, options] of Object.entries({ 'one thread': {}, 'two workers': { workers: 2 } }))
    itSlow(`rows that are used once belong to what reads them, with ${what}`, () =>
      serving(ok, async (baseUrl, seen) => {
        const ids = Array.from({ length: 10 }, (_, id) => ({ id }));
        const [reading, other] = [['/a?#{users.id}'], ['/b']];
        const flows = {
          'loads of their own': {
            a: { load: { iterations: 30, limit: 2 }, main: reading },
            b: { load: { iterations: 25, limit: 2 }, main: other },
          },
          'scenarios of one load': { a: { main: reading }, b: { main: other } },
        };
        for (const [name, scenarios] of Object.entries(flows)) {
          seen.length = 0;
          const flow = { data: { users: { rows: ids, order: 'unique' } }, scenarios };
          const own = name === 'loads of their own' ? {} : { limit: 2, iterations: 50 };
          const { stats, errorCount } = await benchrest(flow, { baseUrl, ...own, ...options });
          expect(errorCount).to.equal(0);
          const rows = seen.flatMap(({ url }) => (url.startsWith('/a?') ? Number(url.slice(3)) : []));
          expect(rows.sort((a, b) => a - b)).to.deep.equal(ids.map(({ id }) => id));
          expect(stats.iterations.started).to.equal(name === 'loads of their own' ? 35 : 20);
        }
      }),
    );

  it('B33 feeders and columns can have names of prototypes', () =>
    serving(ok, async (url, seen) => {
      write('a.csv', '__proto__,constructor\nx,y\n');
      const text = JSON.stringify({ constructor: join(folder, 'a.csv') });
      const data = JSON.parse(`{ "__proto__": [{ "valueOf": 1 }], ${text.slice(1)}`);
      let rows;
      const main = [
        {
          get: `${url}/#{constructor.__proto__}/#{constructor.constructor}/#{__proto__.valueOf}`,
          beforeHooks: [(all) => void (rows = all.data)],
        },
      ];
      await benchrest({ data, main }, ONE);
      expect(seen[0].url).to.equal('/x/y/1');
      expect(Object.keys(rows)).to.deep.equal(['__proto__', 'constructor']);
      expect([{}.valueOf(), {}.x]).to.deep.equal([{}, undefined]);
      expect(await rejected({ data, main: ['http://a/#{constructor.toString}'] })).to.include(
        'is not a column of a.csv',
      );
    }));

  it('a flow without it gives hooks an empty object', () =>
    serving(ok, async (url) => {
      let seen;
      await benchrest({ get: url, beforeHooks: [({ data }) => void (seen = data)] }, ONE);
      expect(seen).to.deep.equal({});
    }));

  it('B30 a file of more than 256 MiB is refused with the limit', async () => {
    truncateSync(write('users.csv', 'a\n'), 256 * 1024 * 1024 + 1);
    expect(await rejected({ data: { users: join(folder, 'users.csv') }, main: ['http://a/'] })).to.match(
      /users\.csv is too large: it has 268435457 bytes, at most 268435456 are read; make it smaller/,
    );
  });

  for (const [what, change] of [
    ['appended to', "appendFileSync(workerData, '1\\n')"],
    ['overwritten', "writeSync(file, '1\\n', 0)"],
  ])
    itSlow(`B31 a file that is ${what} while it is read is refused`, async () => {
      const path = write('users.csv', 'a\n'.repeat(100_000));
      const writer = new Worker(
        `const { appendFileSync, openSync, writeSync } = require('node:fs');
         const { workerData } = require('node:worker_threads');
         const file = openSync(workerData, 'r+');
         for (;;) ${change};`,
        { eval: true, workerData: path },
      );
      try {
        let reasons = [];
        for (let tries = 0; reasons.length === 0 && tries < 1000; tries++) {
          reasons = problemsOf(path);
          await new Promise(setImmediate);
        }
        expect(reasons).to.deep.equal([`${path} was changed while it was read; start again when it is complete`]);
      } finally {
        await writer.terminate();
      }
      expect(problemsOf(path)).to.deep.equal([]);
    });
});

/** Why a file of rows is refused. */
function problemsOf(path) {
  const problems = createProblems('E_FLOW');
  openFeeders({ users: path }, { seed: 1, problems });
  return problems.list.map(({ reason }) => reason);
}
