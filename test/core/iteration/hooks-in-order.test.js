import { expect } from 'chai';

import { Deadline } from '../../../lib/core/iteration/deadlines.js';
import { HookChain, bindHook } from '../../../lib/core/iteration/hooked-step.js';

/** A chain on a clock that is moved by hand; hooks get `all`, whose `log` lists the adopted results. */
function chainOf(hooks, { timeoutMs = 100 } = {}) {
  let now = 0;
  const clock = { now: () => now };
  const deadline = new Deadline({ expect() {}, remove() {} });
  const all = { log: [], adopt: (result, where) => void all.log.push(`${where} ${result}`) };
  const named = hooks.map((hook, i) => ({ where: `hook ${i}`, hook }));
  const chain = new HookChain(named.map(bindHook), { clock, timeoutMs });
  return {
    all,
    deadline,
    call: (ms = null) => chain.call(all, { deadline }, ms),
    moveTo(ms) {
      now = ms;
      if (deadline.hasPassed(ms)) deadline.interrupt('timeout', ms);
    },
  };
}
const codeOf = (promise) =>
  promise.then(
    () => null,
    ({ code, message }) => `${code}: ${message}`,
  );

describe('hooks that follow each other', () => {
  it('calls hooks in order, without a promise if none returns one', () => {
    const { all, call } = chainOf([() => 1, () => 2]);
    expect(call()).to.equal(null);
    expect(all.log).to.deep.equal(['hook 0 1', 'hook 1 2']);
  });

  it('errors name the function of a hook, beside its place', () => {
    const readItems = ({ body }) => body.items;
    const { where, call } = bindHook({ where: 'flow.main[0].afterHooks[0]', hook: readItems });
    expect(where).to.equal('flow.main[0].afterHooks[0] (readItems)');
    expect(() => call({})).to.throw(`${where}: Cannot read properties of undefined`);
    expect([() => 1].map((hook) => bindHook({ where: 'h', hook }).where)).to.deep.equal(['h']);
    const entry = { name: 'verify2XX', hook: readItems };
    expect(bindHook({ where: 'h', hook: readItems, entry }).where).to.equal('h (verify2XX)');
  });

  it('awaits a promise before it calls the next hook', async () => {
    const { all, call } = chainOf([async () => 1, () => all.log.push('called'), async () => 3]);
    await call();
    expect(all.log).to.deep.equal(['hook 0 1', 'called', 'hook 1 2', 'hook 2 3']);
  });

  for (const [what, hook] of [
    [
      'throws',
      () => {
        throw new Error('bad');
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('bad');
      },
    ],
    [
      'returns a thenable that throws',
      () => ({
        then() {
          throw new Error('bad');
        },
      }),
    ],
    [
      'returns an object whose `then` throws',
      () => ({
        get then() {
          throw new Error('bad');
        },
      }),
    ],
  ]) {
    it(`a hook that ${what} is named, and no later hook is called`, async () => {
      const { all, deadline, call } = chainOf([hook, () => 2]);
      expect(await codeOf((async () => call())())).to.equal('E_HOOK: hook 0: bad');
      expect([all.log, deadline.hasPassed(Infinity)]).to.deep.equal([[], false]);
    });
  }

  it('C13 a promise that is not settled in time is an error, and its later result is ignored', async () => {
    let resolve;
    const { all, call, moveTo } = chainOf([() => new Promise((settle) => (resolve = settle))]);
    const done = codeOf(call(50));
    moveTo(49);
    moveTo(50);
    expect(await done).to.equal('E_TIMEOUT_HOOK: hook 0 did not finish within 50 ms');
    resolve(1);
    await Promise.resolve();
    expect(all.log).to.deep.equal([]);
  });

  it('a hook of a cancelled run is cancelled, whatever its timeout', async () => {
    const { call, deadline } = chainOf([() => new Promise(() => {})], { timeoutMs: 0 });
    const done = codeOf(call());
    deadline.interrupt('cancelled', 0);
    expect(await done).to.match(/^E_CANCELLED/);
  });
});
