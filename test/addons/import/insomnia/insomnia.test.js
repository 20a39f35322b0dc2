import { tmpdir } from 'node:os';

import { expect } from 'chai';
import { stringify } from 'yaml';

import { flowOf } from '../../../../lib/addons/import/draft.js';
import { read as readInsomnia } from '../../../../lib/addons/import/insomnia/index.js';
import { sourceOf } from '../../../../lib/addons/import/sources.js';

const options = { from: 'source', folder: tmpdir() };

describe('import/insomnia', () => {
  it('a request without a URL is skipped, also if it has parameters', async () => {
    const requests = ['', 'http://a/b'].map((url, i) => ({
      ...{ _id: `r${i}`, _type: 'request', name: `r${i}`, parentId: 'w', method: 'GET', url },
      parameters: [{ name: 'q', value: '1' }],
    }));
    const document = {
      _type: 'export',
      __export_format: 4,
      resources: [{ _id: 'w', _type: 'workspace' }, ...requests],
    };
    const draft = await readInsomnia(JSON.stringify(document), options);
    expect(flowOf(draft).main).to.deep.equal([{ get: '/b?q=1', name: 'r1' }]);
    expect(draft.skipped).to.deep.equal([{ what: 'r0', why: 'it has no URL' }]);
  });

  const parts = {
    url: '{{ _.base_url }}/items',
    method: 'POST',
    name: 'Add',
    headers: [
      { name: 'X-A', value: '{{ _.nested.a }}' },
      { name: 'x-a', value: 'old', disabled: true },
    ],
    parameters: [
      { name: 'q', value: '1' },
      { name: 'r', value: '2', disabled: true },
    ],
    body: { mimeType: 'application/json', text: '{"a": 1, "b": "#{INDEX}"}' },
    authentication: { type: 'basic', username: 'joe', password: 'geheim' },
  };
  const data = { base_url: 'http://localhost:3000', nested: { a: 'x' } };
  const expected = {
    baseUrl: 'http://localhost:3000',
    vars: { hash: '#', nested_a: 'x' },
    main: [
      { get: '/first', name: 'First' },
      {
        post: '/items?q=1',
        name: 'Group / Add',
        headers: { 'X-A': '#{nested_a}', Accept: '*/*' },
        auth: { user: 'joe', pass: '#{env.PASSWORD}' },
        json: { a: 1, b: '#{hash}{INDEX}' },
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
    const draft = await imported(request("http://x/{% uuid 'v4' %}/{% prompt 'a', 'geheim' %}"));
    expect(flowOf(draft).main).to.deep.equal([{ get: '/#{uuid}/#{env.PROMPT_TAG}' }]);
    expect(draft.phases.main[0].comments).to.deep.equal([
      'The template tag {% prompt %} is not understood: its value is read from the environment.',
    ]);
  });

  it('the base environment wins over those below it, which are named; a port may be a number', async () => {
    const draft = await imported(
      request("{{ _['base'] }}/{{ _.more }}"),
      { _id: 'e2', _type: 'environment', parentId: 'e', name: 'prod', data: { base: 'http://prod', more: 'm' } },
      { _id: 'e', _type: 'environment', parentId: 'w', data: { base: 'base:{{ _.port }}', port: 3000 } },
    );
    expect(flowOf(draft)).to.deep.equal({
      baseUrl: 'http://base:3000',
      vars: { more: 'm' },
      main: [{ get: '/#{more}' }],
    });
    expect(draft.dialectNotes).to.deep.equal([
      'Values that the base environment does not have are those of the environment prod.',
    ]);
  });

  it('requests of other kinds, and orphans, are named as skipped', async () => {
    const { skipped } = await imported(
      request('http://x/', { name: 'R' }),
      { _id: 'g', _type: 'grpc_request', parentId: 'w', name: 'G' },
      { _id: 'f1', _type: 'request_group', parentId: 'f2' },
      { _id: 'f2', _type: 'request_group', parentId: 'f1' },
      request('http://x/lost', { parentId: 'f1', name: 'Lost' }),
      { _id: 'w', _type: 'request_group', parentId: 'w' },
    );
    expect(skipped).to.deep.equal([
      { what: 'G', why: 'it is a grpc_request' },
      { what: 'Lost', why: 'it is in no workspace' },
    ]);
  });

  it('requests of an export without its workspace are read', async () => {
    const text = JSON.stringify({ resources: [request('http://x/a', { parentId: '__WORKSPACE_ID__' })] });
    expect(flowOf(await readInsomnia(text, options)).main).to.deep.equal([{ get: '/a' }]);
  });

  it('the value of an API key is a secret under any name', async () => {
    const authentication = { type: 'apikey', key: 'zz', value: 'abc', addTo: 'header' };
    expect(flowOf(await imported(request('http://x/', { authentication }))).main).to.deep.equal([
      { get: '/', headers: { zz: '#{env.ZZ}' } },
    ]);
  });

  it('a value of another response is captured there, and that request comes first', async () => {
    const token = Buffer.from('$.data.token').toString('base64');
    const draft = await imported(
      request('http://x/me', {
        headers: [
          { name: 'Authorization', value: `Bearer {% response 'body', 'login', 'b64::${token}::46b', 'never', 60 %}` },
          { name: 'X-Csrf', value: "{% response 'header', 'login', 'X-Csrf', 'never', 60 %}" },
        ],
      }),
      request('http://x/login', { _id: 'login', name: 'Log in', method: 'POST' }),
    );
    const { beforeMain, main } = flowOf(draft);
    expect([...beforeMain, ...main]).to.deep.equal([
      {
        post: '/login',
        name: 'Log in',
        capture: { Log_in_token: '$.data.token', Log_in_X_Csrf: { header: 'x-csrf' } },
      },
      { get: '/me', headers: { Authorization: 'Bearer #{Log_in_token}', 'X-Csrf': '#{Log_in_X_Csrf}' } },
    ]);
  });

  it('fields, credentials and variables of a folder are those of its requests', async () => {
    const text = stringify({
      type: 'collection.insomnia.rest/5.0',
      collection: [
        {
          name: 'Items',
          headers: [{ name: 'X-A', value: '1' }],
          authentication: { type: 'bearer', token: 'geheim', prefix: 'Token' },
          environment: { base: 'http://folder', size: 5 },
          children: [
            { name: 'second', url: '{{ _.base }}/b?size={{ _.size }}', method: 'GET', meta: { sortKey: 2 } },
            {
              name: 'first',
              url: '{{ _.base }}/a',
              method: 'PUT',
              meta: { sortKey: 1 },
              headers: [{ name: 'x-a', value: '2' }],
              authentication: { type: 'none' },
              body: { mimeType: 'application/octet-stream', fileName: 'a.bin' },
            },
          ],
        },
      ],
      environments: { data: {} },
    });
    const draft = await readInsomnia(text, options);
    expect(flowOf(draft)).to.deep.equal({
      baseUrl: 'http://folder',
      vars: { size: 5 },
      main: [
        {
          put: '/a',
          name: 'Items / first',
          headers: { 'x-a': '2', 'Content-Type': 'application/octet-stream' },
          body: { file: 'a.bin' },
        },
        {
          get: '/b?size=#{size}',
          name: 'Items / second',
          headers: { 'X-A': '1', Authorization: 'Token #{env.TOKEN}' },
        },
      ],
    });
    expect(draft.dialectNotes).to.deep.equal([]);
  });

  it('settings of redirects and cookies are those of the request', async () => {
    const request = { method: 'GET', url: 'http://localhost/' };
    const collection = [
      { ...request, name: 'own', settings: { followRedirects: 'off', cookies: { send: false, store: false } } },
      { ...request, name: 'global', settings: { followRedirects: 'global', cookies: { send: true } } },
    ];
    const draft = await readInsomnia(stringify({ type: 'collection.insomnia.rest/5.0', collection }), options);
    expect(flowOf(draft).main).to.deep.equal([
      { get: '/', name: 'own', followRedirect: false, jar: false },
      { get: '/', name: 'global' },
    ]);
    const old = { ...request, _id: 'r', parentId: 'w', _type: 'request', name: 'old' };
    const resources = [
      { _id: 'w', _type: 'workspace' },
      { ...old, settingFollowRedirects: 'off', settingSendCookies: false },
    ];
    expect(flowOf(await readInsomnia(JSON.stringify({ _type: 'export', resources }), options)).main).to.deep.equal([
      { get: '/', name: 'old', followRedirect: false, jar: false },
    ]);
  });

  it('an empty bearer token sends no field, and is named', async () => {
    const authentication = { type: 'bearer', token: '' };
    const request = { name: 'List', method: 'GET', url: 'http://localhost/', authentication };
    const text = stringify({ type: 'collection.insomnia.rest/5.0', collection: [request] });
    const draft = await readInsomnia(text, options);
    const [{ operation, comments }] = draft.phases.main;
    expect(operation).to.deep.equal({ get: '/', name: 'List' });
    expect(comments)
      .to.have.length(1)
      .and.match(/bearer token is empty/);
  });

  it('each folder has its own values of a variable, also where one of the environment has it inside', async () => {
    const folder = (name, path) => ({
      name,
      environment: { path },
      children: [{ name: 'List', method: 'GET', url: '{{ _.base }}' }],
    });
    const text = stringify({
      type: 'collection.insomnia.rest/5.0',
      collection: [folder('Users', 'users'), folder('Gifts', 'gifts'), folder('More users', 'users')],
      environments: { data: { base: 'http://localhost/{{ _.path }}', path: 'none' } },
    });
    const { main, vars } = flowOf(await readInsomnia(text, options));
    const paths = main.map(({ get }) => get.replace(/#\{(\w+)\}/, (_, name) => vars[name]));
    expect(paths).to.deep.equal(['/users', '/gifts', '/users']);
  });

  it('an export in YAML with braces is one of Insomnia, and a host with a path is a base URL', async () => {
    const text =
      "{_type: export, __export_format: 4, resources: [{_id: w, _type: workspace}, {_id: e, _type: environment, parentId: w, data: {base: '127.0.0.1:80/api'}}, {_id: r, _type: request, parentId: w, method: GET, url: '{{ _.base }}/a'}]}";
    expect(sourceOf(text, '').name).to.equal('insomnia');
    const { baseUrl, main } = flowOf(await readInsomnia(text, options));
    expect([baseUrl, main[0].get]).to.deep.equal(['http://127.0.0.1:80', '/api/a']);
  });

  it('each workspace has the base URL and the secrets of its own environment', async () => {
    const workspace = (id, origin) => [
      { _id: id, _type: 'workspace' },
      { _id: `e${id}`, _type: 'environment', parentId: id, data: { base: origin, token: `geheim-${id}` } },
      {
        ...{ _id: `r${id}`, _type: 'request', parentId: id, name: 'List', method: 'GET', url: '{{ _.base }}/list' },
        authentication: { type: 'bearer', token: '{{ _.token }}' },
      },
    ];
    const resources = [...workspace('w1', 'http://one.test'), ...workspace('w2', 'http://two.test')];
    const draft = await readInsomnia(JSON.stringify({ _type: 'export', resources }), options);
    expect(flowOf(draft)).to.deep.equal({
      baseUrl: 'http://one.test',
      main: [
        { get: '/list', name: 'List', auth: { bearer: '#{env.TOKEN}' } },
        { get: 'http://two.test/list', name: 'List', auth: { bearer: '#{env.TOKEN_2}' } },
      ],
    });
  });

  it('a response tag in a variable of the environment is a capture', async () => {
    const token = "{% response 'body', 'r1', 'b64::JC50b2tlbg==::46b', 'never', 60 %}";
    const resources = [
      { _id: 'w', _type: 'workspace' },
      { _id: 'e', _type: 'environment', parentId: 'w', data: { token } },
      {
        _id: 'r1',
        _type: 'request',
        parentId: 'w',
        metaSortKey: 1,
        name: 'login',
        method: 'POST',
        url: 'http://x/login',
      },
      {
        ...{
          _id: 'r2',
          _type: 'request',
          parentId: 'w',
          metaSortKey: 2,
          name: 'me',
          method: 'GET',
          url: 'http://x/me',
        },
        authentication: { type: 'bearer', token: '{{ _.token }}' },
      },
    ];
    const { beforeMain, main } = flowOf(await readInsomnia(JSON.stringify({ _type: 'export', resources }), options));
    expect(beforeMain[0].capture).to.deep.equal({ login_token: '$.token' });
    expect(main[0].auth).to.deep.equal({ bearer: '#{login_token}' });
  });

  it('scripts become checks and captures, or a comment', async () => {
    const afterResponseScript = `insomnia.test('ok', () => {
  insomnia.response.to.have.status(201);
});
const body = insomnia.response.json();
insomnia.environment.set('id', body.data.id);
other();`;
    const draft = await imported(
      request('http://x/a', { method: 'POST', afterResponseScript }),
      request('http://x/{{ _.id }}'),
    );
    expect(flowOf(draft).main).to.deep.equal([
      { post: '/a', expect: { status: 201 }, capture: { id: '$.data.id' } },
      { get: '/#{id}' },
    ]);
    expect(draft.phases.main[0].comments).to.deep.equal(['Scripts of the request that are left out: other();']);
  });

  it('credentials of AWS are those of the operation', async () => {
    const authentication = { type: 'iam', accessKeyId: 'AK', secretAccessKey: 'geheim', region: 'eu-west-1' };
    const { main } = flowOf(await imported(request('http://x/', { authentication })));
    expect(main[0].aws).to.deep.equal({
      accessKeyId: '#{env.AWS_ACCESS_KEY_ID}',
      secretAccessKey: '#{env.AWS_SECRET_ACCESS_KEY}',
      region: 'eu-west-1',
      service: 'execute-api',
    });
  });
});
