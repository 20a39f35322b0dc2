import { expect } from 'chai';

import benchrest from '../index.js';
import { ok, serving } from './support/serve.js';
import { NAMES } from './support/transports.js';
import { chatting, echo } from './support/web-socket-server.js';

const ONE = { limit: 1, iterations: 1 };
const TWO = { limit: 1, iterations: 2 };

/** A shop: POST creates an item with the number of the request as id; other requests answer with a page. */
const shop = () => {
  let created = 0;
  return (request, response) => {
    if (request.url === '/login') response.setHeader('set-cookie', 'sid=s1; Path=/').end('{"token":"T1"}');
    else if (request.url === '/broken') response.writeHead(500).end('<html>');
    else if (request.url === '/text') response.end('just text');
    else if (request.method === 'POST') {
      const id = ++created;
      response.writeHead(201, { etag: `"e${id}"`, location: `/items/${id}` });
      response.end(JSON.stringify({ id, next: `/list?page=${id}&of=2`, ids: [{ id }, { id: -id }] }));
    } else response.end('<a href="?page=42">');
  };
};
const lines = (seen) => seen.map(({ line, body }) => `${line} ${body}`.trim());

for (const httpClient of NAMES) {
  describe(`capture: ${httpClient}`, () => {
    const run = (flow, options, use) =>
      serving(shop(), async (url, seen) => {
        const { stats } = await benchrest({ baseUrl: url, ...flow }, { httpClient, ...options });
        await use({ stats, seen, details: stats.errors.details });
      });

    it('a port in a URL may be captured, declared or of a row, beside a host that is', () =>
      serving(ok, async (origin, seen) => {
        const { port } = new URL(origin);
        const where = (_, response) => response.end(JSON.stringify({ port: Number(port), host: '127.0.0.1' }));
        await serving(where, async (baseUrl) => {
          const flow = {
            ...{ vars: { own: port }, data: { rows: [{ port }] } },
            main: [
              { get: '/where', capture: { port: '$.port', host: '$.host' } },
              ...['127.0.0.1:#{port}', '#{host}:#{port}', '#{host}:#{own}', '127.0.0.1:#{rows.port}'].map(
                (host, i) => ({
                  get: `http://${host}/${i}`,
                  qs: { a: 'b' },
                }),
              ),
            ],
          };
          const { errorCount } = await benchrest(flow, { baseUrl, httpClient, ...ONE });
          expect(errorCount).to.equal(0);
          expect(seen.map(({ url }) => url)).to.deep.equal(['/0?a=b', '/1?a=b', '/2?a=b', '/3?a=b']);
        });
      }));

    it('takes values from JSON, headers, cookies, the status and text; tokens send them with their types', () =>
      run(
        {
          headers: { authorization: 'Bearer #{token}' },
          before: [{ post: '/login', capture: { token: '$.token', sid: { cookie: 'sid' } } }],
          main: [
            {
              post: '/items',
              json: { name: 'x' },
              capture: {
                id: '$.id',
                last: '$.ids[-1].id',
                all: '$.ids',
                tag: { header: 'ETag' },
                code: { status: true },
                next: '$.next',
                none: { json: '$.none', default: null },
              },
            },
            { get: '/items/#{id}', headers: { 'if-none-match': '#{tag}' }, capture: { page: { text: /page=(\d+)/ } } },
            { put: '/items/#{id}', json: { id: '#{id}', page: '#{page:number}', all: '#{all}', none: '#{none}' } },
            { get: '#{next}', qs: { code: '#{code}' } },
          ],
          afterMain: [{ del: '/items/#{last}' }],
          after: ['/logout/#{sid}'],
        },
        TWO,
        ({ seen, details }) => {
          expect(details).to.deep.equal([]);
          const iteration = (id) => [
            'POST /items {"name":"x"}',
            `GET /items/${id}`,
            `PUT /items/${id} {"id":${id},"page":42,"all":[{"id":${id}},{"id":-${id}}],"none":null}`,
            `GET /list?page=${id}&of=2&code=201`,
            `DELETE /items/-${id}`,
          ];
          expect(lines(seen)).to.deep.equal(['POST /login', ...iteration(1), ...iteration(2), 'GET /logout/s1']);
          expect(seen[0].headers.authorization).to.equal(undefined);
          expect(seen.slice(1).map(({ headers }) => headers.authorization)).to.deep.equal(Array(11).fill('Bearer T1'));
          expect(seen[2].headers['if-none-match']).to.equal('"e1"');
        },
      ));

    it('a value that is missing fails the operation with kind capture; operations of afterMain that need it are left out', () =>
      run(
        { main: [{ get: '/text', capture: { id: '$.id' } }, '/never'], afterMain: [{ del: '/#{id}' }, '/end'] },
        TWO,
        ({ seen, details, stats }) => {
          expect(lines(seen)).to.deep.equal(['GET /text', 'GET /end', 'GET /text', 'GET /end']);
          expect(details).to.have.lengthOf(1);
          expect(details[0]).to.include({ kind: 'capture', code: 'E_CAPTURE', count: 2 });
          expect(details[0].message).to.equal(
            'flow.main[0].capture.id: expected JSON with $.id, received "just text", which is not JSON, with status 200; give the capture a default if the value may be missing',
          );
          expect(stats.requests.skipped).to.equal(2);
        },
      ));

    it('a status that is an error is the only error', () =>
      run({ main: [{ get: '/broken', capture: { id: '$.id' } }] }, ONE, ({ details }) =>
        expect(details.map(({ kind }) => kind)).to.deep.equal(['status']),
      ));

    it('a response with a failed check or a missing value is captured all the same, so that it can be torn down', () =>
      run(
        {
          main: [
            { post: '/items', expect: { status: 200 }, capture: { id: '$.id' }, when: ({ index }) => index === 0 },
            { post: '/items', capture: { none: { json: '$.none', default: undefined }, id: '$.id' } },
          ],
          afterMain: [{ del: '/items/#{id}' }],
        },
        TWO,
        ({ seen, details }) => {
          const created = ['POST /items', 'DELETE /items/1', 'POST /items', 'DELETE /items/2'];
          expect(lines(seen)).to.deep.equal(created);
          expect(details.map(({ kind }) => kind)).to.have.members(['expect', 'capture']);
        },
      ));

    it('hooks see and set the values, and tokens read what they set', () => {
      const ids = [];
      return run(
        {
          main: [
            {
              post: '/items',
              capture: { id: '$.id' },
              afterHooks: [(all) => void (ids.push(all.vars.id), (all.vars.id += 100))],
            },
            { get: '/items/#{id}', beforeHooks: [(all) => void (all.vars.id += 100)] },
            { get: '/again/#{id}' },
          ],
        },
        ONE,
        ({ seen, details }) => {
          expect(details).to.deep.equal([]);
          expect(ids).to.deep.equal([1]);
          expect(lines(seen).slice(1)).to.deep.equal(['GET /items/201', 'GET /again/201']);
        },
      );
    });

    it('iterations do not see the values of each other', () =>
      run(
        { main: [{ oneOf: [{ post: '/items', capture: { id: '$.id' } }, '/other'] }, '/items/#{id}'] },
        TWO,
        ({ seen, details }) => {
          expect(lines(seen)).to.deep.equal(['POST /items', 'GET /items/1', 'GET /other']);
          expect(details.map(({ kind, message }) => `${kind} ${message}`)).to.deep.equal([
            'capture #{id} has no value in this iteration; this operation was not sent; one that captures it was left out, or a hook has not set it',
          ]);
        },
      ));

    it('names of Object.prototype are names like any other', () => {
      const main = [
        { post: '/items', capture: JSON.parse('{"__proto__":"$.id","constructor":"$.next"}') },
        { post: '/#{__proto__}', json: { next: '#{constructor}' } },
      ];
      return run({ main }, ONE, ({ seen }) => expect(lines(seen)[1]).to.equal('POST /1 {"next":"/list?page=1&of=2"}'));
    });
  });
}

