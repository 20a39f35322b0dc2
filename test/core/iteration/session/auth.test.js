import { expect } from 'chai';

import { MIDDLEWARE } from '../../../../lib/core/iteration/session/index.js';

const auth = MIDDLEWARE.find(({ name }) => name === 'auth');

const basic = (text) => `Basic ${Buffer.from(text).toString('base64')}`;
const RUN = { user: 'run', password: 'pw' };
const FIELDS = Object.freeze(['X-Own', 'authorization', 'AUTHORIZATION', basic('run:pw'), 'Accept', '*/*']);

/** The fields that are sent, those of the step first. */
function sent(env, { fields = FIELDS, extra = null, isUntrusted = false, run = RUN } = {}) {
  const request = { fields, extra };
  auth.before(request, { env, run, isUntrusted });
  return [...request.fields, ...(request.extra ?? [])];
}

describe('credentials of a session', () => {
  it('is needed unless the operation has its own credentials', () => {
    expect([true, false].map((hasCredentials) => auth.needed({ hasCredentials }))).to.deep.equal([false, true]);
  });

  const without = ['X-Own', 'authorization', 'Accept', '*/*'];
  const rows = [
    [RUN, FIELDS, 'the credentials of the run are already in the request'],
    [
      { user: 'joe', password: 'x' },
      [...without, 'authorization', basic('joe:x')],
      'another user replaces them, whatever the case of the field name',
    ],
    [
      { user: 'run', password: 'new' },
      [...without, 'authorization', basic('run:new')],
      'another password replaces them',
    ],
    [{ user: 'joe' }, [...without, 'authorization', basic('joe:')], 'a missing password is sent as an empty one'],
    [
      { user: 'jö', password: 'ü' },
      [...without, 'authorization', basic('jö:ü')],
      'user and password are sent as UTF-8 (RFC 7617 2.1)',
    ],
    [{ user: undefined, password: 'pw' }, without, 'an undefined user sends no credentials'],
    [{ user: null }, without, 'a null user sends no credentials'],
  ];
  for (const [env, expected, why] of rows) it(why, () => expect(sent(env)).to.deep.equal(expected));

  it('a run without a user sends the user set by a hook, with cookies', () => {
    const fields = ['Accept', '*/*'];
    const extra = ['cookie', 'a=b'];
    expect(sent({ user: 'a', password: 'b' }, { fields, extra, run: {} })).to.deep.equal([
      ...fields,
      'cookie',
      'a=b',
      'authorization',
      basic('a:b'),
    ]);
    expect(sent({}, { fields, run: {} })).to.deep.equal(fields);
  });

  it('nothing is sent to an origin that the flow does not name', () => {
    expect(sent({ user: 'joe', password: 'x' }, { fields: ['Accept', '*/*'], isUntrusted: true })).to.deep.equal([
      'Accept',
      '*/*',
    ]);
  });

  it('the shared fields of the step are not changed', () => {
    const before = [...FIELDS];
    sent({ user: 'joe', password: 'x' });
    expect(FIELDS).to.deep.equal(before);
  });
});
