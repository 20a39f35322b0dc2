import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../index.js';
import { readFlow } from '../lib/core/flow/compile.js';
import { Snapshot } from '../lib/core/flow/snapshot.js';
import { ok, serving } from './support/serve.js';
import { describeSlow } from './support/slow.js';

const TWO = { limit: 1, iterations: 2 };
const doing = (action) => (all) => void action(all);
const linesOf = (seen) => seen.map(({ line, headers, body }) => [line, headers.n, body].filter(Boolean).join(' '));

/** Runs a flow that `make` creates, and returns what was sent, and the errors. */
const playing = (make, options = TWO) =>
  serving(ok, async (baseUrl, seen) => {
    const errors = [];
    const run = benchrest(make(), { baseUrl, ...options });
    run.on('error', (error, phase) => errors.push(`${phase}: ${error.message}`));
    const { stats, endReason } = await run;
    return { lines: linesOf(seen), errors, stats, endReason };
  });

/** Runs a flow file with workers; URL in its text is that of the server. */
const withWorkers = (text, options = {}) =>
  serving(ok, async (url, seen) => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    try {
      const file = join(folder, 'flow.mjs');
      writeFileSync(file, `${text.replaceAll('URL/', `${url}/`)}\nexport default flow;`);
      const errors = [];
      const run = benchrest(file, { limit: 2, iterations: 4, workers: 2, ...options });
      run.on('error', (error, phase) => errors.push(`${phase}: ${error.message}`));
      const { endReason } = await run;
      return { lines: linesOf(seen).sort(), errors: [...new Set(errors)], endReason };
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

describe('a flow that code changes', () => {
  it('is an error of before if main becomes wrong: no iteration runs, after does', async () => {
    const { lines, errors, endReason } = await playing(() => {
      const flow = {
        before: [{ get: '/b', afterHooks: [doing(() => flow.main.push({ gte: '/x' }))] }],
        main: ['/a'],
        after: ['/end'],
      };
      return flow;
    });
    expect(errors).to.deep.equal(['before: flow.main[1].gte: unknown property, did you mean get?']);
    expect([lines, endReason]).to.deep.equal([['GET /b', 'GET /end'], 'before']);
  });

  it('fails before main if an operation has no URL when main starts', async () => {
    const { lines, errors, endReason } = await playing(() => ({
      before: [{ get: '/b', afterHooks: [doing(() => {})] }],
      main: ['/a', { json: {} }],
      after: ['/end'],
    }));
    expect(errors).to.deep.equal(["before: flow.main[1]: has no URL: write { get: 'http://…' }, or method and uri"]);
    expect([lines, endReason]).to.deep.equal([['GET /b', 'GET /end'], 'before']);
  });

  it('is refused at the call if no code of before can set the URL that an operation has not', () => {
    for (const before of [undefined, [{ get: '/b' }]])
      expect(() => benchrest({ before, main: [{ json: {} }] }, { ...TWO, baseUrl: 'http://h' })).to.throw(/no URL/);
  });

  it('is an error of after if after becomes wrong: what was planned runs', async () => {
    const { lines, errors } = await playing(
      () => {
        const flow = { main: [{ get: '/a', afterHooks: [doing(() => flow.after.push({ get: 5 }))] }], after: ['/end'] };
        return flow;
      },
      { limit: 1, iterations: 1 },
    );
    expect(errors).to.deep.equal(['after: flow.after[1].get: expected a string, got 5']);
    expect(lines).to.deep.equal(['GET /a', 'GET /end']);
  });

  it('is an error of the operation if its json becomes cyclic', async () => {
    const { lines, errors } = await playing(() => {
      const json = { a: 1 };
      return [{ post: '/a', json, afterHooks: [doing(() => (json.self = json))] }];
    });
    expect(lines).to.deep.equal(['POST /a {"a":1}']);
    expect(errors[0]).to.match(/^main: flow\.main\[0\]\.json: /);
  });

  it('has the default headers of the flow as they are at the request', async () => {
    const { lines } = await playing(() => {
      const flow = {
        headers: { n: '0' },
        before: [{ get: '/b', afterHooks: [doing(() => (flow.headers.n = '1'))] }],
        main: [],
      };
      flow.main.push({ get: '/a', afterHooks: [doing(() => (flow.headers.n += '+'))] });
      return flow;
    });
    expect(lines).to.deep.equal(['GET /b 0', 'GET /a 1', 'GET /a 1+']);
  });

  it('cannot get another scenario, and can get other operations in one', async () => {
    const make = (change) => () => {
      const flow = {
        before: [{ get: '/b', afterHooks: [doing(() => change(flow.scenarios))] }],
        scenarios: { one: { main: ['/a'] } },
      };
      return flow;
    };
    const other = await playing(make((scenarios) => (scenarios.two = { main: ['/c'] })));
    expect(other.errors[0]).to.match(/^before: flow\.scenarios: has other scenarios/);
    const same = await playing(make(({ one }) => one.main.push('/c')));
    expect([same.lines, same.errors]).to.deep.equal([['GET /b', 'GET /a', 'GET /c', 'GET /a', 'GET /c'], []]);
  });

  it('has results of the operations that ran, and of no others', async () => {
    const { stats } = await playing(() => {
      const flow = { before: [{ get: '/b', afterHooks: [doing(() => (flow.main = ['/new']))] }], main: ['/old'] };
      return flow;
    });
    expect(stats.operations.map(({ name, count }) => `${name} ${count}`)).to.deep.equal(['GET /b 1', 'GET /new 2']);
  });

  it('keeps its keys, also if phases are added that hooks can push to', async () => {
    const flow = { main: ['/a'] };
    await playing(() => flow);
    expect([Object.keys(flow), flow.after]).to.deep.equal([['main'], []]);
  });

  it('stops when a listener of error throws', async () => {
    const lost = new Promise((resolve) => {
      const others = process.listeners('uncaughtException');
      process.removeAllListeners('uncaughtException');
      process.once('uncaughtException', (error) => {
        others.forEach((other) => process.on('uncaughtException', other));
        resolve(error.message);
      });
    });
    await serving(
      (req, res) => void res.writeHead(500).end(),
      async (url, seen) => {
        const run = benchrest(url, { limit: 1, iterations: 50 });
        run.on('error', () => {
          throw new Error('mine');
        });
        const { stats, endReason } = await run;
        expect([seen.length, stats.iterations.failed, endReason, await lost]).to.deep.equal([1, 1, 'stopped', 'mine']);
      },
    );
  });

  it('is compared only if it has code', () => {
    const main = [{ get: 'http://h/', headers: { a: '1' } }];
    const liveOf = (isLive) => readFlow({ main }, { isLive }).compile({}).main[0].live;
    expect([liveOf(false), liveOf(true) !== undefined]).to.deep.equal([undefined, true]);
    expect(readFlow(['http://h/'], { isLive: true }).compile({}).main[0].live).to.equal(undefined);
  });

  describeSlow('in workers', () => {
    const collecting = `({ env }) => void flow.after.push({ del: 'URL/x' + env.index, headers })`;
    const four = (line) => Array(4).fill(line);
    /** A flow whose `before` runs some code, and whose main is one operation. */
    const flowOf = ({ parts = '', change, main }) =>
      `${parts}; const flow = { before: [{ get: 'URL/b', afterHooks: [() => { ${change} }] }], main: [${main}] };`;

    it('is taken along as before has changed it, and its teardown comes back', async () => {
      const { errors, lines } = await withWorkers(`
        const headers = {};
        const change = () => {
          headers.n = '1';
          flow.main.push({ get: 'URL/c', headers });
          flow.after.push({ get: 'URL/end' });
        };
        const flow = {
          before: [{ get: 'URL/b', afterHooks: [change] }],
          main: [{ get: 'URL/a', headers, afterHooks: [${collecting}] }],
        };`);
      const deleted = [0, 1, 2, 3].map((i) => `DELETE /x${i} 1`);
      expect([errors, lines]).to.deep.equal([
        [],
        [...deleted, ...four('GET /a 1'), 'GET /b', ...four('GET /c 1'), 'GET /end'],
      ]);
    });

    for (const [what, program, sent] of [
      [
        'a URL object',
        {
          parts: `const uri = new URL('URL/old')`,
          change: `uri.pathname = '/new'`,
          main: `{ method: 'GET', uri }`,
        },
        'GET /new',
      ],
      [
        'the content of a date',
        {
          parts: `const at = new Date(0)`,
          change: `at.setTime(1e12)`,
          main: `{ post: 'URL/a', json: { at } }`,
        },
        'POST /a {"at":"2001-09-09T01:46:40.000Z"}',
      ],
      [
        'a part of a frozen flow',
        {
          parts: `const t = { n: 'old' }; const freeze = () => Object.freeze(flow); setImmediate(freeze)`,
          change: `t.n = 'new'`,
          main: `{ get: 'URL/a', headers: t }`,
        },
        'GET /a new',
      ],
    ])
      it(`has ${what} as before has changed it`, async () => {
        const { errors, lines } = await withWorkers(flowOf(program));
        expect([errors, lines]).to.deep.equal([[], [...four(sent), 'GET /b'].sort()]);
      });

    for (const [what, program, place] of [
      [
        'the value of a getter',
        { parts: `let t = 'old'`, change: `t = 'new'`, main: `{ get: 'URL/a', headers: { get n() { return t; } } }` },
        'headers.n',
      ],
      [
        'the value of a getter that throws until then',
        {
          parts: `let t`,
          change: `t = { id: 'new' }`,
          main: `{ post: 'URL/a', json: { get n() { return t.id; } }, headers: { get n() { return t?.id ?? ''; } } }`,
        },
        '(headers|json).n',
      ],
      [
        'the getter of a frozen object',
        {
          parts: `let t = 'old'`,
          change: `t = 'new'`,
          main: `{ get: 'URL/a', headers: Object.freeze({ get n() { return t; } }) }`,
        },
        'headers.n',
      ],
      [
        'what toJSON returns',
        {
          parts: `class S { #t = 'old'; set(t) { this.#t = t; } toJSON() { return this.#t; } } const s = new S()`,
          change: `s.set('new')`,
          main: `{ post: 'URL/a', json: { s } }`,
        },
        'json.s',
      ],
      [
        'the target of a Proxy',
        {
          parts: `const t = { n: 'old' }`,
          change: `t.n = 'new'`,
          main: `{ post: 'URL/a', headers: new Proxy(t, {}), json: new Proxy(t, {}) }`,
        },
        '(headers|json)',
      ],
    ])
      it(`is refused before main if before has changed ${what}`, async () => {
        const { errors, lines, endReason } = await withWorkers(flowOf(program));
        expect(errors).to.have.lengthOf(1);
        expect(errors[0]).to.match(
          new RegExp(`^before: flow.main.0..${place}: gives another value since code has run`),
        );
        expect([lines, endReason]).to.deep.equal([['GET /b'], 'before']);
      });

    it('is refused if hooks of main add a getter to after that gives another value in each thread', async () => {
      const { errors, lines } = await withWorkers(`
        let n = 0; const headers = { get n() { return String(n); } };
        const flow = { main: [{ get: 'URL/a', headers, afterHooks: [() => { n++; flow.after.push({ del: 'URL/x', headers }); }] }] };`);
      expect(errors).to.have.lengthOf(1);
      expect(errors[0]).to.match(/^main: flow\.main\[0\]\.headers\.n: gives another value since code has run/);
      expect(lines.some((line) => line.startsWith('DELETE'))).to.equal(false);
    });

    it('keeps a getter that gives what data says that before has changed', async () => {
      const main = `{ get: 'URL/a', headers, form: { get n() { return headers.n; } } }`;
      const program = { parts: `const headers = { n: 'old' }`, change: `headers.n = 'new'`, main };
      const { errors, lines } = await withWorkers(flowOf(program));
      expect([errors, lines]).to.deep.equal([[], [...four('GET /a new n=new'), 'GET /b']]);
    });

    it('keeps what changes by itself, and the bytes that hooks of main rewrite', async () => {
      const main = `{
        post: 'URL/a', json: { get time() { return Date.now() >= from; }, get n() { return ++count > 0; } },
      }, { put: 'URL/c', body, beforeHooks: [() => void body.write('own')] }`;
      const parts = `const headers = {}; const from = Date.now(); let count = 0; const body = Buffer.from('old')`;
      const { errors, lines } = await withWorkers(flowOf({ parts, change: `flow.main[0].headers = { n: '1' }`, main }));
      expect([errors, lines]).to.deep.equal([
        [],
        ['GET /b', ...four('POST /a 1 {"time":true,"n":true}'), ...four('PUT /c own')],
      ]);
    });

    for (const [what, program, text] of [
      [
        'a variable that before sets, and that a function of main reads',
        { parts: `let token`, change: `token = 'new'`, main: `{ get: 'URL/a', headers: { n: () => token } }` },
        'flow.before[0].afterHooks[0] changes the variable token, which flow.main[0].headers.n reads',
      ],
      [
        'an object that before completes, and that only functions have',
        { parts: `const state = {}`, change: `state.n = 'new'`, main: `{ get: () => 'URL/' + state.n }` },
        'changes the variable state, which flow.main[0].get reads',
      ],
      [
        'a list that hooks of main extend, and that a function of after reads',
        {
          parts: `const ids = []`,
          change: '',
          main: `{ get: 'URL/a', afterHooks: [({ env }) => void ids.push(env.index)] }], after: [{ del: () => 'URL/' + ids }`,
        },
        'flow.main[0].afterHooks[0] changes the variable ids, which flow.after[0].del reads',
      ],
      [
        'a variable of the environment that before sets',
        {
          change: `process.env.LIVE_FLOW = 'new'`,
          main: `{ get: 'URL/a', beforeHooks: [() => void process.env.LIVE_FLOW] }`,
        },
        'changes the variable process.env.LIVE_FLOW, which flow.main[0].beforeHooks[0] reads',
      ],
    ])
      it(`is refused before the first request with ${what}`, async () => {
        const refused = await withWorkers(flowOf(program)).catch((error) => error);
        expect(refused.code).to.equal('E_RUN_OPTIONS');
        expect(refused.message).to.include(text).and.include('keep it in all.runCtx');
      });

    it('has a notice of a variable that a function of main may set first', async () => {
      const notices = [];
      const listener = ({ message }) => notices.push(message);
      process.on('warning', listener);
      try {
        const parts = `const memo = {}; const memoize = (all) => { memo.n ??= 'new'; all.requestOptions.headers.n = memo.n; }`;
        const { errors, lines } = await withWorkers(
          flowOf({ parts, change: `memo.n = 'new'`, main: `{ get: 'URL/a', beforeHooks: [memoize] }` }),
        );
        expect([errors, lines]).to.deep.equal([[], [...four('GET /a new'), 'GET /b']]);
      } finally {
        process.off('warning', listener);
      }
      expect(notices).to.deep.equal([
        'workers: flow.before[0].afterHooks[0] changes the variable memo, which flow.main[0].beforeHooks[0] reads: each thread may have its own; all.runCtx is copied to all workers',
      ]);
    });

    it('keeps an object of the flow that functions read, too, and names of their own', async () => {
      const { errors, lines } = await withWorkers(
        flowOf({
          parts: `const headers = {}; let n = 1`,
          change: `headers.n = 'new'; { const n = 2; void n; }`,
          main: `{ get: () => 'URL/' + Object.keys(headers).length, headers, beforeHooks: [() => void n] }`,
        }),
      );
      expect([errors, lines]).to.deep.equal([[], [...four('GET /1 new'), 'GET /b']]);
    });

    it('has a notice of variables that only functions share, unless they use runCtx', () => {
      const noticesOf = (before) => {
        const main = [{ get: '/', headers: { n: () => '1' } }];
        return readFlow({ before: [{ get: '/', afterHooks: [before] }], main }, { isLive: true }).live.sharesVariables;
      };
      expect([noticesOf(() => {}), noticesOf('verify2XX')]).to.deep.equal([true, false]);
      expect(noticesOf((all) => void (all.runCtx.token = 1))).to.equal(false);
    });

    for (const [what, program, error] of [
      [
        'added a function',
        { change: `flow.main.push({ get: 'URL/c', afterHooks: [() => {}] })`, main: `{ get: 'URL/a' }` },
        /^before: flow\.main\[1\]\.afterHooks\[0\]: is a function that code has put there/,
      ],
      [
        'replaced a getter',
        {
          change: `Object.defineProperty(flow.main[0].headers, 'n', { get: () => 'new' })`,
          main: `{ get: 'URL/a', headers: { get n() { return 'old'; } } }`,
        },
        /^before: flow\.main\[0\]\.headers\.n: is a function that code has put there/,
      ],
      [
        'added an object with toJSON',
        {
          parts: `class S { toJSON() { return 1; } }`,
          change: `flow.main[0].json.s = new S()`,
          main: `{ post: 'URL/a', json: {} }`,
        },
        /^before: flow\.main\[0\]\.json\.s: is an instance of S that code has put there/,
      ],
    ])
      it(`is refused before main if before has ${what}`, async () => {
        const { errors, lines, endReason } = await withWorkers(flowOf(program));
        expect(errors).to.have.lengthOf(1);
        expect(errors[0]).to.match(error);
        expect([lines, endReason]).to.deep.equal([['GET /b'], 'before']);
      });

    it('runs what hooks of the warm-up have added to after, also beside a value that changes by itself', async () => {
      const { errors, lines } = await withWorkers(
        `const flow = {
          before: [{ get: 'URL/b', afterHooks: [() => {}] }],
          main: [{ post: 'URL/a', pause: 20, json: { get at() { return Date.now(); } }, afterHooks: [() => void flow.after.push({ del: 'URL/d' })] }],
        };`,
        { warmup: '100ms' },
      );
      const countOf = (method) => lines.filter((line) => line.startsWith(method)).length;
      expect([errors, countOf('DELETE')]).to.deep.equal([[], countOf('POST')]);
      expect(countOf('POST')).to.be.above(4);
    });

    for (const [what, change, place] of [
      ['replaced', `flow.after = [{ del: 'URL/some' }]`, 'flow.after'],
      ['given another URL', `flow.after[0].del = 'URL/some'`, 'flow.after[0].del'],
      ['given a function', `flow.after.push({ del: 'URL/x', afterHooks: [() => {}] })`, 'flow.after[1].afterHooks[0]'],
      ['given headers', `flow.after[0].headers.n = env.index`, 'flow.after[0].headers.n'],
    ])
      it(`stops at once if hooks of main have ${what} in after`, async () => {
        const { errors, lines, endReason } = await withWorkers(
          `const change = ({ env }) => { ${change} };
          const flow = {
            main: [{ get: 'URL/a', pause: 50, afterHooks: [change] }],
            after: [{ del: 'URL/none', headers: { n: '0' } }],
          };`,
          { iterations: 5000 },
        );
        expect(errors).to.have.lengthOf(1);
        expect(errors[0]).to.include(`main: ${place}: `);
        expect([lines[0], endReason, lines.length < 5000]).to.deep.equal(['DELETE /none 0', 'hook', true]);
      });
  });
});

describe('flow/snapshot', () => {
  const list = [1, { a: 1 }];
  const bytes = Buffer.from('a');
  const at = new Date(0);
  const base = { a: 1 };
  const heir = Object.create(base);
  for (const [what, roots, change, back] of [
    ['a member', list, () => (list[1].a = 2), () => (list[1].a = 1)],
    ['a new member', list, () => (list[1].b = 2), () => delete list[1].b],
    ['the length of a list', list, () => list.push(1), () => list.pop()],
    ['a byte', [bytes], () => (bytes[0] = 98), () => (bytes[0] = 97)],
    ['an inherited member', [heir], () => (base.a = 2), () => (base.a = 1)],
    ['a prototype', [heir], () => Object.setPrototypeOf(heir, {}), () => Object.setPrototypeOf(heir, base)],
    ['an inherited toJSON', [heir], () => (base.toJSON = () => 1), () => delete base.toJSON],
    ['a date', [at], () => at.setTime(1), () => at.setTime(0)],
  ])
    it(`notices a change of ${what}, and that it was undone`, () => {
      const snapshot = new Snapshot(roots === list ? [list] : roots);
      const found = [snapshot.isSame()];
      change();
      found.push(snapshot.isSame());
      back();
      expect([...found, snapshot.isSame()]).to.deep.equal([true, false, true]);
    });

  it('never says that a getter, a Proxy or an object with toJSON is the same', () => {
    const all = [
      {
        get a() {
          return 1;
        },
      },
      new Proxy({}, {}),
      { a: { toJSON: () => 1 } },
    ];
    expect(all.map((one) => new Snapshot([one]).isSame())).to.deep.equal([false, false, false]);
  });
});
