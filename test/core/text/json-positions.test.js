import { expect } from 'chai';

import { positionOf } from '../../../lib/core/text/code-frame.js';
import { positionsOf } from '../../../lib/core/text/parse-json.js';
import fc from '../../support/fast-check.js';
import { scaled } from '../../support/scale.js';

const at = (text, ...path) => {
  const [{ line, column }] = positionsOf(text, [path]);
  return `${line}:${column}`;
};

describe('positions in JSON', () => {
  const text = '{\n  "a": [1, {"b c": "}\\"]"}, [2, [3]]],\r\n\t"d" : null,\n"e":-1.5e3 }';

  for (const [path, expected] of [
    [[], '1:1'],
    [['a'], '2:8'],
    [['a', 0], '2:9'],
    [['a', 1], '2:12'],
    [['a', 1, 'b c'], '2:20'],
    [['a', 2, 1, 0], '2:34'],
    [['d'], '3:8'],
    [['e'], '4:5'],
  ]) {
    it(`finds ${JSON.stringify(path)} at ${expected}`, () => expect(at(text, ...path)).to.equal(expected));
  }

  it('a path that the document lacks has the position of its nearest part', () => {
    expect(at(text, 'x', 'y')).to.equal('1:1');
    expect(at(text, 'a', 7)).to.equal('2:8');
    expect(at(text, 'a', 1, 'x')).to.equal('2:12');
    expect(at(text, 'd', 'x')).to.equal('3:8');
    expect(at(text, '__proto__', 'constructor')).to.equal('1:1');
  });

  it('the positions have the order of the paths', () =>
    expect(positionsOf(text, [['e'], [], ['a']])).to.deep.equal([
      { line: 4, column: 5 },
      { line: 1, column: 1 },
      { line: 2, column: 8 },
    ]));

  it('every number of any document is found at its place', () => {
    const value = fc.jsonValue({ maxDepth: 4, noUnicodeString: false });
    fc.assert(
      fc.property(value, fc.constantFrom(0, 1, '\t'), (document, indent) => {
        let last = 1000;
        const paths = [];
        const number = (node, path) => {
          if (typeof node === 'object' && node !== null)
            return Array.isArray(node)
              ? node.map((item, i) => number(item, [...path, i]))
              : Object.fromEntries(Object.entries(node).map(([key, item]) => [key, number(item, [...path, key])]));
          paths.push(path);
          return ++last * 1e10 + 7;
        };
        const numbered = JSON.stringify(number(document, []), null, indent);
        const offsets = paths.map((_, i) => numbered.lastIndexOf(String((1001 + i) * 1e10 + 7)));
        expect(positionsOf(numbered, paths)).to.deep.equal(
          offsets.map((offset) => {
            const { line, column } = positionOf(numbered, offset);
            return { line, column };
          }),
        );
      }),
      { numRuns: scaled(15, 200) },
    );
  });
});
