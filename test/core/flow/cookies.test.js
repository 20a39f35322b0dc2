import { expect } from 'chai';

import { compileCookies, cookieField } from '../../../lib/core/flow/request-fields.js';

describe('cookies of a request', () => {
  it('replaces tokens; outside of iterations, cookies with tokens are left out', () => {
    const cookies = compileCookies({ a: 'x', b: 'n#{INDEX}' });
    expect(cookies({ index: 3 })).to.deep.equal({ a: 'x', b: 'n3' });
    expect(cookies({})).to.deep.equal({ a: 'x' });
  });

  for (const [field, own, ofRun, value, why] of [
    [undefined, {}, {}, undefined, 'no cookies need no field'],
    ['a=1', {}, {}, undefined, 'the field of the headers is unchanged'],
    [undefined, { a: '1' }, { b: '2' }, 'b=2; a=1', 'cookies of the run come first'],
    [undefined, { a: '1' }, { a: '2', b: '3' }, 'a=1; b=3', 'those of the operation win by name'],
    ['z=0', { a: '1' }, {}, 'z=0; a=1', 'the field of the headers is kept'],
    [['y=0', 'z=0'], { a: '1' }, {}, 'y=0; z=0; a=1', 'several fields become one'],
  ])
    it(why, () => expect(cookieField(field, own, ofRun)).to.equal(value));
});
