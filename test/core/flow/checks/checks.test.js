import { expect } from 'chai';

import { CHECKS } from '../../../../lib/core/flow/checks/index.js';
import { checksOf, refuseExpect } from '../../../../lib/core/flow/checks/property.js';
import { compiled, context, failing, passing, problemsOf, refusing, show } from '../../../support/checks.js';

describe('flow/checks', () => {
  passing([
    [{ body: 'hello' }, { body: 'hello' }],
    [{ body: '' }, { body: '' }],
    [{ body: '' }, { body: null }],
    [{ body: 'é\n' }, { body: 'é\n' }],
    [{ body: 'n#{INDEX}' }, { body: 'n7' }],
    [{ status: 201 }, { status: 201 }],
    [{ status: [200, '304'] }, { status: 304 }],
    [{ status: '2xx, 304' }, { status: 299 }],
    [{ status: 404 }, { status: 404 }],
    [{ within: '500ms' }, { ms: 500 }],
    [{ within: 5 }, { ms: 5 }],
    [{ text: 'n#{INDEX}' }, { body: 'an n7!' }],
    [{ text: /PAGE=\d+/gi }, { body: 'page=12' }],
    [{ text: { matches: '^a', length: { lt: 5 } } }, { body: 'abc' }],
    [{ headers: { Location: '/items/*' } }, { headers: { location: '/items/5' } }],
    [{ headers: { location: '/items/#{INDEX}*' } }, { headers: { location: '/items/7?a=*' } }],
    [{ headers: { etag: /^"/ } }, { headers: { etag: '"x"' } }],
    [{ headers: { etag: { exists: false } } }, {}],
    [{ headers: { 'content-length': { gt: 9 } } }, { headers: { 'content-length': '10' } }],
    [{ headers: { 'x-count': 5 } }, { headers: { 'x-count': '5' } }],
    [{ headers: { 'set-cookie': 'b=*' } }, { headers: { 'set-cookie': ['a=1', 'b=2'] } }],
    [{ json: { '$.id': 5 } }, { body: '{"id":5}' }],
    [{ json: { '$.a[0].b': { type: 'string', matches: '^x' } } }, { body: '{"a":[{"b":"xy"}]}' }],
    [{ json: { '$.index': '#{INDEX}' } }, { body: '{"index":"7"}' }],
    [{ json: { '$.index': '#{INDEX:number}' } }, { body: '{"index":7}' }],
    [{ json: { '$.text': 'n#{INDEX}' } }, { body: '{"text":"n7"}' }],
    [{ json: { '$.tags': ['a', { b: null }] } }, { body: '{"tags":["a",{"b":null}]}' }],
    [{ json: { '$.absent': { exists: false } } }, { body: '{}' }],
    [{ json: { $: null } }, { body: 'null' }],
    [{ json: { '$.name': /^J/ } }, { body: '{"name":"Joe"}' }],
    [{ json: { '$.items': { length: { gte: 2 } } } }, { body: '{"items":[1,2]}' }],
  ]);

  failing([
    [{ body: 'hello' }, { body: 'hello\n' }, '"hello"', '"hello\\n"'],
    [{ body: 'hello' }, { body: null }, '"hello"', '""'],
    [{ body: 'n#{INDEX}' }, { body: 'n8' }, '"n7"', '"n8"'],
    [{ body: 'x' }, { body: 'y'.repeat(5000) }, '"x"', `"${'y'.repeat(99)}…`],
    [{ body: 'x' }, { body: '{"token":"CANARY"}' }, '"x"', '"{\\"token\\":\\"***\\"}"'],
    [{ status: 201 }, {}, 'status 201', '200'],
    [{ status: '3xx, 201' }, { status: 404 }, 'status 3xx, 201', '404'],
    [{ status: 404 }, { status: 200 }, 'status 404', '200'],
    [{ within: '1s' }, { ms: 1234.5678 }, 'at most 1 s', '1235 ms'],
    [{ text: 'b' }, { body: 'aaa' }, 'one that contains "b"', '"aaa"'],
    [{ text: /b+/ }, { body: null }, 'a text that matches /b+/', '""'],
    [{ text: { length: 2 } }, { body: 'abc' }, 'a length: 2', '"abc"'],
    [{ headers: { location: '/items/*' } }, { headers: { location: '/a' } }, '"/items/*"', '"/a"'],
    [{ headers: { location: '*' } }, {}, '"*"', 'no such field'],
    [{ headers: { location: '*/#{INDEX}' } }, { headers: { location: '/8' } }, '"*/7"', '"/8"'],
    [{ headers: { age: { lt: 5 } } }, { headers: { age: 'x' } }, 'below 5', '"x"'],
    [{ headers: { 'set-cookie': 'c=*' } }, { headers: { 'set-cookie': ['a=1', 'b=2'] } }, '***', '***'],
    [{ json: { '$.id': 5 } }, { body: '{"id":6}' }, '5', '6'],
    [{ json: { '$.id': 5 } }, { body: '{}' }, '5', 'nothing'],
    [{ json: { '$.id': 5 } }, { body: '<html>' }, 'JSON', '"<html>", which is not JSON'],
    [{ json: { '$.id': 5 } }, { body: null }, 'JSON', 'an empty body'],
    [{ json: { '$.constructor': { exists: true } } }, { body: '{}' }, 'a value', 'nothing'],
    [{ json: { '$.__proto__.x': 1 } }, { body: '{}' }, '1', 'nothing'],
    [{ json: { '$.index': '#{INDEX:number}' } }, { body: '{"index":"7"}' }, '7', '"7"'],
    [{ json: { '$.token': 'CANARY' } }, { body: '{"token":"CANARY2"}' }, '***', '***'],
    [{ headers: { authorization: 'CANARY' } }, { headers: { authorization: 'CANARY2' } }, '***', '***'],
  ]);

  it('an operation without expect has no checks', () =>
    expect(checksOf({}, context)).to.deep.equal({ checks: [], reads: [], acceptsStatus: null }));

  it('each property and each header field is a check with a name and a place', () => {
    const { checks, reads } = compiled({ status: [200, '3xx'], headers: { ETag: '*', 'x-a': '1' }, within: 500 });
    expect(checks.map(({ name, where }) => [name, where])).to.deep.equal([
      ['status 200, 3xx', 'flow.main[0].expect.status'],
      ['header etag', 'flow.main[0].expect.headers["ETag"]'],
      ['header x-a', 'flow.main[0].expect.headers["x-a"]'],
      ['within 500 ms', 'flow.main[0].expect.within'],
    ]);
    expect(reads).to.deep.equal(['status', 'head', 'status']);
  });

  it('each path of JSON is a check', () => {
    const { checks, reads } = compiled({ json: { '$.a': 1, "$['b c']": { exists: true } } });
    expect(checks.map(({ name, where }) => [name, where])).to.deep.equal([
      ['$.a', 'flow.main[0].expect.json["$.a"]'],
      ["$['b c']", `flow.main[0].expect.json["$['b c']"]`],
    ]);
    expect(reads).to.deep.equal(['body']);
  });

  it('a name makes one check of all properties of its object', () => {
    const { checks } = compiled([{ name: 'is created', status: 201, headers: { etag: '*' } }, { text: 'x' }]);
    expect(checks.map(({ name, where }) => [name, where])).to.deep.equal([
      ['is created', 'flow.main[0].expect[0]'],
      ['text', 'flow.main[0].expect[1].text'],
    ]);
    expect(checks[0].parts.map(({ where }) => where)).to.deep.equal([
      'flow.main[0].expect[0].status',
      'flow.main[0].expect[0].headers["etag"]',
    ]);
    expect(compiled({ name: 'a?token=CANARY', status: 201 }).checks[0].name).to.equal('a?token=***');
  });

  it('a status decides which statuses are errors', () => {
    expect(compiled({ body: 'x' }).acceptsStatus).to.equal(null);
    const { acceptsStatus } = compiled([{ status: '4xx' }, { status: [404, 200] }]);
    expect([404, 400, 200, 500].map(acceptsStatus)).to.deep.equal([true, false, false, false]);
  });

  refusing([
    [{ body: 7 }, 'expect.body: expected a string, got 7'],
    [{ bdy: 'x' }, 'expect.bdy: unknown property, did you mean body?'],
    [{ other: 'x' }, /^expect\.other: unknown property: use name, status, headers/],
    [
      [{ status: 99 }],
      "expect[0].status: 99 is not a status: write a number from 100 to 999, or a class such as '2xx'",
    ],
    [{ status: '2x' }, `expect.status: "2x" is not a status: write '2xx'`],
    [{ status: [200, '3XX'] }, `expect.status[1]: "3XX" is not a status: write '3xx'`],
    [{ status: '200,4**' }, `expect.status: "4**" is not a status: write '4xx'`],
    [{ status: '200-299' }, `expect.status: "200-299" is not a status: write '2xx'`],
    [{ status: 'ok' }, /^expect\.status: "ok" is not a status: write a number/],
    [{ status: {} }, /^expect\.status: expected a status such as 201 or '2xx', or a list of them, got an object$/],
    [{ status: [] }, /^expect\.status: expected a status/],
    [{ status: '200,' }, /^expect\.status: "" is not a status/],
    [{ name: 'x' }, /^expect: expects nothing beside its name: add one of status, headers/],
    [[{ text: 'x' }, { name: 'x' }], /^expect\[1\]: expects nothing/],
    [{ name: 'x', stats: 1 }, 'expect.stats: unknown property, did you mean status?'],
    [{ name: ' ', status: 200 }, /^expect\.name: expected a text/],
    [{ within: 0 }, /^expect\.within: expected milliseconds above 0/],
    [{ within: 'soon' }, /^expect\.within: expected milliseconds above 0/],
    [{ text: '' }, /^expect\.text: expected a text that the body contains/],
    [{ text: { contain: 'x' } }, 'expect.text: unknown comparison contain, did you mean contains?'],
    [{ text: { matches: '(' } }, /^expect\.text: matches: the pattern is malformed/],
    [{ headers: 'x' }, /^expect\.headers: expected an object such as/],
    [{ headers: {} }, /^expect\.headers: expected an object such as/],
    [{ headers: { 'a b': 'x' } }, 'expect.headers["a b"]: is not the name of a header field'],
    [{ headers: { a: true } }, /^expect\.headers\["a"\]: expected a text, a regular expression/],
    [{ headers: { a: {} } }, /^expect\.headers\["a"\]: expected a comparison such as/],
    [{ headers: { a: () => 'x' } }, /^expect\.headers\["a"\]: expected a text/],
    [{ json: { id: 5 } }, 'expect.json["id"]: the path is no JSONPath, which begins with $: write $.id'],
    [{ json: {} }, /^expect\.json: expected an object such as/],
    [{ json: { '$.a': { b: 1 } } }, /^expect\.json\["\$\.a"\]: unknown comparison b.*compared by \{ eq: … \}/],
    [{ json: { '$.a': () => 1 } }, /^expect\.json\["\$\.a"\]: expected a JSON value/],
    [{ json: { "$[?@.id=='#{id}']": 1 } }, /^expect\.json\[.*: has a token, and tokens are not replaced in a path$/],
  ]);

  it('all problems are reported, and the checks without any are compiled', () => {
    const value = { staus: 1, json: { id: 5, '$.a': { b: 1 }, '$.[': 1 }, headers: { a: true, b: '*' }, text: 'x' };
    expect(problemsOf(value).map((text) => text.split(': ')[0])).to.deep.equal([
      'expect.staus',
      'expect.headers["a"]',
      'expect.json["id"]',
      'expect.json["$.a"]',
      'expect.json["$.["]',
    ]);
    expect(compiled(value).checks.map(({ name }) => name)).to.deep.equal(['text']);
    expect(problemsOf({})).to.deep.equal([]);
    expect(problemsOf({ body: undefined })).to.deep.equal([]);
  });

  for (const [value, reasons] of [
    [[], [{ reason: 'is an empty list: remove it' }]],
    [[{ status: 200 }, 'x'], [{ at: '[1]', reason: 'expected an object such as { status: 201 }, got a string' }]],
    [[{ status: 200 }], []],
    [{}, []],
  ])
    it(`${show(value)} is ${reasons.length > 0 ? 'refused' : 'accepted'} as expect`, () =>
      expect(refuseExpect(value)).to.deep.equal(reasons));

  it('every check says what it is for, and what it reads', () => {
    for (const { about, reads, schema, type } of CHECKS) {
      expect(about).to.match(/^[a-z].*[^.]$/);
      expect(reads).to.be.oneOf(['status', 'head', 'body']);
      expect(schema).to.be.an('object');
      expect(type).to.be.a('string');
    }
  });
});
