import { expect } from 'chai';

import { readDocument } from '../../../../../lib/core/flow/source/formats/document.js';

describe('flow/source/formats/document', () => {
  for (const flow of ['http://a/', ['http://a/'], { main: [] }]) {
    it(`${JSON.stringify(flow)} is a flow as it is`, () => expect(readDocument(flow, 'x.json')).to.equal(flow));
  }

  for (const value of [null, 5, true]) {
    it(`${value} cannot be a flow`, () =>
      expect(() => readDocument(value, 'x.json'))
        .to.throw('x.json: contains')
        .with.property('code', 'E_FLOW_FILE'));
  }

  it('problems of a dialect are reported with the path of the file, and in JSON with line and column', () => {
    const text = '{ "log": {\n "version": "1.2", "entries": [] } }';
    expect(() => readDocument(JSON.parse(text), 'x.json', { text }))
      .to.throw(/^x\.json:2:31: log\.entries: is empty/)
      .with.property('code', 'E_FLOW');
    expect(() => readDocument(JSON.parse(text), 'x.json')).to.throw(/^x\.json: log\.entries: is empty/);
    const saved = { schema: 1, iterations: {}, requests: {} };
    expect(() => readDocument(saved, 'r.json', { text: '{}' })).to.throw(/^r\.json:1:1: this is a saved result/);
  });

  it('a dialect reports whether the flow is a recording', () => {
    const request = { method: 'GET', url: 'http://a/' };
    const findings = { isRecording: false, notices: [] };
    readDocument({ log: { entries: [{ request }] } }, 'x.har', { findings });
    expect(findings).to.deep.equal({ isRecording: true, notices: [] });
  });
});
