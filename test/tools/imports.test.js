import { execFile } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';
import { stringify } from 'yaml';

import { notInstalled, pathInBench } from '../../bench/peers/installed.js';
import { benchrest } from '../../index.js';
import { flowOf } from '../../lib/addons/import/draft.js';
import { SOURCES } from '../../lib/addons/import/sources.js';
import { fields, recorded, recording } from '../support/har.js';
import { inFolder } from '../support/in-folder.js';
import { requestsOf } from '../support/insomnia-requests.js';

const RESPONSE = { id: 17, token: 't1', item: { slug: 's' }, data: {} };
const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const test = (...exec) => [{ listen: 'test', script: { exec } }];
const raw = (text, language) => ({ mode: 'raw', raw: text, ...(language && { options: { raw: { language } } }) });

/** Requests whose bodies, types and values differ between programs that read a collection. */
const itemsFor = (origin) => {
  const post = (path, body, header = []) => ({ method: 'POST', url: `${origin}/${path}`, header, body });
  return [
    {
      name: 'create',
      request: post('create', raw('{"a":1} // a comment', 'json')),
      event: test(
        'const r = pm.response.json(); const { token } = r;',
        "pm.environment.set('id', r.id); pm.environment.set('token', 'Bearer ' + token);",
        "var item = r.item || {}; postman.setEnvironmentVariable('slug', item.slug);",
      ),
    },
    {
      name: 'use',
      request: post('use/{{slug}}', raw('{"id":"{{id}}","n":{{id}}}', 'json'), [{ key: 'X-T', value: '{{token}}' }]),
    },
    { name: 'text', request: post('text', raw('{"a":1}')) },
    { name: 'xml', request: post('xml', raw('<a/>', 'xml')) },
    { name: 'empty', request: post('empty', { mode: 'urlencoded', urlencoded: [] }) },
    { name: 'form', request: post('form', { mode: 'urlencoded', urlencoded: [{ key: 'a', value: 'b c' }] }) },
    { name: 'query', request: post('query', { mode: 'graphql', graphql: { query: '{ a }', variables: '' } }) },
    { name: 'read', request: { method: 'GET', url: `${origin}/read`, body: raw('{"a":1}', 'json') } },
    {
      name: 'kept',
      protocolProfileBehavior: { disableBodyPruning: true },
      request: { method: 'GET', url: `${origin}/kept`, body: raw('{"a":1}', 'json') },
    },
  ];
};

/** Every feature of HTTP files that another program has, too. */
const httpFileFor = (origin) => `@base = ${origin}
@n = 42

### login
# @name login
POST {{base}}/login HTTP/1.1
Content-Type: application/json

{"user": "{{n}}", "n": {{n}}}

###
GET {{base}}/me
  ?a=1
  &b={{n}}
Authorization: Bearer {{login.token}}
X-A: {{n}}

### a form
POST {{base}}/form
Content-Type: application/x-www-form-urlencoded

a={{n}}&b=c%20d

###
PUT {{base}}/text
Content-Type: text/plain

two
lines

HTTP/1.1 200 OK
Content-Type: application/json

{}

###
DELETE {{base}}/items/{{n}}
`;

/** Folders that have values, fields and credentials of their own. */
const insomniaFor = (origin) => {
  const json = (text) => ({ mimeType: 'application/json', text });
  const token = `Bearer {% response 'body', 'r1', 'b64::${btoa('$.token')}::46b', 'never', 60 %}`;
  const form = {
    mimeType: 'application/x-www-form-urlencoded',
    params: [
      { name: 'a', value: 'b c' },
      { name: 'x', value: '1', disabled: true },
    ],
  };
  const folder = (name, path, more) => ({
    name,
    environment: { path },
    children: [
      { name: 'List', method: 'GET', url: '{{ _.all }}', parameters: [{ name: 'q', value: '{{ _.n }}' }], ...more },
      {
        name: 'Add',
        method: 'POST',
        url: '{{ _.base }}/{{ _.path }}',
        body: json('{"id": "{{ _.n }}", "n": {{ _.n }}}'),
      },
    ],
  });
  return stringify({
    type: 'collection.insomnia.rest/5.0',
    collection: [
      { name: 'Login', method: 'POST', url: '{{ _.base }}/login', meta: { id: 'r1' }, body: json('{"a": 1}') },
      { ...folder('Users', 'users'), headers: [{ name: 'X-A', value: '1' }] },
      {
        ...folder('Items', 'items', { headers: [{ name: 'Authorization', value: token }] }),
        authentication: { type: 'basic', username: 'u', password: '{{ _.n }}' },
      },
      { name: 'Form', method: 'PUT', url: '{{ _.base }}/form', body: form },
    ],
    environments: { data: { base: origin, n: 5, all: '{{ _.base }}/{{ _.path }}' } },
  });
};

