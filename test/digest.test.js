import { createHash } from 'node:crypto';

import { expect } from 'chai';

import benchrest from '../index.js';
import { readChallenges } from '../lib/addons/challenges/challenge.js';
import { serving } from './support/serve.js';
import { NAMES } from './support/transports.js';

const USER = { user: 'joe', pass: 'se:cret' };
const LATER = { ...USER, sendImmediately: false };

/** A server that wants digest authentication; `accepts(parameters)` may refuse a nonce. It keeps the fields that it got. */
const guarding = (story, { algorithm = 'MD5', realmOf = () => 'r', accepts = () => true, challenge, answer } = {}) => {
  const got = [];
  let nonces = 0;
  const hash = (text) => createHash({ MD5: 'md5', 'SHA-256': 'sha256' }[algorithm]).update(text).digest('hex');
  const isRight = ({ method, url, headers }) => {
    const [{ scheme, parameters: p } = {}] = readChallenges(headers.authorization ?? '');
    if (scheme !== 'digest' || !accepts(p) || p.realm !== realmOf(url) || p.uri !== url) return false;
    const secret = hash(`${p.username}:${p.realm}:${USER.pass}`);
    return p.response === hash(`${secret}:${p.nonce}:${p.nc}:${p.cnonce}:${p.qop}:${hash(`${method}:${url}`)}`);
  };
  const handler = (req, res) => {
    const [{ parameters } = { parameters: {} }] = readChallenges(req.headers.authorization ?? '');
    const isIn = isRight(req);
    got.push({ url: req.url, nc: parameters.nc, isIn, authorization: req.headers.authorization });
    if (isIn) return answer ? answer(req, res) : res.end('in');
    const stale = parameters.nonce !== undefined && !accepts(parameters) ? ', stale=true' : '';
    const digest = `Digest realm="${realmOf(req.url)}", nonce="n${nonces++}", qop="auth", algorithm=${algorithm}${stale}`;
    return res.writeHead(401, { 'www-authenticate': challenge ?? digest }).end('out');
  };
  return serving(handler, (url) => story(url, got));
};

