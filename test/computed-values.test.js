import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../index.js';
import { ok, serving } from './support/serve.js';
import { here } from './support/threads-here.js';

const ONE = { limit: 1, iterations: 1 };
const TWO = { limit: 1, iterations: 2 };
const later = (value) => new Promise((resolve) => setImmediate(resolve, value));

/** Runs `main` with each function sync and async, and returns the requests of both. */
const bothWays = async (main, url, seen, options = TWO) => {
  const made = [];
  for (const wrap of [(value) => value, later]) {
    const { stats } = await benchrest({ main: main(wrap), baseUrl: url }, options);
    expect(stats.errors.details).to.deep.equal([]);
    made.push(seen.splice(0));
  }
  return made;
};

describe('values from code', () => {
  const places = [
    ['json', (f) => ({ post: '/', json: ({ index }) => f({ n: index, s: 'é"\n' }) }), ({ body }) => JSON.parse(body), (n) => ({ n, s: 'é"\n' })],
    ['a value in json, with its type', (f) => ({ post: '/', json: { a: [({ index }) => f(index)], b: () => f('x"'), c: () => f(null), d: 1 } }), ({ body }) => body, (n) => `{"a":[${n}],"b":"x\\"","c":null,"d":1}`],
    ['body', (f) => ({ post: '/', body: ({ index }) => f(`text ${index}`) }), ({ body }) => body, (n) => `text ${n}`],
    ['body with bytes', (f) => ({ post: '/', body: ({ index }) => f(Buffer.from([65 + index])) }), ({ body }) => body, (n) => 'AB'[n]],
    ['body with json: true', (f) => ({ post: '/', json: true, body: ({ index }) => f([index]) }), ({ body, headers }) => [body, headers['content-type']], (n) => [`[${n}]`, 'application/json']],
    ['form', (f) => ({ post: '/', form: ({ index }) => f({ a: index, b: ['x y'] }) }), ({ body }) => body, (n) => `a=${n}&b%5B0%5D=x%20y`],
    ['a value in form', (f) => ({ post: '/', form: { a: ({ index }) => f(`${index}&`), b: 1 } }), ({ body }) => body, (n) => `a=${n}%26&b=1`],
    ['formData', (f) => ({ post: '/', formData: ({ index }) => f({ a: index }) }), parts, (n) => [['name="a"', `${n}`]]],
    ['a value in formData', (f) => ({ post: '/', formData: { a: ({ index }) => f(index) } }), parts, (n) => [['name="a"', `${n}`]]],
    ['multipart', (f) => ({ post: '/', multipart: ({ index }) => f([{ body: `p${index}` }]) }), parts, (n) => [['', `p${n}`]]],
    ['a header', (f) => ({ get: '/', headers: { x: ({ index }) => f(index), y: 'z' } }), ({ headers: { x, y } }) => [x, y], (n) => [`${n}`, 'z']],
    ['a header that is left out', (f) => ({ get: '/', headers: { x: ({ index }) => f(index === 0 ? null : 'x'), y: 'z' } }), ({ headers: { x, y } }) => [x, y], (n) => [[undefined, 'x'][n], 'z']],
    ['headers', (f) => ({ get: '/', headers: ({ index }) => f({ X: [1, 2], y: index }) }), ({ headers: { x, y } }) => [x, y], (n) => ['1, 2', `${n}`]],
    ['qs', (f) => ({ get: '/a?b=1', qs: ({ index }) => f({ c: `${index}&`, d: [1] }) }), ({ url }) => url, (n) => `/a?b=1&c=${n}%26&d%5B0%5D=1`],
    ['an empty qs', (f) => ({ get: '/a', qs: () => f({}) }), ({ url }) => url, () => '/a'],
    ['a value in qs', (f) => ({ get: '/a', qs: { c: ({ index }) => f(index), d: '#{INDEX}' } }), ({ url }) => url, (n) => `/a?c=${n}&d=${n}`],
    ['the URL', (f) => ({ get: ({ index }) => f(`/é/../${index} `.trim()), qs: { a: '#{INDEX}' } }), ({ url }) => url, (n) => `/${n}?a=${n}`],
    ['uri', (f) => ({ method: 'PUT', uri: ({ index }) => f(`/${index}?b`), qs: () => f({ a: 1 }) }), ({ line }) => line, (n) => `PUT /${n}?b&a=1`],
  ]; // prettier-ignore
  for (const [what, operation, look, expected] of places) {
    it(`${what} comes from a function, sync or async`, () =>
      serving(ok, async (url, seen) => {
        for (const requests of await bothWays((f) => [operation(f)], url, seen))
          expect(requests.map(look)).to.deep.equal([expected(0), expected(1)]);
      }));
  }

  it('paths are sent as the URL parser writes them, plain or not', () =>
    serving(ok, async (url, seen) => {
      const paths = ['/', '/a/../b', '/a/%2E./b', '/.well-known/x', '/a//b', '/a.b/c', '/é?ü', '/a?b=/../c', '/x#y', '/a|{b}'];
      const { stats } = await benchrest({ get: ({ index }) => paths[index] }, { limit: 1, iterations: paths.length, baseUrl: `${url}/base` });
      expect(stats.errors.details).to.deep.equal([]);
      const written = paths.map((path) => new URL(path, url)).map(({ pathname, search }) => pathname + search);
      expect(seen.map((request) => request.url)).to.deep.equal(written);
    })); // prettier-ignore

  it('a function is called once for each request, also if hooks read it, and in order', () =>
    serving(
      (req, res) => (req.url === '/a' ? res.writeHead(302, { location: '/b' }).end() : res.end()),
      async (url) => {
        const log = [];
        const noting = (name, value) => () => (log.push(name), value);
        const main = [
          {
            get: noting('url', `${url}/a`),
            qs: noting('qs', {}),
            headers: { x: noting('x', 1), y: noting('y', 2) },
            beforeHooks: [({ requestOptions }) => void log.push(['hook', requestOptions.uri, requestOptions.headers])],
            afterHooks: [({ requestOptions }) => void log.push(requestOptions.qs)],
          },
        ];
        const { stats } = await benchrest({ main }, ONE);
        expect(stats.errors.details).to.deep.equal([]);
        expect(log).to.deep.equal(['url', 'qs', 'x', 'y', ['hook', `${url}/a`, { x: 1, y: 2 }], {}]);
      },
    ));

  it('a before-hook sees the values, and may change them', () =>
    serving(ok, async (url, seen) => {
      const turn = ({ requestOptions: { json, headers, form } }) => {
        if (json) json.n++;
        if (form) form.n++;
        headers.x += '!';
      };
      const flow = {
        main: [
          { post: () => '/a', json: () => ({ n: 1 }), headers: { x: () => 'h' } },
          { post: '/b', form: () => ({ n: 1 }), headers: () => ({ x: 'h' }) },
        ],
        beforeHooks: [turn],
        baseUrl: url,
      };
      const { stats } = await benchrest(flow, ONE);
      expect(stats.errors.details).to.deep.equal([]);
      expect(seen.map(({ line, body, headers }) => [line, body, headers.x])).to.deep.equal([
        ['POST /a', '{"n":2}', 'h!'],
        ['POST /b', 'n=2', 'h!'],
      ]);
    }));

  it('gets the state of the iteration: what hooks set, the credentials, and the virtual user', () =>
    serving(ok, async (url, seen) => {
      const scopeOf = (scope) => {
        const { index, env, iterCtx, runCtx, user, vu, vuCtx } = scope;
        vuCtx.calls = (vuCtx.calls ?? 0) + 1;
        return { index, same: env.index, iterCtx, run: runCtx.token, user, vu, calls: vuCtx.calls };
      };
      const flow = {
        before: [{ post: '/', json: ({ index }) => ({ index }), afterHooks: [(all) => void (all.runCtx.token = 't')] }],
        main: [
          { get: '/', afterHooks: [(all) => void (all.iterCtx.n = 1)] },
          { post: '/', json: scopeOf },
        ],
        iterCtx: { first: true },
        baseUrl: url,
      };
      await benchrest(flow, { ...TWO, user: 'ann' });
      const base = { iterCtx: { first: true, n: 1 }, run: 't', user: 'ann', vu: 0 };
      expect(seen.filter(({ body }) => body).map(({ body }) => JSON.parse(body))).to.deep.equal([
        {},
        { index: 0, same: 0, calls: 1, ...base },
        { index: 1, same: 1, calls: 2, ...base },
      ]);
    }));

  it('without hooks, functions get a fresh iterCtx in every iteration', () =>
    serving(ok, async (url, seen) => {
      const count = ({ iterCtx }) => (iterCtx.n = (iterCtx.n ?? 0) + 1);
      await benchrest({ main: [{ put: '/', json: count }, { put: '/', json: count }], baseUrl: url }, TWO);
      expect(seen.map(({ body }) => body)).to.deep.equal(['1', '2', '1', '2']);
    })); // prettier-ignore

  it('default headers come from functions too, unless the operation or the run has the field', () =>
    serving(ok, async (url, seen) => {
      const flow = {
        headers: { a: ({ index }) => index, b: 'b', c: () => 'flow', d: () => expect.fail('not used') },
        before: ['/'],
        main: ['/', { get: '/', headers: { C: 'own' } }, { get: '/', headers: () => ({ a: 'more' }) }],
        baseUrl: url,
      };
      const { stats } = await benchrest(flow, { ...ONE, headers: { D: 'run' } });
      expect(stats.errors.details).to.deep.equal([]);
      expect(seen.map(({ headers: { a, b, c, d } }) => [a, b, c, d])).to.deep.equal([
        [undefined, 'b', 'flow', 'run'],
        ['0', 'b', 'flow', 'run'],
        ['0', 'b', 'own', 'run'],
        ['more', 'b', 'flow', 'run'],
      ]);
    }));

  it('the default name of an operation whose URL is a function', () =>
    serving(ok, async (url) => {
      const { stats } = await benchrest({ main: [{ get: () => url }] }, ONE);
      expect(stats.operations.map(({ name }) => name)).to.deep.equal(['GET (function)']);
    }));

  describe('pause', () => {
    it('from a function is not included in the time of main, nor is the time of the function', () =>
      serving(ok, async (url) => {
        const asked = [];
        const pause = async ({ index }) => {
          asked.push(index);
          await later();
          return index === 0 ? undefined : '1ms';
        };
        const { stats } = await benchrest({ main: [{ get: '/', pause }, '/'], baseUrl: url }, TWO);
        expect(stats.errors.details).to.deep.equal([]);
        expect(asked).to.deep.equal([0, 1]);
      }));

    it('may be set by a before-hook', () =>
      serving(ok, async (url) => {
        let asked = 0;
        const set = ({ requestOptions }) => void (requestOptions.pause = () => void asked++);
        await benchrest({ main: [{ get: '/', beforeHooks: [set] }], baseUrl: url }, TWO);
        expect(asked).to.equal(2);
      }));
  });

  describe('errors', () => {
    const throwing = () => {
      throw new Error('no value');
    };
    const rejecting = async () => {
      await later();
      throw Object.assign(new Error('no value'), { code: 'E_MINE' });
    };
    const cases = [
      ['json throws', { post: '/', json: throwing }, 'flow.main[0].json: no value', 'E_HOOK'],
      ['json rejects', { post: '/', json: rejecting }, 'flow.main[0].json: no value', 'E_MINE'],
      ['a header throws', { get: '/', headers: { x: throwing } }, 'flow.main[0].headers.x: no value', 'E_HOOK'],
      ['a token throws', { get: '/#{t}' }, 'flow.tokens.t: no value', 'E_HOOK', { t: throwing }],
      ['pause throws', { get: '/', pause: throwing }, 'flow.main[0].pause: no value', 'E_HOOK'],
      ['json returns a cycle', { post: '/', json: () => { const a = {}; return Object.assign(a, { a }); } }, 'flow.main[0].json ', 'E_REQUEST_FIELD'],
      ['a value in json returns a bigint', { post: '/', json: { a: { b: () => 1n } } }, 'flow.main[0].json.a.b returned a bigint: return a JSON value', 'E_REQUEST_FIELD'],
      ['body returns an object', { post: '/', body: () => ({}) }, 'flow.main[0].body expected a string, a Buffer, an array of them', 'E_REQUEST_FIELD'],
      ['form returns a number', { post: '/', form: async () => 1 }, "flow.main[0].form returned 1: return an object such as { name: 'ann' }, or a text such as 'name=ann'", 'E_REQUEST_FIELD'],
      ['formData returns a bad part', { post: '/', formData: () => ({ a: { no: 1 } }) }, 'flow.main[0].formData.a ', 'E_REQUEST_FIELD'],
      ['headers returns a text', { get: '/', headers: () => 'x: y' }, "flow.main[0].headers returned a string: return an object such as { name: 'value' }", 'E_REQUEST_FIELD'],
      ['headers has a bad value', { get: '/', headers: () => ({ x: {} }) }, 'flow.main[0].headers.x expected a text', 'E_REQUEST_FIELD'],
      ['headers has a field that is computed', { get: '/', headers: () => ({ 'transfer-encoding': 'x' }) }, 'flow.main[0].headers.Transfer-Encoding does not end with chunked', 'E_REQUEST_FIELD'],
      ['a header returns a line end', { get: '/', headers: { x: () => 'a\r\nb: c' } }, 'flow.main[0].headers.x has a character', 'E_REQUEST_FIELD'],
      ['a header returns an object', { get: '/', headers: { x: () => ({}) } }, 'flow.main[0].headers.x returned an object: return a text, a number, or nothing', 'E_REQUEST_FIELD'],
      ['qs returns an array', { get: '/', qs: () => [] }, 'flow.main[0].qs returned an empty array', 'E_REQUEST_FIELD'],
      ['the URL is none', { get: () => 'ftp://x/' }, 'flow.main[0].get "ftp://x/" is not an http:// or https:// URL', 'E_REQUEST_FIELD'],
      ['the URL is empty', { get: () => '' }, 'flow.main[0].get returned "": return a URL', 'E_REQUEST_FIELD'],
      ['the URL has credentials', { get: () => 'http://a:b@127.0.0.1:1/' }, 'flow.main[0].get has a user or a password: write it in auth', 'E_REQUEST_FIELD'],
      ['a token returns an object', { get: '/#{t}' }, 'flow.tokens.t returned an object: return a text or a number', 'E_REQUEST_FIELD', { t: () => ({}) }],
      ['pause returns a text', { get: '/', pause: () => 'soon' }, "flow.main[0].pause returned a string: return milliseconds, a time such as '2s', a range such as '50ms,150ms', or { mean: '2s', dev: '500ms' }", 'E_VALUE'],
    ]; // prettier-ignore
    for (const [what, operation, message, code, tokens = {}] of cases) {
      it(`${what}: the operation fails, and the message names the place`, () =>
        serving(ok, async (url, seen) => {
          const { stats } = await benchrest({ main: [operation, '/next'], tokens, baseUrl: url }, TWO);
          expect(stats.iterations).to.include({ started: 2, failed: 2 });
          expect(stats.errors.details).to.have.lengthOf(1);
          expect(stats.errors.details[0]).to.include({ kind: 'hook', code, count: 2, phase: 'main' });
          expect(stats.errors.details[0].message.slice(0, message.length)).to.equal(message);
          expect(seen.filter(({ url: path }) => path === '/next')).to.deep.equal([]);
          if (!operation.pause) expect(seen).to.deep.equal([]);
        }));
    }

    it('a function that never settles is an error after the timeout of the operation', () =>
      serving(ok, async (url) => {
        const main = [{ post: '/', json: () => new Promise(() => {}), timeout: 30 }];
        const { stats } = await benchrest({ main, baseUrl: url }, ONE);
        expect(stats.errors.details[0]).to.include({
          code: 'E_TIMEOUT_HOOK',
          message: 'flow.main[0].json did not finish within 30 ms',
        });
      }));

    for (const workers of [undefined, 1]) {
      it(`samples of errors have the line of the flow${workers ? ', with workers too' : ''}`, () =>
        serving(ok, async (url) => {
          const flow = new URL('./support/flows/failing.mjs', import.meta.url);
          const { stats } = await here('workers', () => benchrest(flow, { ...TWO, baseUrl: url, workers }));
          const places = Object.fromEntries(stats.errors.details.map(({ phase, location }) => [phase, location]));
          const file = join('test', 'support', 'flows', 'failing.mjs');
          expect(places).to.deep.equal({
            beforeMain: { file, line: 3, column: 9, source: '  throw new Error(text);' },
            afterMain: { file, line: 12, column: 11, source: "      qs: async () => 'a=1'," },
            after: { file, line: 15, column: 47, source: "  after: [{ get: '/', afterHooks: [() => JSON.parse('{')] }]," },
          });
        }));
    } // prettier-ignore

    it('each pipelined request has its own values', () =>
      serving(ok, async (url, seen) => {
        const flow = { put: url, json: async ({ index }) => ({ index }) };
        const { errorCount } = await benchrest(flow, {
          limit: 4,
          iterations: 12,
          pipelining: 4,
          httpClient: 'builtin',
        });
        expect(errorCount).to.equal(0);
        const indexes = seen.map(({ body }) => JSON.parse(body).index);
        expect(indexes.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 12 }, (_, i) => i));
      }));

    it('functions where no value can come from one are refused before the run', () => {
      const refused = (operation, options = ONE) => {
        try {
          benchrest({ main: [{ get: 'http://127.0.0.1:1/', ...operation }] }, options);
        } catch (error) {
          return error.message;
        }
        return expect.fail('not refused');
      };
      expect(refused({ timeout: () => 1 })).to.include('flow.main[0].timeout: expected milliseconds');
      expect(refused({ get: undefined, uri: 'http://127.0.0.1:1/', method: () => 'GET' })).to.include(
        'flow.main[0].method: expected an HTTP method',
      );
      expect(refused({ multipart: [{ body: () => 'x' }] })).to.include('flow.main[0].multipart[0]: body: expected');
    });
  });
});

/** Parts of a multipart body: a piece of the head, and the content. */
function parts({ headers, body }) {
  const boundary = /boundary=(.*)$/.exec(headers['content-type'])[1];
  const pieces = body.split(`--${boundary}`).slice(1, -1);
  return pieces.map((piece) => {
    const [head, content] = piece.trim().split('\r\n\r\n');
    return content === undefined ? ['', head] : [/name="\w+"/.exec(head)?.[0] ?? '', content];
  });
}
