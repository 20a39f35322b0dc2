import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';

import { expect } from 'chai';

import { openDocument, printDocument } from '../../../lib/addons/compare/print-document.js';
import { resultsIn } from '../../../lib/addons/saved/read-result.js';
import { COMPARISON_FORMATS } from '../../../lib/addons/compare/formats.js';

const collector = () => {
  const texts = [];
  const stream = new Writable({ write: (chunk, _, done) => (texts.push(String(chunk)), done()) });
  return Object.assign(stream, { text: () => texts.join('') });
};

describe('print-document', () => {
  it('results of a folder are in the order of their numbers', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    for (const name of ['10.json', '2.json', '1.json', 'x.txt']) writeFileSync(join(folder, name), '');
    expect(resultsIn('.', folder)).to.deep.equal(['1.json', '2.json', '10.json']);
    rmSync(folder, { recursive: true });
  });

  it('the outcome on stdout has that a file could not be written', async () => {
    const output = openDocument({
      format: 'json',
      outputs: [],
      color: 'never',
      cwd: '/',
      formats: COMPARISON_FORMATS,
      sources: [],
    });
    const outputs = { write: async () => ({ files: [], failures: ['x.md: no space'] }) };
    const [stdout, stderr] = [collector(), collector()];
    const document = { type: 'comparison', outcome: { passed: true, exitCode: 0, reasons: [] } };
    const reasons = await printDocument(document, { ...output, outputs }, { reasons: [] }, { stdout, stderr, env: {} });
    expect([...reasons]).to.deep.equal(['notWritten']);
    expect(JSON.parse(stdout.text()).outcome).to.deep.include({ passed: false, exitCode: 5 });
  });
});
