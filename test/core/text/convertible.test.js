import { expect } from 'chai';

import { convertible } from '../../../lib/core/text/convertible.js';
import { parseJson } from '../../../lib/core/text/parse-json.js';
import { parseYaml } from '../../../lib/core/text/parse-yaml.js';

describe('text/convertible', () => {
  const TEXT = '{"a":[{"toString":{},"valueOf":1}],"__proto__":{"toString":null},"b":{"toString":{"toString":1}}}';

  it('objects with a member toString are converted as others are, and keep the member', () => {
    const value = convertible(JSON.parse(TEXT));
    expect(String(value.a)).to.equal('[object Object]');
    expect(`${value.b} ${value.b.toString}`).to.equal('[object Object] [object Object]');
    expect(/x/.test(value.b)).to.equal(false);
    expect(value.b < 1 || value.b > 1).to.equal(false);
    expect(JSON.stringify(value)).to.equal(TEXT);
    expect(Object.assign({}, value.b)).to.deep.equal(JSON.parse('{"toString":{"toString":1}}'));
  });

  it('other values are returned as they are', () =>
    expect([null, 1, 'a', undefined].map((value) => convertible(value))).to.deep.equal([null, 1, 'a', undefined]));

  it('documents of JSON and YAML are convertible', async () => {
    expect(String(parseJson('{"toString":{}}').value)).to.equal('[object Object]');
    expect(String((await parseYaml('toString: {}')).value)).to.equal('[object Object]');
  });

  it('a document of YAML may be a part of itself', async () => {
    const { value } = await parseYaml('a: &a\n  toString: {}\n  b: *a\n');
    expect(value.a.b).to.equal(value.a);
    expect(String(value.a)).to.equal('[object Object]');
  });
});
