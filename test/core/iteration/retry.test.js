import { expect } from 'chai';

import { mayRetry } from '../../../lib/core/iteration/failure.js';

describe('retries', () => {
  const closed = { method: 'GET', wasReused: true, sawBytes: false, code: 'E_RESET_BEFORE_HEAD' };
  const rows = [
    ...['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'].map((method) => [{ method }, true, `${method} is idempotent`]),
    ...['POST', 'PATCH', 'LOCK'].map((method) => [{ method }, false, `${method} is not idempotent`]),
    [{ code: 'E_PIPELINE' }, true, 'an earlier response of the pipeline closed the connection'],
    [{ isUnprocessed: true, method: 'POST', wasReused: false }, true, 'the server has not processed it'],
    [{ wasRetried: true }, false, 'it was sent twice'],
    [{ isUnprocessed: true, wasRetried: true }, false, 'it was sent twice, and not processed'],
    [{ isLeftOut: true, wasRetried: true }, true, 'a connection that served other requests has left it out'],
    [{ code: 'E_RESET' }, false, 'the response had begun, by its error'],
    [{ sawBytes: true }, false, 'the response had begun'],
    [{ wasReused: false }, false, 'the connection was new'],
  ];
  for (const [changes, expected, title] of rows)
    it(`a request is ${expected ? '' : 'not '}sent once more: ${title}`, () => {
      const { method, code, isUnprocessed, isLeftOut, wasRetried = false, ...connection } = { ...closed, ...changes };
      const error = { code, isUnprocessed, isLeftOut };
      expect(mayRetry({ method }, connection, error, wasRetried)).to.equal(expected);
    });
});
