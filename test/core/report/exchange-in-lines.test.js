import { expect } from 'chai';

import { shortExchange, withoutMessage } from '../../../lib/core/report/errors.js';

const lines = (count, text) => Array.from({ length: count }, (_, i) => `${text}${i}`);

describe('an exchange in a few lines', () => {
  it('up to thirteen lines are all shown, without the message of an error', () => {
    expect(shortExchange([...lines(13, '> '), '! failed'], 'there')).to.deep.equal(lines(13, '> '));
    expect(withoutMessage(['> GET /', '! failed'])).to.deep.equal(['> GET /']);
  });

  it('of more lines, the last headers are left out, not the beginning of the body', () => {
    expect(shortExchange([...lines(20, '< h'), '<', '< a', '<', '< b'], 'there')).to.deep.equal([
      ...lines(9, '< h'),
      '(12 more lines there)',
      '< a',
      '<',
      '< b',
    ]);
    const long = shortExchange([...lines(20, '< h'), '<', ...lines(20, '< b')], 'there');
    expect(long).to.deep.equal([...lines(7, '< h'), '(29 more lines there)', ...lines(5, '< b')]);
  });

  it('after few headers, no line of the body is shown twice', () => {
    const exchange = ['> GET /', '< 500', '<', ...lines(20, '< b')];
    expect(shortExchange(exchange, 'there')).to.deep.equal([...exchange.slice(0, 12), '(11 more lines there)']);
  });

  it('without a response, the first twelve lines are shown', () => {
    const short = [...lines(12, '> h'), '(8 more lines there)'];
    expect(shortExchange([...lines(20, '> h'), '! failed'], 'there')).to.deep.equal(short);
  });
});
