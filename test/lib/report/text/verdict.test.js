import { expect } from 'chai';

import { verdictSection, verdictText } from '../../../../lib/report/text/verdict.js';

const paint = (colour, text) => `<${colour}>${text}`;

describe('report/text/verdict', () => {
  for (const [status, colour] of [
    ['valid', 'green'],
    ['suspect', 'yellow'],
    ['invalid', 'red'],
  ]) {
    it(`${status} is ${colour}`, () =>
      expect(verdictSection({ verdict: { status, reasons: [] } }, { paint, width: 80 })).to.deep.equal([
        `<bold>verdict  <${colour}>${status}`,
      ]));
  }

  it('every reason is a line', () => {
    const verdict = { status: 'suspect', reasons: ['one', 'two'] };
    expect(verdictSection({ verdict }, { paint, width: 80 }).slice(1)).to.deep.equal(['  one', '  two']);
    expect(verdictText(verdict)).to.equal('suspect:\n  one\n  two\n');
  });

  it('a valid verdict is no text', () => expect(verdictText({ status: 'valid', reasons: [] })).to.equal(''));
});
