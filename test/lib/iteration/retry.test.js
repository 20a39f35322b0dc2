import { expect } from 'chai';

import { mayRetry } from '../../../lib/iteration/failure.js';

describe('iteration/retry', () => {
  const closed = { method: 'GET', wasReused: true, sawBytes: false, code: 'E_RESET_BEFORE_HEAD' };
  const rows = [
    ...['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'].map((method) => [{ method }, true, `${method} is idempotent`]),
    ...['POST', 'PATCH', 'LOCK'].map((method) => [{ method }, false, `${method} is not idempotent`]),
    [{ code: 'E_PIPELINE' }, true, 'an earlier response of the pipeline closed the connection'],
    [{ code: 'E_HTTP2_CLOSED' }, true, 'a connection of HTTP/2 was closed'],
    [{ code: 'E_GOAWAY' }, true, 'a connection of HTTP/2 was ended with GOAWAY'],
    [{ code: 'E_RESET' }, false, 'the response had begun, by its error'],
    [{ sawBytes: true }, false, 'the response had begun'],
    [{ wasReused: false }, false, 'the connection was new'],
  ];
  for (const [changes, expected, title] of rows)
    it(`a request is ${expected ? '' : 'not '}sent once more: ${title}`, () => {
      const { method, code, ...connection } = { ...closed, ...changes };
      expect(mayRetry({ method }, connection, { code })).to.equal(expected);
    });
});