for (const httpClient of NAMES) {
  describe(`auth with sendImmediately: false (${httpClient})`, () => {
    const run = (flow, baseUrl, options = {}) =>
      benchrest(flow, { limit: 1, iterations: 1, baseUrl, httpClient, ...options });

    for (const algorithm of ['MD5', 'SHA-256']) {
      it(`answers one ${algorithm} challenge, then sends credentials at once, with a rising count`, () =>
        guarding(
          async (url, got) => {
            const flow = [
              { get: '/a?b=1', auth: LATER },
              { put: '/c', body: 'text', auth: LATER },
            ];
            const { stats, errorCount } = await run(flow, url, { iterations: 2 });
            expect(errorCount).to.equal(0);
            expect(got.map(({ nc }) => nc)).to.deep.equal([undefined, '00000001', '00000002', '00000003', '00000004']);
            expect(stats.requests).to.include({ sent: 5, count: 4, authChallenges: 1, redirects: 0 });
            expect(stats.requests.statusCodes).to.deep.equal({ 200: 4, 401: 1 });
            expect(stats.operations[0].statusCodes).to.deep.equal({ 200: 2 });
          },
          { algorithm },
        ));
    }

    it('each connection is challenged by itself', () =>
      guarding(async (url, got) => {
        const flow = { get: '/', auth: LATER };
        const { stats } = await run(flow, url, { iterations: 20, limit: 2 });
        expect(stats.requests.authChallenges).to.equal(2);
        expect(got.filter(({ isIn }) => isIn)).to.have.lengthOf(20);
      }));

    it('each realm has a challenge of its own', () =>
      guarding(
        async (url, got) => {
          const flow = ['/one', '/two'].map((get) => ({ get, auth: LATER }));
          const { errorCount, stats } = await run(flow, url, { iterations: 3 });
          expect([errorCount, stats.requests.authChallenges]).to.deep.equal([0, 2]);
          // the first request to /two was sent with the realm of /one, the only one known
          expect(got.slice(-2).map(({ nc }) => nc)).to.deep.equal(['00000004', '00000003']);
        },
        { realmOf: (url) => url.slice(1) },
      ));

    it('a redirect may lead to another realm', () =>
      guarding(
        async (url, got) => {
          const { errorCount, stats } = await run({ get: '/one', auth: LATER }, url, { iterations: 3 });
          expect([errorCount, stats.requests.redirects]).to.deep.equal([0, 3]);
          expect(got.filter(({ isIn }) => isIn).map((one) => one.url)).to.deep.equal(
            Array(3).fill(['/one', '/two']).flat(),
          );
        },
        {
          realmOf: (url) => url.slice(1),
          answer: ({ url }, res) => (url === '/one' ? res.writeHead(302, { location: '/two' }).end() : res.end('in')),
        },
      ));

    it('a nonce that expired is replaced', () =>
      guarding(
        async (url, got) => {
          const { errorCount, stats } = await run({ get: '/', auth: LATER }, url, { iterations: 3 });
          expect(errorCount).to.equal(0);
          expect(stats.requests.authChallenges).to.equal(3);
          expect(got.map(({ isIn }) => isIn)).to.deep.equal([false, true, false, true, false, true]);
        },
        { accepts: ({ nc }) => nc === '00000001' },
      ));

    it('credentials that are refused end with the status 401, after one attempt', () =>
      guarding(async (url, got) => {
        const { stats } = await run({ get: '/', auth: { ...LATER, pass: 'wrong' } }, url);
        expect(stats.errors.details[0].message).to.include('401');
        expect(got).to.have.lengthOf(2);
      }));

    it('the user may come from the run, and differ between iterations', () =>
      guarding(async (url, got) => {
        const flow = { get: '/', auth: { sendImmediately: false } };
        const { errorCount } = await run(flow, url, { user: 'ann', password: USER.pass });
        expect(errorCount).to.equal(0);
        expect(got.map(({ authorization }) => /username="(.*?)"/.exec(authorization)?.[1])).to.deep.equal([
          undefined,
          'ann',
        ]);
        await run({ get: '/', auth: { ...LATER, user: 'u#{INDEX}' } }, url, { iterations: 2 });
        expect(got.slice(-2).map(({ authorization }) => /username="(.*?)"/.exec(authorization)[1])).to.deep.equal([
          'u0',
          'u1',
        ]);
      }));

    it('a hook may ask for it, and sees the last response', () =>
      guarding(async (url, got) => {
        const bodies = [];
        const hook = ({ requestOptions }) => void (requestOptions.auth = LATER);
        const flow = { get: '/', beforeHooks: [hook], afterHooks: [({ body }) => void bodies.push(body)] };
        const { errorCount } = await run(flow, url, { user: 'other', password: 'x' });
        expect([errorCount, bodies]).to.deep.equal([0, ['in']]);
        expect(got[0].authorization).to.equal(undefined);
      }));

    for (const [challenge, auth, expected] of [
      ['Basic realm="r"', LATER, 'Basic am9lOnNlOmNyZXQ='],
      ['Bearer', { bearer: () => 'token', sendImmediately: false }, 'Bearer token'],
      ['Digest realm="r", nonce="n", algorithm=NEW, Basic realm="r"', LATER, 'Basic am9lOnNlOmNyZXQ='],
    ]) {
      it(`answers ${challenge}`, () =>
        guarding(
          async (url, got) => {
            await run({ get: '/', auth }, url);
            expect(got.map(({ authorization }) => authorization)).to.deep.equal([undefined, expected]);
          },
          { challenge },
        ));
    }

    for (const challenge of ['', 'Negotiate', 'Digest realm="r"', 'Bearer'])
      it(`sends nothing to a server that asks by '${challenge}'`, () =>
        guarding(
          async (url, got) => {
            await run({ get: '/', auth: LATER }, url);
            expect(got.map(({ authorization }) => authorization)).to.deep.equal([undefined]);
          },
          { challenge },
        ));

    it('another origin gets no answer', () =>
      guarding(async (other, gotThere) =>
        serving(
          (req, res) => res.writeHead(302, { location: `${other}/` }).end(),
          async (url) => {
            await run({ get: '/', auth: LATER }, url.replace('127.0.0.1', 'localhost'));
            expect(gotThere.map(({ authorization }) => authorization)).to.deep.equal([undefined]);
          },
        ),
      ));
  });
}

describe('auth with sendImmediately', () => {
  it('false also works in a pipeline: every count of a nonce is used once', () =>
    guarding(async (url, got) => {
      const runOptions = { limit: 4, iterations: 20, pipelining: 4, httpClient: 'builtin' };
      const { stats, errorCount } = await benchrest({ get: url, auth: LATER }, runOptions);
      expect(errorCount).to.equal(0);
      expect(stats.requests.statusCodes[200]).to.equal(20);
      const used = got.flatMap(({ isIn, authorization }) =>
        isIn ? /nonce="\w+"|nc=\w+/g[Symbol.match](authorization).join() : [],
      );
      expect(new Set(used).size).to.equal(20);
    }));

  it('true sends them at once, as without it', () =>
    serving(
      (req, res) => res.end(),
      async (url, seen) => {
        await benchrest({ get: url, auth: { ...USER, sendImmediately: true } }, { limit: 1, iterations: 1 });
        expect(seen[0].headers.authorization).to.equal('Basic am9lOnNlOmNyZXQ=');
      },
    ));
});
