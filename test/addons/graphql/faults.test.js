import { expect } from 'chai';

import benchrest from '../../../index.js';
import { serving } from '../../support/serve.js';

const FAILED = { errors: [{ message: 'no such field', path: ['a'] }] };
const QUERY = 'query Items($n: Int = 1) { items(first: $n, name: "a } b") { id } }';
/** The errors of one request, which the server answers with a status of 200. */
const errorsOf = (operation, answer, type = 'application/json') =>
  serving(
    (req, res) => res.setHeader('content-type', type).end(typeof answer === 'string' ? answer : JSON.stringify(answer)),
    async (url) => {
      const main = [typeof operation === 'function' ? operation(url) : { post: url, ...operation }];
      const { stats } = await benchrest({ main }, { iterations: 1, limit: 1, args: { query: QUERY } });
      return stats.errors.count === 0 ? [] : [JSON.stringify(stats.errors)];
    },
  );

describe('errors of GraphQL and JSON-RPC in responses of 200', () => {
  const PARTS = `--b\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(FAILED)}\r\n--b--\r\n`;
  const RPC = { jsonrpc: '2.0', id: 1, method: 'items' };
  for (const [what, operation, answer, type] of [
    ['JSON', { json: { query: QUERY } }, FAILED],
    ['a shorthand', { json: { query: '{ items { id } }' } }, { ...FAILED, data: null }],
    ['a text', { body: JSON.stringify({ query: QUERY }) }, FAILED],
    ['a batch', { json: [{ query: QUERY }, { query: QUERY }] }, [{ data: { a: 1 } }, FAILED]],
    ['application/graphql', { body: QUERY, headers: { 'Content-Type': 'application/graphql' } }, FAILED],
    ['multipart/mixed', { body: JSON.stringify({ query: QUERY }) }, PARTS, 'multipart/mixed; boundary="b"'],
    ['a form', { form: { query: QUERY, operationName: 'Items' } }, FAILED],
    ['a form of uploads', { formData: { operations: JSON.stringify({ query: QUERY }), map: '{}' } }, FAILED],
    [
      ...['JSON-RPC in a stream of events', { json: RPC }],
      'event: message\ndata: {"jsonrpc":"2.0","method":"a"}\n\ndata: {"error":\ndata: "no such field"}\n\n',
      'text/event-stream',
    ],
    ['JSON-RPC', { json: RPC }, { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no such field' } }],
    ['a text with tokens', { body: `{"variables": {"n": #{INDEX}}, "query": "{ a(n: #{INDEX}) { b } }"}` }, FAILED],
    ['bytes', { body: Buffer.from(JSON.stringify({ query: QUERY })) }, FAILED],
    [
      'a query with a directive and aliases',
      { json: { query: 'query { a: b @skip(if: true) { ... on C { d } } }' } },
      FAILED,
    ],
    ['a fragment', { json: { query: 'fragment F on T { a } { ...F }' } }, FAILED],
    ['a persisted query', { json: { extensions: { persistedQuery: { version: 1 } } } }, FAILED],
    ['the query of a URL', (url) => ({ get: `${url}/?a=1&query=${encodeURIComponent(QUERY)}` }), FAILED],
    ['the query of a URL with a token', (url) => ({ get: `${url}/?query={a(n:#{INDEX}){b}}` }), FAILED],
    ['the query of a URL that a token is', (url) => ({ get: `${url}/?query=#{args.query}` }), FAILED],
    ['the query of a URL of a function', (url) => ({ get: () => `${url}/?query={a}` }), FAILED],
    ['qs', (url) => ({ get: url, qs: { query: QUERY } }), FAILED],
    ['a function of qs', (url) => ({ get: url, qs: () => ({ query: '{ a }' }) }), FAILED],
    [
      'a persisted query in a URL',
      (url) => ({ get: url, qs: { extensions: '{"persistedQuery":{"version":1}}' } }),
      FAILED,
    ],
    ['JSON-RPC with a result of null', { json: RPC }, { result: null, error: { message: 'no such field' } }],
    ['JSON-RPC 1.0', { json: { ...RPC, jsonrpc: '1.0' } }, { id: 1, error: 'no such field' }],
    [
      'JSON-RPC with a token',
      { body: '{"jsonrpc": "2.0", "method": "a", "id": #{INDEX}}' },
      { error: 'no such field' },
    ],
  ])
    it(`a status of 200 with errors and no data fails: ${what}`, async () => {
      const [error] = await errorsOf(operation, answer, type);
      expect(error, error).to.include('no such field');
    });

  for (const [what, operation, answer] of [
    ['a search', { json: { query: 'lamp' } }, FAILED],
    ['a form of a search', { form: { query: 'lamp' } }, FAILED],
    ['a form of another service', { formData: { operations: 'add', query: 'lamp' } }, FAILED],
    ['a search in a URL', (url) => ({ get: `${url}/?query=shoes` }), FAILED],
    ['a search in a URL that a token is', (url) => ({ get: `${url}/?query=#{randomItem(shoes,hats)}` }), FAILED],
    ['a search in qs', (url) => ({ get: url, qs: { query: 'name:{a TO b}' } }), FAILED],
    ['data beside the errors of a GET', (url) => ({ get: `${url}/?query={a}` }), { ...FAILED, data: { a: 1 } }],
    ['a search with braces', { json: { query: 'name:{a TO b}' } }, FAILED],
    ['a query of another language', { json: { query: 'SELECT a FROM b' } }, FAILED],
    ['a query that is an object', { json: { query: { match: { a: 1 } } } }, FAILED],
    ...[
      '{ a: 1 }',
      '{app="x"}',
      'sum by (a) ({app="x"})',
      '{{name}}',
      '{ "a": { b } }',
      '{ }',
      'a { b }',
      '{ a } }',
    ].map((query) => [`a query of another language: ${query}`, { json: { query } }, FAILED]),
    ['a result of JSON-RPC beside an error of null', { json: RPC }, { result: 1, error: null }],
    ['data beside the errors', { json: { query: QUERY } }, { ...FAILED, data: { a: 1 } }],
    ['no errors', { json: { query: QUERY } }, { errors: [], a: 1 }],
    [
      'an expectation of the body',
      { json: { query: QUERY }, expect: { json: { '$.errors[0].message': 'no such field' } } },
      FAILED,
    ],
    ['a result of JSON-RPC', { json: RPC }, { jsonrpc: '2.0', id: 1, result: {} }],
  ])
    it(`it does not fail: ${what}`, async () => expect(await errorsOf(operation, answer)).to.deep.equal([]));
});
