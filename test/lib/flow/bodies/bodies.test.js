import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import fc from 'fast-check';

import { compileBody } from '../../../../lib/flow/bodies/compile-body.js';
import { encodePairs } from '../../../../lib/flow/encode-pairs.js';
import { markTokens } from '../../../../lib/flow/template.js';
import { createProblems } from '../../../../lib/problems.js';

const mark = (text, path) => markTokens(text, { problems: createProblems('E_FLOW'), path });

/** The body of iteration 7 as latin1, with the boundary as `B`, and the reported problems. */
function read(operation) {
  const said = [];
  const { contentType, content } = compileBody(operation, {
    mark,
    complain: (key, reason) => said.push(`${key}: ${reason}`),
  });
  const bytes = typeof content === 'function' ? content({ index: 7 }) : content;
  const boundary = contentType?.split('boundary=')[1];
  const body = bytes && Buffer.from(bytes).toString('latin1');
  return {
    body: boundary ? body.replaceAll(`--${boundary}`, 'B') : body,
    contentType: contentType?.split(';')[0] ?? null,
    isConstant: typeof content !== 'function',
    said,
  };
}
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

  it('a body without iteration tokens is encoded once', () => {
    for (const operation of [{ json: { a: 1 } }, { body: 'x' }, { form: { a: 1 } }, { formData: { a: 'b' } }])
      expect(read(operation).isConstant).to.equal(true);
    expect(read({ formData: { a: '#{INDEX}' } }).isConstant).to.equal(false);
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
      { seed: 3 },
    );
  });

  for (const [json, reason] of [
    [() => {}, 'json: a function has no JSON form'],
    [1n, 'json: Do not know how to serialize a BigInt'],
  ]) {
    it(reason, () => expect(read({ json }).said).to.deep.equal([reason]));
  }

  describe('multipart', () => {
    const part = (head, content) => `B\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
    const file = (value, options) => ({ value, options });
    const parts = [
      [{}, '', 'multipart without parts has only the end'],
      [
        { a: 1, b: false, c: '' },
        part('name="a"', '1') + part('name="b"', 'false') + part('name="c"', ''),
        'multipart sends strings and numbers as text',
      ],
      [
        { a: ['x', 'y'] },
        part('name="a"', 'x') + part('name="a"', 'y'),
        'multipart sends one part per item of an array',
      ],
      [
        { 'q"\r\n\n\r#{INDEX}': 'x' },
        part('name="q%22%0D%0A%0D%0A%0D%0A7"', 'x'),
        'multipart escapes quotes and line ends in names',
      ],
      [
        { a: file('x', { filename: 'é".t#{INDEX}' }) },
        part('name="a"; filename="\xc3\xa9%22.t7"', 'x'),
        'multipart escapes quotes and line ends in file names',
      ],
      [{ a: file(0, { filename: '' }) }, part('name="a"; filename=""', '0'), 'multipart sends an empty file name'],
      [
        { a: file('x', { contentType: 'text/plain\r\nEvil: 1' }) },
        part('name="a"\r\nContent-Type: text/plain  Evil: 1', 'x'),
        'line ends in the type of a part are removed',
      ],
      [
        { a: Buffer.from('#{INDEX}\xff', 'latin1'), b: '#{INDEX}' },
        part('name="a"', '#{INDEX}\xff') + part('name="b"', '7'),
        'bytes stay unchanged next to tokens',
      ],
      [own('{"__proto__":"x"}'), part('name="__proto__"', 'x'), '__proto__ is an ordinary name of a part'],
    ];
    for (const [formData, expected, why] of parts)
      it(why, () =>
        expect(read({ formData })).to.deep.include({
          body: `${expected}B--\r\n`,
          contentType: 'multipart/form-data',
          said: [],
        }),
      );

    it('files are read from a path or a stream; options say another name and type', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'bench-rest-body-'));
      const path = join(folder, 'a "b".bin');
      writeFileSync(path, Buffer.from('#{INDEX}\0\xff', 'latin1'));
      const stream = createReadStream(path);
      try {
        const head = 'name="f"; filename="a %22b%22.bin"\r\nContent-Type: application/octet-stream';
        for (const f of [{ file: path }, stream, { value: stream }])
          expect(read({ formData: { f } }).body).to.equal(`${part(head, '#{INDEX}\0\xff')}B--\r\n`);
        const named = part('name="f"; filename="n"\r\nContent-Type: a/b', '#{INDEX}\0\xff');
        for (const f of [{ file: path }, { value: stream }])
          expect(read({ formData: { f: { ...f, options: { filename: 'n', contentType: 'a/b' } } } }).body).to.equal(
            `${named}B--\r\n`,
          );
      } finally {
        await new Promise((resolve) => stream.close(resolve));
        rmSync(folder, { recursive: true });
      }
    });

    it('a value that cannot be a part is refused', () => {
      for (const a of [null, {}, { value: {} }, { pipe() {} }, () => {}, 1n])
        expect(read({ formData: { a } }).said[0]).to.match(/^formData\.a: expected a string, a Buffer/);
    });
  });
});
