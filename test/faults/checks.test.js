import { expect } from 'chai';

import benchrest from '../../index.js';
import { MAX_JSON } from '../../lib/core/iteration/response-reader.js';
import { serving } from '../support/serve.js';
import { itSlow } from '../support/slow.js';
import { NAMES } from '../support/transports.js';
import { balance } from './ground.js';

/** The result of a flow whose operations get `body`. */
const checked = (httpClient, expectation, body, options) =>
  serving(
    (req, res) => res.writeHead(200, { 'x-hostile': 'a'.repeat(4000) }).end(body),
    async (baseUrl) => {
      const flow = { baseUrl, main: [{ get: '/', expect: expectation }] };
      const { stats } = await benchrest(flow, { limit: 1, iterations: 2, httpClient, ...options });
      balance(stats);
      return stats;
    },
  );

/** The problems of a flow with this `expect`. */
function problemsOf(expectation) {
  try {
    benchrest({ get: 'http://127.0.0.1:1/', expect: expectation }, { limit: 1, iterations: 1 });
  } catch (error) {
    return error.problems.map(({ path, reason }) => `${path}: ${reason}`);
  }
  throw new Error('the flow is accepted');
}

const DEEP = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
/** A text that a backtracking engine needs 2^n steps for. */
const BACKTRACKING = `${'a'.repeat(5000)}!`;

for (const httpClient of NAMES) {
  describe(`checks: ${httpClient}`, () => {
    for (const [what, body] of [
      ['HTML', '<html></html>'],
      ['cut JSON', '{"id":'],
      ['an empty body', ''],
      ['bytes that are no text', Buffer.of(0xff, 0xfe, 0)],
    ])
      it(`F104 ${what} fails the checks of JSON, and no others`, async () => {
        const { errors, checks } = await checked(httpClient, { json: { '$.id': 5 }, schema: {}, status: 200 }, body);
        expect(errors.kinds).to.deep.equal({ expect: 2 });
        expect(checks.details.map(({ name, passed, failed }) => [name, passed, failed])).to.deep.equal([
          ['status 200', 2, 0],
          ['$.id', 0, 2],
          ['schema', 0, 2],
        ]);
      });

    itSlow('F105 JSON above the limit is an error that names it; its text can be checked', async () => {
      const body = JSON.stringify('x'.repeat(MAX_JSON));
      const { errors } = await checked(httpClient, { json: { $: 'x' } }, body, { iterations: 1 });
      expect(errors.details[0]).to.include({ code: 'E_JSON_TOO_LARGE', count: 1 });
      expect(errors.details[0].message).to.include(String(MAX_JSON));
      const { checks } = await checked(httpClient, { text: 'xxx' }, body, { iterations: 1 });
      expect(checks).to.include({ passed: 1, failed: 0 });
    });
  });
}

describe('checks', () => {
  itSlow('F104 JSON that is nested deeply is searched and validated without an overflow of the stack', async () => {
    const list = { type: 'array', items: { $ref: '#' } };
    const { errors, checks } = await checked(
      'builtin',
      { json: { '$[0][0][0]': { type: 'array' } }, schema: list },
      DEEP,
    );
    expect(checks.details[0]).to.include({ passed: 2, failed: 0 });
    expect(checks.details[1]).to.include({ passed: 0, failed: 2 });
    expect(errors.details[0].message).to.include('expected a body that is nested less deeply');
    const paths = await checked('builtin', { json: { '$..id': { exists: false } } }, DEEP);
    expect(paths.checks).to.include({ passed: 2, failed: 0 });
  });

  for (const [what, expectation] of [
    ['text', { text: /^(a+)+$/ }],
    ['text of JSON', { text: { matches: '(a|a)*$b' } }],
    ['a header field', { headers: { 'x-hostile': { matches: '^(a|aa)+$!' } } }],
    ['a header field with many wildcards', { headers: { 'x-hostile': `${'*a'.repeat(1000)}*b*` } }],
    ['a value', { json: { '$.a': /^(a+)+$/ } }],
    ['a filter', { json: { "$[?search(@, '^(a+)+$')]": { exists: true } } }],
    ['a filter of whole texts', { json: { "$[?match(@, '(a+)+')]": { exists: true } } }],
    ['a schema', { schema: { properties: { a: { pattern: '^(a+)+$' } } } }],
  ])
    it(`X20 an expression for ${what} takes linear time`, async () => {
      const isJson = Boolean(expectation.json ?? expectation.schema);
      const body = isJson ? JSON.stringify({ a: BACKTRACKING }) : BACKTRACKING;
      const { errors } = await checked('builtin', expectation, body);
      expect(errors.kinds).to.deep.equal({ expect: 2 });
    });

  for (const [what, expectation, reason] of [
    ['a lookahead', { text: /a(?=b)/ }, /expect\.text: matches: the pattern has a lookahead/],
    [
      'a very long pattern',
      { text: { matches: 'a'.repeat(5000) } },
      /expect\.text: matches: the pattern is longer than/,
    ],
    [
      'a malformed pattern',
      { headers: { a: { matches: '[' } } },
      /expect\.headers\["a"\]: matches: the pattern is malformed/,
    ],
    ['a pattern of a schema', { schema: { pattern: 'a(?=b)' } }, /expect\.schema: .*lookahead/],
  ])
    it(`X20 ${what} is refused before the run`, () => {
      const problems = problemsOf(expectation);
      expect(problems).to.have.lengthOf(1);
      expect(problems[0]).to.match(reason);
    });

  for (const path of ['$.a[', `$${'.a'.repeat(2000)}`, '$[?match(@.a)]', '$[99999999999999999999]'])
    it(`X21 the path ${path.slice(0, 30)} is refused before the run`, () => {
      const problems = problemsOf({ json: { [path]: 1 } });
      expect(problems).to.have.lengthOf(1);
      expect(problems[0]).to.match(/^flow\.main\[0\]\.expect\.json\[.*: the path /);
      expect(problems[0].length).to.be.below(1500);
    });

  for (const path of ['$.__proto__', '$.constructor.name', '$.toString', "$['__proto__'].x", '$.a.length'])
    it(`X21 ${path} finds own properties alone`, async () => {
      const missing = await checked('builtin', { json: { [path]: { exists: false } } }, '{"a":[1]}');
      expect(missing.errors.details).to.deep.equal([]);
    });

  it('X21 own properties with names of prototypes are values as others', async () => {
    const body = '{"__proto__":{"x":1},"constructor":"c"}';
    const right = { '$.__proto__.x': 1, '$.constructor': 'c', $: { eq: JSON.parse(body) } };
    const { errors } = await checked('builtin', { json: right }, body);
    expect(errors.details).to.deep.equal([]);
    expect({}.x).to.equal(undefined);
  });
});
