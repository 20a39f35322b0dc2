import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import { format } from 'prettier';

import { loadFlow } from '../../../lib/core/flow/source/load.js';
import { flowOf } from '../../../lib/addons/import/draft.js';
import { commentsOf, writeFlow } from '../../../lib/addons/import/write-flow.js';

/** A draft with everything that a writer has to write. */
const draft = {
  comments: ['Made of two parts.', `A long comment${' that goes on'.repeat(12)}.`],
  baseUrl: 'http://localhost:8000',
  properties: { vars: { hash: '#', name: "it's" }, runOptions: { connectTimeout: 500 } },
  phases: {
    before: [],
    beforeMain: [
      { operation: { post: '/login', form: { user: 'a', password: '#{env.PASSWORD}' } }, comments: ['Guessed.'] },
    ],
    main: [
      { operation: { get: '/a' }, comments: [] },
      {
        operation: {
          post: '/b',
          headers: { 'Content-Type': 'text/plain', Accept: '*/*', 'X-Long': 'x'.repeat(90) },
          body: 'line 1\nline `2` ${x}\n  # line 3',
          expect: { status: [200, 201] },
        },
        comments: [],
      },
      {
        operation: {
          put: '/c',
          json: JSON.parse(
            '{"__proto__":{"a":1},"nested":[{"a":1,"b":2},{"a":3,"b":4}],"numbers":[1,2,3],"empty":{},"none":[],"text":"it\'s \\"quoted\\" \\u0007 \\u202e","yes":"yes","date":"2026-01-31","no":null,"t":"true","n":"12","h":"# x: y","multi":"a\\nb"}',
          ),
        },
        comments: [],
      },
      {
        operation: { delete: '/d' },
        comments: ['Text of a source: */ --> # \n // \u202e'],
        disabled: 'it deletes what this flow did not create.',
      },
    ],
    afterMain: [{ operation: { get: '/e', headers: { A: '#{env.TOKEN}' } }, comments: [] }],
    after: [],
  },
  environment: [{ name: 'PASSWORD', of: 'password of POST /login' }],
  skipped: [],
  dialectNotes: [],
};

describe('import/write-flow', () => {
  let folder;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  for (const extension of ['mjs', 'yaml', 'json'])
    it(`writes a flow as .${extension} that is read as the same flow`, async () => {
      const path = join(folder, `flow.${extension}`);
      writeFileSync(
        path,
        writeFlow(draft, extension).replace(
          "import { defineFlow } from 'bench-rest';",
          'const defineFlow = (flow) => flow;',
        ),
      );
      const { flow } = await loadFlow({ argument: path });
      expect(JSON.stringify(flow)).to.equal(JSON.stringify(flowOf(draft)));
    });

  it('writes JavaScript in the format of Prettier', async () => {
    const text = writeFlow(draft, 'mjs');
    expect(await format(text, { parser: 'babel', printWidth: 100, singleQuote: true })).to.equal(text);
  });

  it('writes YAML in the format of Prettier', async () => {
    const text = writeFlow(draft, 'yaml');
    expect(await format(text, { parser: 'yaml', singleQuote: true })).to.equal(text);
  });

  it('writes the same draft as the same text', () => {
    for (const extension of ['mjs', 'yaml', 'json'])
      expect(writeFlow(draft, extension)).to.equal(writeFlow(structuredClone(draft), extension));
  });

  it('writes comments that text of a source cannot end', () => {
    const lines = writeFlow(draft, 'mjs')
      .split('\n')
      .filter((line) => /Text of a source|delete/.test(line));
    for (const line of lines) expect(line).to.match(/^ *\/\/ /);
  });

  const withOperation = (operation) => ({ ...draft, phases: { ...draft.phases, main: [{ operation, comments: [] }] } });

  it('writes bytes as a Buffer, and without them a comment', () => {
    const withBytes = withOperation({ post: '/', body: Buffer.from([0, 255, 1]) });
    expect(writeFlow(withBytes, 'mjs')).to.contain("body: Buffer.from('AP8B', 'base64')");
    expect(writeFlow(withBytes, 'yaml')).to.contain('# Left out: its body is not text');
    expect(commentsOf(withBytes).join('\n')).to.contain('its body is not text');
  });

  it('names the property that has bytes, and tokens in a body of bytes', () => {
    const textOf = (operation) => writeFlow(withOperation(operation), 'yaml');
    expect(textOf({ post: '/', body: Buffer.from('a #{b}') })).to.contain('its body has #{ or #<, which would begin');
    expect(textOf({ post: '/', formData: { a: Buffer.from('x') } })).to.contain('its formData has bytes');
    expect(textOf({ post: '/', body: Buffer.from('') })).not.to.contain('Left out: its');
  });
});
