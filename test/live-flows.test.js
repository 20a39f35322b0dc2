import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../index.js';
import { readFlow } from '../lib/core/flow/compile.js';
import { Snapshot } from '../lib/core/flow/snapshot.js';
import { PROGRAM, saidBy } from './support/command.js';
import { ok, serving } from './support/serve.js';

const TWO = { limit: 1, iterations: 2 };
const doing = (action) => (all) => void action(all);
const linesOf = (seen) => seen.map(({ line, headers }) => [line, headers.n].filter(Boolean).join(' '));

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
const withWorkers = (text) =>
  serving(ok, async (url, seen) => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    try {
      const file = join(folder, 'flow.mjs');
      writeFileSync(file, text.replaceAll('URL', url));
      const { code, stdout, stderr } = await saidBy(process.execPath, [PROGRAM, '-n', '4', '-c', '2', '-w', '2', file]);
      return { code, lines: linesOf(seen).sort(), said: stdout + stderr };
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
    expect(lines).to.deep.equal(['POST /a']);
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

  describe('in workers', () => {
    const collecting = `({ env }) => void flow.after.push({ del: 'URL/x' + env.index, headers })`;

    it('is taken along as before has changed it, and its teardown comes back', async () => {
      const { code, lines } = await withWorkers(`
        const headers = {};
        const change = () => {
          headers.n = '1';
          flow.main.push({ get: 'URL/c', headers });
          flow.after.push({ get: 'URL/end' });
        };
        const flow = {
          before: [{ get: 'URL/b', afterHooks: [change] }],
          main: [{ get: 'URL/a', headers, afterHooks: [${collecting}] }],
        };
        export default flow;`);
      const four = (line) => Array(4).fill(line);
      const deleted = [0, 1, 2, 3].map((i) => `DELETE /x${i} 1`);
      expect([code, lines]).to.deep.equal([
        0,
        [...deleted, ...four('GET /a 1'), 'GET /b', ...four('GET /c 1'), 'GET /end'],
      ]);
    });

    it('is refused before main if before has added a function', async () => {
      const { code, lines, said } = await withWorkers(`
        const change = () => void flow.main.push({ get: 'URL/c', afterHooks: [() => {}] });
        const flow = { before: [{ get: 'URL/b', afterHooks: [change] }], main: [{ get: 'URL/a' }] };
        export default flow;`);
      expect([code, lines]).to.deep.equal([1, ['GET /b']]);
      expect(said).to.include('flow.main[1].afterHooks[0]: is a function that code has put there');
    });
  });
});

describe('flow/snapshot', () => {
  const list = [1, { a: 1 }];
  const bytes = Buffer.from('a');
  const at = new Date(0);
  for (const [what, roots, change, back] of [
    ['a member', list, () => (list[1].a = 2), () => (list[1].a = 1)],
    ['a new member', list, () => (list[1].b = 2), () => delete list[1].b],
    ['the length of a list', list, () => list.push(1), () => list.pop()],
    ['a byte', [bytes], () => (bytes[0] = 98), () => (bytes[0] = 97)],
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
