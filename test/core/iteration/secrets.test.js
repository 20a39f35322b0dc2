import { expect } from 'chai';

import { secretsOf } from '../../../lib/core/iteration/secrets.js';

const env = (given) => ({ index: 0, vars: {}, data: {}, ...given });
const request = (...fields) => ({ fields, extra: null });

describe('iteration/secrets', () => {
  it('variables count by their name, those of the run too, and as texts, numbers or what an object holds', () => {
    const vars = Object.assign(Object.create({ token: 'of the run' }), {
      pwd: 1234,
      id: 'shown',
      secrets: { deep: [{ deeper: 'x' }, true, null], n: 5n },
    });
    expect(secretsOf({ env: env({ vars }) })).to.have.members(['of the run', '1234', 'x', '5']);
  });

  it('the password of the run and columns of rows count; before and after have no rows', () => {
    const data = { users: { name: 'ann', password: 'p1' } };
    expect(secretsOf({ env: env({ data, password: 'p2' }) })).to.have.members(['p1', 'p2']);
    expect(secretsOf({ env: env({ data, index: undefined }) })).to.deep.equal([]);
  });

  const fields = [
    ['Authorization', 'Bearer abc.d', ['abc.d']],
    ['authorization', 'Basic YW5uOnB3OjE=', ['YW5uOnB3OjE=', 'pw:1']],
    ['proxy-authorization', 'token', ['token']],
    ['cookie', 'a=1; b="x=y"', ['1', '"x=y"']],
    ['cookie', 'a=voil\u00c3\u00a0', ['voil\u00c3\u00a0']],
    ['X-Auth-Token', 'abc', ['abc']],
    ['accept', 'text/html', []],
  ];
  for (const [name, value, secrets] of fields)
    it(`of ${name}: ${value} it takes ${secrets.join(' and ') || 'nothing'}`, () => {
      expect(secretsOf({ env: env(), request: request(name, value) })).to.deep.equal(secrets);
      expect(secretsOf({ env: env(), request: { fields: [], extra: [name, value] } })).to.deep.equal(secrets);
    });

  it('cookies of the response count, and what a capture with the name of a secret finds', () => {
    const received = { headers: { 'set-cookie': ['sid=abc; Path=/', 'b=2'] } };
    const captures = [
      { name: 'token', read: () => 'captured' },
      { name: 'id', read: () => 'shown' },
    ];
    expect(secretsOf({ env: env(), captures, received })).to.have.members(['abc', '2', 'captured']);
  });

  it('a value that cannot be read does not keep others from being hidden', () => {
    const unreadable = { get a() { throw new Error('read'); }, b: 'inner' }; // prettier-ignore
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const vars = { get secret() { throw new Error('read'); }, session: proxy, token: unreadable, apiKey: 'kept' }; // prettier-ignore
    const data = { get users() { throw new Error('no row'); }, more: { password: 'p' } }; // prettier-ignore
    const received = { headers: {} };
    const captures = [
      { name: 'token', read: () => JSON.parse('{') },
      { name: 'sid', read: () => 's1' },
    ];
    expect(secretsOf({ env: env({ vars, data }), captures, received })).to.have.members(['inner', 'kept', 'p', 's1']);
  });

  it('bytes are a text', () => {
    expect(secretsOf({ env: env({ vars: { token: Buffer.from('abcd') } }) })).to.deep.equal(['abcd']);
  });

  it('there are at most 1,000, however large a variable is', () => {
    const vars = { tokens: Array.from({ length: 5000 }, (_, i) => `t${i}`) };
    expect(secretsOf({ env: env({ vars }) })).to.have.lengthOf(1000);
  });
});
