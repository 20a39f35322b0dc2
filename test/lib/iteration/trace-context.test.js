import { expect } from 'chai';

import { tracingContext } from '../../../lib/iteration/trace-context.js';

describe('iteration/trace-context', () => {
  const connection = {
    encode({ path }) {
      const text = `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;
      return { text, headEnd: text.length - 2, bytes: null };
    },
  };

  it('a list of thousands of URLs keeps whole texts for a part of it, and all requests name a trace', () => {
    const options = { share: 1 };
    const sent = [];
    const steps = Array.from({ length: 5000 }, (_, i) => ({
      request: { path: `/${i}`, fields: [], extra: null },
      send: tracingContext(options, (_request, _connection, _exchange, _receiver, { isWhole, field }) =>
        sent.push({ isWhole, value: field[1] }),
      ),
    }));
    const exchange = { role: 'count', trace: null };
    for (let round = 0; round < 2; round++) for (const { request, send } of steps) send(request, connection, exchange);
    expect(new Set(sent.map(({ value }) => value)).size).to.equal(10_000);
    expect(sent.filter(({ isWhole }) => isWhole).length).to.be.within(500, 2500);
  });
});
