import { expect } from 'chai';

import { SOURCES, sourceOf } from '../../../lib/import/sources.js';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

describe('import/sources', () => {
  const EXAMPLES = {
    curl: 'curl http://localhost/',
    openapi: '{"openapi":"3.0.0","paths":{}}',
    postman: JSON.stringify({ info: { name: 'x', schema: SCHEMA }, item: [] }),
    artillery: 'config:\n  target: http://x\nscenarios:\n  - flow: []\n',
    k6: "import http from 'k6/http';\nexport default function () {}",
    'http-file': '### first\nGET http://localhost/\n\n###\nPOST http://localhost/\n\nbody\n',
    vegeta: 'GET http://localhost/\nX-A: 1\n\nPOST http://localhost/\n@body\n',
  };
  for (const [name, text] of Object.entries(EXAMPLES))
    it(`recognizes ${name}`, () =>
      expect(SOURCES.filter(({ detect }) => detect(text, 'file')).map((one) => one.name)[0]).to.equal(name));

  it('recognizes a document of YAML whose members are indented', () =>
    expect(sourceOf(`---\n  # a script\n${EXAMPLES.artillery.replace(/^/gm, '  ')}`, '')?.name).to.equal('artillery'));

  it('recognizes targets with line ends of Windows, and below comments', () =>
    expect(sourceOf('// the shop\r\n# see https://shop.example/\r\n\r\nGET http://localhost/\r\n', '')?.name).to.equal(
      'vegeta',
    ));

  for (const flow of [
    'http://localhost/',
    '{ get: http://localhost/ }',
    'main:\n  - get: /',
    '{"main":[{"get":"/"}]}',
    "export default { main: ['/'] };",
    'baseUrl: http://x\nmain: [/a]\n',
    '# see https://example.com/docs\nmain: [/a]\n',
  ])
    it(`a flow is of no source: ${flow.slice(0, 40)}`, () =>
      expect(sourceOf(flow, 'flow.js')?.name).to.equal(flow === 'http://localhost/' ? 'vegeta' : undefined));
});
