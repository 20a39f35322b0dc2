import { expect } from 'chai';

import { readDocument } from '../../../lib/core/flow/source/formats/document.js';
import { positionsOf } from '../../../lib/core/text/parse-json.js';
import { refused } from '../../support/refused.js';

describe('documents of other tools as flows', () => {
  it('problems of a dialect are reported with the path of the file, and in JSON with line and column', async () => {
    const text = '{ "log": {\n "version": "1.2", "entries": [] } }';
    const document = JSON.parse(text);
    const located = { positions: (paths) => positionsOf(text, paths) };
    await refused(readDocument(document, 'x.json', located), 'E_FLOW', /^x\.json:2:31: log\.entries: is empty/);
    await refused(readDocument(document, 'x.json'), 'E_FLOW', /^x\.json: log\.entries: is empty/);
    const saved = { schemaVersion: 2, type: 'run' };
    await refused(readDocument(saved, 'r.json', located), 'E_FLOW', /^r\.json:1:1: this is a saved result/);
  });

  it('a dialect reports whether the flow is a recording', async () => {
    const request = { method: 'GET', url: 'http://a/' };
    const findings = { isRecording: false, notices: [] };
    await readDocument({ log: { entries: [{ request }] } }, 'x.har', { findings });
    expect(findings).to.deep.equal({ isRecording: true, notices: [] });
  });
});
