import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { draftOf, flowOf, newDraft } from '../../../../lib/addons/import/draft.js';
import { mergeDrafts } from '../../../../lib/addons/import/merge-drafts.js';
import { read as readTargets } from '../../../../lib/addons/import/vegeta/index.js';
import { inFolder } from '../../../support/in-folder.js';
import { itSlow } from '../../../support/slow.js';

const options = { from: 'source', folder: tmpdir() };

describe('import/vegeta', () => {
  it('reads targets with header fields and bodies: each iteration sends the next one', () => {
    const text =
      'GET http://localhost:3000/a\nX-A: 1\nx-a: 2\n\n# comment\nPOST http://localhost:3000/b\nContent-Type: text/plain\n@/tmp/body.txt\n';
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

  it('a body is a file of the working directory, or of the folder of the targets, or of that above it', () =>
    inFolder((cwd) => {
      mkdirSync(join(cwd, 'load'));
      for (const name of ['a.json', 'load/b.json', 'load/c.json']) writeFileSync(join(cwd, name), '{}');
      const text =
        'POST http://localhost/\n@a.json\nPOST http://localhost/\n@load/b.json\nPOST http://localhost/\n@c.json\n';
      const bodies = (places) =>
        flowOf(
          readTargets(text, { from: 'targets.txt', folder: join(cwd, 'load'), flowFolder: cwd, ...places }),
        ).main[0].oneOf.map(({ body }) => body.file);
      expect(bodies({ cwd })).to.deep.equal(['a.json', 'load/b.json', 'load/c.json']);
      expect(bodies({ cwd: tmpdir() })).to.deep.equal(['a.json', 'load/b.json', 'load/c.json']);
    }));

  itSlow('ten thousand targets with secrets of their own are read in linear time', () => {
    const target = (i) => `GET http://localhost/${i}\nX-Api-Key: key-of-client-${i}\n`;
    const text = Array.from({ length: 10_000 }, (_, i) => target(i)).join('\n');
    const { main } = flowOf(readTargets(text, options));
    expect(main[0].oneOf.at(-1)).to.deep.equal({ get: '/9999', headers: { 'X-Api-Key': '#{env.API_KEY_10000}' } });
  });

  for (const line of ['what is this', 'htp://localhost/x', 'ws://localhost/', 'localhost:8080', 'localhost:8080/x'])
    it(`names the line that is no target: ${line}`, () =>
      expect(() => readTargets(`GET http://localhost/\n\n${line}\n`, options)).to.throw(
        /source:3: is neither a target/,
      ));

  it('reads lines that are indented, and fields that objects inherit', () =>
    expect(flowOf(readTargets('  GET http://localhost/\n  DNT:1\n  constructor: x\n', options)).main).to.deep.equal([
      { get: '/', headers: { DNT: '1', constructor: 'x' } },
    ]));

  it('reads null in JSON as a member that is not there, and names members of other types', () => {
    const read = (members) => readTargets(JSON.stringify({ url: 'http://localhost/', ...members }), options);
    expect(flowOf(read({ method: null, header: null, body: null })).main).to.deep.equal([{ get: '/' }]);
    expect(() => read({ method: 5 })).to.throw('source:1: its method is no text');
    expect(() => read({ header: 'a' })).to.throw('source:1: its header is no object');
    expect(() => read({ body: {} })).to.throw('source:1: its body is no text in base64');
  });

  itSlow('reads a list that is longer than the arguments of a function can be', () => {
    const drafts = [0, 1].map(() => newDraft());
    for (const draft of drafts) draft.phases.main = Array.from({ length: 150_000 }, () => draftOf({ get: '/' }));
    expect(mergeDrafts(drafts).phases.main).to.have.lengthOf(300_000);
    expect(readTargets('http://a/\n'.repeat(150_000), options).phases.main).to.have.lengthOf(1);
  });
});
