import { expect } from 'chai';

import { Placeholder } from '../../../lib/core/flow/placeholder.js';
import { compileTemplate, unmark, unquoteValues } from '../../../lib/core/flow/template.js';

describe('flow/placeholder', () => {
  const rows = [
    ['text', 'a"/', 'a"/'],
    ['json', 'a"\n', 'a\\"\\n'],
    ['value', { a: [1] }, '{"a":[1]}'],
    ['url', 'a&\ud800', 'a%26%EF%BF%BD'],
    ['address', '/', '%2F'],
    ['part', 'a"\r\n', 'a%22%0D%0A'],
  ];
  for (const [place, value, written] of rows) {
    it(`as ${place} it is written ${JSON.stringify(written)}`, () => {
      const marked = `<${new Placeholder(1).mark(place)}0>`;
      expect(compileTemplate(marked)({ values: [0, value] })).to.equal(`<${written}0>`);
    });
  }

  it('in JSON it is a value, whose quotes are removed', () => {
    const marked = unquoteValues(JSON.stringify({ a: new Placeholder(0), b: '"' }));
    expect(compileTemplate(marked)({ values: [1] })).to.equal('{"a":1,"b":"\\""}');
  });

  it('a token keeps its name for messages', () => {
    expect(unmark(`/${new Placeholder(3, 'user').mark('address')}`)).to.equal('/#{user}');
  });
});
