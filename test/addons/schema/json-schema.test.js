import { expect } from 'chai';

import check, { compileSchema } from '../../../lib/addons/schema/schema.js';

const EARLIER = 'http://json-schema.org/draft-07/schema#';

describe('the check of a JSON Schema', () => {
  for (const [sentence, schema, value, rule] of [
    ['an object has no properties of its prototype', { required: ['toString'] }, '{}', /required property 'toString'/],
    ['an absent property is not checked', { properties: { constructor: { type: 'number' } } }, '{}', null],
    ['__proto__ can be required', { required: ['__proto__'] }, '{}', /required property '__proto__'/],
    ['__proto__ can be a property', { required: ['__proto__'] }, '{"__proto__":1}', null],
    [
      'a constant is no method of the value',
      { const: { a: 1 } },
      '{"valueOf":1}',
      /^must be equal to constant: {"a":1}/,
    ],
    ['an equal object is a constant', { const: { a: 1, b: [2] } }, '{"b":[2],"a":1}', null],
    [
      'a list of constants is no method of the value',
      { enum: [{ a: 1 }] },
      '{"toString":1}',
      /allowed values: \[{"a":1}\]/,
    ],
    ['one of a list of constants is valid', { enum: [1, '1', { a: 1 }] }, '{"a":1}', null],
    ['equal objects are duplicates', { uniqueItems: true }, '[{"a":1,"b":[]},1,{"b":[],"a":1}]', /duplicate.*item 2/],
    ['values of several types are no duplicates', { uniqueItems: true }, '[1,"1",[1],["1"],true,null,"null",{}]', null],
    ['duplicates may be allowed', { uniqueItems: false }, '[1,1]', null],
    [
      'a value that no branch allows breaks the rule of the branches',
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      '5',
      /^must match a schema in anyOf$/,
    ],
    [
      'a value that a condition refuses breaks the rule of the condition',
      { if: { type: 'number' }, then: { minimum: 6 } },
      '5',
      /^must be >= 6$/,
    ],
    ['a constant may be null', { const: null }, '5', /^must be equal to constant: null$/],
    ...['https://json-schema.org/draft-07/schema', 'http://json-schema.org/draft/2020-12/schema#'].map(($schema) => [
      `an address of a draft in another spelling is known: ${$schema}`,
      { $schema, type: 'string' },
      '5',
      /^must be string$/,
    ]),
    ['an earlier draft has the same keywords', { $schema: EARLIER, uniqueItems: true }, '[1,1]', /duplicate/],
  ])
    it(sentence, () => {
      const violation = compileSchema(schema)(JSON.parse(value));
      if (rule === null) expect(violation).to.equal(null);
      else expect(violation.rule).to.match(rule);
    });

  it('a value below the name of a secret is hidden', () => {
    const violated = (rule, value) => {
      const schema = { properties: { tokens: { items: rule } } };
      const [{ check: violates }] = check.compile(schema, { complain: expect.fail });
      return violates({ json: { fault: null, value: { tokens: [value] } } });
    };
    expect(violated({ type: 'number' }, 's3cret-1')).to.deep.equal({
      expected: '"/tokens/0" that must be number',
      received: '***',
    });
    expect(violated({ const: 's3cret-2' }, 'x').expected).to.equal('"/tokens/0" that must be equal to constant: ***');
  });

  it('30,000 different objects are found to be unique in linear time', () => {
    const items = Array.from({ length: 30_000 }, (_, i) => ({ i }));
    expect(compileSchema({ uniqueItems: true })(items)).to.equal(null);
  });

  for (const [sentence, schema, reason] of [
    ['an asynchronous schema', { $async: true, type: 'object' }, '$async: is not a keyword of JSON Schema: remove it'],
    [
      'a rule for __proto__, which would be ignored,',
      { items: JSON.parse('{"properties":{"__proto__":{"type":"number"}}}') },
      "properties.__proto__: is not checked: use patternProperties with '^__proto__$'",
    ],
    [
      'a schema that is nothing but a reference to itself',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } },
      'is nested too deeply, or refers to itself without an end',
    ],
  ])
    it(`${sentence} is refused`, () => expect(() => compileSchema(schema)).to.throw(reason));
});
