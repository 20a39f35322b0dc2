import { expect } from 'chai';

import auth from '../../../../lib/iteration/session/auth.js';

const basic = (text) => `Basic ${Buffer.from(text).toString('base64')}`;
const RUN = { user: 'run', password: 'pw' };
const FIELDS = Object.freeze(['X-Own', 'authorization', 'AUTHORIZATION', basic('run:pw'), 'Accept', '*/*']);

/** The fields that go out, those of the step first. */
function sent(env, { fields = FIELDS, extra = null, hasLeft = false, run = RUN } = {}) {
  const request = { fields, extra };
  auth.before(request, { env, ...run, hasLeft });
  return [...request.fields, ...(request.extra ?? [])];
}

describe('iteration/session/auth', () => {
  it('is needed but where the operation has its own', () => {
    expect([true, false].map((hasCredentials) => auth.needed({ hasCredentials }))).to.deep.equal([false, true]);
  });

  const without = ['X-Own', 'authorization', 'Accept', '*/*'];
  const rows = [
    [RUN, FIELDS, 'the user of the run is in the request already'],
    [
      { user: 'joe', password: 'x' },
      [...without, 'authorization', basic('joe:x')],
      'another user takes its place, whatever the case of the field',
    ],
    [{ user: 'run', password: 'new' }, [...without, 'authorization', basic('run:new')], 'so does another password'],
    [{ user: 'joe' }, [...without, 'authorization', basic('joe:')], 'a missing password is an empty one'],
    [{ user: 'jö', password: 'ü' }, [...without, 'authorization', basic('jö:ü')], 'both are UTF-8 (RFC 7617 2.1)'],
    [{ user: undefined, password: 'pw' }, without, 'a hook that logs out sends none'],
    [{ user: null }, without, 'neither does null'],
  ];
  for (const [env, expected, why] of rows) it(why, () => expect(sent(env)).to.deep.equal(expected));

  it('a run without a user gets that of the hook, beside what else is added', () => {
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

  it('nothing is sent where a redirect led to another origin', () => {
    expect(sent({ user: 'joe', password: 'x' }, { fields: ['Accept', '*/*'], hasLeft: true })).to.deep.equal([
      'Accept',
      '*/*',
    ]);
  });

  it('the fields of the step, shared by all iterations, stay as they are', () => {
    const before = [...FIELDS];
    sent({ user: 'joe', password: 'x' });
    expect(FIELDS).to.deep.equal(before);
  });
});
