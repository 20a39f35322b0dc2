import { tmpdir } from 'node:os';

import { expect } from 'chai';

import { flowOf } from '../../../../lib/import/draft.js';
import { read as readTargets } from '../../../../lib/import/vegeta/index.js';

const options = { from: 'source', folder: tmpdir() };

describe('import/vegeta', () => {
  it('reads targets with header fields and bodies: each iteration sends the next one', () => {
    const text =
      'GET http://localhost:3000/a\nX-A: 1\nX-A: 2\n\n# comment\nPOST http://localhost:3000/b\nContent-Type: text/plain\n@/tmp/body.txt\n';
    expect(flowOf(readTargets(text, options))).to.deep.equal({
      baseUrl: 'http://localhost:3000',
      main: [
        {
          oneOf: [
            { get: '/a', headers: { 'X-A': ['1', '2'] } },
            { post: '/b', headers: { 'Content-Type': 'text/plain' }, body: { file: '/tmp/body.txt' } },
          ],
        },
      ],
    });
  });

  it('reads targets of JSON, and lists of URLs', () => {
    const line = JSON.stringify({
      method: 'PUT',
      url: 'http://localhost/x',
      header: { 'X-A': ['1'] },
      body: Buffer.from('hello').toString('base64'),
    });
    expect(flowOf(readTargets(line, options)).main).to.deep.equal([
      { put: '/x', headers: { 'X-A': '1' }, body: 'hello' },
    ]);
    expect(flowOf(readTargets('http://localhost/a\nhttp://localhost/b\n', options)).main).to.deep.equal([
      { oneOf: [{ get: '/a' }, { get: '/b' }] },
    ]);
  });

  it('names the line that is no target', () =>
    expect(() => readTargets('GET http://localhost/\n\nwhat is this\n', options)).to.throw(
      /source:3: is neither a target/,
    ));
});
