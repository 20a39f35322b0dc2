import { tmpdir } from 'node:os';

import { expect } from 'chai';
import { stringify } from 'yaml';

import { flowOf } from '../../../../lib/import/draft.js';
import { read as readInsomnia } from '../../../../lib/import/insomnia/index.js';
import { sourceOf } from '../../../../lib/import/sources.js';

const options = { from: 'source', folder: tmpdir() };

describe('import/insomnia', () => {
  const parts = {
    url: '{{ _.base_url }}/items',
    method: 'POST',
    name: 'Add',
    headers: [{ name: 'X-A', value: '{{ _.nested.a }}' }],
    parameters: [
      { name: 'q', value: '1' },
      { name: 'r', value: '2', disabled: true },
    ],
    body: { mimeType: 'application/json', text: '{"a": 1}' },
    authentication: { type: 'basic', username: 'joe', password: 'geheim' },
  };
  const data = { base_url: 'http://localhost:3000', nested: { a: 'x' } };
  const expected = {
    baseUrl: 'http://localhost:3000',
    vars: { nested_a: 'x' },
    main: [
      { get: '/first', name: 'First' },
      {
        post: '/items?q=1',
        name: 'Add',
        headers: { 'X-A': '#{nested_a}' },
        auth: { user: 'joe', pass: '#{env.PASSWORD}' },
        json: { a: 1 },
      },
    ],
  };
  const first = { url: '{{ _.base_url }}/first', method: 'GET', name: 'First' };

  it('reads exports of format 4, in the order of their keys', async () => {
    const resources = [
      { _id: 'w', _type: 'workspace', parentId: null },
      { _id: 'r2', _type: 'request', parentId: 'g', metaSortKey: 2, ...parts },
      { _id: 'g', _type: 'request_group', parentId: 'w', metaSortKey: 2, name: 'Group' },
      { _id: 'r1', _type: 'request', parentId: 'w', metaSortKey: 1, ...first },
      { _id: 'e', _type: 'environment', parentId: 'w', data },
    ];
    const text = JSON.stringify({ _type: 'export', __export_format: 4, resources });
    expect(flowOf(await readInsomnia(text, options))).to.deep.equal(expected);
    expect(sourceOf(text, 'x.json')?.name).to.equal('insomnia');
  });

  it('reads collections of format 5', async () => {
    const text = stringify({
      type: 'collection.insomnia.rest/5.0',
      name: 'x',
      collection: [first, { name: 'Group', children: [parts] }],
      environments: { name: 'Base', data },
    });
    expect(flowOf(await readInsomnia(text, options))).to.deep.equal(expected);
    expect(sourceOf(text, 'x.yaml')?.name).to.equal('insomnia');
  });

  const imported = (...resources) =>
    readInsomnia(JSON.stringify({ resources: [{ _id: 'w', _type: 'workspace' }, ...resources] }), options);
  const request = (url, parts) => ({ _id: url, _type: 'request', parentId: 'w', method: 'GET', url, ...parts });

  it('template tags become tokens, or are read from the environment', async () => {
    const draft = await imported(request("http://x/{% uuid 'v4' %}/{% prompt 'a' %}"));
    expect(flowOf(draft).main).to.deep.equal([{ get: '/#{uuid}/#{env.PROMPT_TAG}' }]);
    expect(draft.phases.main[0].comments).to.have.length(1);
  });

  it('the base environment wins over those below it, which are named', async () => {
    const draft = await imported(
      request("{{ _['base'] }}/{{ _.more }}"),
      { _id: 'e2', _type: 'environment', parentId: 'e', name: 'prod', data: { base: 'http://prod', more: 'm' } },
      { _id: 'e', _type: 'environment', parentId: 'w', data: { base: 'http://base' } },
    );
    expect(flowOf(draft)).to.deep.equal({ baseUrl: 'http://base', vars: { more: 'm' }, main: [{ get: '/#{more}' }] });
    expect(draft.dialectNotes).to.deep.equal([
      'Values that the base environment does not have are those of the environment prod.',
    ]);
  });

  it('requests of other kinds, orphans and scripts are named as skipped', async () => {
    const { skipped } = await imported(
      request('http://x/', { name: 'R', afterResponseScript: 'x()' }),
      { _id: 'g', _type: 'grpc_request', parentId: 'w', name: 'G' },
      { _id: 'f1', _type: 'request_group', parentId: 'f2' },
      { _id: 'f2', _type: 'request_group', parentId: 'f1' },
      request('http://x/lost', { parentId: 'f1', name: 'Lost' }),
    );
    expect(skipped).to.deep.equal([
      { what: 'G', why: 'it is a grpc_request' },
      { what: 'Lost', why: 'it is in no workspace' },
      { what: 'the scripts of R', why: 'code is not translated' },
    ]);
  });

  it('the value of an API key is a secret under any name', async () => {
    const authentication = { type: 'apikey', key: 'zz', value: 'abc', addTo: 'header' };
    expect(flowOf(await imported(request('http://x/', { authentication }))).main).to.deep.equal([
      { get: '/', headers: { zz: '#{env.ZZ}' } },
    ]);
  });
});
