import { expect } from 'chai';

import { withValues } from '../../../lib/core/iteration/step-functions.js';

/** A step whose functions return these values; `log` has what happens. */
function stepOf(calls) {
  const log = [];
  const values = calls.map((call, i) => ({ where: `value ${i}`, call, take: (value) => value }));
  const lane = { readClock: () => log.push('clock'), deadline: { start() {}, end() {} } };
  const env = { values: ['of the operation before'] };
  const perform = (given) => log.push(given.values);
  const step = withValues({ values, timeoutMs: null }, { clock: { now: () => 0 }, timeoutMs: 0 }, perform);
  const start = () => step(env, lane, null, { onError: (error) => log.push(error.message) });
  return { log, start };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('steps that functions compute', () => {
  it('without promises the step is performed at once, with the values in the place of their placeholders', () => {
    const { log, start } = stepOf([() => 'a', (env) => env.values.length]);
    start();
    expect(log).to.deep.equal(['clock', ['a', 1]]);
  });

  it('waits for each promise before it calls the next function', async () => {
    const { log, start } = stepOf([async () => 'a', (env) => env.values[0]]);
    start();
    expect(log).to.deep.equal([]);
    await settled();
    expect(log).to.deep.equal(['clock', ['a', 'a']]);
  });

  for (const [what, call] of [
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
  ]) {
    // prettier-ignore
    it(`a function that ${what} is the error of the step, and the rest of it is not performed`, async () => {
      const { log, start } = stepOf([call, () => log.push('not called')]);
      start();
      await settled();
      expect(log).to.deep.equal(['clock', 'value 0: no']);
    });
  }
});
