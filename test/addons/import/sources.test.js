import { expect } from 'chai';

import { describeOther } from '../../../lib/addons/import/describe-other.js';
import { SOURCES, sourceOf } from '../../../lib/addons/import/sources.js';
import { writeFlow } from '../../../lib/addons/import/write-flow.js';

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

  it('recognizes a collection of Postman without a schema, also in one line', () => {
    const text = JSON.stringify({ info: { name: 'x' }, item: [{ request: { url: 'http://x/a' } }] });
    expect(sourceOf(text, '')?.name).to.equal('postman');
  });

  for (const [what, text] of [
    ['an empty file', ' \n'],
    ['a Postman collection of format 1', '{"id":"a","requests":[{"url":"http://x/","dataMode":"raw"}]}'],
    ['webhooks only', 'openapi: 3.1.0\nwebhooks:\n  new:\n    post: {}\n'],
    ['Insomnia of a former format', '{"_type":"export","__export_format":1,"items":[]}'],
    ['AsyncAPI', '{"asyncapi":"2.6.0","channels":{}}'],
    ['Bruno', 'meta {\n  name: a\n}\nget {\n  url: http://x/\n}\n'],
    ['Thunder Client', '{"client":"Thunder Client","collectionName":"a","requests":[{"url":"http://x/"}]}'],
    ['JMeter', '<?xml version="1.0"?>\n<jmeterTestPlan version="1.2">'],
    ['Locust', 'from locust import HttpUser\n'],
  ])
    it(`names a document that it does not read: ${what}`, () => {
      expect(sourceOf(text, 'file')).to.equal(undefined);
      expect(describeOther(text).reason).to.include(what);
    });

  it('recognizes a document of YAML whose members are indented', () =>
    expect(sourceOf(`---\n  # a script\n${EXAMPLES.artillery.replace(/^/gm, '  ')}`, '')?.name).to.equal('artillery'));

  for (const text of [
    'config: {}\nscenarios:\n- flow:\n  - post: { url: http://a/, json: &a { a: *a } }\n',
    'type: collection.insomnia.rest/5.0\ncollection:\n- &a { url: http://a/, a: *a }\n',
    `info: { schema: ${SCHEMA} }\nitem:\n- request: &a { url: http://a/, a: *a }\n`,
    'openapi: 3.0.0\npaths: { /a: { get: &a { responses: {}, x-a: *a } } }\n',
  ])
    it(`refuses an alias that is a part of itself: ${text.slice(0, 30)}`, async () => {
      const { read } = await sourceOf(text, '').load();
      const error = await read(text, { from: 'a.yaml', folder: '/' }).then(
        () => expect.fail('it was accepted'),
        (thrown) => thrown,
      );
      expect(error.code).to.equal('E_FLOW_FILE');
      expect(error.message).to.contain('a.yaml: is nested deeper than 1000 levels');
    });

  it('recognizes targets with line ends of Windows, and below comments', () =>
    expect(sourceOf('// the shop\r\n# see https://shop.example/\r\n\r\nGET http://localhost/\r\n', '')?.name).to.equal(
      'vegeta',
    ));

  for (const [text, name] of [
    ['### a\r\nGET http://localhost/\r\n\r\n###\r\nPOST http://localhost/\r\n', 'http-file'],
    ['### items\nPOST http://localhost/\n@body.json\nGET http://localhost/b\n', 'vegeta'],
    ['@host = http://localhost\n### items\nGET http://localhost/\n', 'http-file'],
    ["import {\n  check,\n} from 'k6';\n", 'k6'],
    ['get http://localhost/\n', 'vegeta'],
    ['# login\nset -e\n$ TOKEN=$(/usr/bin/curl http://localhost/)\n', 'curl'],
    ['###\n'.repeat(100_000), undefined],
  ])
    it(`detects ${name ?? 'nothing'}: ${JSON.stringify(text.slice(0, 40))}`, () =>
      expect(sourceOf(text, '')?.name).to.equal(name));

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

  const url = 'http://x/a';
  const DOCUMENTS = {
    postman: {
      info: { name: 'x' },
      variable: [{ key: 'a', value: 'b' }],
      auth: { type: 'basic', basic: [{ key: 'username', value: 'u' }] },
      item: [
        {
          name: 'r',
          request: {
            ...{
              method: 'POST',
              url: { raw: url, query: [{ key: 'q', value: '1' }] },
              header: [{ key: 'A', value: 'b' }],
            },
            body: { mode: 'raw', raw: '{}', options: { raw: { language: 'json' } } },
          },
        },
      ],
    },
    insomnia: {
      resources: [
        { _id: 'w', _type: 'workspace' },
        { _id: 'e', _type: 'environment', parentId: 'w', data: { a: 'b' } },
        {
          ...{ _id: 'r', _type: 'request', parentId: 'w', metaSortKey: 1, name: 'r', method: 'POST', url },
          ...{ headers: [{ name: 'A', value: 'b' }], parameters: [{ name: 'q', value: '1' }] },
          ...{
            body: { mimeType: 'text/plain', text: 'x' },
            authentication: { type: 'bearer', token: 't', prefix: 'P' },
          },
        },
        { _id: 's', _type: 'request', parentId: 'w', metaSortKey: 2, name: 's', method: 'GET', url },
      ],
    },
    artillery: {
      config: {
        ...{ target: 'http://x', phases: [{ duration: 1, arrivalRate: 2, rampTo: 3 }], variables: { v: ['a', 'b'] } },
        ...{ defaults: { headers: { A: 'b' } }, ensure: { p95: 200 }, payload: { path: 'a.csv', fields: ['c'] } },
      },
      scenarios: [
        {
          ...{ name: 's', weight: 2, engine: 'http' },
          flow: [
            { post: { url: '/a', formData: { f: 'x' }, cookie: { c: 'd' }, expect: [{ statusCode: 200 }] } },
            { think: 1 },
            { loop: [{ get: { url: '/b' } }], count: 2 },
          ],
        },
      ],
    },
    openapi: {
      ...{
        openapi: '3.0.0',
        info: { title: 't' },
        servers: [{ url: 'http://{h}', variables: { h: { default: 'x' } } }],
      },
      security: [{ key: [] }],
      paths: {
        '/a/{id}': {
          post: {
            tags: ['t'],
            parameters: [{ name: 'id', in: 'path', required: true, style: 'simple', schema: { type: 'string' } }],
            requestBody: { content: { 'application/json': { schema: { properties: { b: { type: 'string' } } } } } },
            responses: { 200: { content: { 'application/json': { schema: { type: 'object' } } } } },
          },
        },
      },
      components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'k' } } },
    },
    k6: {
      thresholds: { http_req_duration: ['p(95)<500', { threshold: 'avg<200' }] },
      scenarios: {
        a: { executor: 'constant-arrival-rate', rate: 5, timeUnit: '1s', duration: '1s', maxVUs: 2, exec: 'f' },
        b: { executor: 'ramping-vus', startVUs: 0, stages: [{ duration: '1s', target: 3 }] },
      },
    },
    vegeta: { method: 'PUT', url, header: { A: ['b'] }, body: 'YQ==' },
  };
  const OTHERS = [[{ toString: 1, valueOf: 1 }], '__proto__', '\ud800', [null]];
  const textOf = { k6: (json) => `import http from 'k6/http';\nexport const options = ${json};` };
  for (const [name, document] of Object.entries(DOCUMENTS))
    it(`${name}: any place of a document may be an object with a member toString, or have a name of prototypes`, async () => {
      const { read } = await SOURCES.find((one) => one.name === name).load();
      const places = placesIn(document);
      for (const [i, [parent, key]] of places.entries())
        for (const odd of [{ toString: {} }, OTHERS[i % OTHERS.length]]) {
          const given = parent[key];
          parent[key] = odd;
          const json = JSON.stringify(document);
          parent[key] = given;
          try {
            writeFlow(await read(textOf[name]?.(json) ?? json, { from: 'file', folder: '/' }), 'mjs');
          } catch (error) {
            expect(error.code, `${key}: ${error.stack}`).to.equal('E_FLOW_FILE');
          }
        }
    });
});

/** Lists the members and items of a document with their parents. */
function placesIn(value) {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((key) => [[value, key], ...placesIn(value[key])]);
}
