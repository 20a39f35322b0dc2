import { expect } from 'chai';
import { query } from 'json-p3';

import { compileQuery } from '../../../lib/addons/json-path/query.js';
import { compileJsonPath } from '../../../lib/core/flow/json-path.js';
import { CAPTURE } from '../../../lib/core/flow/captures/index.js';
import { captured } from '../../support/captures.js';
import { failing, passing, refusing } from '../../support/checks.js';
import fc from '../../support/fast-check.js';
import { scaled } from '../../support/scale.js';

const value = {
  id: 7,
  none: null,
  list: [{ id: 1, tag: 'a' }, { id: 2 }, 3],
  'a b': { 'c.d': true },
  length: 'own',
};

describe('JSONPath', () => {
  for (const [path, found, isSingular = true] of [
    ['$', [value]],
    ['$.id', [7]],
    ['$.none', [null]],
    ['$.list[0].id', [1]],
    ['$.list[-1]', [3]],
    ['$.list[9]', []],
    ['$.list.length', []],
    ['$.length', ['own']],
    ["$['a b']['c.d']", [true]],
    ['$["a b"]', [{ 'c.d': true }]],
    ["$['\\u0069d']", [7]],
    ['$ .id', [7]],
    ['$.id.id', []],
    ['$.toString', []],
    ['$.__proto__', []],
    ['$.list.__proto__', []],
    ['$.constructor.name', []],
    ['$[0]', []],
    ['$.list[*].id', [1, 2], false],
    ['$..id', [7, 1, 2], false],
    ['$.list[?@.id > 1].id', [2], false],
    ['$.list[?match(@.tag, "[a-c]")].id', [1], false],
    ['$.list[?match(@.tag, "[")].id', [], false],
    ['$.list[0:2]', [value.list[0], value.list[1]], false],
    ['$..toString', [], false],
    ['$..[?@.id == $.list[1].id].id', [2], false],
    ["$[?@['c.d'] && count($..id) == 3]", [{ 'c.d': true }], false],
    ['$.list[:2][?@ == "a"]', ['a'], false],
    ['$.list[-1:][0]', [], false],
    ["$['id','none','id']", [7, null, 7], false],
  ]) {
    it(`${path} finds ${JSON.stringify(found).slice(0, 50)}`, () => {
      const compiled = compileJsonPath(path);
      expect(compiled.all(value)).to.deep.equal(found);
      expect(compiled.first(value)).to.deep.equal(found[0]);
      expect(compiled.isSingular).to.equal(isSingular);
    });
  }

  it('own properties that have the names of a prototype are found', () => {
    const own = JSON.parse('{"__proto__":1,"constructor":{"name":2}}');
    expect(compileJsonPath('$.__proto__').first(own)).to.equal(1);
    expect(compileJsonPath('$.constructor.name').first(own)).to.equal(2);
  });

  for (const [path, reason] of [
    ['', /begins with \$$/],
    ['header:location', /begins with \$$/],
    ['id', 'is no JSONPath, which begins with $: write $.id'],
    ['[0].id', 'is no JSONPath, which begins with $: write $[0].id'],
    ['$.', 'is malformed: it is incomplete'],
    ['$[01]', 'is malformed'],
    ['$[?@.a', 'is malformed: unbalanced brackets'],
    [`$.${'a'.repeat(1000)}`, 'is longer than 1000 characters'],
    ['$[?length(1)]', 'is malformed'],
    ['$.id ', 'has a space or a line end after it'],
    ['$.a[(@.length-1)]', /^is malformed: unexpected token '\(' in bracketed selection$/],
    ['$.a[,]', /^is malformed: unexpected token in bracketed selection 'comma'$/],
  ])
    it(`${path.slice(0, 20) || 'an empty path'} is refused`, () =>
      expect(() => compileJsonPath(path)).to.throw(reason));

  it('a singular query finds what json-p3 finds', () => {
    const name = fc.constantFrom('a', 'b', '__proto__', 'length');
    const json = fc.jsonValue({ maxDepth: 4 });
    const nested = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 4 }, json, fc.dictionary(name, tie('tree')), fc.array(tie('tree'), { maxLength: 3 })),
    })).tree;
    const steps = fc.array(fc.oneof(name, fc.integer({ min: -3, max: 3 })), { maxLength: 4 });
    fc.assert(
      fc.property(nested, steps, (tree, path) => {
        const document = JSON.parse(JSON.stringify(tree));
        const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `['${step}']`)).join('');
        expect(compileJsonPath(`$${text}`).all(document)).to.deep.equal(query(`$${text}`, document).values());
      }),
      { numRuns: scaled(60, 200) },
    );
  });

  it('a query finds what json-p3 finds', () => {
    const value = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(0, 1, 'a', 'ab', null, true),
        fc.dictionary(fc.constantFrom('a', 'b', 'toString'), tie('tree'), { maxKeys: 3 }),
        fc.array(tie('tree'), { maxLength: 3 }),
      ),
    })).tree;
    const segment = fc.constantFrom(
      '.a',
      '[0]',
      '[-1]',
      '[*]',
      '.*',
      '..a',
      '..[0]',
      '..*',
      '[1:]',
      '[::-1]',
      "['a','b']",
      '[0,*]',
      '[?@.a]',
      '[?!@.a]',
      '[?@.a == 1 || @.b]',
      '[?@ == $.a]',
      '[?@[?@ == 1]]',
      '[?count(@.*) > 1]',
      '[?value(@.a) == "a"]',
      '[?length(@) == 2]',
      '[?search(@, "b")]',
    );
    fc.assert(
      fc.property(value, fc.array(segment, { minLength: 1, maxLength: 3 }), (tree, segments) => {
        const document = JSON.parse(JSON.stringify(tree));
        const path = `$${segments.join('')}`;
        expect(compileJsonPath(path).all(document)).to.deep.equal(query(path, document).values());
      }),
      { numRuns: scaled(100, 300) },
    );
  });

  it('$ is the whole document, also in a filter within a filter', () =>
    expect(compileJsonPath('$.a[?@[?@ == $.x]]').all({ a: [[1], [2]], x: 2 })).to.deep.equal([[2]]));

  it('the functions of filters read characters, of which a pair of surrogates is one', () => {
    expect(compileJsonPath('$[?length(@) == 1]').all(['😀', 'ab'])).to.deep.equal(['😀']);
    expect(compileJsonPath("$[?match(@, '.')]").all(['😀', 'ab', '\r', '\n', '\u2028'])).to.deep.equal([
      '😀',
      '\u2028',
    ]);
    expect(compileJsonPath("$[?match(@, 'a\\\\.[.]')]").all(['a..', 'ab.', 'a.b'])).to.deep.equal(['a..']);
  });

  it('an array of 150,000 items has no fewer than it has', () => {
    const items = Array(150_000).fill(1);
    expect(compileJsonPath('$[*]').all(items)).to.have.lengthOf(150_000);
    expect(compileJsonPath('$[?count($[*]) > 1]').all(items)).to.have.lengthOf(150_000);
  });

  for (const [sentence, path, document] of [
    [
      'that doubles what it finds with each step',
      `$${'[*,*]'.repeat(150)}`,
      JSON.parse(`${'['.repeat(200)}1${']'.repeat(200)}`),
    ],
    ['with many descents', `$${'..*'.repeat(12)}`, JSON.parse(`${'['.repeat(200)}1${']'.repeat(200)}`)],
    [
      'that passes many numbers in each descent',
      '$..[?@..a]',
      JSON.parse(`${'['.repeat(100)}${Array(1000).fill(1)}${']'.repeat(100)}`),
    ],
    [
      'that compiles a pattern for each item',
      '$[?match(@.a, @.b)]',
      Array.from({ length: 5 }, (_, i) => ({ a: 'a', b: `b${i}` })),
    ],
  ])
    it(`a path ${sentence} ends with an error`, () =>
      expect(() => compileQuery(path, 50_000).first(document)).to.throw(
        `${path} cannot be evaluated: it visits more than 50,000 values; write a path that visits fewer of them`,
      ));

  it('a filter with a pattern takes linear time', () => {
    const document = [{ a: `${'a'.repeat(5000)}b` }];
    expect(compileJsonPath('$[?search(@.a, "^(a+)+$")]').all(document)).to.deep.equal([]);
  });

  it('a document may have any depth', () => {
    const deep = JSON.parse(`${'['.repeat(5000)}{"a":1}${']'.repeat(5000)}`);
    expect(compileJsonPath('$..a').first(deep)).to.equal(1);
    expect(compileJsonPath('$[0][0][0]').first(deep)).to.be.an('array');
  });
});