/** Entries whose fields and bodies a service may look at. */
const entriesFor = (origin) => {
  const type = (name) => ({ 'Content-Type': name, Origin: 'https://app.test', Referer: 'https://app.test/' });
  const sent = (line, headers, text) =>
    recorded(line.replace(' /', ` ${origin}/`), {
      headers: fields({ Accept: 'text/csv, */*;q=0.1', 'X-Custom': 'a, b', ...headers }),
      ...(text !== undefined && { postData: { mimeType: headers['Content-Type'], text } }),
    });
  return [
    sent('GET /list?q=a%20b&q=c+d&empty=', { 'Content-Type': 'application/json' }),
    sent('POST /json', type('application/vnd.api+json'), '{"a": [1,  2.50], "b": "\u00fc"}'),
    sent('POST /form', type('application/x-www-form-urlencoded'), 'a=1&a=2&b=%C3%BC+x'),
    sent('PATCH /text', type('text/plain;charset=UTF-8'), 'zwölf\r\nlines\n'),
    sent('DELETE /item/1', { Authorization: 'Bearer abc', 'If-Custom': '1' }),
  ];
};

/** A script with what its engine and a flow fill in differently. */
const artilleryFor = (origin) => ({
  config: {
    target: origin,
    phases: [{ duration: 1, arrivalCount: 1 }],
    variables: { n: 5, path: 'items' },
    defaults: { headers: { 'X-A': '{{ n }}' } },
  },
  before: { flow: [{ post: { url: '/shared', json: { n: '{{ n }}' }, capture: { json: '$.token', as: 'shared' } } }] },
  scenarios: [
    {
      flow: [
        {
          post: {
            url: '/login',
            json: { n: '{{ n }}', text: 'n-{{ n }}', age: '{{ $randomNumber(3,3) }}', list: ['{{ shared }}'] },
            capture: [
              { json: '$.id', as: 'id' },
              { json: '$.item.slug', as: 'slug' },
            ],
          },
        },
        {
          get: { url: '/{{ path }}/{{ id }}?a=1', qs: { b: '{{ slug }}' }, headers: { 'X-T': 'Bearer {{ shared }}' } },
        },
        {
          loop: [{ get: { url: '/round/{{ $loopCount }}' } }, { get: { url: '{{ target }}/{{{ path }}}' } }],
          count: '3-5',
        },
        { post: { url: '/form', form: { a: 'b c', n: '{{ n }}' }, cookie: { own: '{{ id }}' } } },
        { put: { url: '/text', body: 'id: {{ id }}', headers: { 'Content-Type': 'text/plain' } } },
        { delete: { url: '/item', auth: { user: 'u', pass: 'p{{ n }}' } } },
      ],
    },
  ],
});

/** Runs a script with the engine of Artillery, without its command. */
async function runArtillery(given) {
  const { runner, updateGlobalObject } = createRequire(pathInBench('package.json'))('@artilleryio/int-core');
  await updateGlobalObject?.();
  const script = structuredClone(given);
  const { handleScriptHook, prepareScript } = runner.runnerFuncs;
  const variables = await handleScriptHook('before', prepareScript(script), new EventEmitter(), {});
  const run = await runner.runner(script, undefined, {});
  const done = once(run, 'done');
  run.run(variables);
  await done;
  await run.stop();
}

