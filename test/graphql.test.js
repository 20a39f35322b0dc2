import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../index.js';
import { faultOfResponse } from '../lib/addons/graphql/graphql.js';
import { balance } from './faults/ground.js';
import { command } from './support/command.js';
import { compiledFlow } from './support/compiled-flow.js';
import { shop } from './support/graphql.js';
import { inFolder } from './support/in-folder.js';
import { serving } from './support/serve.js';
import { itSlow } from './support/slow.js';

const ONE = { limit: 1 };
const QUERY = 'query item($id: Int!) { item(id: $id) { id name } }';

const run = (main, use, options) =>
  serving(shop(), async (url, seen) => {
    const { stats } = await benchrest({ baseUrl: url, main }, { ...ONE, iterations: 1, ...options });
    balance(stats);
    await use(stats, seen);
  });
const bodies = (seen) => seen.map(({ body }) => JSON.parse(body));
const rows = ({ operations }) => operations.map(({ name, count, errors }) => [name, count, errors]);
const groups = ({ errors }) =>
  errors.details.map(({ kind, code, operation, message, count }) => [kind, code, operation, message, count]);
const refusals = (operation) => {
  try {
    compiledFlow({ baseUrl: 'http://a', main: [{ post: '/', ...operation }] });
    return '';
  } catch ({ message }) {
    return message;
  }
};

