import { expect } from 'chai';

import benchrest from '../../../index.js';
import { ok, serving } from '../../support/serve.js';

const ONE = { limit: 1, iterations: 1 };

describe('regressions of flows', () => {
  const refused = [
    [{ post: 'http://h/', body: { a: 1 } }, /flow\.main\[0\]\.body: .*for an object use json/],
    [{ post: 'http://h/', body: 7 }, /flow\.main\[0\]\.body/],
    [{ post: 'http://h/', form: 5 }, /flow\.main\[0\]\.form/],
    [{ get: 'http://a%ZZ:b@h/' }, /not percent-encoded/],
    [{ get: 'http://h:0/' }, /has port 0, at which nothing listens/],
    [
      { get: 'http://h/', headers: { a: {} } },
      /flow\.main\[0\]\.headers\.a: expected a text, a number, or an array of them/,
    ],
  ];
  for (const [operation, message] of [
    ...refused,
    [
      { get: 'http://h/', headers: { a: [Object.create(null)] } },
      /flow\.main\[0\]\.headers\.a: expected a text, a number, or an array of them/,
    ],
    [
      { get: 'http://h/', headers: { a: Symbol('x') } },
      /flow\.main\[0\]\.headers\.a: expected a text, a number, or an array of them/,
    ],
    [{ get: 'http://h/', name: Infinity }, /flow\.main\[0\]\.name: expected a string, got Infinity/],
    [
      { method: Object.create(null), uri: 'http://h/' },
      /flow\.main\[0\]\.method: expected an HTTP method such as GET, got an object/,
    ],
    [{ get: 'http://h/', auth: { user: Symbol('x') } }, /flow\.main\[0\]\.auth: expected an object such as/],
    [{ main: ['/'], baseUrl: { href: 'http://h/' } }, /flow\.baseUrl: expected a URL, got an object/],
    [
      { get: 'http://h/', json: Array.from({ length: 100_000 }).reduce((inner) => [inner], 1) },
      /^flow: nested deeper than 500 levels$/,
    ],
  ]) {
    it(`${operation.json ? '100,000 nested arrays' : JSON.stringify(operation)} is refused: ${message.source}`, () =>
      expect(() => benchrest(operation, ONE))
        .to.throw(message)
        .with.property('code', 'E_FLOW'));
  }

  it('a token in a bearer is replaced, and the password of the run is not given to another user', () =>
    serving(ok, async (url, seen) => {
      const flow = [
        { get: '/', auth: { bearer: 'token#{INDEX}' } },
        { get: '/', auth: { username: 'ann' } },
        { get: '/', headers: { constructor: 'x' } },
        { post: '/', form: { a: '\ud800' } },
      ];
      const { errorCount } = await benchrest(flow, { ...ONE, baseUrl: url, user: 'bob', password: 'secret' });
      expect(errorCount).to.equal(0);
      expect(seen[0].headers.authorization).to.equal('Bearer token0');
      expect(seen[1].headers.authorization).to.equal(`Basic ${btoa('ann:')}`);
      expect(seen[2].headers.constructor).to.equal('x');
      expect(seen[3].body).to.equal('a=%EF%BF%BD');
    }));

  it('a host field and a client certificate stay at their origin', () =>
    serving(ok, (there, seenThere) =>
      serving(
        (req, res) => res.writeHead(302, { location: there }).end(),
        async (here) => {
          await benchrest({ get: here, headers: { host: 'virtual.test', 'x-own': '1' } }, ONE);
          expect(seenThere[0].headers).to.include({ host: new URL(there).host, 'x-own': '1' });
        },
      ),
    ));

  it('connecting after a redirect has its own timeout', () =>
    serving(ok, (there) =>
      serving(
        (req, res) => setTimeout(() => res.writeHead(302, { location: there }).end(), 600),
        async (here) => {
          const { stats } = await benchrest(here, { ...ONE, connectTimeout: 500 });
          expect(stats.errors.details).to.deep.equal([]);
        },
      ),
    ));

  it('a stop after the end has no effect', () =>
    serving(ok, async (url) => {
      const run = benchrest(url, ONE);
      const { endReason } = await run;
      run.stop();
      expect(endReason).to.equal('completed');
    }));
});
