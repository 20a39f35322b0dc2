import { expect } from 'chai';

import { basicCredentials } from '../../../lib/core/http/field-values.js';

describe('basic-credentials', () => {
  it('the example of RFC 7617', () =>
    expect(basicCredentials('Aladdin:open sesame')).to.equal('Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=='));

  it('characters beyond ASCII are UTF-8', () =>
    expect(basicCredentials('test:123£')).to.equal('Basic dGVzdDoxMjPCow=='));
});
