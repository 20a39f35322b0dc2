import { expect } from 'chai';

import { EventReader, StreamValues } from '../../../../lib/addons/streams/iteration/stream-values.js';
import { UNCOUNTED } from '../../../../lib/core/process/body-memory.js';

const join = (name, read = ({ text }) => text) => ({ name, event: true, joins: true, read });

/** Values that have taken the data of events. */
function valuesOf(data, { captures = [], keepsTexts = true, mostBytes = 100 } = {}) {
  const values = new StreamValues({ captures, keepsTexts, mostBytes, account: UNCOUNTED });
  for (const text of data) values.take({ type: 'message', text });
  return values;
}

describe('values of streams', () => {
  it('each event is a line of the texts, an empty one too', () => {
    expect(`${valuesOf(['', 'a']).texts()}`).to.equal('\na');
    expect(`${valuesOf(['', 'a'], { captures: [join('all')] }).texts()}`).to.equal('\na');
    expect(`${valuesOf(['a', '', 'b']).texts()}`).to.equal('a\n\nb');
  });

  it('a byte order mark before JSON is ignored', () => {
    const event = /** @type {any} */ ({ type: 'message', data: '\ufeff{"a":1}' });
    expect(new EventReader(event).json.value).to.deep.equal({ a: 1 });
  });

  it('texts, and each joined capture, have the limit by itself', () => {
    const options = { captures: [join('one'), join('other')], mostBytes: 9 };
    expect(valuesOf(['abcd', 'efgh'], options).captured.get('one')).to.equal('abcdefgh');
    expect(() => valuesOf(['abcd', 'efghi'], options))
      .to.throw('9 bytes')
      .with.property('code', 'E_BODY_TOO_LARGE');
    expect(() => valuesOf(['abcde', 'fghij'], { ...options, keepsTexts: false })).to.throw('9 bytes');
  });

  it('the limit counts bytes, not characters', () =>
    expect(() => valuesOf(['日本'], { captures: [join('all')], keepsTexts: false, mostBytes: 5 })).to.throw('5 bytes'));

  it('objects and lists are joined as JSON', () => {
    const captures = [join('all', ({ text }) => JSON.parse(text))];
    expect(valuesOf(['{"a":1}', '[1,2]', '3', '"x"'], { captures }).captured.get('all')).to.equal('{"a":1}[1,2]3x');
  });
});