describe('JSONPath in checks', () => {
  passing([
    [{ json: { '$.items[*].price': { gt: 0 } } }, { body: '{"items":[{"price":1},{"price":2}]}' }],
    [{ json: { '$.items[?@.id==2].name': 'two' } }, { body: '{"items":[{"id":1},{"id":2,"name":"two"}]}' }],
    [{ json: { '$..absent': { exists: false } } }, { body: '{"a":{}}' }],
  ]);

  failing([
    [{ json: { '$[*].a': { gt: 1 } } }, { body: '[{"a":2},{"a":1}]' }, 'above 1', '1'],
    [{ json: { '$[*].a': 1 } }, { body: '[]' }, '1', 'nothing'],
    [{ json: { '$..price': { ne: 0 } } }, { body: '{}' }, 'at least one value', 'nothing'],
  ]);

  refusing([[{ json: { '$.a[': 1 } }, /^expect\.json\["\$\.a\["\]: the path is malformed/]]);
});

describe('JSONPath in captures', () => {
  it('the first value that is found is captured', () =>
    expect(captured('$..id', '[{"id":1},{"id":2}]')).to.deep.include({ value: 1, reads: 'body' }));

  it('a malformed path is refused', () =>
    expect(CAPTURE.refuse({ a: '$.' })[0].reason).to.include('$. is malformed: it is incomplete'));
});
