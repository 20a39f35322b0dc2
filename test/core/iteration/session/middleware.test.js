import { expect } from 'chai';

import { MIDDLEWARE } from '../../../../lib/core/iteration/session/index.js';

/** A response without a field that any middleware reads. */
const plain = (statusCode) => ({
  ...{ statusCode, isPlain: true, headers: { server: 'x' }, setCookies: null, contentEncoding: undefined },
  ...{ body: Buffer.from('{}'), bodyBytes: 2, statusMessage: '', rawHeaders: [] },
});

describe('middleware of exchanges', () => {
  it('a plain response is changed only by entries with readsPlain', () => {
    for (const { name, after } of MIDDLEWARE.filter(({ after, readsPlain }) => after && !readsPlain))
      for (const status of [200, 201, 204, 206, 299]) {
        const [session, response] = [{ next: null, run: {}, rules: {}, env: {} }, plain(status)];
        expect(after({}, response, session), name).to.equal(undefined);
        expect([session.next, response], name).to.deep.equal([null, plain(status)]);
      }
  });
});
