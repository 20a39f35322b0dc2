import { expect } from 'chai';

import { createEndpoints } from '../../../lib/core/http/endpoint.js';
import { parseProxy } from '../../../lib/core/http/proxy.js';
import { absoluteRequests } from '../../../lib/core/transport/proxy.js';

const rewrite = (proxy, request) =>
  absoluteRequests(createEndpoints()(new URL('http://a.test:81/'), {}, { proxy: parseProxy(proxy) }))(request);

describe('requests to a proxy', () => {
  it('the target of a request is the whole URL', () =>
    expect(rewrite('http://p', { path: '/x?y', extra: null })).to.deep.equal({
      path: 'http://a.test:81/x?y',
      extra: [],
    }));

  it('the credentials of the proxy follow the other fields, in a copy', () => {
    const request = Object.freeze({ path: '/', extra: Object.freeze(['cookie', 'a=1']) });
    const { extra } = rewrite('http://joe:secret@p', request);
    expect(extra).to.deep.equal(['cookie', 'a=1', 'proxy-authorization', 'Basic am9lOnNlY3JldA==']);
  });
});
