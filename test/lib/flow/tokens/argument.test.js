import { expect } from 'chai';

import { readFlow } from '../../../../lib/flow/compile.js';

const compile = (text) => readFlow({ put: 'http://a/', body: text }).compile({ args: { user: 'ann' } });

describe('flow/tokens/argument', () => {
  it('is constant text', () => {
    const { main } = compile('#{ARG.user} and #<ARG.user>');
    expect(String(main[0].request.body)).to.equal('ann and ann');
  });

  for (const text of ['#{ARG}', '#{ARG(user)}', '#{ARG.user(1)}']) {
    it(`${text} is refused`, () =>
      expect(() => compile(text)).to.throw(/flow\.main\[0\]\.body: .* needs a name alone: write #\{ARG\.name\}/));
  }

  it('in the value of an argument it is refused', () =>
    expect(() => readFlow('http://a/#{ARG.a}').compile({ args: { a: '#{ARG.b}' } })).to.throw(
      'flow.main[0].get: #{ARG.b} (column 10) is in the value of an argument',
    ));

  it('a misspelled token is refused with the nearest name', () =>
    expect(() => compile('#{ARGS.user}')).to.throw('is not a token. Did you mean #{ARG}?'));
});
