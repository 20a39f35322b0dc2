import { expect } from 'chai';

import { settleChanged, settleOperation } from '../../../lib/core/flow/settle-operation.js';

const settled = (operation, settle = settleOperation) => {
  const ignored = [];
  return { operation: settle(operation, (key, remark) => ignored.push(`${key}: ${remark}`)), ignored };
};
const U = 'http://h/';

describe('flow/settle-operation', () => {
  it('returns an operation whose meaning is clear as it is', () => {
    const operation = { get: U, headers: { a: 'b' }, timeout: 0, gzip: false, encoding: null };
    expect(settled(operation)).to.deep.equal({ operation, ignored: [] });
    expect(settled(operation).operation).to.equal(operation);
  });

  for (const [given, expected] of [
    [{ get: U, body: null, form: false, auth: 0, headers: '', beforeHooks: false }, { get: U }],
    [{ get: null, post: U }, { post: U }],
    [
      { get: '', method: 'PUT', uri: U },
      { method: 'PUT', uri: U },
    ],
    [{ get: '' }, { get: '' }],
    [
      { get: U, own: 0, mine: null },
      { get: U, own: 0, mine: null },
    ],
    [
      { get: U, followRedirect: 0, gzip: 'true' },
      { get: U, followRedirect: false, gzip: true },
    ],
    [
      { get: U, when: false, repeat: 0 },
      { get: U, when: false, repeat: 0 },
    ],
    [{ get: U, method: 'get', uri: U, url: U }, { get: U }],
    [
      { post: U, form: ['a'], qs: ['b'] },
      { post: U, form: { 0: 'a' }, qs: { 0: 'b' } },
    ],
  ])
    it(`${JSON.stringify(given)} is ${JSON.stringify(expected)}`, () =>
      expect(settled(given)).to.deep.equal({ operation: expected, ignored: [] }));

  for (const [given, expected, ignored] of [
    [{ post: U, get: U, method: 'PUT' }, { get: U }, ['post: get is sent', 'method: get is sent']],
    [{ get: U, options: { a: 1 } }, { get: U }, ['options: get is sent']],
    [{ method: 'PUT', uri: U, url: `${U}b` }, { method: 'PUT', uri: U }, ['url: uri is sent']],
    [{ get: ['/a'], post: U }, { get: ['/a'] }, ['post: get is sent']],
    [{ post: U, json: 1, form: {}, body: 'x' }, { post: U, json: 1 }, ['form: json is sent', 'body: json is sent']],
    [{ post: U, form: { a: 1 }, body: 'x' }, { post: U, form: { a: 1 } }, ['body: form is sent']],
  ])
    it(`of ${JSON.stringify(given)} the first of bench-rest 1 is kept`, () =>
      expect(settled(given)).to.deep.equal({ operation: expected, ignored }));

  it('requests that bench-rest 1 did not have stay beside others, where they are refused', () => {
    const operation = { get: U, delete: U };
    expect(settled(operation)).to.deep.equal({ operation, ignored: [] });
  });

  it('in options that hooks changed, an empty jar means no cookies, and an empty get nothing', () => {
    const options = { get: '', url: '', uri: U, method: 'GET', jar: null, body: null };
    expect(settled(options, settleChanged).operation).to.deep.equal({ uri: U, method: 'GET', jar: false });
  });
});
