import { inspect } from 'node:util';

import { expect } from 'chai';

import { METHOD_KEYS, PROPERTIES } from '../lib/core/flow/properties.js';
import { TLS_PROPERTIES } from '../lib/core/http/tls-properties.js';
import { compiledFlow } from './support/compiled-flow.js';

/** what is sent, and where the step is */
const sent = ({ where, name, group, choice, scenario, origin, route, request, timeoutMs }) => ({
  ...{ where, name, group, hasChoice: choice !== null, scenario: scenario?.name, origin, route, timeoutMs },
  ...{ method: request?.method, path: request?.path, fields: request?.fields, body: String(request?.body) },
});

/** Each operation compiled in a flow of its own shares nothing. */
const alone = (operations, flow) => operations.flatMap((one) => compiledFlow({ ...flow, main: [one] }).main);

/** a step as text, without its place and the random boundary of its body */
const data = (step, at) =>
  inspect({ ...step, protocol: null }, { depth: 9 })
    .replaceAll(`oneOf[${at}]`, 'oneOf[]')
    .replace(/(?<=boundary=).*'|<Buffer .*>/g, '…');

const OF_OTHER_PROTOCOLS = [
  ...['send', 'receive', 'match', 'close', 'protocols', 'keepOpen', 'run'],
  ...['target', 'proto', 'message', 'metadata', 'compression'],
];

describe('flow/sibling-steps', () => {
  const headers = { 'x-kind': 'list' };
  const QUERY = { page: 1 };
  const lists = [
    ['URLs of one host', ['http://a/1', 'http://a/2?q=1', 'http://a/'], {}],
    ['URLs of several hosts and ports', ['http://a/1', 'http://b/1', 'http://a:81/1', 'https://a/1', 'http://a/2'], {}],
    ['paths that the URL parser changes', ['http://a/1', 'http://a/x/../2', 'http://a/%2e/3', 'http://a/ä', 'http://a/4#b'], {}],
    ['paths below a base URL', ['/1', '/2', '3', '//b/4'], { baseUrl: 'http://a/' }],
    ['paths below a base URL with a path', ['/1', '/2', '3'], { baseUrl: 'http://a/v1/' }],
    ['several methods', [{ get: 'http://a/1' }, { put: 'http://a/2' }, { method: 'POST', url: 'http://a/3' }, { method: 'PUT', url: 'http://a/4' }, { get: 'http://a/5' }], {}],
    ['properties that are the same', ['/1', '/2'].map((path) => ({ url: `http://a${path}`, headers, method: 'POST', body: 'x' })), {}],
    ['a query, the same object in each', ['/1', '/2?q=1'].map((path) => ({ get: `http://a${path}`, qs: QUERY })), {}],
    ['properties that differ', [{ get: 'http://a/1' }, { get: 'http://a/2', timeout: 5 }, { get: 'http://a/3', headers }, { get: 'http://a/4' }], {}],
    ['names and groups', [{ get: 'http://a/1', group: 'g' }, { get: 'http://a/2', name: 'n' }, { get: 'http://a/3', group: 'h' }], {}],
    ['tokens', ['http://a/1', 'http://a/#{INDEX}', 'http://a/2'], {}],
    ['users in URLs', ['http://a/1', 'http://u:p@a/2', 'http://a/3'], {}],
    ['default headers', ['http://a/1', 'http://a/2'], { headers: { accept: 'x' } }],
  ]; // prettier-ignore
  for (const [title, operations, flow] of lists)
    it(`${title} are sent as by flows of their own`, () => {
      const together = compiledFlow({ ...flow, main: operations }).main.map(sent);
      const apart = alone(operations, flow).map(sent);
      expect(together.map((one) => ({ ...one, where: '' }))).to.deep.equal(apart.map((one) => ({ ...one, where: '' })));
      expect(together.map(({ where }) => where)).to.deep.equal(operations.map((_, i) => `flow.main[${i}]`));
    });

  /** a value of each property that HTTP operations have, with what it needs beside it */
  const SAMPLES = {
    ...{ name: '#{args.team}', group: '#{args.team}', weight: 2, tags: { team: '#{args.team}' }, repeat: 2, when: { v: 1 }, skip: false },
    ...{ json: { a: 1 }, body: 'x', form: { a: 1 }, formData: { a: 'x' }, multipart: [{ body: 'x' }], headers, qs: QUERY },
    ...{ graphql: '{ a }', variables: [{ a: 1 }, { graphql: 'query a($a: Int) { a(a: $a) }' }], auth: { user: 'u', pass: 'p' } },
    ...{ aws: { service: 's', region: 'r', accessKeyId: 'a', secretAccessKey: 's' }, cookies: { a: 'b' }, jar: false },
    ...{ followRedirect: false, followAllRedirects: true, removeRefererHeader: true, maxRedirects: 2, timeout: '5s', pause: 5, retryAfter: true },
    ...{ gzip: true, encoding: null, stream: { end: 'y' }, capture: { id: { json: '$.id' } }, expect: { status: 200 } },
    ...{ beforeHooks: [() => {}], afterHooks: ['ignoreStatus'], keepAlive: false, socketPath: '/s', localAddress: '127.0.0.1' },
    ...{ proxy: 'http://p:1', tunnel: [true, { proxy: 'http://p:1' }], http2: 'prior-knowledge' },
    ...{ rejectUnauthorized: false, strictSSL: false },
  }; // prettier-ignore

  it('an operation with any property that another one has, too, is compiled as it is alone', () => {
    const elsewhere = [...METHOD_KEYS, ...OF_OTHER_PROTOCOLS, ...Object.keys(TLS_PROPERTIES)];
    expect(Object.keys(SAMPLES)).to.have.members(Object.keys(PROPERTIES).filter((name) => !elsewhere.includes(name)));
    for (const [name, sample] of Object.entries(SAMPLES)) {
      const [value, beside] = Array.isArray(sample) && sample.length === 2 ? sample : [sample, {}];
      const oneOf = ['http://a/1', 'http://a/2?q=1'].map((url) => ({ url, method: 'POST', ...beside, [name]: value }));
      const options = { args: { team: 'x' } };
      const [, together] = compiledFlow({ vars: { v: 1 }, main: [{ oneOf }] }, options).main;
      const [alone] = compiledFlow({ vars: { v: 1 }, main: [{ oneOf: [oneOf[1]] }] }, options).main;
      expect(data({ ...together, choice: null }, 1), name).to.equal(data({ ...alone, choice: null }, 0));
    }
  });

  it('the operations of oneOf and of scenarios keep their choice', () => {
    const { main } = compiledFlow({ main: [{ oneOf: ['http://a/1', 'http://a/2'] }, 'http://a/3'] });
    expect(main.map(({ choice }) => choice !== null)).to.deep.equal([true, true, false]);
    expect(main[0].choice).to.equal(main[1].choice);
    const of = compiledFlow({ scenarios: { x: { main: ['http://a/1'] }, y: { main: ['http://a/2'] } } }).main;
    expect(of.map(({ scenario }) => scenario.name)).to.deep.equal(['x', 'y']);
  });

  it('hooks, checks and captures are never shared', () => {
    const capture = { id: { json: '$.id' } };
    const { main } = compiledFlow(
      ['/1', '/2'].map((path) => ({ get: `http://a${path}`, capture, expect: { status: 200 } })),
    );
    expect(main.map(({ captures }) => captures[0].where)).to.deep.equal([
      'flow.main[0].capture.id',
      'flow.main[1].capture.id',
    ]);
    const hooked = compiledFlow({ beforeHooks: [() => {}], main: ['http://a/1', 'http://a/2'] }).main;
    expect(hooked.map((step) => step.options({ index: 0, vars: {} }).uri)).to.deep.equal(['http://a/1', 'http://a/2']);
  });

  it('a default header whose variable is captured later is sent from there on', () => {
    const { main } = compiledFlow({
      headers: { 'x-id': '#{id}' },
      main: ['http://a/1', { get: 'http://a/2', capture: { id: { json: '$.id' } } }, 'http://a/3', 'http://a/4'],
    });
    const fields = main.map(({ render }) => render({ index: 0, vars: { id: 'v' } }).fields.includes('v'));
    expect(fields).to.deep.equal([false, false, true, true]);
  });

  it('a weight that is invalid is refused in every operation', () => {
    const oneOf = ['http://a/1', 'http://a/2'].map((get) => ({ get, weight: -1 }));
    expect(() => compiledFlow({ oneOf })).to.throw(/oneOf\[0\]\.weight[^]*oneOf\[1\]\.weight/);
  });
});
