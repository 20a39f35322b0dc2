import { expect } from 'chai';

import { parseJson } from '../../../lib/core/text/parse-json.js';
import fc from '../../support/fast-check.js';

describe('text/parse-json', () => {
  it('every JSON value is parsed like JSON.parse does', () =>
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 4 }), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseJson(text)).to.deep.equal({ value: JSON.parse(text) });
      }),
    ));

  it('a text that JSON.parse refuses has a fault within the text', () =>
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), fc.constantFrom('', ',', '}', '"', 'x', '\\'), (value, at, piece) => {
        const whole = JSON.stringify(value);
        const text = whole.slice(0, at % whole.length) + piece + whole.slice((at % whole.length) + 1);
        const { fault } = parseJson(text);
        let isValid = true;
        try {
          JSON.parse(text);
        } catch {
          isValid = false;
        }
        if (!isValid) expect(fault.offset).to.be.within(0, text.length);
        else if (fault) expect(fault.reason).to.match(/duplicate key|out of range/);
      }),
    ));
});