/** Serves `RESPONSE`, and runs a story with its origin and the requests so far. */
async function recordingServer(story) {
  const seen = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(RESPONSE));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await story(`http://127.0.0.1:${server.address().port}`, () => seen.splice(0));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Imports a document, and runs its flow once. */
async function play(kind, text) {
  const { read } = await SOURCES.find(({ name }) => name === kind).load();
  const draft = await read(text, { from: `a.${kind}`, folder: '/', keepSecrets: true });
  await benchrest(flowOf(draft), { iterations: 1, limit: 1, quiet: true });
}

/** What programs send differently, or themselves. */
const OWN =
  /^(?:host|connection|content-length|user-agent|accept-encoding|cache-control|postman-token|transfer-encoding)$/;
const comparable = ({ line, headers: { accept = '*/*', ...headers }, body }) => ({
  line,
  headers: { accept, ...Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.test(name))) },
  body: inOneForm(body, headers['content-type']),
});

/** JSON and forms may be written differently. */
function inOneForm(body, type) {
  if (/json$/.test(type) && body !== '') return JSON.stringify(JSON.parse(body));
  return /urlencoded/.test(type) ? body.replaceAll('%20', '+') : body.trim();
}

describe('imported collections', () => {
  it('Postman: newman sends the same requests', async function () {
    const reason = notInstalled('newman');
    if (reason) return this.skip(reason);
    const newman = createRequire(pathInBench('package.json'))('newman');
    await recordingServer(async (origin, taken) => {
      const collection = { info: { name: 'c', schema: SCHEMA }, item: itemsFor(origin) };
      await promisify(newman.run)({ collection });
      const expected = taken().map(comparable);
      await play('postman', JSON.stringify(collection));
      expect(taken().map(comparable)).to.deep.equal(expected);
    });
  });

  it('Artillery: its engine sends the same requests', async function () {
    const reason = notInstalled('@artilleryio/int-core');
    if (reason) return this.skip(reason);
    await recordingServer(async (origin, taken) => {
      const script = artilleryFor(origin);
      await runArtillery(script);
      const expected = taken().map(comparable);
      await play('artillery', JSON.stringify(script));
      expect(taken().map(comparable)).to.deep.equal(expected);
    });
  });

  it('HTTP files: httpyac sends the same requests', async function () {
    const reason = notInstalled('httpyac');
    if (reason) return this.skip(reason);
    await recordingServer((origin, taken) =>
      inFolder(async (folder) => {
        const text = httpFileFor(origin);
        writeFileSync(join(folder, 'a.http'), text);
        const command = [pathInBench('node_modules/httpyac/bin/httpyac.js'), 'send', 'a.http', '--all', '--silent'];
        await promisify(execFile)(process.execPath, command, { cwd: folder });
        const expected = taken().map(comparable);
        await play('http-file', text.replace('{{login.token}}', '{{login.response.body.$.token}}'));
        expect(taken().map(comparable)).to.deep.equal(expected);
      }),
    );
  });

  it('Insomnia: a reader of its documentation lists the same requests', () =>
    recordingServer(async (origin, taken) => {
      const text = insomniaFor(origin);
      await play('insomnia', text);
      const sent = taken().map(({ line, headers, body }) => ({
        request: line,
        type: headers['content-type'],
        authorization: headers.authorization,
        body: inOneForm(body, headers['content-type']),
      }));
      const expected = requestsOf(text, RESPONSE);
      expect(sent).to.deep.equal(expected.map((one) => ({ ...one, body: inOneForm(one.body, one.type) })));
    }));

  it('HAR: the entries are sent as they were recorded', () =>
    recordingServer(async (origin, taken) => {
      const entries = entriesFor(origin);
      await play('har', JSON.stringify(recording(...entries)));
      const expected = entries.map(({ request: { method, url, headers, postData } }) => ({
        line: `${method} ${url.slice(origin.length)}`,
        headers: Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value])),
        body: postData?.text ?? '',
      }));
      const isJson = ({ headers }) => /json$/.test(headers['content-type']);
      const exact = (one) => ({ ...comparable(one), ...(!isJson(one) && { body: one.body }) });
      expect(taken().map(exact)).to.deep.equal(expected.map(exact));
    }));
});
