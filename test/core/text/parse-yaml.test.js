import { expect } from 'chai';

import { MAX_DEPTH } from '../../../lib/core/text/parse-json.js';
import { parseYaml, yamlPositions } from '../../../lib/core/text/parse-yaml.js';

describe('text/parse-yaml', () => {
  it('an empty text is null', async () => expect(await parseYaml('')).to.deep.equal({ value: null }));

  it('all scalars are strings except true, false, null and numbers of the core schema', async () =>
    expect(await parseYaml('[yes, 012, 0o7, ~, 2020-01-01]')).to.deep.equal({
      value: ['yes', 12, 7, null, '2020-01-01'],
    }));

  for (const [text, offset, reason] of [
    ['a: 1\na: 2', 5, 'unique'],
    ['a: 1\n---\nb: 2', 5, 'second document'],
    ['a: *b', 3, 'no anchor'],
    ['a: !!set {}', 3, 'tag'],
    ['['.repeat(MAX_DEPTH + 1), MAX_DEPTH, 'nested'],
  ])
    it(`${JSON.stringify(text.slice(0, 20))} has an error at offset ${offset}: ${reason}`, async () => {
      const { fault } = await parseYaml(text);
      expect(fault.offset).to.equal(offset);
      expect(fault.reason).to.contain(reason);
    });

  for (const [text, value, why] of [
    ['b: &b { a: 1, c: 2 }\nd: { <<: *b, c: 3 }', { a: 1, c: 3 }, 'its own members win'],
    ['b: &b { a: 1 }\nd: { a: 2, <<: *b, e: 3 }', { a: 2, e: 3 }, 'also those before it'],
    ['b: &b { a: 1 }\nc: &c { a: 2, x: 2 }\nd: { <<: [*b, *c] }', { a: 1, x: 2 }, 'earlier sources win'],
    ['b: &b { a: 1 }\nc: &c { <<: *b, x: 2 }\nd: { <<: *c }', { a: 1, x: 2 }, 'sources may merge others'],
    ['d: { <<: { a: 1 } }', { a: 1 }, 'a source may be written there'],
    ['d: { "<<": { a: 1 } }', { '<<': { a: 1 } }, 'quotes make it a member'],
    ['b: &b { __proto__: 1 }\nd: { <<: *b }', JSON.parse('{ "__proto__": 1 }'), 'a member may have any name'],
  ])
    it(`<< merges mappings: ${why}`, async () => {
      const read = (await parseYaml(text)).value.d;
      expect(JSON.stringify(read)).to.equal(JSON.stringify(value));
    });

  it('a mapping may be merged into many, and an alias of one that merges has all members', async () => {
    const { value } = await parseYaml(
      `b: &b { a: 1 }\nd: &d { <<: *b }\ne: *d\nall:\n${'  - { <<: *b }\n'.repeat(300)}`,
    );
    expect([value.e, value.all.at(-1)]).to.deep.equal([{ a: 1 }, { a: 1 }]);
  });

  for (const [text, offset, reason] of [
    ['b: &b [1]\nd: { <<: *b }', 15, '<< merges mappings'],
    ['d: { <<: text }', 5, '<< merges mappings'],
    ['d: &d { e: { <<: *d } }', 13, 'contains it'],
    ['d: { <<: *no }', 9, 'no anchor'],
    ['d: [1, 1e400]', 7, 'out of range'],
    ['d: .inf', 3, 'out of range'],
  ])
    it(`${JSON.stringify(text)} is refused: ${reason}`, async () => {
      const { fault } = await parseYaml(text);
      expect(fault.offset).to.equal(offset);
      expect(fault.reason).to.contain(reason);
    });

  for (const [text, offset, why] of [
    ['name: item #{INDEX}', 11, 'a comment that begins with #{'],
    ['name: item #<INDEX> b', 11, 'a comment that begins with #<'],
    ['get: #{INDEX}', 5, 'a value that is only a token'],
    ['- #{INDEX}', 2, 'an item that is only a token'],
    ['#{INDEX}', 0, 'a text that is only a token'],
    ['{ get: #{INDEX} }', 7, 'a token as value in a flow mapping'],
    ['{ get: /x_#{INDEX} }', 10, 'a token within a value of a flow mapping'],
    ['- { get: /x_#{INDEX} }', 12, 'a flow mapping in a list'],
    ['[a, b#{INDEX}]', 5, 'a flow sequence'],
    ['{ #{INDEX}: 1 }', 2, 'a token as key'],
    ['a: 1\nb:\n  - x: { c: y#{INDEX} }', 21, 'a later line'],
  ])
    it(`${why} is an error that suggests quotes: ${JSON.stringify(text)}`, async () => {
      const { fault } = await parseYaml(text);
      expect(fault.reason).to.contain('quotes');
      expect(fault.offset).to.equal(offset);
    });

  for (const [text, value] of [
    ['name: "item #{INDEX}"', { name: 'item #{INDEX}' }],
    ["{ get: '/x_#{INDEX}' }", { get: '/x_#{INDEX}' }],
    ['get: /x_#{INDEX}', { get: '/x_#{INDEX}' }],
    ['{ get: /x_#<INDEX> }', { get: '/x_#<INDEX>' }],
    ['a: |\n  item #{INDEX}\n', { a: 'item #{INDEX}\n' }],
    ['a: 1 # of { x }', { a: 1 }],
    ['a: x#y', { a: 'x#y' }],
    ['{ a: x# , b: { c: d } }', { a: 'x#', b: { c: 'd' } }],
  ])
    it(`${JSON.stringify(text)} keeps its # characters`, async () =>
      expect(await parseYaml(text)).to.deep.equal({ value }));
});

describe('positions of values in YAML', () => {
  const found = async (text, ...paths) =>
    (await yamlPositions(text))(paths).map(({ line, column }) => `${line}:${column}`);

  it('are those of the keys of a mapping, at any depth, and of the items of a sequence', async () => {
    expect(await found('# first\na: 1\n"b c":\n  d: 2\n', ['a'], ['b c'], ['b c', 'd'])).to.deep.equal([
      '2:1',
      '3:1',
      '4:3',
    ]);
    expect(await found('main:\n  - get: /a\n  - get: /b\n    qs: 1\n', ['main', 1], ['main', 1, 'qs'])).to.deep.equal([
      '3:5',
      '4:5',
    ]);
    expect(await found('1: a\ntrue: b\n', [1], ['true'])).to.deep.equal(['1:1', '2:1']);
  });

  it('are found behind an alias, and in flow collections', async () => {
    expect(
      await found('base: &b\n  get: /a\nmain: [*b, { get: /c }]\n', ['main', 0, 'get'], ['main', 1, 'get']),
    ).to.deep.equal(['2:3', '3:14']);
  });

  it('are found in JSON, with tabs and CR LF', async () => {
    expect(await found('{\r\n\t"a": 1,\r\n\t"b": { "c": 2 }\r\n}', ['b'], ['b', 'c'])).to.deep.equal(['3:2', '3:9']);
    expect(await found('{ "a": { "__proto__": 1, "3": 2 } }', ['a', '__proto__'], ['a', '3'])).to.deep.equal([
      '1:10',
      '1:26',
    ]);
  });

  it('are those of the nearest part for what is missing', async () => {
    expect(await found('- a\n- b\n', ['c'], [7])).to.deep.equal(['1:1', '1:1']);
    expect(await found('a:\n  b: 1\n', ['a', 'c'], ['a', 'b', 'c'])).to.deep.equal(['1:1', '2:3']);
    expect(await found('', ['a'])).to.deep.equal(['1:1']);
  });
});
