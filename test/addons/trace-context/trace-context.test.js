import { expect } from 'chai';

import { tracingContext } from '../../../lib/addons/trace-context/trace-context.js';

describe('addons/trace-context', () => {
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

  /** what is sent of a request that is sent three times, and how often it was encoded for it */
  const sentThrice = (request, text = '') => {
    const sent = [];
    let encoded = 0;
    const counting = {
      encode() {
        encoded++;
        return { text, headEnd: text.length - 2, bytes: null };
      },
    };
    const exchange = { role: 'count', trace: null };
    const send = tracingContext({ share: 1 }, (_request, _connection, { trace }) => sent.push(trace?.isWhole ?? null));
    for (let i = 0; i < 3; i++) send(request, counting, exchange);
    return { sent, encoded, trace: exchange.trace?.summary() };
  };

  it('a long request gets a line in place of copies of it', () => {
    const request = { fields: [], extra: null };
    expect(sentThrice(request, 'x'.repeat(20_000))).to.deep.include({ sent: [false, false, false], encoded: 1 });
    expect(sentThrice(request, 'x'.repeat(2000))).to.deep.include({ sent: [false, true, true], encoded: 1 });
  });

  const ids = `${'a'.repeat(32)}-${'b'.repeat(16)}`;
  for (const [value, isValid] of [
    [`00-${ids}-01`, true],
    [`01-${ids}-01-later`, true],
    [`00-${ids}-01-later`, false],
    [`ff-${ids}-01`, false],
    [`00-${ids.replaceAll('a', '0')}-01`, false],
  ])
    it(`a field of the flow names ${isValid ? 'its' : 'no'} trace: ${value}`, () => {
      const { trace, encoded } = sentThrice({ fields: ['traceparent', value], extra: null });
      expect([trace?.id ?? null, encoded]).to.deep.equal([isValid ? 'a'.repeat(32) : null, 0]);
    });
});
