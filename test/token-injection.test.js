import { expect } from 'chai';

import benchrest from '../index.js';
import { TOKENS } from '../lib/core/flow/tokens/index.js';
import { ok, serving } from './support/serve.js';

describe('B17 a token that returns a line end', () => {
  let text;
  before(() => TOKENS.push({ name: 'EVIL', about: 'of this test', compile: () => () => text }));
  after(() => TOKENS.pop());

  const places = [
    [
      'a header',
      'flow.main[0].headers.x',
      (url) => ({ get: url, headers: { x: 'a#{EVIL}' } }),
      ['\r\nInjected: 1', '\n', '\0', '\u0100'],
    ],
    [
      'a path',
      'flow.main[0].get',
      (url) => ({ get: `${url}/#{EVIL}` }),
      ['\r\nInjected: 1', ' HTTP/1.1\r\n', '\n', '\0', ' ', '\u00e9'],
    ],
    ['a query', 'flow.main[0].get', (url) => ({ get: `${url}/?a=#{EVIL}` }), ['\r\nInjected: 1']],
  ];
  for (const [what, place, flow, texts] of places) {
    for (const given of texts) {
      it(`${JSON.stringify(given)} in ${what} is an error that names the operation, and nothing is sent`, () =>
        serving(ok, async (url, seen) => {
          text = given;
          const { stats } = await benchrest(flow(url), { limit: 1, iterations: 2 });
          expect(seen).to.deep.equal([]);
          expect(stats.errors.details).to.have.lengthOf(1);
          expect(stats.errors.details[0]).to.include({ count: 2, code: 'E_REQUEST_FIELD', kind: 'hook' });
          expect(stats.errors.details[0].message).to.include(place);
        }));
    }
  }

  it('in a body it is just text', () =>
    serving(ok, async (url, seen) => {
      text = '\r\n\r\nGET / HTTP/1.1\r\n';
      await benchrest({ put: url, body: '#{EVIL}' }, { limit: 1, iterations: 1 });
      expect(seen.map(({ body }) => body)).to.deep.equal([text]);
    }));
});