describe('capture', () => {
  it('of a WebSocket takes values from its messages', () =>
    chatting(echo, async (url, { messages }) => {
      const main = [
        { ws: url, send: ['hello 7', '{"id":5}'], receive: 2, capture: { id: '$.id', n: { text: 'hello (\\d)' } } },
        { ws: url, send: { json: { id: '#{id}', n: '#{n}' } } },
      ];
      const { stats } = await benchrest({ main }, ONE);
      expect(stats.errors.details).to.deep.equal([]);
      expect(messages.at(-1)).to.equal('{"id":5,"n":"7"}');
    }));

  const get = { get: 'http://h/', capture: { id: '$.id' } };
  const ws = (rest) => ({ ws: 'ws://h/', ...rest });
  const refusals = [
    [
      ['http://h/#{id}', get],
      {},
      'flow.main[0].get: #{id} (column 10) has no value here: it is captured later, by flow.main[1].capture.id',
    ],
    [[get, 'http://h/#{di}'], {}, 'flow.main[1].get: #{di} (column 10) is not a token. Did you mean #{id}?'],
    [
      [{ get: 'http://h/', capture: { id: 'id' } }],
      {},
      'flow.main[0].capture.id: id is no JSONPath, which begins with $: write $.id',
    ],
    [[ws({ capture: { id: '$.id' } })], {}, 'flow.main[0].capture: no message is received here: add send or receive'],
    [[ws({ send: 'a', capture: { s: { status: true } } })], {}, 'flow.main[0].capture.s: status: a message has none'],
  ];
  for (const [main, options, message] of refusals)
    it(`refused: ${message}`, () => expect(() => benchrest({ main }, { ...ONE, ...options })).to.throw(message));

  it('refused: a token of the flow that has the same name, or a value of the main phase in after', () => {
    expect(() => benchrest({ tokens: { id: () => 1 }, main: [get] }, ONE)).to.throw(
      'flow.main[0].capture.id: is the name of flow.tokens.id, too: rename one',
    );
    expect(() => benchrest({ main: [get], after: ['http://h/#{id}'] }, ONE)).to.throw(
      'flow.after[0].get: #{id} (column 10) has no value here',
    );
  });

  it('is fixed before the run: a hook that changes it fails the operation', () =>
    serving(shop(), async (url) => {
      const main = [
        {
          get: url,
          capture: { page: { text: 'page' } },
          beforeHooks: [(all) => void (all.requestOptions.capture = {})],
        },
      ];
      const { stats } = await benchrest({ main }, ONE);
      expect(stats.errors.details[0].message).to.include('flow.main[0].requestOptions.capture');
    }));
});