describe('GraphQL', () => {
  it('sends text, operation name and variables as JSON, and takes captures from data', () =>
    run(
      [
        {
          post: '/graphql',
          graphql: QUERY,
          variables: { id: '#{INDEX:number}' },
          capture: { name: '$.data.item.name' },
          expect: { json: { '$.data.item.operationName': 'item' } },
          afterHooks: [(all) => void expect(all.body.data.item.id).to.equal(all.env.index)],
        },
        {
          post: '/graphql',
          graphql: 'query ($x: String, $y: [Int]) { find(name: $x, of: $y) { id } }',
          variables: { x: '#{name}', y: ({ index }) => [index] },
        },
      ],
      (stats, seen) => {
        expect(groups(stats)).to.deep.equal([]);
        expect(bodies(seen)).to.deep.equal([
          { query: QUERY, operationName: 'item', variables: { id: 0 } },
          {
            query: 'query ($x: String, $y: [Int]) { find(name: $x, of: $y) { id } }',
            variables: { x: 'item 0', y: [0] },
          },
        ]);
        expect(seen[0].headers['content-type']).to.equal('application/json');
        expect(rows(stats)).to.deep.equal([
          ['item', 1, 0],
          ['POST /graphql', 1, 0],
        ]);
      },
    ));

  it('F165 errors in a response of 200 are errors with path and message, in groups by their code', () =>
    run(
      [{ post: '/graphql', graphql: QUERY, variables: { id: -1 } }],
      (stats) => {
        const message = 'item.0.name: no item -1; 1 more error';
        expect(groups(stats)).to.deep.equal([['graphql', 'NOT_FOUND', 'item', message, 2]]);
        expect(stats.errors.details[0].exchange.at(-1)).to.contain('"no item -1"');
        expect(stats.operations[0]).to.deep.include({ count: 2, errors: 2, statusCodes: { 200: 2 } });
        expect(stats.iterations.failed).to.equal(2);
      },
      { iterations: 2 },
    ));

  /** Answers by Server-Sent Events, as servers of GraphQL do (distinct connections). */
  const events =
    (results, type = 'text/event-stream') =>
    (request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': type });
      for (const result of results) response.write(`event: next\ndata: ${JSON.stringify(result)}\n\n`);
      response.end('event: complete\ndata\n\n');
    };
  const subscribed = (handler, operation, use) =>
    serving(handler, async (url, seen) => {
      const main = [{ post: '/graphql', stream: 'sse', graphql: 'subscription ticks { tick }', ...operation }];
      const { stats } = await benchrest({ baseUrl: url, main }, { ...ONE, iterations: 1 });
      balance(stats);
      await use(stats, seen);
    });
  const tick = (n) => ({ data: { tick: n } });

  it('the results of a subscription are events of a stream, without the one that completes it', () =>
    subscribed(
      events([tick(1), tick(2)]),
      { capture: { all: { event: 'next', json: '$.data.tick', join: true } }, expect: { events: 2 } },
      (stats, seen) => {
        expect(groups(stats)).to.deep.equal([]);
        expect(stats.operations[0]).to.include({ name: 'ticks', count: 1 });
        expect(stats.operations[0].stream).to.include({ count: 1, events: 2 });
        expect(seen[0].headers.accept).to.equal('text/event-stream');
      },
    ));

  it('an error in any of them, or in a part that follows, is an error of the operation', async () => {
    const error = { message: 'no more', path: ['tick'] };
    for (const results of [
      [tick(1), { errors: [error] }, tick(2)],
      [
        { ...tick(1), hasNext: true },
        { incremental: [{ data: { late: 1 } }, { errors: [error] }], hasNext: false },
      ],
    ])
      await subscribed(events(results), {}, (stats) => {
        expect(groups(stats)).to.deep.equal([['graphql', 'E_GRAPHQL', 'ticks', 'tick: no more', 1]]);
        expect(stats.operations[0].stream.events).to.equal(results.length);
      });
    const allowed = { expect: { graphql: 'allow-errors' } };
    await subscribed(events([{ errors: [error] }]), allowed, (stats) => expect(groups(stats)).to.deep.equal([]));
  });

  it('a response that is no stream has the errors of its body, or is an error itself', async () => {
    await serving(shop(), async (url) => {
      const query = { post: '/graphql', stream: 'sse', graphql: QUERY };
      const main = {
        oneOf: [
          { ...query, variables: { id: 1 } },
          { ...query, variables: { id: -1 } },
        ],
        order: 'roundRobin',
      };
      const { stats } = await benchrest({ baseUrl: url, main: [main] }, { ...ONE, iterations: 2 });
      balance(stats);
      const message = 'the stream ended without an event: its Content-Type is "application/json"';
      expect(groups(stats).map(([kind, code, , text]) => [kind, code, text.split('; if')[0]])).to.have.deep.members([
        ['expect', 'E_STREAM_EMPTY', message],
        ['graphql', 'NOT_FOUND', 'item.0.name: no item -1; 1 more error'],
      ]);
    });
  });

  it('F165 allows them with expect, and checks are counted besides', () =>
    run(
      [
        {
          post: '/graphql',
          graphql: QUERY,
          variables: { id: -1 },
          expect: { graphql: 'allow-errors', json: { '$.errors[0].message': 'no item -1' } },
        },
        { post: '/graphql', graphql: QUERY, variables: { id: -2 }, expect: { json: { '$.data.item': null } } },
      ],
      (stats) => {
        expect(groups(stats).map(([kind, , , message]) => [kind, message])).to.deep.equal([
          ['graphql', 'item.0.name: no item -2; 1 more error'],
        ]);
        expect(stats.checks).to.include({ passed: 2, failed: 0 });
      },
    ));

  itSlow('F166 a status of 400 has the error of its body, and what is no GraphQL is an error', async () => {
    await run([{ post: '/graphql', graphql: 'query broken { a }' }], (stats) =>
      expect(groups(stats)).to.deep.equal([['graphql', 'E_GRAPHQL', 'broken', 'Syntax Error: Unexpected }.', 1]]),
    );
    for (const [status, body, expected] of [
      [200, '<html>', ['graphql', 'expected data or errors, received "<html>", which is not JSON']],
      [200, '[]', ['graphql', 'expected data or errors, received []']],
      [200, '{"errors":[]}', ['graphql', 'expected data or errors, received {"errors":[]}']],
      [200, '{"errors":["x"]}', ['graphql', 'x']],
      [200, '{"errors":[{"message":{"a":1},"path":"x"}]}', ['graphql', '{"a":1}']],
      [
        200,
        '{"errors":[{"message":"PersistedQueryNotSupported"}]}',
        [
          'graphql',
          'PersistedQueryNotSupported: the server takes no queries by their hash, so remove persisted from the operation',
        ],
      ],
      [502, '<html>', ['status', 'error statusCode: 502']],
    ])
      await serving(
        (_, response) => response.writeHead(status).end(body),
        async (url) => {
          const { stats } = await benchrest({ post: url, graphql: '{ a }' }, { ...ONE, iterations: 1 });
          expect(groups(stats).map(([kind, , , message]) => [kind, message])).to.deep.equal([expected]);
        },
      );
  });

  it('an error whose path and code are no texts is named by what it has', () => {
    const error = { message: 'm', path: ['a', { toString: {} }], extensions: { code: { toString: {} } } };
    const fault = faultOfResponse({})({ json: { value: { errors: [error] } }, statusCode: 200 });
    expect(fault.message).to.include('a.an object: m');
  });

  it('a query that the server takes by no hash has failed, also if errors are allowed', () => {
    const faultOf = (error) =>
      faultOfResponse({ expect: { graphql: 'allow-errors' } })({
        json: { value: { errors: [error] } },
        statusCode: 200,
      });
    const code = 'PERSISTED_QUERY_NOT_SUPPORTED';
    expect(faultOf({ message: 'no item', extensions: { code: 'NOT_FOUND' } })).to.equal(null);
    for (const error of [{ message: 'PersistedQueryNotSupported' }, { message: 'x', extensions: { code } }])
      expect(faultOf(error).message).to.include('remove persisted');
  });

  it('sends a persisted query by its hash, and the text when the server asks for it', () =>
    run(
      [{ post: '/graphql', graphql: { query: QUERY, persisted: true }, variables: { id: '#{INDEX:number}' } }],
      (stats, seen) => {
        expect(groups(stats)).to.deep.equal([]);
        expect(bodies(seen).map(({ query, variables }) => [query !== undefined, variables.id])).to.deep.equal([
          [false, 0],
          [true, 0],
          [false, 1],
          [false, 2],
        ]);
        expect(bodies(seen).every(({ extensions: { persistedQuery } }) => persistedQuery.sha256Hash.length === 64));
        expect(stats.requests).to.include({ count: 3, retries: 1, sent: 4, answered: 4 });
        expect(rows(stats)).to.deep.equal([['item', 3, 0]]);
      },
      { iterations: 3 },
    ));

  it('sends the text if any of several errors says that the hash is unknown, by message or code', () =>
    serving(
      (_, response, text) => {
        const code = { code: 'PERSISTED_QUERY_NOT_FOUND' };
        const unknown = { errors: [null, { message: 'first' }, { message: 'x', extensions: code }] };
        response.end(JSON.stringify(JSON.parse(text).query === undefined ? unknown : { data: { item: null } }));
      },
      async (url, seen) => {
        const graphql = { query: QUERY, persisted: true };
        const { stats } = await benchrest({ post: url, graphql, variables: { id: 1 } }, { ...ONE, iterations: 2 });
        balance(stats);
        expect(groups(stats)).to.deep.equal([]);
        expect(seen).to.have.lengthOf(4);
      },
    ));

  it('F167 asks once for each request: a server that never knows the hash is an error', () =>
    serving(
      (_, response) => response.end('{"errors":[{"message":"PersistedQueryNotFound"}]}'),
      async (url, seen) => {
        const { stats } = await benchrest(
          { post: url, graphql: { query: QUERY, persisted: true }, variables: { id: 1 } },
          { ...ONE, iterations: 2 },
        );
        balance(stats);
        expect(seen).to.have.lengthOf(4);
        expect(groups(stats)).to.deep.equal([['graphql', 'E_GRAPHQL', 'item', 'PersistedQueryNotFound', 2]]);
      },
    ));

  it('works in functions, with the names of their operations, and in YAML with files', async () => {
    await run(
      [
        async ({ request, index }) => {
          const { json } = await request({ post: '/graphql', graphql: QUERY, variables: { id: index } });
          expect(json.data.item.name).to.equal(`item ${index}`);
          await request({ post: '/graphql', graphql: QUERY, variables: { id: index + 1 }, name: 'next' });
        },
      ],
      (stats) => {
        expect(groups(stats)).to.deep.equal([]);
        expect(rows(stats)).to.deep.equal([
          ['item', 2, 0],
          ['next', 2, 0],
        ]);
      },
      { iterations: 2 },
    );
    const flow = (url) => `main:
  - post: ${url}/graphql
    graphql: { file: items.graphql, operation: item }
    variables: { id: '#{INDEX:number}' }
    expect: { json: { $.data.item.id: { gte: 0 } } }
`;
    await inFolder(
      (folder) =>
        serving(shop(), async (url, seen) => {
          const { writeFileSync } = await import('node:fs');
          writeFileSync(join(folder, 'flow.yaml'), flow(url));
          const { code, stdout, stderr } = await command(['-n', '2', '--json', join(folder, 'flow.yaml')]);
          expect(code, stderr).to.equal(0);
          expect(rows(JSON.parse(stdout))).to.deep.equal([['item', 2, 0]]);
          expect(bodies(seen)[0].operationName).to.equal('item');
        }),
      { 'items.graphql': `# All of the shop\n${QUERY}\nquery all { item(id: 1) { name } }` },
    );
  });

  it('a before-hook may change the variables and the query', () =>
    run(
      [
        {
          post: '/graphql',
          graphql: QUERY,
          variables: { id: 1 },
          beforeHooks: [({ requestOptions }) => void (requestOptions.variables.id = 7)],
          afterHooks: [({ body }) => void expect(body.data.item.id).to.equal(7)],
        },
      ],
      (stats) => expect(groups(stats)).to.deep.equal([]),
    ));

  for (const [title, operation, expected] of [
    [
      'an empty text',
      { graphql: '' },
      /flow\.main\[0\]\.graphql: expected a query, or an object .*, got an empty string/,
    ],
    ['null', { graphql: null }, /flow\.main\[0\]\.graphql: expected a query, or an object .*, got null/],
    ['neither text nor file', { graphql: {} }, /flow\.main\[0\]\.graphql: has neither query nor file/],
    ['both', { graphql: { query: '{ a }', file: 'a' } }, /has query and file: write one of them/],
    ['an unknown property', { graphql: { query: '{ a }', persist: true } }, /did you mean persisted\?/],
    [
      'a property of a wrong type',
      { graphql: { query: '{ a }', persisted: 'x' } },
      /expected true or false, got a str/,
    ],
    ['a token in the text', { graphql: '{ item(id: #{INDEX}) { id } }' }, /has a token, and tokens are not replaced/],
    ['a missing file', { graphql: { file: 'no.graphql' } }, /flow\.main\[0\]\.graphql\.file: .*no\.graphql does not/],
    ['no operation', { graphql: 'fragment a on B { c }' }, /has no operation: write a query or a mutation/],
    ['no end', { graphql: '{ a ' }, /graphql: has no operation/],
    ['several operations', { graphql: 'query a { b } query c { d }' }, /has several operations \(a, c\): name one/],
    ['an unknown operation', { graphql: { query: 'query a { b }', operation: 'c' } }, /is no operation of the text, w/],
    ['a subscription', { graphql: 'subscription a { b }' }, /is a subscription, whose results are a stream: write/],
    ['a GET', { post: undefined, get: '/', graphql: '{ a }' }, /is sent with POST: write \{ post/],
    ['two bodies', { graphql: '{ a }', body: 'x' }, /has body and graphql: one request has one body/],
    [
      'variables that are a text',
      { graphql: '{ a }', variables: 'x' },
      /flow\.main\[0\]\.variables: expected an object/,
    ],
    [
      'expect elsewhere',
      { body: 'x', expect: { graphql: 'allow-errors' } },
      /is for operations with graphql: remove it/,
    ],
    ['an unknown value of expect', { graphql: '{ a }', expect: { graphql: true } }, /expected 'allow-errors', got/],
  ])
    it(`is refused before the run with ${title}`, () => expect(refusals(operation)).to.match(expected));

  it('variables without a query belong to the hooks of the flow, as in 1.2.4', () =>
    run(
      [
        {
          post: '/graphql',
          json: { query: QUERY, variables: { id: 3 } },
          variables: ['own'],
          beforeHooks: [({ requestOptions: { variables } }) => void expect(variables).to.deep.equal(['own'])],
        },
      ],
      (stats) => expect(groups(stats)).to.deep.equal([]),
    ));
});
