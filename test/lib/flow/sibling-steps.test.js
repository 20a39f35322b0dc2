import { expect } from 'chai';

import { compiledFlow } from '../../support/compiled-flow.js';

/** what is sent, and where the step is */
const sent = ({ where, name, group, choice, scenario, origin, route, request, timeoutMs }) => ({
  ...{ where, name, group, hasChoice: choice !== null, scenario: scenario?.name, origin, route, timeoutMs },
  ...{ method: request?.method, path: request?.path, fields: request?.fields, body: String(request?.body) },
});

/** Each operation compiled in a flow of its own shares nothing. */
const alone = (operations, flow) => operations.flatMap((one) => compiledFlow({ ...flow, main: [one] }).main);

describe('flow/sibling-steps', () => {
  const headers = { 'x-kind': 'list' };
  const lists = [
    ['URLs of one host', ['http://a/1', 'http://a/2?q=1', 'http://a/'], {}],
    ['URLs of several hosts and ports', ['http://a/1', 'http://b/1', 'http://a:81/1', 'https://a/1', 'http://a/2'], {}],
    ['paths that the URL parser changes', ['http://a/1', 'http://a/x/../2', 'http://a/%2e/3', 'http://a/ä', 'http://a/4#b'], {}],
    ['paths below a base URL', ['/1', '/2', '3', '//b/4'], { baseUrl: 'http://a/' }],
    ['paths below a base URL with a path', ['/1', '/2', '3'], { baseUrl: 'http://a/v1/' }],
    ['several methods', [{ get: 'http://a/1' }, { put: 'http://a/2' }, { method: 'POST', url: 'http://a/3' }, { method: 'PUT', url: 'http://a/4' }, { get: 'http://a/5' }], {}],
    ['properties that are the same', ['/1', '/2'].map((path) => ({ url: `http://a${path}`, headers, method: 'POST', body: 'x' })), {}],
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
