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

  it('template tags are named', async () => {
    const resources = [
      { _id: 'w', _type: 'workspace' },
      { _id: 'a', _type: 'request', parentId: 'w', ...first },
      { _id: 'b', _type: 'request', parentId: 'w', name: 'Tag', method: 'GET', url: "http://x/{% uuid 'v4' %}" },
    ];
    const { skipped } = await readInsomnia(JSON.stringify({ resources }), options);
    expect(skipped).to.deep.equal([{ what: 'Tag', why: "the template tag {% uuid 'v4' %} is not understood" }]);
  });
});
