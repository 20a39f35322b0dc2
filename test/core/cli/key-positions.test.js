import { expect } from 'chai';

import { keyPositions } from '../../../lib/core/cli/config-file.js';

const found = async (text, path) =>
  Object.fromEntries([...(await keyPositions(text, path))].map(([key, { line, column }]) => [key, [line, column]]));

describe('positions of keys in a configuration', () => {
  it('finds the keys of a mapping in YAML, at any depth', async () => {
    expect(await found('# first\na: 1\n"b c":\n  d: 2\n')).to.deep.equal({ a: [2, 1], 'b c': [3, 1] });
    expect(await found('a:\n  b:\n    c: 1\n    d: 2\n', ['a', 'b'])).to.deep.equal({ c: [3, 5], d: [4, 5] });
  });

  it('finds the keys of an object in JSON, with tabs and CR LF', async () => {
    expect(await found('{\r\n\t"a": 1,\r\n\t"b": { "c": 2 }\r\n}')).to.deep.equal({ a: [2, 2], b: [3, 2] });
    expect(await found('{ "a": { "__proto__": 1, "3": 2 } }', ['a'])).to.deep.equal({
      ...{ ['__proto__']: [1, 10] },
      3: [1, 26],
    });
  });

  it('finds nothing where there is no mapping', async () => {
    expect(await found('- a\n- b\n')).to.deep.equal({});
    expect(await found('a: 1\n', ['a'])).to.deep.equal({});
    expect(await found('a: 1\n', ['b', 'c'])).to.deep.equal({});
    expect(await found('')).to.deep.equal({});
  });
});
