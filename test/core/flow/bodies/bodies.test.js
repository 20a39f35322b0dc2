import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { encodePairs } from '../../../../lib/core/flow/bodies/form.js';
import { compileBody } from '../../../../lib/core/flow/bodies/index.js';
import { markTokens } from '../../../../lib/core/flow/template.js';
import { createProblems } from '../../../../lib/core/ground/problems.js';
import fc from '../../../support/fast-check.js';

const mark = (text, path) => markTokens(text, { problems: createProblems('E_FLOW'), path });

/** The body of iteration 7 as latin1, with the boundary as `B`, and the reported problems. */
function read(operation, givenType, folder) {
  const said = [];
  const { contentType, content } = compileBody(operation, {
    mark,
    complain: (key, reason) => said.push(`${key}: ${reason}`),
    isJson: operation.json === true,
    givenType,
    folder,
    maxBytes: 1000,
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

    it('paths of parts are relative to the same folder', () => {
      expect(read({ formData: { f: { file: 'a.json' } } }, undefined, folder).body).to.include('filename="a.json"');
      expect(read({ multipart: [{ body: { file: 'a.json' } }] }, undefined, folder).body).to.include('"#{INDEX}"');
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

  describe('multipart: parts with header fields of their own', () => {
    const related = (multipart, given) => read({ multipart }, given);

    it('each property of a part but body is a header field', () =>
      expect(
        related([
          { 'content-type': 'application/json', 'X-A': 1, body: '{"a":"#{INDEX}"}' },
          { body: Buffer.from('x') },
        ]),
      ).to.deep.include({
        body: 'B\r\ncontent-type: application/json\r\nX-A: 1\r\n\r\n{"a":"7"}\r\nB\r\n\r\nx\r\nB--',
        contentType: 'multipart/related',
        said: [],
      }));

    it('may be an object with data, as the request library took it', () =>
      expect(related({ chunked: false, data: [{ body: 'x' }] }).body).to.equal('B\r\n\r\nx\r\nB--'));

    it('may have line ends around it', () => {
      const data = [{ body: 'x' }];
      expect(related({ data, preambleCRLF: true, postambleCRLF: true }).body).to.equal('\r\nB\r\n\r\nx\r\nB--\r\n');
      expect(related({ data, postambleCRLF: false }).body).to.equal('B\r\n\r\nx\r\nB--');
    });

    it('a multipart type of the operation gets the boundary; another type is replaced', () => {
      expect(related([{ body: 'x' }], 'multipart/mixed').contentType).to.equal('multipart/mixed');
      expect(related([{ body: 'x' }], 'application/json').contentType).to.equal('multipart/related');
      const { contentType, body } = related([{ body: 'x' }], 'multipart/mixed; boundary=mine');
      expect([contentType, body]).to.deep.equal(['multipart/mixed', 'B\r\n\r\nx\r\nB--']);
      expect(related([{ body: 'x' }], 'multipart/mixed; boundary="a b"').body).to.equal('--a b\r\n\r\nx\r\n--a b--');
    });

    it('a message about a token has its column in the text of the user', () => {
      const problems = createProblems('E_FLOW');
      const context = { mark: (text, path) => markTokens(text, { problems, path, isNew: true }), complain() {} };
      compileBody({ multipart: [{ 'X-A': '#{nope}', body: 'x' }] }, context);
      compileBody({ formData: { '#{nope}': { value: 'x', filename: 'a#{nope}' } } }, context);
      expect(problems.list.map(({ reason }) => /column \d+/.exec(reason)[0])).to.deep.equal([
        'column 6',
        'column 2',
        'column 1',
      ]);
    });

    for (const [multipart, reason] of [
      [[{ type: 'a/b' }], /^multipart\[0\]: expected a part such as/],
      [['x'], /^multipart\[0\]: expected a part such as/],
      [[{ body: {} }], /^multipart\[0\]: body: expected a string/],
      [[{ 'a\r\nb': 1, body: 'x' }], /^multipart\[0\]: has a line end in a header field/],
      [{ data: [], chunkd: true }, /^multipart\.chunkd: unknown property, did you mean chunked\?/],
    ])
      it(`refuses ${JSON.stringify(multipart)}`, () => expect(related(multipart).said[0]).to.match(reason));
  });

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

  describe('multipart', () => {
    const part = (head, content) => `B\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
    const OCTETS = 'Content-Type: application/octet-stream';
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
        part(`name="a"\r\n${OCTETS}`, '#{INDEX}\xff') + part('name="b"', '7'),
        'bytes stay unchanged next to tokens',
      ],
      [
        { a: file('x', { filename: 'x.png' }), b: { value: 'y', filename: 'y.json' } },
        part('name="a"; filename="x.png"\r\nContent-Type: image/png', 'x') +
          part('name="b"; filename="y.json"\r\nContent-Type: application/json', 'y'),
        'the type follows from the file name',
      ],
      [
        { a: { value: Buffer.from('x'), filename: 'x.png', contentType: 'a/b' } },
        part('name="a"; filename="x.png"\r\nContent-Type: a/b', 'x'),
        'a given type wins',
      ],
      [
        { a: file(Buffer.from('x'), { filename: 'x' }) },
        part(`name="a"; filename="x"\r\n${OCTETS}`, 'x'),
        'bytes of an unknown type are octets',
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

    it('the type of a file follows from its name, or from the name that it is given', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'bench-rest-body-'));
      const path = join(folder, 'up.txt');
      writeFileSync(path, 'x');
      const stream = createReadStream(path);
      try {
        const typeOf = (f) => /Content-Type: (.*)\r\n/.exec(read({ formData: { f } }).body)[1];
        const types = [{ file: path }, stream, { file: path, filename: 'a.png' }, { value: stream, filename: 'a.png' }];
        expect(types.map(typeOf)).to.deep.equal(['text/plain', 'text/plain', 'image/png', 'text/plain']);
        expect(typeOf({ file: path, contentType: 'a/b' })).to.equal('a/b');
        expect(read({ formData: { f: { value: { file: path }, options: { filename: 'n' } } } }).body).to.include(
          'filename="n"\r\nContent-Type: text/plain\r\n\r\nx',
        );
      } finally {
        await new Promise((resolve) => stream.close(resolve));
        rmSync(folder, { recursive: true });
      }
    });

    it('unknown properties of a part are refused', () => {
      for (const [a, reason] of [
        [{ value: 1, filename: {} }, 'filename: expected a text, got an object'],
        [{ value: 1, options: { contentType: Object.create(null) } }, 'contentType: expected a text, got an object'],
        [{ value: 1, fileName: 'x' }, 'unknown property fileName, did you mean filename?'],
        [{ value: 1, options: { header: 'X: 1' } }, /^formData\.a: unknown property header: a part has filename/],
        [{ value: 1, options: 5 }, 'options: expected { filename, contentType }'],
        [{ value: 1, file: '/x' }, 'has value and file: one part has one content'],
        [{ file: 5 }, 'file: expected a path'],
      ]) {
        const [said] = read({ formData: { a } }).said;
        if (typeof reason === 'string') expect(said).to.equal(`formData.a: ${reason}`);
        else expect(said).to.match(reason);
      }
    });

    it('a value that cannot be a part is refused', () => {
      for (const a of [null, {}, { value: {} }, { pipe() {} }, () => {}, 1n])
        expect(read({ formData: { a } }).said[0]).to.match(/^formData\.a: expected a string, a Buffer/);
    });
  });
});
