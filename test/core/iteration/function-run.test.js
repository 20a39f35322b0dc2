import { expect } from 'chai';

import { prepareFunction } from '../../../lib/core/iteration/function-run.js';
import { RequestedResponse } from '../../../lib/core/iteration/step-functions.js';

describe('iteration/function-run', () => {
  it('a pause in a teardown at the end of the run ends at once, as that of an operation', async () => {
    const lane = {
      now: 0,
      isCancelled: true,
      isCutOff: () => false,
      iteration: { index: 0 },
      deadline: { start: () => {}, end: () => {} },
      readClock: () => {},
      sleep: () => new Promise(() => {}),
    };
    const step = {
      where: 'flow.afterMain[0]',
      phase: 'afterMain',
      call: { fn: ({ pause }) => pause('10s'), isOperation: () => false },
    };
    const context = { clock: { now: () => 0 }, timeoutMs: 0, random: () => 0 };
    const perform = prepareFunction(/** @type {any} */ (step), /** @type {any} */ (context));
    const result = await new Promise((onResponse, onError) =>
      perform(/** @type {any} */ ({}), /** @type {any} */ (lane), null, { onResponse, onError, onDeparture: onError }),
    );
    expect(result).to.deep.equal({ statusCode: 200 });
  });

  it('json of a response is the value of a text, of bytes, or of a body that was parsed', () => {
    const jsonOf = (body) => new RequestedResponse({ response: { headers: {} }, body, isValue: false }).json;
    expect(jsonOf('\ufeff[1]'), 'with a byte order mark').to.deep.equal([1]);
    expect(['{"a":1}', Buffer.from('{"a":1}'), { a: 1 }].map(jsonOf)).to.deep.equal([{ a: 1 }, { a: 1 }, { a: 1 }]);
    expect(() => jsonOf('<p>')).to.throw(SyntaxError);
  });
});
