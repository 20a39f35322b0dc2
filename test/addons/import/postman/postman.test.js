import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { flowOf, operationsOf } from '../../../../lib/addons/import/draft.js';
import { read as readPostman } from '../../../../lib/addons/import/postman/index.js';
import { inFolder } from '../../../support/in-folder.js';

const options = { from: 'source', folder: tmpdir() };

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

describe('import/postman', () => {
  const reading = (collection, more) =>
    readPostman(JSON.stringify({ info: { name: 'Shop', schema: SCHEMA }, ...collection }), { ...options, ...more });
  const requestOf = async (request, more) =>
    operationsOf(await reading({ item: [{ name: 'r', request }], ...more }))[0];

  for (const [value, url, baseUrl] of [
    ['/', '{{base}}/a', '#{env.BASE_URL}'],
    ['local.test', 'https://{{base}}:8443/a', 'https://local.test:8443'],
  ])
    it(`a base URL has no variable of the flow: ${url} with ${value}`, async () =>
      expect(
        (await reading({ variable: [{ key: 'base', value }], item: [{ name: 'r', request: { url } }] })).baseUrl,
      ).to.equal(baseUrl));

  it('folders become operations in their order, with variables, captures and checks', async () => {
    const draft = await reading({
      variable: [
        { key: 'baseUrl', value: 'http://localhost:3000/api' },
        { key: 'size', value: '10' },
        { key: 'apiKey', value: 'secret' },
      ],
      auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}' }] },
      item: [
        {
          name: 'Log in',
          event: [
            {
              listen: 'test',
              script: {
                exec: [
                  'const json = pm.response.json();',
                  'pm.test("ok", function () {',
                  '  pm.response.to.have.status(200);',
                  '  pm.expect(json.user.name).to.eql("joe");',
                  '  pm.expect(json.note).to.eql("a\tb");',
                  '  pm.expect(json.code).to.eql(007);',
                  '});',
                  'pm.environment.set("token", json.access_token);',
                ],
              },
            },
          ],
          request: {
            method: 'POST',
            auth: { type: 'noauth' },
            url: { raw: '{{baseUrl}}/login' },
            body: { mode: 'raw', raw: '{ "user": "joe", "password": "x1" }', options: { raw: { language: 'json' } } },
          },
        },
        {
          name: 'Items',
          item: [
            {
              name: 'List',
              request: {
                method: 'GET',
                header: [{ key: 'X-Api-Key', value: '{{apiKey}}' }],
                url: '{{baseUrl}}/items?size={{size}}',
              },
            },
            {
              name: 'Add',
              event: [{ listen: 'prerequest', script: { exec: 'pm.variables.set("x", Math.random())' } }],
              request: {
                method: 'POST',
                url: '{{baseUrl}}/items',
                body: {
                  mode: 'raw',
                  raw: '{"id": {{$randomInt}}, "n": {{size}}, "uuid": "{{$guid}}"}',
                  options: { raw: { language: 'json' } },
                },
              },
            },
          ],
        },
      ],
    });
    expect(flowOf(draft)).to.deep.equal({
      baseUrl: 'http://localhost:3000',
      headers: { Accept: '*/*' },
      vars: { size: '10' },
      beforeMain: [
        {
          post: '/api/login',
          name: 'Log in',
          json: { user: 'joe', password: '#{env.PASSWORD}' },
          expect: { status: 200, json: { '$.user.name': 'joe', '$.note': 'a\tb', '$.code': 7 } },
          capture: { token: '$.access_token' },
        },
      ],
      main: [
        {
          get: '/api/items?size=#{size}',
          name: 'List',
          headers: { 'X-Api-Key': '#{env.API_KEY}' },
          auth: { bearer: '#{token}' },
        },
        {
          post: '/api/items',
          name: 'Add',
          auth: { bearer: '#{token}' },
          json: { id: '#{randomInt(0,1000):json}', n: '#{size:json}', uuid: '#{uuid}' },
        },
      ],
    });
    expect(operationsOf(draft).map(({ comments }) => comments)).to.deep.equal([
      ['Logs in at the start of every iteration; the time is not measured.'],
      ['Folder: Items'],
      ['Scripts of the request that are left out: pm.variables.set("x", Math.random())'],
    ]);
  });

  for (const [title, body, expected] of [
    [
      'urlencoded',
      {
        mode: 'urlencoded',
        urlencoded: [
          { key: 'a', value: '1' },
          { key: 'b', value: 'x', disabled: true },
        ],
      },
      { form: { a: '1' } },
    ],
    [
      'formdata',
      {
        mode: 'formdata',
        formdata: [
          { key: '{{k}}', value: '1', type: 'text' },
          { key: 'f', type: 'file', src: '/tmp/x.png' },
          { key: 'g', type: 'file', src: ['a.txt', 'b.txt'] },
        ],
      },
      { formData: { '#{env.K}': '1', f: { file: '/tmp/x.png' }, g: [{ file: 'a.txt' }, { file: 'b.txt' }] } },
    ],
    [
      'graphql',
      { mode: 'graphql', graphql: { query: '{ a(n: {{n}}) }', variables: '{"n":1}' } },
      { headers: { Accept: '*/*' }, json: { query: '{ a(n: #{env.N}) }', variables: { n: 1 } } },
    ],
    [
      'raw text',
      { mode: 'raw', raw: 'hello', options: { raw: { language: 'text' } } },
      { headers: { 'Content-Type': 'text/plain' }, body: 'hello' },
    ],
    [
      'text that begins as JSON, with very many quotes',
      { mode: 'raw', raw: `{${'\\"'.repeat(100_000)}{{n}}` },
      { headers: { 'Content-Type': 'text/plain' }, body: `{${'\\"'.repeat(100_000)}#{env.N}` },
    ],
    [
      'JSON with a number that would lose digits',
      { mode: 'raw', raw: '{"id":12345678901234567890,"n":{{n}}}', options: { raw: { language: 'json' } } },
      { headers: { 'Content-Type': 'application/json' }, body: '{"id":12345678901234567890,"n":#{env.N}}' },
    ],
    [
      'raw XML',
      { mode: 'raw', raw: '<a/>', options: { raw: { language: 'xml' } } },
      { headers: { 'Content-Type': 'application/xml' }, body: '<a/>' },
    ],
    ['file', { mode: 'file', file: { src: 'x.bin' } }, { body: { file: 'x.bin' } }],
  ])
    it(`bodies: ${title}`, async () => {
      const { operation } = await requestOf({ method: 'POST', url: 'http://localhost/', body });
      expect(operation).to.deep.equal({ post: '/', name: 'r', ...expected });
    });

  it('a variable in quotes is sent as text, also if its value is a number', async () => {
    const exec = ["pm.environment.set('id', pm.response.json().id);"];
    const raw = '{"id":"{{id}}","n":{{id}},"list":["{{uid}}"],"name":"{{name}}","t":"{{$timestamp}}","u":"{{$guid}}"}';
    const draft = await reading({
      variable: [
        { key: 'uid', value: 42 },
        { key: 'name', value: 'ann' },
      ],
      item: [
        { name: 'a', event: [{ listen: 'test', script: { exec } }], request: 'http://x/a' },
        {
          name: 'b',
          request: {
            method: 'POST',
            url: 'http://x/b',
            body: { mode: 'raw', raw, options: { raw: { language: 'json' } } },
          },
        },
      ],
    });
    expect(operationsOf(draft)[1].operation.json).to.deep.equal({
      id: '#{id:text}',
      n: '#{id:json}',
      list: ['#{uid:text}'],
      name: '#{name}',
      t: '#{timestamp:text}',
      u: '#{uuid}',
    });
  });

  it('reads have no body unless they keep it, as in Postman', async () => {
    const body = { mode: 'formdata', formdata: [{ key: 'a', value: '1' }] };
    const request = { method: 'GET', url: 'http://x/a', body };
    const keeping = { protocolProfileBehavior: { disableBodyPruning: true } };
    const draft = await reading({
      item: [
        { name: 'r', request },
        { name: 'k', request, ...keeping },
        { name: 'folder', item: [{ name: 'f', request }], ...keeping },
        { name: 'empty', request: { ...request, method: 'POST', body: { mode: 'urlencoded', urlencoded: [] } } },
      ],
    });
    expect(operationsOf(draft).map(({ operation }) => operation.formData)).to.deep.equal([
      undefined,
      { a: '1' },
      { a: '1' },
      undefined,
    ]);
  });

  it('variables whose names differ in signs only have values of their own', async () => {
    const request = {
      method: 'POST',
      url: 'http://x/{{user-id}}/{{user_id}}',
      header: [{ key: 'X', value: '{{user.id}}' }],
    };
    const variable = ['user-id', 'user_id', 'user.id'].map((key, i) => ({ key, value: `v${i}` }));
    const { vars, main } = flowOf(await reading({ variable, item: [{ name: 'r', request }] }));
    expect(vars).to.deep.equal({ user_id: 'v0', user_id_2: 'v1', user_id_3: 'v2' });
    expect(main).to.deep.equal([{ post: '/#{user_id}/#{user_id_2}', name: 'r', headers: { X: '#{user_id_3}' } }]);
    const unknown = flowOf(await reading({ item: [{ name: 'r', request }] }));
    expect(unknown.main[0].post).to.equal('/#{env.USER_ID}/#{env.USER_ID_2}');
  });

  it('a URL without a path has none: a variable may have it', async () => {
    const request = (more) => ({
      method: 'GET',
      url: { host: ['{{search}}'], query: [{ key: 'a', value: '1' }], ...more },
    });
    const variable = [{ key: 'search', value: 'http://x/v1/search' }];
    const item = [request({}), request({ path: [] }), request({ path: [''] })].map((one) => ({ request: one }));
    const urls = operationsOf(await reading({ variable, item })).map(({ operation }) => operation.get);
    expect(urls).to.deep.equal(['/v1/search?a=1', '/v1/search?a=1', '/v1/search/?a=1']);
  });

  it('pairs of one name are sent together, at the place of the first one', async () => {
    const urlencoded = ['a', 'b', 'a'].map((key, i) => ({ key, value: String(i) }));
    const { operation } = await requestOf({
      method: 'POST',
      url: 'http://x/',
      body: { mode: 'urlencoded', urlencoded },
    });
    expect(operation.form).to.equal('a=0&a=2&b=1');
  });

  it('a file without a path, and a body of GraphQL without a query, are no faults of the flow', async () => {
    const post = (body) => requestOf({ method: 'POST', url: 'http://x/', body });
    const file = await post({ mode: 'file', file: { src: '' } });
    expect([file.operation.body, file.comments]).to.deep.equal([
      undefined,
      ['The file of the body is not in the collection: write its path.'],
    ]);
    const part = await post({ mode: 'formdata', formdata: [{ key: 'f', type: 'file', src: '' }] });
    expect(part.comments).to.deep.equal(['The file f is not in the collection: write its path.']);
    expect((await post({ mode: 'graphql', graphql: {} })).operation.json).to.deep.equal({});
  });

  it('a response to HEAD has no body to capture from: the script is named', async () => {
    const exec = [
      'pm.environment.set("id", pm.response.json().id);',
      'pm.environment.set("e", pm.response.headers.get("ETag"));',
    ];
    const event = [{ listen: 'test', script: { exec } }];
    const [{ operation, comments }] = operationsOf(
      await reading({ item: [{ name: 'r', request: { method: 'HEAD', url: 'http://x/' }, event }] }),
    );
    expect(Object.keys(operation.capture)).to.deep.equal(['e']);
    expect(comments).to.deep.equal([`Scripts of the request that are left out: ${exec[0]}`]);
  });

  it('text that looks like a token is sent as it is', async () => {
    const request = { method: 'POST', url: 'http://localhost/', body: { mode: 'raw', raw: 'a #{INDEX}' } };
    expect(flowOf(await reading({ item: [{ name: 'r', request }] }))).to.deep.equal({
      baseUrl: 'http://localhost',
      vars: { hash: '#' },
      main: [{ post: '/', name: 'r', headers: { 'Content-Type': 'text/plain' }, body: 'a #{hash}{INDEX}' }],
    });
  });

  for (const [type, members, expected] of [
    ['basic', { username: 'u', password: 'p' }, { auth: { user: 'u', pass: '#{env.PASSWORD}' } }],
    [
      'digest',
      { username: 'u', password: 'p' },
      { auth: { user: 'u', pass: '#{env.PASSWORD}', sendImmediately: false } },
    ],
    ['apikey', { key: 'X-Key', value: 'v', in: 'header' }, { headers: { 'X-Key': '#{env.KEY}' } }],
    ['apikey', { key: 'X-Mine', value: 'v', in: 'header' }, { headers: { 'X-Mine': '#{env.MINE}' } }],
    ['apikey', { key: 'kk', value: 'v', in: 'query' }, { get: '/?kk=#{env.KK}' }],
    ['apikey', { key: 'kk', value: 'a&b c', in: 'query' }, { get: '/?kk=#{env.KK}' }],
    ['apikey', { key: 'kk', value: 'v', in: 'cookie' }, { cookies: { kk: 'v' } }],
    ['apikey', { key: 'no name', value: 'v' }, {}],
    ['bearer', { token: '' }, {}],
    ['oauth2', { accessToken: 't' }, { auth: { bearer: '#{env.TOKEN}' } }],
    ['oauth2', { accessToken: 't', headerPrefix: 'Token' }, { headers: { Authorization: 'Token #{env.TOKEN}' } }],
    ['oauth2', { accessToken: 't', addTokenTo: 'queryParams' }, { get: '/?access_token=#{env.ACCESS_TOKEN}' }],
    [
      'awsv4',
      { accessKey: 'a', secretKey: 'b', region: 'eu-west-1', service: 's3' },
      {
        aws: {
          accessKeyId: '#{env.AWS_ACCESS_KEY_ID}',
          secretAccessKey: '#{env.AWS_SECRET_ACCESS_KEY}',
          region: 'eu-west-1',
          service: 's3',
        },
      },
    ],
  ])
    it(`authorization: ${type} ${JSON.stringify(members)}`, async () => {
      const pairs = Object.entries(members).map(([key, value]) => ({ key, value }));
      const { operation } = await requestOf({ method: 'GET', url: 'http://localhost/', auth: { type, [type]: pairs } });
      expect(operation).to.deep.equal({ get: '/', name: 'r', ...expected });
    });

  it('settings of redirects and cookies are those of the nearest item, and of no other', async () => {
    const request = { method: 'GET', url: 'http://localhost/' };
    const item = [
      { name: 'own', protocolProfileBehavior: { followRedirects: false, disableCookies: true }, request },
      {
        ...{ name: 'folder', protocolProfileBehavior: { followRedirects: true } },
        item: [{ name: 'inner', request }],
      },
      { name: 'outer', request },
    ];
    const draft = await reading({ protocolProfileBehavior: { followRedirects: false }, item });
    expect(operationsOf(draft).map(({ operation }) => operation)).to.deep.equal([
      { get: '/', name: 'own', followRedirect: false, jar: false },
      { get: '/', name: 'inner' },
      { get: '/', name: 'outer', followRedirect: false },
    ]);
  });

  it('header fields may be the lines of a text', async () => {
    const header = 'X-A: 1\r\nX-Empty:\n\nno field\nX-B: http://b: 2 \n';
    const { operation } = await requestOf({ method: 'GET', url: 'http://localhost/', header });
    expect(operation.headers).to.deep.equal({ 'X-A': '1', 'X-Empty': '', 'X-B': 'http://b: 2' });
  });

  it('true, properties and a text in the body are checks', async () => {
    const lines = [
      'const data = pm.response.json();',
      'pm.test("ok", () => {',
      '  pm.expect(data.ok).to.be.true;',
      '  pm.expect(data).to.have.property("id");',
      '  pm.expect(data).to.have.property("a b", 7);',
      '  pm.expect(pm.response.text()).to.include("hello");',
      '  pm.expect(data.list).to.include(1);',
      '  pm.expect(pm.response.text()).to.include("again");',
      '});',
    ];
    const event = [{ listen: 'test', script: { exec: lines } }];
    const { phases } = await reading({ item: [{ name: 'a', event, request: { method: 'GET', url: 'http://a/' } }] });
    const [{ operation, comments }] = phases.main;
    expect(operation.expect).to.deep.equal({
      json: { '$.ok': true, '$.id': { exists: true }, "$['a b']": 7 },
      text: 'hello',
    });
    expect(comments.slice(-1)[0]).to.include('"again"').and.not.include('"hello"');
  });

  it('variables of the path are filled, disabled parameters left out', async () => {
    const url = {
      raw: 'http://localhost/:id/x?a=1&b=2',
      query: [
        { key: 'a', value: '1' },
        { key: 'b', value: '2', disabled: true },
      ],
      variable: [{ key: 'id', value: '7' }],
    };
    expect((await requestOf({ method: 'GET', url })).operation.get).to.equal('/7/x?a=1');
    expect(
      (await requestOf({ method: 'GET', url: { ...url, raw: 'http://localhost/:id.mp3' } })).operation.get,
    ).to.equal('/7.mp3?a=1');
  });

  it('the parts of a URL are sent, and not the text beside them', async () => {
    const url = { raw: 'http://localhost/items/?a=1', host: ['http://localhost'], path: ['items'] };
    expect((await requestOf({ method: 'GET', url })).operation.get).to.equal('/items');
  });

  for (const item of [
    null,
    7,
    [],
    [
      null,
      7,
      'x',
      {},
      { item: 7 },
      { request: 7 },
      { request: { method: 7, url: 'http://x/' } },
      { request: { url: { raw: 7 } } },
      { request: { url: 'ftp://x/' } },
    ],
  ])
    it(`an invalid collection is refused or named, without a crash: ${JSON.stringify(item).slice(0, 60)}`, () =>
      reading({ item }).then(
        () => expect.fail('it has no request'),
        (error) => expect(error).to.include({ code: 'E_FLOW_FILE' }),
      ));

  it('an environment with an alias that is a part of itself is refused', () =>
    inFolder(
      (folder) =>
        reading(
          { item: [{ name: 'r', request: { url: 'http://x/{{k}}' } }] },
          { environment: [join(folder, 'a.yaml')] },
        ).then(
          () => expect.fail('it was accepted'),
          (error) => expect(error).to.include({ code: 'E_FLOW_FILE' }),
        ),
      { 'a.yaml': 'values:\n- &a { key: k, value: *a }\n' },
    ));

  it('a script of the collection is written once, a parameter of the path without a value is named', async () => {
    const event = [{ listen: 'prerequest', script: { exec: ['run();'] } }];
    const item = ['a', 'b'].map((name) => ({ name, request: { method: 'GET', url: 'http://localhost/:id/x' } }));
    const { phases } = await readPostman(JSON.stringify({ info: {}, event, item }), options);
    const named = 'Write the parameter :id of the path: it has no value.';
    expect(phases.main.map(({ comments }) => comments)).to.deep.equal([
      [named, 'Scripts of the request that are left out: run();'],
      [named],
    ]);
  });
});
