import { expect } from 'chai';

import {
  COMPARISONS,
  compileComparisons,
  describedSchemas,
  refuseComparisons,
} from '../../../lib/core/flow/comparisons.js';
import { markTokens } from '../../../lib/core/flow/template.js';
import { createProblems } from '../../../lib/core/ground/problems.js';
import { formatValue } from '../../../lib/core/text/format-value.js';

const context = {
  mark: (text, place) => markTokens(text, { problems: createProblems('E_FLOW'), path: 'x', place }),
  show: formatValue,
};
/** null, or what was expected */
const compared = (comparisons, value, options) =>
  compileComparisons(comparisons, { ...context, ...options })(value, { index: 7 });

describe('flow/comparisons', () => {
  for (const [comparisons, value] of [
    [{ eq: 'a' }, 'a'],
    [{ eq: 'n#{INDEX}' }, 'n7'],
    [{ eq: { a: [1, { b: null }] } }, { a: [1, { b: null }] }],
    [{ eq: { a: 1, b: 2 } }, { b: 2, a: 1 }],
    [{ eq: JSON.parse('{"__proto__":1}') }, JSON.parse('{"__proto__":1}')],
    [{ ne: 'a' }, 'b'],
    [{ ne: 1 }, undefined],
    [{ gt: 1, lte: 2 }, 2],
    [{ gte: '2026-01-01' }, '2026-01-01T10:00'],
    [{ in: ['a', null, { b: 1 }] }, { b: 1 }],
    [{ type: 'integer' }, 5],
    [{ type: ['string', 'null'] }, null],
    [{ type: 'array' }, []],
    [{ type: 'object' }, {}],
    [{ exists: true }, null],
    [{ exists: false }, undefined],
    [{ length: 2 }, 'ab'],
    [{ length: 3 }, '\u{1d11e}é\ud800'],
    [{ length: { gt: 0, lt: 3 } }, [1, 2]],
    [{ contains: 'b' }, 'abc'],
    [{ contains: { id: 7 } }, [{ id: 1 }, { id: 7 }]],
    [{ matches: '^a+$' }, 'aaa'],
    [{ matches: /^A/iy }, 'abc'],
  ])
    it(`${show(comparisons)} passes for ${show(value)}`, () => expect(compared(comparisons, value)).to.equal(null));

  for (const [comparisons, value, expected] of [
    [{ eq: 'a' }, undefined, '"a"'],
    [{ eq: 1 }, '1', '1'],
    [{ eq: 'n#{INDEX}' }, 'n8', '"n7"'],
    [{ eq: { a: 1 } }, { a: 1, b: 2 }, '{"a":1}'],
    [{ eq: [1] }, { 0: 1 }, '[1]'],
    [{ eq: { constructor: 1 } }, {}, '{"constructor":1}'],
    [{ eq: {} }, null, '{}'],
    [{ eq: JSON.parse('{"__proto__":{}}') }, { a: 1 }, '{"__proto__":{}}'],
    [{ ne: [1] }, [1], 'not [1]'],
    [{ gt: 1 }, 1, 'above 1'],
    [{ gte: 1 }, '5', 'at least 1'],
    [{ lt: 1 }, null, 'below 1'],
    [{ lte: 'b' }, 'c', 'at most "b"'],
    [{ gte: 1, lt: 10 }, 12, 'below 10'],
    [{ in: [1, 2] }, 3, 'one of [1,2]'],
    [{ type: 'integer' }, 1.5, 'the type integer'],
    [{ type: ['string', 'null'] }, undefined, 'the type string or null'],
    [{ type: 'object' }, [], 'the type object'],
    [{ type: 'object' }, null, 'the type object'],
    [{ exists: true }, undefined, 'a value'],
    [{ exists: false }, 0, 'no value'],
    [{ length: 2 }, 'abc', 'a length: 2'],
    [{ length: 0 }, {}, 'a length: 0'],
    [{ length: { gt: 3 } }, [1], 'a length: above 3'],
    [{ contains: 'b' }, 'aaa', 'one that contains "b"'],
    [{ contains: 1 }, ['1'], 'one that contains 1'],
    [{ contains: 'b' }, 5, 'one that contains "b"'],
    [{ matches: '^a' }, 'ba', 'a text that matches /^a/'],
    [{ matches: '1' }, 1, 'a text that matches /1/'],
  ])
    it(`${show(comparisons)} fails for ${show(value)}`, () => expect(compared(comparisons, value)).to.equal(expected));

  it('numbers in texts are compared as numbers where all values are texts', () => {
    expect(compared({ gt: 9 }, '10', { isText: true })).to.equal(null);
    for (const value of ['8', 'x', '', undefined])
      expect(compared({ gt: 9 }, value, { isText: true })).to.equal('above 9');
    expect(compared({ gt: 'a' }, 'b', { isText: true })).to.equal(null);
    for (const comparisons of [{ eq: 10 }, { in: [9, 10] }, { ne: 9 }, { eq: '10' }, { length: 2 }, { ne: [10] }])
      expect(compared(comparisons, '10', { isText: true }), show(comparisons)).to.equal(null);
    for (const comparisons of [{ eq: 9 }, { in: [9, '9'] }, { ne: 10 }, { ne: '10' }, { eq: '10.0' }])
      expect(compared(comparisons, '10', { isText: true }), show(comparisons)).to.be.a('string');
    expect(compared({ ne: 10 }, undefined, { isText: true })).to.equal(null);
  });

  for (const [comparisons, reason] of [
    [{}, /^expected a comparison such as/],
    [{ eq: undefined }, /^expected a comparison such as/],
    [{ gte: true }, 'gte: expected a number or a text, got true'],
    [{ lt: NaN }, /^lt: expected a number/],
    [{ grater: 1 }, /^unknown comparison grater: use eq, ne/],
    [{ egg: 1 }, /^unknown comparison egg.*compared by \{ eq: … \}|did you mean/],
    [{ in: 'a' }, 'in: expected a list of values, got a string'],
    [{ in: [] }, /^in: expected a list/],
    [{ type: 'text' }, /^type: expected one of string, number/],
    [{ type: [] }, /^type: expected one of/],
    [{ exists: 'yes' }, 'exists: expected true or false, got a string'],
    [{ length: -1 }, /^length: expected a whole number/],
    [{ length: { gt: 'x', foo: 1 } }, /^length: unknown comparison foo/],
    [{ matches: '(' }, /^matches: the pattern is malformed/],
    [{ matches: 'a#{INDEX}' }, 'matches: a regular expression cannot have tokens: use contains or eq'],
    [{ matches: 5 }, 'matches: expected a regular expression, got 5'],
    [{ eq: () => 1 }, 'eq: expected a JSON value, got a function'],
    [{ eq: 10n }, 'eq: expected a JSON value, got a bigint'],
    [{ eq: new Map() }, 'eq: expected a JSON value, got a Map'],
    [{ matches: '#{3}x' }, undefined],
    [{ eq: null, length: { gte: 1 } }, undefined],
  ])
    it(`${show(comparisons)} is ${reason ? 'refused' : 'accepted'}`, () => {
      if (reason instanceof RegExp) expect(refuseComparisons(comparisons)).to.match(reason);
      else expect(refuseComparisons(comparisons)).to.equal(reason);
    });

  it('a value that contains itself is refused', () => {
    const own = {};
    own.own = own;
    expect(refuseComparisons({ eq: own })).to.match(/^eq: expected a JSON value/);
  });

  it('a schema has the text of its entry as a sentence', () => {
    const entries = [
      { name: 'a', about: 'a number', schema: { type: 'number' } },
      { name: 'b', about: 'JSON', schema: {} },
    ];
    expect(describedSchemas(entries)).to.deep.equal({
      a: { type: 'number', description: 'A number' },
      b: { description: 'JSON' },
    });
  });

  it('every comparison has a description', () => {
    for (const { about, schema, type } of COMPARISONS) {
      expect(about).to.match(/^[a-z].*[^.]$/);
      expect(schema).to.be.an('object');
      expect(type).to.be.a('string');
    }
  });
});

function show(value) {
  return JSON.stringify(value, (_, one) =>
    one instanceof RegExp || ['function', 'bigint'].includes(typeof one) ? String(one) : one,
  );
}
