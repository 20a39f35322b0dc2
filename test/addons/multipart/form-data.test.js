import { once } from 'node:events';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../../../index.js';
import { checkOperation } from '../../../lib/core/flow/operation.js';
import { createProblems } from '../../../lib/core/ground/problems.js';
import { compiledFlow } from '../../support/compiled-flow.js';
import { compiledRequest } from '../../support/compiled-request.js';
import { readBody as read } from '../../support/read-body.js';
import { ok, serving } from '../../support/serve.js';

describe('formData', () => {
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
    [{ a: ['x', 'y'] }, part('name="a"', 'x') + part('name="a"', 'y'), 'multipart sends one part per item of an array'],
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
    [JSON.parse('{"__proto__":"x"}'), part('name="__proto__"', 'x'), '__proto__ is an ordinary name of a part'],
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

  it('a form without iteration tokens is encoded once', () => {
    expect(read({ formData: { a: 'b' } }).isConstant).to.equal(true);
    expect(read({ formData: { a: '#{INDEX}' } }).isConstant).to.equal(false);
  });

  it('multipart holds names, file names, types and bytes', () => {
    const formData = {
      a: '#{INDEX}',
      b: Buffer.from([0, 255]),
      c: { value: 'x', options: { filename: 'q"\n.txt', contentType: 'text/plain' } },
    };
    const text = compiledRequest({ post: '/', formData }).render({ index: 7 }).body.toString('latin1');
    expect(text).to.include('name="a"\r\n\r\n7\r\n');
    expect(text).to.include('name="b"\r\nContent-Type: application/octet-stream\r\n\r\n\u0000\u00ff\r\n');
    expect(text).to.include('name="c"; filename="q%22%0D%0A.txt"\r\nContent-Type: text/plain\r\n\r\nx\r\n');
  });

  it('a part of a file is sent with its own length', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    const path = join(folder, 'letters.txt');
    writeFileSync(path, 'abcdefgh');
    const stream = createReadStream(path, { start: 2, end: 4 });
    await once(stream, 'open');
    await serving(ok, async (url, seen) => {
      await benchrest({ post: url, formData: { letters: stream } }, { limit: 1, iterations: 1 });
      expect(seen[0].body).to.match(/filename="letters\.txt"\r\n.*\r\n\r\ncde\r\n/);
    }).finally(() => {
      stream.destroy();
      rmSync(folder, { recursive: true });
    });
  });

  for (const [operation, reason] of [
    [
      { formData: new FormData() },
      "op.formData: expected an object such as { name: 'ann', photo: { file: 'ann.png' } }, got a FormData",
    ],
    [{ json: false, body: 'x', formData: {} }, 'op: has json and body and formData: one request has one body'],
  ])
    it(reason, () => {
      const problems = createProblems('E_FLOW');
      checkOperation({ post: '/', ...operation }, 'op', problems);
      expect(problems.list.map(({ path, reason: said }) => `${path}: ${said}`)).to.deep.equal([reason]);
    });

  for (const [operation, message] of [
    [{ put: '/', json: 1, formData: {} }, 'flow.main[0]: has json and formData'],
    [
      { post: '/', formData: { a: { file: '/no/such/file' } } },
      'flow.main[0].formData.a: /no/such/file does not exist; check the path',
    ],
  ])
    it(message, () =>
      expect(() => compiledFlow([operation], { baseUrl: 'http://h' }))
        .to.throw(message)
        .that.includes({ code: 'E_FLOW' }),
    );
});
