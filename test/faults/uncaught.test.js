import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { commandHere } from '../support/command.js';
import { scaled } from '../support/scale.js';
import { ok, serving } from '../support/serve.js';
import { describeSlow } from '../support/slow.js';

const FORMAT = new URL('../../lib/core/text/format-value.js', import.meta.url);
const COUNT = 200;

describeSlow('C41 an error of the flow that nothing catches', () => {
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  /** A flow whose hook does something in every tenth iteration. The statements begin in line 5. */
  const flowFile = (statements, { head = '', phases = '' } = {}) => {
    const path = join(folder, 'flow.mjs');
    const lines = [
      `import { EventEmitter } from 'node:events';`,
      head,
      `export default { ${phases} main: [{ get: '/', afterHooks: [(all) => {`,
      `  if (all.env.index % 10 !== 5) return;`,
      `  ${statements}`,
      `}] }] };`,
    ];
    writeFileSync(path, lines.join('\n'));
    return path;
  };

  /** With workers, an error is one of their threads. */
  const run = async (path, ...args) => {
    const result = await commandHere(['--serve', '-n', `${COUNT}`, '-c', '5', '--json', ...args, path], {
      engine: args.includes('-w') ? undefined : 'thread',
      workers: 'thread',
    });
    return { ...result, stats: result.stdout && JSON.parse(result.stdout) };
  };

  const complete = (stats) => {
    expect(stats.iterations).to.include({ started: COUNT, completed: COUNT, failed: 0, cancelled: 0 });
    expect(stats.missing ?? []).to.deep.equal([]);
  };

  describe('of a hook', () => {
    const rows = [
      ['a rejection in a hook', "Promise.reject(new Error('stray 0'));", /a promise was rejected that nothing awaits/],
      [
        'a rejection after a while',
        "void (async () => { await null; await null; throw new Error('stray 1'); })();",
        /a promise was rejected/,
      ],
      [
        'a timer',
        "setTimeout(() => { throw new Error('stray 2'); }, 1);",
        /it was thrown after the hook had returned/,
        // the last one may be later than the run
        { from: 1 },
      ],
      [
        'a listener of an EventEmitter',
        "const e = new EventEmitter(); e.on('x', () => { throw new TypeError('stray 3'); }); process.nextTick(() => e.emit('x'));",
        /it was thrown after/,
      ],
      [
        'an error event without a listener',
        "process.nextTick(() => new EventEmitter().emit('error', new Error('stray 4')));",
        /it was thrown after/,
      ],
    ];
    let result;
    before(async () => {
      result = await run(flowFile(rows.map(([, statement]) => statement).join('\n')));
    });

    it('lets the run go on, and is the only kind of errors', () => {
      const { code, stderr, stats } = result;
      expect(code, stderr).to.equal(1);
      complete(stats);
      expect(stats.errors.kinds).to.deep.equal({ hook: stats.errors.count });
      // The last error of a timer may be one of after.
      expect(new Set(stats.errors.details.map(({ message }) => message)).size).to.equal(rows.length);
      expect(stderr).not.to.match(/lib\//);
    });

    for (const [i, [what, statement, message, { from = COUNT / 10 } = {}]] of rows.entries())
      it(`is counted with its line: ${what}`, () => {
        const {
          kind,
          code,
          message: text,
          location: place,
          phase,
          count,
        } = result.stats.errors.details.find((one) => one.phase === 'main' && one.message.includes(`stray ${i}`));
        expect({ kind, code, phase }).to.deep.equal({ kind: 'hook', code: 'E_UNCAUGHT', phase: 'main' });
        expect(count).to.be.within(from, COUNT / 10);
        expect(text).to.match(message);
        expect(place).to.include({ file: join(folder, 'flow.mjs'), line: 5 + i });
        expect(place.source).to.include(statement.slice(0, 10));
      });
  });

  for (const [what, values, texts] of [
    ['a text or undefined', ["'stray'", 'undefined'], ['stray', 'undefined']],
    [
      'null or a Proxy that throws',
      ['null', 'new Proxy({}, { get() { throw 1; } })'],
      ['null', '(an error that cannot be converted|#<Object>)'],
    ],
  ]) {
    it(`may be ${what}`, async () => {
      const each = 'Promise.reject(value); process.nextTick(() => { throw value; });';
      const { code, stats } = await run(flowFile(`for (const value of [${values}]) { ${each} }`));
      expect(code).to.equal(1);
      complete(stats);
      expect(stats.errors.count).to.equal((2 * values.length * COUNT) / 10);
      const messages = stats.errors.details.map(({ message }) => message);
      for (const message of messages) expect(message).to.match(RegExp(`in the flow: (${texts.join('|')})`));
      for (const text of texts) expect(messages.join('\n')).to.match(RegExp(`in the flow: ${text}`));
    });
  }

  it('in evaluated text is counted, too', async () => {
    const flow = "{ main: [{ get: '/', afterHooks: [() => void Promise.reject(new Error('stray'))] }] }";
    const args = ['--serve', '-n', '20', '-c', '2', '--json', '-e', flow];
    const { code, stdout } = await commandHere(args, { engine: 'thread' });
    const { errors, iterations } = JSON.parse(stdout);
    expect([code, errors.count, iterations.completed]).to.deep.equal([1, 20, 20]);
  });

  it('in a worker is counted, and no worker is lost', async () => {
    const { code, stats } = await run(flowFile("Promise.reject(new Error('stray'));"), '-w', '2');
    expect(code).to.equal(1);
    complete(stats);
    expect(stats.errors.kinds).to.deep.equal({ hook: COUNT / 10 });
    expect(stats.errors.details[0].location.line).to.equal(5);
  });

  it('in a worker of a program is an error event', () =>
    serving(ok, async (url) => {
      const heard = [];
      const file = flowFile("Promise.reject(new Error('stray'));");
      const { stats } = await benchrest(file, { baseUrl: url, limit: 5, iterations: COUNT, workers: 1 }).on(
        'error',
        ({ code, message }, phase) => heard.push([code, message.slice(0, 33), phase].join()),
      );
      complete(stats);
      expect(new Set(heard)).to.deep.equal(new Set(['E_UNCAUGHT,uncaught error in the flow: stray,main']));
      expect(heard).to.have.lengthOf(COUNT / 10);
    }));

  it('ends the run by the same limit of errors as a hook that throws', async () => {
    const { code, stats } = await run(flowFile("Promise.reject(new Error('stray'));"), '--bailout', '3');
    expect(code).to.equal(1);
    expect(stats.errors.count).to.be.within(3, 8);
    const { started, completed, failed, cancelled } = stats.iterations;
    expect(started)
      .to.equal(completed + failed + cancelled)
      .and.be.below(COUNT);
  });

  it('in before ends the run before its iterations, as a hook that throws', async () => {
    const phases = "before: [{ get: '/', afterHooks: [() => void Promise.reject(new Error('stray'))] }],";
    const { code, stats, stderr } = await run(flowFile('', { phases }));
    expect([code, stats.iterations.started]).to.deep.equal([1, 0]);
    expect(stats.errors.details[0]).to.include({ code: 'E_UNCAUGHT', phase: 'before' });
    expect(stderr).to.include('because before failed');
  });

  it('in the warm-up is an error of the warm-up', async () => {
    const file = flowFile('', {
      phases: "beforeMain: [{ get: '/', afterHooks: [(all) => void (all.env.index >= 1e12 && Promise.reject(1))] }],",
    });
    const { code, stats } = await run(file, '--warmup', '50ms');
    expect([code, stats.errors.count]).to.deep.equal([0, 0]);
    expect(stats.warmup.errors).to.be.above(0);
  });

  it('while the run is planned, or shortly before it starts, is an error of the flow, not an internal one', async () => {
    const head = [
      "Promise.resolve().then(() => Promise.reject(new Error('early stray')));",
      "setTimeout(() => Promise.reject(new Error('late stray')), 1);",
    ].join(' ');
    const { code, stats, stderr } = await run(flowFile('', { head }));
    expect(code, stderr).to.equal(1);
    const messages = stats.errors.details.map(({ message }) => message).join('\n');
    expect(messages).to.include('early stray').and.include('late stray');
  });

  it('that the flow handles by a listener of its own is not counted', async () => {
    const head = "process.on('uncaughtException', () => {});";
    const { code, stats } = await run(flowFile("Promise.reject(new Error('stray'));", { head }));
    complete(stats);
    expect([code, stats.errors.count]).to.deep.equal([0, 0]);
  });

  it('may occur any number of times, with any message, in bounded memory', async () => {
    const each = scaled(50, 500);
    const file = flowFile(`for (let i = 0; i < ${each}; i++) Promise.reject(new Error('stray ' + i));`);
    const { code, stats } = await run(file);
    expect(code).to.equal(1);
    complete(stats);
    expect(stats.errors.count).to.equal((each * COUNT) / 10);
    expect(stats.errors.details.length).to.be.within(2, 6);
  }).timeout(300_000);

  it('of ours is an internal error: the run ends with its stack, and exit code 70', async () => {
    // A listener of the flow does not hide it.
    const head = `import { listOf } from '${FORMAT}'; process.on('uncaughtException', () => {});`;
    // it reads a property of undefined, and no code of the user calls it
    const { code, stderr, stats } = await run(flowFile('setImmediate(listOf);', { head }));
    expect(code).to.equal(70);
    expect(stderr).to.include('the run was lost: TypeError').and.include('text/format-value.js');
    const { started, completed, failed, cancelled } = stats.iterations;
    expect(started).to.equal(completed + failed + cancelled);
  });
});
