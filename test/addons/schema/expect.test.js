import { expect } from 'chai';

import { compiled, failing, passing, refusing } from '../../support/checks.js';

describe('expect.schema', () => {
  passing([
    [{ schema: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } }, { body: '{"id":5}' }],
    [
      {
        schema: {
          $schema: 'http://json-schema.org/draft-07/schema#',
          definitions: { a: { type: 'null' } },
          $ref: '#/definitions/a',
        },
      },
      { body: 'null' },
    ],
    [{ schema: { $schema: 'http://json-schema.org/draft-06/schema#', const: 1 } }, { body: '1' }],
    [{ schema: { $schema: 'https://json-schema.org/draft/2019-09/schema', type: 'array' } }, { body: '[]' }],
    [{ schema: { type: 'string', format: 'email', pattern: '^x' } }, { body: '"x"' }],
    [{ schema: { properties: { a: { pattern: '^x' }, b: { pattern: '^y' } } } }, { body: '{"a":"xx","b":"yy"}' }],
    [{ schema: 'test/support/item.schema.json' }, { body: '{"id":1}' }],
  ]);

  failing([
    [
      { schema: { properties: { id: { type: 'integer' } } } },
      { body: '{"id":"x"}' },
      '"/id" that must be integer',
      '"x"',
    ],
    [{ schema: { required: ['id'] } }, { body: '{}' }, "a body that must have required property 'id'", '{}'],
    [
      { schema: { additionalProperties: false } },
      { body: '{"b":1}' },
      'a body that must NOT have additional properties: "b"',
      '{"b":1}',
    ],
    [{ schema: { enum: [1, 2] } }, { body: '3' }, 'a body that must be equal to one of the allowed values: [1,2]', '3'],
    [
      { schema: { properties: { password: { const: 1 } } } },
      { body: '{"password":"CANARY"}' },
      '"/password" that must be equal to constant: ***',
      '***',
    ],
    [{ schema: { type: 'object' } }, { body: 'x' }, 'JSON', '"x", which is not JSON'],
  ]);

  refusing([
    [
      { schema: { properties: { id: { const: '#{INDEX}' } } } },
      'expect.schema: has a token, and tokens are not replaced in a schema: use json',
    ],
    [{ schema: 5 }, /^expect\.schema: expected a JSON Schema/],
    [{ schema: '' }, /^expect\.schema: expected a JSON Schema/],
    [{ schema: { type: 'text' } }, /^expect\.schema: schema is invalid: data\/type/],
    [
      { schema: { $ref: 'https://example.com/other' } },
      /^expect\.schema: can't resolve reference https:\/\/example\.com\/other/,
    ],
    [
      { schema: { $schema: 'http://json-schema.org/draft-04/schema#' } },
      /^expect\.schema: \$schema: .* is not supported: use draft 2020-12/,
    ],
    [{ schema: { pattern: '(' } }, /^expect\.schema: /],
    [{ schema: 'absent.json' }, /^expect\.schema: .*absent\.json/],
    [{ schema: 'README.md' }, /^expect\.schema: README\.md is not JSON/],
  ]);

  it('is one check', () => {
    const { checks, reads } = compiled({ json: { '$.a': 1 }, schema: {} });
    expect(checks.map(({ name, where }) => [name, where])).to.deep.equal([
      ['$.a', 'flow.main[0].expect.json["$.a"]'],
      ['schema', 'flow.main[0].expect.schema'],
    ]);
    expect(reads).to.deep.equal(['body', 'body']);
  });
});
