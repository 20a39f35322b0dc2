import { expect } from 'chai';

import benchrest from '../../../index.js';
import { serving } from '../../support/serve.js';

const QUERY = { query: '{ items { id } }' };
const TYPE = { 'content-type': 'application/json' };
const answer = (req, res) =>
  res.setHeader('content-type', 'application/json').end('{"errors":[{"message":"no"}],"error":"no"}');
const change = (options) => (all) => {
  Object.assign(all.requestOptions, options);
  return all;
};

describe('errors in a response of 200 to a body that is known when it is sent', () => {
  for (const [what, operation, errors] of [
    ['json of a function', { json: () => QUERY }, 1],
    ['a member of a function', { json: { query: () => QUERY.query } }, 1],
    ['a text of a function', { body: () => JSON.stringify(QUERY), headers: TYPE }, 1],
    ['bytes of a function', { body: () => Buffer.from(JSON.stringify(QUERY)), headers: TYPE }, 1],
    ['application/graphql', { body: () => QUERY.query, headers: { 'content-type': 'application/graphql' } }, 1],
    ['json of a hook', { json: { a: 1 }, beforeHooks: [change({ json: QUERY })] }, 1],
    ['a body of a hook', { body: 'a', beforeHooks: [change({ body: JSON.stringify(QUERY) })] }, 1],
    ['a query of a token', { json: { query: '#{query}' } }, 1],
    ['JSON-RPC of a function', { json: () => ({ jsonrpc: '2.0', method: 'a', id: 1 }) }, 1],
    ['another member query', { json: () => ({ query: 'shoes' }) }, 0],
    ['another body of a hook', { json: QUERY, beforeHooks: [change({ json: { a: 1 } })] }, 0],
    ['a body that the operation checks', { json: () => QUERY, expect: { json: { '$.errors[0].message': 'no' } } }, 0],
  ])
    it(`are ${errors === 0 ? 'none' : 'found'}: ${what}`, () =>
      serving(answer, async (url) => {
        const flow = { vars: QUERY, main: [{ post: url, ...operation }] };
        const { stats } = await benchrest(flow, { limit: 1, iterations: 1, quiet: true });
        expect(stats.errors.count).to.equal(errors);
      }));
});
