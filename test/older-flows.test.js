import { expect } from 'chai';

import benchrest from '../index.js';
import { command } from './support/command.js';
import { faulting } from './support/faulty-server.js';
import { ok, serving } from './support/serve.js';
import { NAMES } from './support/transports.js';

const ONE = { limit: 1, iterations: 1, quiet: true };

/** The head of a request that the flow sends, as the server receives it. */
async function headOf(flowOf, httpClient) {
  let head;
  await faulting(
    async (io) => {
      head = await io.readRequest();
      io.send('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    },
    async (url) => {
      const { stats } = await benchrest(flowOf(url), { ...ONE, httpClient });
      expect(stats.errors.count, JSON.stringify(stats.errors)).to.equal(0);
    },
  );
  return head;
}

for (const httpClient of NAMES) {
  describe(`flows for 1.2.4 (${httpClient})`, () => {
    const options = { ...ONE, httpClient };
    const to = (change) => (all) => void change(all.requestOptions);

    const sent = [
      ['a hook sets the URL of an empty one', (url) => ({ get: '', beforeHooks: [to((o) => (o.uri = `${url}/a b`))] }), ['GET /a%20b ']],
      [
        'a hook sets URL and method of an operation that has neither',
        (url) => ({ beforeHooks: [to((o) => Object.assign(o, { uri: `${url}/a`, method: 'POST' }))] }),
        ['POST /a '],
      ],
      ['a hook replaces a text that is no URL', (url) => ({ put: 'TODO', beforeHooks: [to((o) => (o.url = url))] }), ['PUT / ']],
      ['a URL has spaces', (url) => `${url}/services/Lunch club/nw1 0ne`, ['GET /services/Lunch%20club/nw1%200ne ']],
      ['a URL has umlauts, backslashes and a fragment', (url) => ` ${url}\\ä\\b?c=ö#d\n`, ['GET /%C3%A4/b?c=%C3%B6 ']],
      ['a function returns such a URL', (url) => ({ get: () => `${url}/ä b` }), ['GET /%C3%A4%20b ']],
      ['#{INDEX} in before and after is text', (url) => ({ before: [{ put: `${url}/a/#{INDEX}`, body: '#{INDEX}' }], main: [`${url}/#{INDEX}`], after: [`${url}/b/#{INDEX}`] }), ['PUT /a/ #{INDEX}', 'GET /0 ', 'GET /b/ ']],
      ['a token that nobody knows is text', (url) => ({ post: url, body: '#{name}', headers: { a: '#{b}' } }), ['POST / #{name}']],
      ['json: false is no JSON', (url) => ({ post: url, json: false, body: 'a' }), ['POST / a']],
      [
        'options of the request library have no effect',
        (url) => ({ get: url, pool: {}, forever: true, time: true, jar: {}, agent: false, resolveWithFullResponse: true }),
        ['GET / '],
      ],
      ['an operation has a base URL', (url) => ({ get: '/a', baseUrl: `${url}/api` }), ['GET /api/a ']],
    ]; // prettier-ignore
    for (const [what, flowOf, expected] of sent)
      it(what, () =>
        serving(ok, async (url, seen) => {
          const { stats } = await benchrest(flowOf(url), options);
          expect(stats.errors.count, JSON.stringify(stats.errors)).to.equal(0);
          expect(seen.map(({ method, url: path, body }) => `${method} ${path} ${body}`)).to.deep.equal(expected);
        }),
      );

    it('an operation fails if no hook has set its URL', () =>
      serving(ok, async () => {
        const { stats } = await benchrest({ get: '', beforeHooks: [() => {}] }, options);
        expect(stats.errors.details[0].message).to.equal(
          'flow.main[0].get "" is not a URL; this operation was not sent',
        );
        expect(() => benchrest({ get: '', beforeHooks: ['useEtag'] }, options)).to.throw('"" is not a URL');
      }));

    it('a misspelled scheme is refused before the run, even if a hook could set the URL', () => {
      const operation = {
        get: 'htp://127.0.0.1/',
        beforeHooks: [to((request) => (request.uri = 'http://127.0.0.1/'))],
      };
      expect(() => benchrest(operation, options)).to.throw('did you mean http:?');
    });

    it('functions and prealloc: the functions are called for each request', () =>
      serving(ok, async (url, seen) => {
        let calls = 0;
        const flow = { put: ({ index }) => `${url}/${index}`, json: () => ({ a: calls++ }) };
        const { errorCount } = await benchrest(flow, { ...options, iterations: 3, prealloc: 100 });
        expect(errorCount).to.equal(0);
        expect(seen.map((one) => `${one.url} ${one.body}`)).to.deep.equal(['/0 {"a":0}', '/1 {"a":1}', '/2 {"a":2}']);
      }));

    for (const [what, operation, reason] of [
      [
        'contradicts a constant body',
        { post: '/', body: 'abc', headers: { 'content-length': 4 } },
        /E_FLOW.*is 4, and the body has 3 bytes/,
      ],
      [
        'ends no body',
        { post: '/', body: 'abc', headers: { 'Transfer-Encoding': 'gzip' } },
        /E_FLOW.*does not end with chunked/,
      ],
      [
        'is there with another one',
        { get: '/', headers: { 'Transfer-Encoding': 'chunked', 'Content-Length': 0 } },
        /contradict/,
      ],
      [
        'contradicts a body with a token',
        { post: '/', body: '#{INDEX}', headers: { 'Content-Length': 4 } },
        /is 4, and the body has 1 bytes/,
      ],
      [
        'contradicts a body, set by a hook',
        { post: '/', body: 'a', beforeHooks: [to((o) => (o.headers['Content-Length'] = 4))] },
        /is 4, .* set by flow\.main\[0\]\.beforeHooks\[0\]/,
      ],
    ])
      // prettier-ignore
      it(`a field of framing that ${what} is an error`, () =>
        serving(ok, async (url, seen) => {
          const run = async () => (await benchrest(operation, { ...options, baseUrl: url })).stats.errors.details[0];
          const { code, message } = await run().catch((error) => error);
          expect(`${code} ${message}`).to.match(reason);
          expect(seen).to.deep.equal([]);
        }));

    it('a length that is right is sent', async () => {
      const head = await headOf((url) => ({ post: url, body: 'abc', headers: { 'content-LENGTH': 3 } }), httpClient);
      expect(head.match(/content-length/gi)).to.have.lengthOf(1);
    });

    if (httpClient === 'undici') {
      for (const name of ['Transfer-Encoding', 'Keep-Alive', 'Expect', 'Upgrade'])
        it(`${name} is refused before the run`, () => {
          const flow = { post: 'http://127.0.0.1:9/', headers: { [name]: 'chunked' } };
          expect(() => benchrest(flow, options)).to.throw(
            `flow.main[0].headers.${name}: cannot be sent by the HTTP client undici: use builtin`,
          );
        });
      return;
    }

    for (const [what, flowOf, expected] of [
      [
        'Content-Length: 0 of a DELETE',
        (url) => ({ del: url, headers: { 'Content-Length': 0 } }),
        /\r\nContent-Length: 0$/,
      ],
      [
        'Keep-Alive, Expect, Upgrade and TE',
        (url) => ({ get: url, headers: { 'Keep-Alive': 'timeout=5', Expect: 'x', Upgrade: 'h2c', TE: 'trailers' } }),
        /\r\nKeep-Alive: timeout=5\r\nExpect: x\r\nUpgrade: h2c\r\nTE: trailers$/,
      ],
    ])
      // prettier-ignore
      it(`sends ${what} as written`, async () => expect(await headOf(flowOf, httpClient)).to.match(expected));

    it('sends a body in chunks if Transfer-Encoding says so', () =>
      serving(ok, async (url, seen) => {
        const chunked = { headers: { 'Transfer-Encoding': 'chunked' } };
        const flow = [{ post: url, body: 'ä#{INDEX}', ...chunked }, { put: url, body: Buffer.from('b'), ...chunked }, { get: url, ...chunked }]; // prettier-ignore
        const { stats } = await benchrest(flow, { ...options, iterations: 2 });
        expect(stats.errors.count, JSON.stringify(stats.errors)).to.equal(0);
        expect(seen.map(({ body }) => body)).to.deep.equal(['ä0', 'b', '', 'ä1', 'b', '']);
        expect(seen.every(({ headers }) => headers['content-length'] === undefined)).to.equal(true);
      }));
  });
}

describe('run options for 1.2.4', () => {
  for (const [what, given] of [
    ['numbers as text', { limit: '2', iterations: '3', progress: '1000', prealloc: '2', timeout: '500' }],
    ['progress: true', { limit: 1, iterations: 3, progress: true }],
    ['progress: false', { limit: 1, iterations: 3, progress: false }],
    ['a user and a password that are numbers', { limit: 1, iterations: 3, user: 1, password: 2 }],
    ['those of a prototype', Object.create({ limit: 1, iterations: 3 })],
  ])
    it(`${what} are read`, () =>
      serving(ok, async (url, seen) => {
        let updates = 0;
        const run = benchrest(url, given).on('progress', () => updates++);
        const { errorCount } = await run;
        expect([errorCount, seen.length]).to.deep.equal([0, 3]);
        expect(updates > 0).to.equal(given.progress !== undefined && given.progress !== false);
        if (given.user) expect(seen[0].headers.authorization).to.equal(`Basic ${btoa('1:2')}`);
      }));

  it('the command reads URLs in the same way', () =>
    serving(ok, async (url, seen) => {
      expect((await command([` ${url}\\a b`, '-n', '1', '-c', '1'])).code).to.equal(0);
      expect(seen[0].url).to.equal('/a%20b');
    }));
});
