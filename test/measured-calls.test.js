import { setTimeout as wait } from 'node:timers/promises';

import { expect } from 'chai';

import benchrest from '../index.js';
import { stateOf } from '../lib/core/measure/state.js';
import { balance } from './faults/ground.js';
import { commandHere } from './support/command.js';
import { ok, serving } from './support/serve.js';
import { itSlow } from './support/slow.js';
import { here } from './support/threads-here.js';
import { undisturbed } from './support/until.js';

const ONE = { limit: 1 };
const FLOW = 'test/support/flows/calls.mjs';

async function run(flow, options) {
  const { stats } = await benchrest(flow, { ...ONE, ...options });
  balance(stats);
  return stats;
}

const rows = ({ operations }) =>
  operations.map(({ phase, name, count, errors }) => `${phase} ${name}: ${count}, ${errors}`);
const groups = ({ errors }) =>
  errors.details.map(({ kind, code, path, operation, message, count }) => [
    kind,
    code,
    `${path} ${operation}`,
    message,
    count,
  ]);
const refusal = async (flow, options = { ...ONE, iterations: 1 }) => {
  try {
    await benchrest(flow, options);
  } catch ({ message }) {
    return message;
  }
  return expect.fail('was not refused');
};

describe('a measured call', () => {
  it('is a row like an operation, without a URL and without a status', async () => {
    const values = [];
    const main = [
      { measure: 'insert', run: async ({ index }) => ({ id: index }) },
      async ({ measure, index }) => void values.push(await measure('select', async () => index)),
      { measure: 'sync', run: () => 'at once' },
    ];
    const stats = await run({ main }, { iterations: 3, thresholds: ['insert p95<1m', 'select count==3', 'errors==0'] });
    expect(values).to.deep.equal([0, 1, 2]);
    expect(rows(stats)).to.have.members(['main insert: 3, 0', 'main select: 3, 0', 'main sync: 3, 0']);
    expect(stats.requests).to.include({ count: 9, sent: 9, answered: 9, abandoned: 0 });
    expect(stats.requests.statusCodes).to.deep.equal({});
    expect(stats.operations[0]).to.deep.include({ protocol: 'measure', statusCodes: {} });
    expect(stats.operations[0].times.serviceTime.count).to.equal(3);
    expect(stats.thresholds.map(({ passed }) => passed)).to.deep.equal([true, true, true]);
    expect(stats.exemplars.slowest[0]).to.deep.include({ status: null });
    expect(stats.exemplars.slowest.map(({ operation }) => operation)).to.include('insert');
    expect(stateOf(stats).operations[0].mixed.times.count).to.equal(3);
  });

  it('fails its iteration once, in a group by the code of its error; an error that the function handles is none', async () => {
    const failing = async () => {
      throw Object.assign(new Error('duplicate key'), { code: '23505' });
    };
    const seen = [];
    const main = [
      { measure: 'plain', run: failing, when: ({ index }) => index === 0 },
      async ({ index, measure }) => {
        if (index === 1) await measure('passed on', failing);
        else await measure('handled', failing).catch((error) => seen.push(error.code));
      },
    ];
    const stats = await run({ main }, { iterations: 3 });
    expect(seen).to.deep.equal(['23505']);
    expect(groups(stats)).to.have.deep.members([
      ['call', '23505', 'flow.main[0] plain', 'duplicate key', 1],
      ['call', '23505', 'flow.main[1].measure passed on', 'duplicate key', 1],
    ]);
    expect(stats.errors.details[0].location.file).to.equal('test/measured-calls.test.js');
    expect(rows(stats)).to.have.members(['main plain: 1, 1', 'main passed on: 1, 1', 'main handled: 1, 0']);
    expect(stats.iterations).to.include({ completed: 1, failed: 2 });
    expect(stats.requests).to.include({ answered: 0, unanswered: 3 });
    expect(stats.exemplars.failed.map(({ code }) => code)).to.deep.equal(['23505', '23505']);
  });

  it('fails by any value that is thrown or rejected with', async () => {
    const traps = ['get', 'has', 'getPrototypeOf', 'ownKeys'].map((name) => [
      name,
      () => {
        throw new Error('a trap');
      },
    ]);
    for (const [value, message] of [
      [undefined, 'undefined'],
      [NaN, 'NaN'],
      ['', 'an empty string'],
      [{ a: 1 }, '{"a":1}'],
      [Object.create(null), 'an error that cannot be converted to text'],
      [new Proxy({}, Object.fromEntries(traps)), 'an error that cannot be converted to text'],
      [Object.assign(new Error('coded'), { code: Symbol('x') }), 'coded'],
      [Object.assign(new Error('coded'), { code: { toString: null } }), 'coded'],
    ]) {
      const fail = () => Promise.reject(value);
      const main = [
        { oneOf: [{ measure: 'a', run: fail }, { measure: 'b', run: () => { throw value; } }] }, // prettier-ignore
      ];
      const inFunction = async ({ measure }) => void (await measure('c', fail));
      for (const [flow, iterations] of [
        [main, 2],
        [[inFunction], 1],
      ]) {
        const stats = await run({ main: flow }, { iterations });
        const all = stats.errors.details.map(({ kind, message: text, count }) => [kind, text, count]);
        expect(all).to.deep.equal(Array.from({ length: iterations }, () => ['call', message, 1]));
      }
    }
  });

  it('keeps an error of the system: its kind and its remedy are those of requests', async () => {
    const refused = async () => {
      throw Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED', syscall: 'connect' });
    };
    const stats = await run({ main: [{ measure: 'a', run: refused }] }, { iterations: 1 });
    expect(stats.errors.kinds).to.deep.equal({ connect: 1 });
  });

  it('has checks and captures of the value, groups, tags, pauses, conditions and repetitions', async () => {
    const main = [
      {
        measure: 'insert',
        run: async ({ index }) => ({ rowCount: 1, rows: [{ id: `id ${index}` }] }),
        expect: { json: { '$.rowCount': 1, '$.rows[0].id': 'id 0' }, within: '1m' },
        capture: { id: '$.rows[0].id' },
        group: 'both',
        tags: { team: 'data' },
      },
      { measure: 'again', run: async ({ vars }) => vars.id, repeat: 2, pause: 1, group: 'both' },
      async ({ measure, vars }) => {
        await measure('tagged', async () => ({ n: 1 }), { tags: { team: 'data' }, expect: { json: { '$.n': 1 } } });
        expect(vars.id).to.match(/^id/);
      },
    ];
    const stats = await run({ main }, { iterations: 2 });
    expect(groups(stats)).to.deep.equal([
      [
        'expect',
        'E_EXPECT',
        'flow.main[0] insert',
        'flow.main[0].expect.json["$.rows[0].id"]: expected "id 0", received "id 1"',
        1,
      ],
    ]);
    expect(stats.checks).to.include({ passed: 6, failed: 1 });
    expect(stats.groups.map(({ name, count, errors }) => [name, count, errors])).to.deep.equal([['both', 2, 1]]);
    expect(stats.tags.map(({ name, count, errors }) => [name, count, errors])).to.deep.equal([['team:data', 3, 1]]);
    expect(rows(stats)).to.have.members(['main insert: 2, 1', 'main again: 2, 0', 'main tagged: 1, 0']);
  });

  it('counts response times from the due time in an open model', async () => {
    const main = [{ measure: 'slow', run: () => wait(20) }];
    const stats = await run({ main }, { rate: 1000, iterations: 5 });
    expect(stats.iterations.completed).to.equal(5);
    expect(stats.main.completed.max).to.be.above(stats.main.serviceTime.max);
    expect(stats.operations[0].times.serviceTime.count).to.equal(5);
  });

  it('C55 ends at its timeout: the signal is aborted, and a call that ignores it is abandoned', async () => {
    const reasons = [];
    let endLate;
    const main = [
      {
        measure: 'handles the signal',
        timeout: 20,
        when: ({ index }) => index === 0,
        run: ({ signal }) =>
          wait(60_000, null, { signal }).catch((error) => {
            reasons.push(signal.reason.code);
            throw error;
          }),
      },
      async ({ index, measure }) => {
        if (index === 1)
          await measure('ignores it', () => new Promise((resolve) => (endLate = resolve)), { timeout: 20 });
        // The result of the abandoned call arrives now, and is dropped.
        endLate('late');
        expect(await measure('goes on', async () => wait(1, 'own'))).to.equal('own');
      },
    ];
    const stats = await run({ main }, { iterations: 3 });
    expect(reasons).to.deep.equal(['E_TIMEOUT_CALL']);
    expect(groups(stats)).to.deep.equal([
      ['timeout', 'E_TIMEOUT_CALL', 'flow.main[0] handles the signal', 'no result within 20 ms', 1],
      ['timeout', 'E_TIMEOUT_CALL', 'flow.main[1].measure ignores it', 'no result within 20 ms', 1],
    ]);
    expect(stats.requests).to.include({ answered: 1, unanswered: 2, abandoned: 1 });
    expect(rows(stats)).to.have.members([
      'main handles the signal: 1, 1',
      'main ignores it: 1, 1',
      'main goes on: 1, 0',
    ]);
  });

  it('C55 the end of the run cuts off a call that never returns, and nothing waits for it', async () => {
    const signals = [];
    const main = [
      {
        measure: 'never',
        run: ({ signal }) => {
          signals.push(signal);
          return new Promise(() => {});
        },
      },
    ];
    const stats = await run({ main }, { limit: 3, duration: 30, gracefulStop: 30, timeout: 0 });
    expect(signals.map(({ aborted, reason }) => [aborted, reason.code])).to.deep.equal(
      Array(3).fill([true, 'E_CANCELLED']),
    );
    expect(stats.iterations).to.include({ started: 3, cancelled: 3 });
    expect(stats.requests).to.include({ sent: 3, cancelled: 3, abandoned: 3 });
    // They are slower than any that has completed, as for requests.
    const message = 'no result until the end of the run: no iteration completed';
    expect(groups(stats)).to.deep.equal([['timeout', 'E_OVERDUE', 'undefined never', message, 3]]);
    expect(stats.outcome.reasons.find(({ code }) => code === 'unanswered').message).to.equal('no call returned');
  });

  it('C56 lets timers and signals be served, though calls wait for nothing', async () => {
    const stats = await run({ main: [{ measure: 'nothing', run: async () => {} }] }, { duration: 50 });
    expect(stats.endReason ?? 'completed').to.equal('completed');
    // a busy machine may leave time for one
    expect(stats.iterations.completed).to.be.above(0);
  });

  itSlow('calls of more names than results have rows for are added up', async () => {
    const main = [
      async ({ measure, index }) => {
        for (let i = 0; i < 350; i++) await measure(`call ${350 * index + i}`, () => {});
      },
    ];
    const stats = await run({ main }, { iterations: 3 });
    expect(stats.operations).to.have.lengthOf(1001);
    expect(stats.operations.at(-1)).to.deep.include({ name: 'other', other: true, count: 50 });
    expect(stats.requests.answered).to.equal(1050);
  });

  it('is made beside requests of the same virtual user', () =>
    serving(ok, async (url, seen) => {
      const main = [
        { get: `${url}/a` },
        { measure: 'call', run: async () => 1 },
        async ({ request, measure }) => {
          await measure('in a function', async () => 2);
          await request(`${url}/b`);
        },
      ];
      const hook = (all) => void expect(all.response.statusCode).to.equal(200);
      const stats = await run({ main, afterHooks: ['verify2XX', hook] }, { iterations: 2 });
      expect(groups(stats)).to.deep.equal([]);
      expect(seen.map(({ line }) => line)).to.deep.equal(['GET /a', 'GET /b', 'GET /a', 'GET /b']);
      expect(stats.requests.statusCodes).to.deep.equal({ 200: 4 });
      expect(stats.requests.answered).to.equal(8);
      expect(stats.connections.opened).to.equal(1);
    }));

  it('one after the other: calls at the same time, within each other, or after the function are errors', async () => {
    const both = async ({ measure }) => {
      await Promise.all([measure('a', () => wait(5)), measure('b', () => wait(5))]);
    };
    const within = ({ measure }) => measure('outer', () => measure('inner', () => {}));
    const requesting = ({ measure, request }) => measure('outer', () => request('http://127.0.0.1:1/'));
    const pausing = ({ measure, pause }) => measure('outer', () => wait(1).then(() => pause('1m')));
    for (const call of [both, within, requesting, pausing]) {
      // What waits for itself ends before any timeout.
      const stats = await run({ main: [call] }, { iterations: 1, timeout: '10m' });
      const [[kind, code, place, message]] = groups(stats);
      expect([kind, code]).to.deep.equal(['hook', 'E_VALUE']);
      expect(place, 'it is an error of the function').to.equal(`flow.main[0] ${call.name} (function)`);
      expect(message).to.match(/called (measure|request|pause)\(\) before the last one had ended/);
      expect(stats.iterations.failed).to.equal(1);
    }
  });

  for (const [title, main, expected] of [
    ['an empty name', [{ measure: ' ', run: () => {} }], /flow\.main\[0\]\.measure: is empty: name the call/],
    ['a token in the name', [{ measure: 'a #{INDEX}', run: () => {} }], /flow\.main\[0\]\.measure: has a token/],
    ['a long name', [{ measure: 'x'.repeat(201), run: () => {} }], /has 201 characters: at most 200/],
    ['a name without a function', [{ measure: 'a' }], /flow\.main\[0\]\.measure: needs run, the function/],
    ['a URL', [{ measure: 'a', get: 'http://a/', run: () => {} }], /has get and measure: one operation is one request/],
    [
      'hooks',
      [{ measure: 'a', run: () => {}, afterHooks: ['verify2XX'] }],
      /afterHooks: has no meaning for a measured/,
    ],
    ['a second name', [{ measure: 'a', run: () => {}, name: 'b' }], /name: is the value of measure here/],
    ['a status', [{ measure: 'a', run: () => {}, expect: { status: 200 } }], /expect: checks the value that a call/],
    ['a header', [{ measure: 'a', run: () => {}, capture: { a: { header: 'x' } } }], /capture: reads the value that/],
  ])
    it(`is refused before the run with ${title}`, async () => {
      expect(await refusal({ main })).to.match(expected);
    });

  for (const [title, args, expected] of [
    ['no name', [undefined, () => {}], /flow\.main\[0\]\.measure expected a name such as 'insert', got null/],
    ['an empty name', ['', () => {}], /flow\.main\[0\]\.measure is empty/],
    ['no function', ['a'], /called measure\(\) without a function: write measure\('insert'/],
    ['another property', ['a', () => {}, { retries: 1 }], /flow\.main\[0\]\.measure\.retries unknown property/],
  ])
    it(`measure() with ${title} fails its function at first use`, async () => {
      const stats = await run({ main: [({ measure }) => measure(...args)] }, { iterations: 1 });
      expect(groups(stats)[0][3]).to.match(expected);
    });

  it('reports show the code by which errors are grouped', async () => {
    const code = `{ measure: 'insert', run: async () => { throw Object.assign(new Error('dup key'), { code: '23505' }); } }`;
    const { code: exit, stdout } = await commandHere(['-n', '2', '-e', code]);
    expect(exit).to.equal(1);
    expect(stdout).to.match(/2 × call in flow\.main\[0\] insert, first in iteration 0\n +23505: dup key\n/);
    expect(stdout).to.contain('No call returned.');
  });

  it('--debug prints the value in place of a response, without secrets', async () => {
    for (const [value, printed] of [
      ["{ id: 5, password: 'abc' }", '{"id":5,"password":"***"}'],
      ['5n', '"5"'],
      ["(() => { const a = { password: 'abc' }; a.a = a; return a; })()", 'an object'],
    ]) {
      const code = `{ measure: 'insert', run: async () => (${value}) }`;
      const { code: exit, stdout, stderr } = await commandHere(['--debug', '-e', code]);
      expect(exit, stderr).to.equal(0);
      expect(stdout + stderr).to.contain(`> CALL insert\n< returned\n<\n< ${printed}\n`);
    }
  });
});

describe('a virtual user', () => {
  it('begins before its first iteration, in the warm-up too, and ends after its last one', async () => {
    const log = [];
    const flow = {
      before: [async () => void log.push('before')],
      beforeUser: async ({ vu, vuCtx, measure }) => {
        vuCtx.client = await measure('connect', async () => `client ${vu}`);
        log.push(`begin ${vu}`);
      },
      main: [async ({ vu, vuCtx }) => void expect(vuCtx.client).to.equal(`client ${vu}`)],
      afterUser: async ({ vu, vuCtx }) => void log.push(`end ${vu}, ${vuCtx.client}`),
      after: [async () => void log.push('after')],
    };
    const stats = await run(flow, { limit: 2, iterations: 6, warmup: '30ms' });
    expect(groups(stats)).to.deep.equal([]);
    expect(log.map((line) => line.replace(/\d/g, 'n'))).to.deep.equal([
      'before',
      ...['begin n', 'begin n', 'end n, client n', 'end n, client n'],
      'after',
    ]);
    expect(new Set(log).size).to.equal(6);
    expect(stats.iterations.completed).to.equal(6);
  });

  it('begins again if that has failed, which fails the iteration; only what has begun ends', async () => {
    const log = [];
    let attempts = 0;
    const flow = {
      beforeUser: async () => {
        attempts++;
        if (attempts <= 2) throw new Error('no server');
        log.push('begin');
      },
      main: [async () => void log.push('main')],
      afterUser: () => void log.push('end'),
    };
    const stats = await run(flow, { iterations: 4 });
    expect(log).to.deep.equal(['begin', 'main', 'main', 'end']);
    expect(groups(stats).map(([kind, , place, message, count]) => [kind, place, message, count])).to.deep.equal([
      ['hook', 'flow.beforeUser beforeUser (function)', 'flow.beforeUser: no server', 2],
    ]);
    log.length = 0;
    attempts = 2;
    await run(
      {
        ...flow,
        main: [
          () => {
            throw new Error('x');
          },
        ],
      },
      { iterations: 1 },
    );
    expect(log, 'ends though its iteration has failed').to.deep.equal(['begin', 'end']);
  });

  it('counts neither its begin nor its end in any time of main, and an error of its end', async () => {
    const flow = {
      beforeUser: () => wait(300),
      main: [{ measure: 'a', run: async () => {} }],
      afterUser: async () => {
        throw new Error('not closed');
      },
    };
    const { stats } = await undisturbed(() => benchrest(flow, { ...ONE, iterations: 2, maxRequests: 2 }));
    expect(stats.main.completed.max).to.be.below(300);
    expect(groups(stats).map(([, , place]) => place)).to.deep.equal(['flow.afterUser afterUser (function)']);
  });

  it('an end that never returns has the time of a hook, also without beforeUser; an abort leaves it none', async () => {
    const flow = { main: [() => wait(1)], afterUser: () => new Promise(() => {}) };
    const stats = await run(flow, { iterations: 1, timeout: 30 });
    expect(groups(stats).map(([, code]) => code)).to.deep.equal(['E_TIMEOUT_HOOK']);
    const aborted = benchrest(flow, { ...ONE, duration: '1m' });
    setTimeout(() => aborted.abort(), 30);
    expect((await aborted).endReason).to.equal('aborted');
  });

  it('is refused with pipelining, and if it is no function', async () => {
    const flow = { beforeUser: () => {}, main: [() => {}] };
    expect(await refusal(flow, { ...ONE, iterations: 1, pipelining: 2, httpClient: 'builtin' })).to.match(
      /runOptions\.pipelining: several/,
    );
    expect(await refusal({ ...flow, afterUser: [() => {}] })).to.match(/flow\.afterUser: expected a function such as/);
  });

  itSlow('works on workers and shards as in one thread', () =>
    here('workers', async () => {
      const sum = async (options) => {
        const { stats } = await benchrest(FLOW, { iterations: 40, limit: 4, ...options });
        balance(stats);
        const { details } = stats.errors;
        return { rows: rows(stats).sort(), errors: details.map(({ code, count }) => [code, count]) };
      };
      const expected = {
        rows: ['after close: 4, 0', 'beforeMain connect: 4, 0', 'main insert: 40, 0', 'main select: 40, 10'],
        errors: [['E_NO_ROW', 10]],
      };
      expect(await sum({})).to.deep.equal(expected);
      expect(await sum({ workers: 2 })).to.deep.equal(expected);
      const shards = await Promise.all([1, 2].map((number) => sum({ shard: { number, of: 2 } })));
      expect(shards.map(({ rows: [close, , insert] }) => [close, insert])).to.deep.equal(
        Array(2).fill(['after close: 2, 0', 'main insert: 20, 0']),
      );
    }),
  );
});

describe('an operation for 1.2.4', () => {
  it('keeps a function named run for its hooks', () =>
    serving(ok, async (url) => {
      const hook = ({ requestOptions }) => void expect(requestOptions.run()).to.equal(5);
      const stats = await run({ main: [{ get: url, run: () => 5, beforeHooks: [hook] }] }, { iterations: 1 });
      expect(groups(stats)).to.deep.equal([]);
    }));
});
