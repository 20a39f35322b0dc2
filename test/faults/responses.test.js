import { expect } from 'chai';

import { RESPONSES } from '../support/responses.js';
import { IS_FULL, scaled } from '../support/scale.js';
import { NAMES } from '../support/transports.js';
import { provoke } from './ground.js';

const ITERATIONS = scaled(4, 20);
const LANES = scaled(2, 5);

/** Every response in the middle of a run, with and without a hook that reads it. */
for (const httpClient of NAMES) {
  describe(`responses in a run: ${httpClient}`, () => {
    for (const [i, { undici, ...row }] of RESPONSES.entries()) {
      const expected = httpClient === 'undici' && undici ? { ...row, code: undefined, ...undici[1] } : row;
      const { id, what, say, method, closes, code, status, body = 'ok', reuse = true } = expected;
      const isRaced = !code && closes;
      const isCut = code === 'E_RESET_BEFORE_HEAD';
      const isError = !code && status >= 400;

      // with the small counts each response has one of the two, the other one with the other client: the tests of the
      // parser have both for each
      for (const isWanted of IS_FULL ? [false, true] : [(i % 2 === 1) === (httpClient === 'undici')]) {
        it(`${id ? `${id} ` : ''}${code ? 'refuses' : 'reads'} ${what}${isWanted ? ', read by a hook' : ''}`, () =>
          provoke(
            {
              say,
              end: closes ? 'fin' : undefined,
              iterations: ITERATIONS,
              options: { limit: LANES },
              isRetried: isCut,
              // the client may notice the end of a connection after sending the next request
              isRaced,
              // each lane opens one, and another one after each response that closes its connection
              connections: isRaced || isCut ? undefined : code || !reuse ? ITERATIONS : LANES,
              operation: {
                ...(method === 'HEAD' && { head: '/odd' }),
                ...(isWanted && {
                  afterHooks: [
                    ({ err, response, body: got }) => {
                      if (err) return;
                      expect(response.statusCode).to.equal(status);
                      expect(got).to.equal(body);
                    },
                  ],
                }),
              },
              ...failure(code, isError, httpClient),
            },
            httpClient,
          ));
      }
    }
  });
}

function failure(code, isError, httpClient) {
  if (isError) return { fails: ['status', 'E_STATUS'] };
  if (!code) return {};
  if (code === true || httpClient === 'undici') return { fails: [['protocol', 'reset']] };
  return { fails: [/RESET|SHORT/.test(code) ? 'reset' : 'protocol', code] };
}
