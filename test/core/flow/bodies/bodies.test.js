import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { encodePairs } from '../../../../lib/core/flow/bodies/form.js';
import fc from '../../../support/fast-check.js';
import { mark, readBody as read } from '../../../support/read-body.js';

const own = (text) => JSON.parse(text);

describe('flow/bodies', () => {
  const [JSON_TYPE, FORM_TYPE] = ['application/json', 'application/x-www-form-urlencoded'];
  const rows = [
    [{}, null, null, 'an operation without a body sends none'],
    [{ json: true }, null, null, 'json: true only wants JSON back'],
    [{ json: null }, 'null', JSON_TYPE, 'json: null sends null'],
    [
      { json: own('{"__proto__":{"a":1}}') },
      '{"__proto__":{"a":1}}',
      JSON_TYPE,
      '__proto__ is an ordinary key of json',
    ],
    [{ json: 'a"b' }, '"a\\"b"', JSON_TYPE, 'json quotes a string'],
    [{ json: { 'k#{INDEX}': '#<INDEX>' } }, '{"k7":"7"}', JSON_TYPE, 'tokens in keys and values of json are replaced'],
    [{ body: '' }, '', null, 'an empty body is sent'],
    [{ body: 'é#{INDEX}' }, '\xc3\xa97', null, 'text is sent as UTF-8, with its tokens replaced'],
    [{ body: Buffer.from('#{INDEX}') }, '#{INDEX}', null, 'bytes are sent unchanged'],
    [{ form: 'a=#{INDEX}&b' }, 'a=7&b', FORM_TYPE, 'a form that is a string is sent unchanged'],
    [{ form: { 'a#{INDEX}': '#{INDEX}&' } }, 'a7=7%26', FORM_TYPE, 'a form is encoded around its tokens'],
    [{ form: own('{"__proto__":"x"}') }, '__proto__=x', FORM_TYPE, '__proto__ is an ordinary field of a form'],
  ];
  for (const [operation, body, contentType, why] of rows)
    it(why, () => expect(read(operation)).to.deep.include({ body, contentType, said: [] }));

  const JSON_ROWS = [
    [{ a: '#{INDEX}' }, '{"a":"7"}', 'an object'],
    [['a', 1], '["a",1]', 'an array'],
    ['te"xt', '"te\\"xt"', 'a text, which is quoted, as 1.2.4 did'],
    [null, 'null', 'null'],
  ];
  for (const [body, sent, why] of JSON_ROWS)
    it(`json: true sends the body as JSON: ${why}`, () =>
      expect(read({ json: true, body })).to.deep.include({ body: sent, contentType: JSON_TYPE, said: [] }));

  it('an array as body is sent in one piece', () => {
    expect(read({ body: ['a', 'b#{INDEX}', Buffer.from('\xff#{INDEX}', 'latin1')] })).to.deep.include({
      body: 'ab7\xff#{INDEX}',
      contentType: null,
      said: [],
    });
    expect(read({ body: ['a', 'b'] }).isConstant).to.equal(true);
  });

  describe('{ file: path } as body', () => {
    let folder;
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
      writeFileSync(join(folder, 'a.json'), '{"n":"#{INDEX}"}');
      writeFileSync(join(folder, 'plain'), Buffer.from([0xff, 0x00]));
      writeFileSync(join(folder, 'large.txt'), 'x'.repeat(1001));
    });
    after(() => rmSync(folder, { recursive: true }));

    it('sends the bytes of the file unchanged, with the media type of its name', () => {
      expect(read({ body: { file: 'a.json' } }, undefined, folder)).to.deep.equal({
        body: '{"n":"#{INDEX}"}',
        contentType: JSON_TYPE,
        isConstant: true,
        said: [],
      });
      expect(read({ body: { file: 'plain' } }, undefined, folder)).to.deep.include({
        body: '\xff\0',
        contentType: null,
      });
      expect(read({ body: { file: join(folder, 'a.json') } })).to.deep.include({ said: [] });
    });

    it('with json: true it is a JSON value like any other', () => {
      expect(read({ json: true, body: { file: 'a.json' } }, undefined, folder).body).to.equal('{"file":"a.json"}');
    });

    const refusals = [
      [{ file: 'none.json' }, /^body: .*none\.json does not exist; check the path$/],
      [{ file: '.' }, /^body: .* is a directory; use a file in it$/],
      [{ file: 'large.txt' }, /^body: .*large\.txt is too large: it has 1001 bytes, at most 1000 are read/],
      [{ file: '' }, /^body: file: expected a path$/],
      [{ file: 5 }, /^body: file: expected a path$/],
      [
        { file: 'a.json', name: 'b' },
        /^body: has file and name: write \{ file: path \} alone, or send the object with json$/,
      ],
    ];
    for (const [body, problem] of refusals) {
      it(`${JSON.stringify(body)} is refused`, () => {
        const { said } = read({ body }, undefined, folder);
        expect(said).to.have.lengthOf(1);
        expect(said[0]).to.match(problem);
      });
    }
  });

  for (const body of [{ a: 1 }, ['a', 1], ['a', , 'b'], 5, null]) {
    it(`body: ${JSON.stringify(body)} is refused without json: true`, () =>
      expect(read({ body }).said[0]).to.match(
        /^body: expected a string, a Buffer, an array of them or \{ file: path \} \(for an object/,
      ));
  }

  it('a body that JSON cannot express is refused under its name', () =>
    expect(read({ json: true, body: 1n }).said[0]).to.match(/^body: /));

  it('a body without iteration tokens is encoded once', () => {
    for (const operation of [{ json: { a: 1 } }, { body: 'x' }, { form: { a: 1 } }])
      expect(read(operation).isConstant).to.equal(true);
  });

  const pairs = [
    [{ a: 1, b: true, c: null, d: undefined, e: '' }, 'a=1&b=true&c=&e=', 'a form omits undefined; null is empty'],
    [
      { a: { b: { c: 1 } }, d: [1, [2]] },
      'a[b][c]=1&d[0]=1&d[1][0]=2',
      'nested values of a form are written with brackets',
    ],
    [{ a: [], b: {} }, '', 'empty objects and arrays of a form are omitted'],
    [{ 'a=b&c': 'd=e&f +%#?' }, 'a=b&c=d=e&f +%#?', 'separators within a form are encoded'],
  ];
  for (const [values, decoded, why] of pairs)
    it(why, () =>
      expect(encodePairs(values, 'qs', mark).split('&').map(decodeURIComponent).join('&')).to.equal(decoded),
    );

  it('every text comes back from a form', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(text, text), { selector: ([name]) => name }), (fields) => {
        const encoded = encodePairs(Object.fromEntries(fields), 'form', (t) => t);
        expect(Object.fromEntries(new URLSearchParams(encoded))).to.deep.equal(Object.fromEntries(fields));
      }),
    );
  });

  for (const [json, reason] of [
    [() => {}, 'json: a function has no JSON form'],
    [1n, 'json: a BigInt has no JSON form: write a number, or a text'],
    [
      {
        toJSON: () => {
          throw 'no';
        },
      },
      'json: no',
    ],
  ]) {
    it(reason, () => expect(read({ json }).said).to.deep.equal([reason]));
  }
});
