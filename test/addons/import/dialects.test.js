import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import { stringify } from 'yaml';

import { DIALECTS } from '../../../lib/core/flow/source/dialects/index.js';
import { loadFlow } from '../../../lib/core/flow/source/load.js';

const url = 'http://127.0.0.1:9/a';
const DOCUMENTS = [
  ['saved-result', { schemaVersion: 2, type: 'run', run: { flow: { source: '/x/flow.js' } } }, '/x/flow.js'],
  ['har', { log: { version: '3', entries: [{ request: { method: 'PUT', url } }] } }, 'expected "1.2" or "1.1"'],
  ['har', { log: { entries: [] } }, 'nothing was recorded'],
  ['openapi', { openapi: '3.1.0', info: {}, paths: { '/items': {} } }, 'has no operations'],
  ['openapi', { swagger: '2.0', paths: {} }, 'has no operations'],
  ['postman', { info: { name: 'x' }, item: [] }, 'has no requests'],
  ['insomnia', { _type: 'export', resources: [] }, 'has no requests'],
  ['insomnia', { type: 'collection.insomnia.rest/5.0', collection: [] }, 'has no requests'],
  ['artillery', { config: { target: 'http://x/' }, scenarios: [] }, 'has no requests'],
];
/** The others are read by lib/addons/import. */
const OWN = ['saved-result', 'har'];
const FLOWS = [url, [url], [], { get: url }, { main: [] }, { main: [url], runOptions: {} }, {}];

describe('flow/source/dialects', () => {
  let folder;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const failure = async (name, text) => {
    writeFileSync(join(folder, name), text);
    return loadFlow({ argument: name }, { cwd: folder }).then(
      () => expect.fail('the document was accepted'),
      (error) => error,
    );
  };

  for (const [name, document, part] of DOCUMENTS) {
    it(`${name}: a document with ${Object.keys(document).join(', ')} that is no flow is refused, as JSON and as YAML`, async () => {
      const matching = DIALECTS.filter((dialect) => dialect.recognizes(document)).map((dialect) => dialect.name);
      expect(matching).to.deep.equal([name]);
      for (const [file, text] of [
        ['x.json', JSON.stringify(document)],
        ['x.yaml', stringify(document)],
      ]) {
        const error = await failure(file, text);
        expect(error).to.include({ code: OWN.includes(name) ? 'E_FLOW' : 'E_FLOW_FILE' });
        expect(error.message).to.contain(join(folder, file)).and.contain(part);
        if (name === 'saved-result') expect(error.message).to.contain('not a flow');
      }
    });
  }

  it('a document with an alias that is a part of itself is refused', async () => {
    const error = await failure('x.yaml', 'info: { name: x }\nitem:\n- request: &a { url: http://a/, a: *a }\n');
    expect(error).to.include({ code: 'E_FLOW_FILE' });
    expect(error.message).to.contain('x.yaml: is nested deeper than 1000 levels');
  });

  for (const flow of FLOWS) {
    it(`${JSON.stringify(flow)} is not a foreign dialect`, () =>
      expect(DIALECTS.some((dialect) => dialect.recognizes(flow))).to.equal(false));
  }

  it('every dialect has an example in this test', () =>
    expect([...new Set(DOCUMENTS.map(([name]) => name))]).to.deep.equal(DIALECTS.map(({ name }) => name)));
});
