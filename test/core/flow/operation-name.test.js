import { expect } from 'chai';

import { nameOf } from '../../../lib/core/flow/request.js';

describe('names of operations', () => {
  const rows = [
    [{ get: 'http://a.test/x?b=1' }, 'GET /x?b=1', 'method and path'],
    [{ get: 'http://a.test' }, 'GET /', 'a URL without a path'],
    [{ method: 'report', uri: '/x' }, 'REPORT /x', 'a method of its own'],
    [{ put: 'unix:/run/a.sock:/x' }, 'PUT /x', 'a unix socket'],
    [{ get: '/x', name: 'checkout' }, 'checkout', 'a name'],
    [{ post: () => '/x' }, 'POST (function)', 'a URL from code'],
    [{ method: 'report', url: () => '/x' }, 'REPORT (function)', 'a method of its own, and a URL from code'],
    [{ method: () => 'GET', url: '/x' }, '', 'a method from code has none'],
    [{ get: '/items/#{INDEX}' }, 'GET /items/#{INDEX}', 'a token'],
    [{ get: 'http://a#{INDEX}.test:#<args.port>/x#{INDEX}' }, 'GET /x#{INDEX}', 'tokens in the host'],
    [{ get: 'http://#{randomItem(a/b,c)}?x=1' }, 'GET ?x=1', 'a token with a slash in the host'],
  ];
  for (const [operation, name, what] of rows) it(`${what}: ${name}`, () => expect(nameOf(operation)).to.equal(name));

  it('has the origin on demand, unless the operation has a name', () => {
    expect(nameOf({ get: 'http://a.test/x' }, { hasOrigin: true })).to.equal('GET http://a.test/x');
    expect(nameOf({ get: '/x', name: 'x' }, { hasOrigin: true })).to.equal('x');
  });

  it('masks secrets', () => {
    expect(nameOf({ get: 'http://joe:CANARY@a.test/x' }, { hasOrigin: true })).to.not.contain('CANARY');
  });
});
