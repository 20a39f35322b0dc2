import { expect } from 'chai';

import { ValueSlot } from '../../../lib/flow/value-slot.js';
import { compileTemplate, unmark, unquoteValues } from '../../../lib/flow/template.js';

describe('flow/value-slot', () => {
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
      const marked = `<${new ValueSlot(1).mark(place)}0>`;
      expect(compileTemplate(marked)({ values: [0, value] })).to.equal(`<${written}0>`);
    });
  }

  it('in JSON it is a value, whose quotes are removed', () => {
    const marked = unquoteValues(JSON.stringify({ a: new ValueSlot(0), b: '"' }));
    expect(compileTemplate(marked)({ values: [1] })).to.equal('{"a":1,"b":"\\""}');
  });

  it('a token keeps its name for messages', () => {
    expect(unmark(`/${new ValueSlot(3, 'user').mark('address')}`)).to.equal('/#{user}');
  });
});
