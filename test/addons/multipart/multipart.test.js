import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { compileBody } from '../../../lib/core/flow/bodies/index.js';
import { markTokens } from '../../../lib/core/flow/template.js';
import { createProblems } from '../../../lib/core/ground/problems.js';
import { renderedRequest } from '../../support/compiled-request.js';
import { readBody as read } from '../../support/read-body.js';

const related = (multipart, given) => read({ multipart }, given);

describe('multipart: parts with header fields of their own', () => {
  it('each property of a part but body is a header field', () =>
    expect(
      related([{ 'content-type': 'application/json', 'X-A': 1, body: '{"a":"#{INDEX}"}' }, { body: Buffer.from('x') }]),
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

  for (const [multipart, reason] of [
    [[{ type: 'a/b' }], /^multipart\[0\]: expected a part such as/],
    [['x'], /^multipart\[0\]: expected a part such as/],
    [[{ body: {} }], /^multipart\[0\]: body: expected a string/],
    [[{ 'a\r\nb': 1, body: 'x' }], /^multipart\[0\]: has a line end in a header field/],
    [{ data: [], chunkd: true }, /^multipart\.chunkd: unknown property, did you mean chunked\?/],
  ])
    it(`refuses ${JSON.stringify(multipart)}`, () => expect(related(multipart).said[0]).to.match(reason));

  it('the last of two fields that differ in case decides on its type', () => {
    const headers = { 'Content-Type': 'a/b', 'content-type': 'multipart/mixed; boundary=x' };
    expect(renderedRequest({ post: 'http://h/', headers, multipart: [{ body: 'x' }] }).fields).to.deep.equal([
      'Content-Type',
      'multipart/mixed; boundary=x',
    ]);
  });
});

describe('parts of a body', () => {
  it('paths of files are relative to the folder of the flow', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    try {
      writeFileSync(join(folder, 'a.json'), '{"n":"#{INDEX}"}');
      expect(read({ formData: { f: { file: 'a.json' } } }, undefined, folder).body).to.include('filename="a.json"');
      expect(read({ multipart: [{ body: { file: 'a.json' } }] }, undefined, folder).body).to.include('"#{INDEX}"');
    } finally {
      rmSync(folder, { recursive: true });
    }
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
});
