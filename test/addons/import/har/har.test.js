import { readFileSync } from 'node:fs';

import { expect } from 'chai';

import { EntryError, entriesIn } from '../../../../lib/addons/import/har/entries.js';
import { flowOf, operationsOf } from '../../../../lib/addons/import/draft.js';
import { read, readBytes } from '../../../../lib/addons/import/har/index.js';
import { sourceOf } from '../../../../lib/addons/import/sources.js';
import { compiledFlow } from '../../../support/compiled-flow.js';
import fc from '../../../support/fast-check.js';
import { fields, recorded, recording } from '../../../support/har.js';
import { itSlow } from '../../../support/slow.js';

const ORIGIN = 'http://shop.test';
const content = (value, mimeType = 'application/json') => ({
  entry: { response: { status: 200, headers: [], content: { mimeType, text: JSON.stringify(value) } } },
});
const draftOf = (document, options = {}) =>
  read(JSON.stringify(document), { from: 'site.har', folder: '/', ...options });
const main = (document, options) => draftOf(document, options).phases.main.map(({ operation }) => operation);

const CHROMIUM = new URL('../../../support/recordings/chromium.har', import.meta.url);
/** Values that a recording does not have. */
const ODD = [
  null,
  [],
  {},
  0,
  -1,
  '',
  'http://[',
  '#{INDEX}',
  '__proto__',
  [null],
  { name: null },
  'a\r\nb: c',
  '\ud800',
  1e300,
  { toString: {} },
  [{ toString: 1, valueOf: 1 }],
  { constructor: { name: { toString: {} } }, length: 1e9, toJSON: 1 },
];

const placesIn = (value, path) => [
  path,
  ...(typeof value === 'object' && value !== null
    ? Object.keys(value).flatMap((key) => placesIn(value[key], [...path, key]))
    : []),
];

function replaceAt(document, path, value) {
  const parent = path.slice(0, -1).reduce((at, key) => at?.[key], document);
  if (typeof parent === 'object' && parent !== null) parent[path.at(-1)] = value;
}

describe('import/har', () => {
  it('a recording is detected by its beginning or its name, another JSON is not', () => {
    expect(sourceOf('{ "log": { "version": "1.2" } }', 'x.json')?.name).to.equal('har');
    expect(sourceOf('{}', 'site.har')?.name).to.equal('har');
    expect(sourceOf('{ "main": ["/log"] }', 'flow.json')?.name).not.to.equal('har');
  });

  for (const [httpVersion, isNamed] of [
    ['h2', true],
    ['HTTP/2.0', true],
    ['HTTP/1.1', false],
  ])
    it(`a recording of ${httpVersion} ${isNamed ? 'names' : 'does not name'} --http2`, () => {
      const { dialectNotes } = draftOf(recording(recorded(`GET ${ORIGIN}/a`, { httpVersion })));
      expect(dialectNotes.some((note) => note.includes('--http2'))).to.equal(isNamed);
    });

  it('values of responses are captured', () =>
    expect(
      main(
        recording(
          recorded(`POST ${ORIGIN}/items`, {
            postData: { mimeType: 'application/json', text: '{"name":"a"}' },
            headers: fields({
              'Content-Type': 'application/json',
              Accept: 'application/json',
              ':authority': 'shop.test',
              'User-Agent': 'x',
            }),
            ...content({ id: 17 }),
          }),
          recorded(`GET ${ORIGIN}/items/17`, { at: 100 }),
        ),
      ),
    ).to.deep.equal([
      { post: '/items', json: { name: 'a' }, capture: { itemId: '$.id' } },
      { get: '/items/#{itemId}' },
    ]));

  for (const [title, postData, headers, expected] of [
    [
      'base64',
      { text: Buffer.from('{"a":1}').toString('base64'), encoding: 'base64' },
      { 'Content-Type': 'application/json', Accept: 'application/json' },
      { json: { a: 1 } },
    ],
    [
      'parameters of a form alone',
      { mimeType: 'application/x-www-form-urlencoded', params: [{ name: 'a', value: 'b c' }] },
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      { form: { a: 'b c' } },
    ],
    [
      'parameters of multipart/form-data alone',
      {
        mimeType: 'multipart/form-data; boundary=x',
        params: [{ name: 'f', value: 'b', fileName: 'a.txt', contentType: 'text/plain' }],
      },
      { 'Content-Type': 'multipart/form-data; boundary=x' },
      { formData: { f: { value: 'b', filename: 'a.txt', contentType: 'text/plain' } } },
    ],
  ])
    it(`a body: ${title}`, () =>
      expect(main(recording(recorded(`POST ${ORIGIN}/x`, { postData, headers: fields(headers) })))).to.deep.equal([
        { post: '/x', ...expected },
      ]));

  it('a WebSocket offers the subprotocols of the recording, and no credential among them', () => {
    const headers = [
      { name: 'Sec-WebSocket-Version', value: '13' },
      { name: 'Sec-WebSocket-Protocol', value: 'v4.channel.k8s.io, graphql-ws, base64url.bearer.k8s.io.c2VjcmV0' },
    ];
    const messages = [{ type: 'send', time: 1767607200.5, opcode: 1, data: 'hi' }];
    const entry = { _webSocketMessages: messages };
    const { phases } = draftOf(recording(recorded('GET ws://shop.test/chat', { status: 101, headers, entry })));
    expect(phases.main.map(({ operation, comments }) => [operation, comments])).to.deep.equal([
      [
        { ws: '/chat', protocols: ['v4.channel.k8s.io', 'graphql-ws'] },
        ['A subprotocol that looks like a credential is left out: write it into protocols.'],
      ],
      [{ ws: '/chat', send: 'hi', receive: 0 }, []],
    ]);
  });

  it('the shapes of Chrome: type of the resource, cache, messages of WebSockets', () => {
    const { phases, skipped } = draftOf(
      recording(
        recorded(`GET ${ORIGIN}/`, { entry: { _resourceType: 'document' } }),
        recorded(`GET ${ORIGIN}/photo`, { at: 1, entry: { _resourceType: 'image' } }),
        recorded(`GET ${ORIGIN}/old`, { at: 2, entry: { _fromCache: 'disk' } }),
        recorded('GET ws://shop.test/chat', {
          at: 3,
          status: 101,
          entry: {
            _webSocketMessages: [
              { type: 'send', time: 1767607200.5, opcode: 1, data: 'hi' },
              { type: 'receive', time: 1767607200.6, opcode: 1, data: 'ho' },
            ],
          },
        }),
      ),
    );
    expect(phases.main.map(({ operation }) => operation)).to.deep.equal([
      { get: '/' },
      { ws: '/chat' },
      { ws: '/chat', send: 'hi' },
    ]);
    expect(skipped.map(({ what }) => what)).to.deep.equal([
      `1 request: GET ${ORIGIN}/photo`,
      `1 request: GET ${ORIGIN}/old`,
    ]);
  });

  it('the shape of Firefox: the type is in Sec-Fetch-Dest, cookies are in a list', () =>
    expect(
      main(
        recording(
          recorded(`GET ${ORIGIN}/`, {
            headers: fields({ 'Sec-Fetch-Dest': 'document' }),
            cookies: [{ name: 'theme', value: 'dark' }],
          }),
          recorded(`GET ${ORIGIN}/photo`, { at: 1, headers: fields({ 'Sec-Fetch-Dest': 'image' }) }),
          recorded(`GET ${ORIGIN}/api`, { at: 2, headers: fields({ 'Sec-Fetch-Dest': 'empty' }) }),
        ),
      ),
    ).to.deep.equal([{ get: '/', cookies: { theme: 'dark' } }, { get: '/api' }]));

  it('a form of Firefox: the fields of its upload stream, and of its first part, are none of the request', () => {
    const type = 'multipart/form-data; boundary=----x';
    const part = '------x\r\nContent-Disposition: form-data; name="title"\r\n\r\ntea\r\n------x--\r\n';
    const stream = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 5\r\n\r\n';
    const form = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': '5' };
    const [login, upload, ...others] = main(
      recording(
        recorded(`POST ${ORIGIN}/login`, {
          headers: [...fields(form), ...fields(form)],
          postData: { mimeType: form['Content-Type'], params: fields({ a: 'b c' }), text: `${stream}a=b+c` },
        }),
        recorded(`POST ${ORIGIN}/upload`, {
          at: 1,
          headers: fields({ 'Content-Type': type, 'Content-Disposition': 'form-data; name="title"' }),
          postData: { mimeType: type, params: [], text: part },
        }),
      ),
    );
    expect(login).to.deep.equal({ post: '/login', form: { a: 'b c' } });
    expect(upload).to.deep.equal({ post: '/upload', formData: { title: 'tea' } });
    expect(others).to.deep.equal([]);
  });

  it('a body that Firefox has discarded is missing: its length is in the fields', () => {
    const { phases } = draftOf(
      recording(recorded(`POST ${ORIGIN}/x`, { headers: fields({ 'Content-Length': '9' }), bodySize: 0 })),
    );
    expect(phases.main[0].disabled).to.equal('its body is not in the recording');
  });

  it('the shape of Safari: _fetchType names the cache', () =>
    expect(
      main(
        recording(
          recorded(`GET ${ORIGIN}/`, { entry: { _fetchType: 'Network Load' } }),
          recorded(`GET ${ORIGIN}/data`, { at: 1, entry: { _fetchType: 'Memory Cache' } }),
        ),
      ),
    ).to.deep.equal([{ get: '/' }]));

  it('a session in Chromium becomes the flow of a person: login with a hidden field, token of a page, ids, versions', () => {
    const { phases, properties, environment } = readBytes(readFileSync(CHROMIUM), {
      from: 'chromium.har',
      folder: '/',
    });
    const operations = (name) => phases[name].map(({ operation }) => operation);
    expect(properties).to.deep.equal({
      headers: { 'Accept-Language': 'en-US,en;q=0.9', 'x-api-token': '#{apiToken}' },
    });
    const page = {
      Accept:
        'text/html,application/xhtml+xml,application/xml;q=0.9,image/jxl,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
    };
    expect(operations('beforeMain')).to.deep.equal([
      { get: '/app', headers: page, capture: { csrf: { text: 'name="_csrf" value="([^"]+)"' } } },
      {
        post: '/login',
        headers: { Origin: 'http://127.0.0.1:7803', ...page, Referer: 'http://127.0.0.1:7803/' },
        form: { _csrf: '#{csrf}', user: 'ann', password: '#{env.PASSWORD}' },
        followAllRedirects: true,
        capture: { apiToken: { text: 'name="api-token" content="([^"]+)"' } },
      },
    ]);
    const from = { Referer: 'http://127.0.0.1:7803/' };
    const typed = { 'content-type': 'application/json', ...from };
    const any = { Accept: '*/*', Origin: 'http://127.0.0.1:7803', ...from };
    expect(operations('main')).to.deep.equal([
      { get: '/api/tasks?_=#{timestampMs}', headers: typed },
      {
        post: '/api/tasks',
        headers: any,
        json: { title: 'write tests', clientId: '#{uuid}' },
        capture: { taskId: '$.id', taskVersion: '$.version' },
      },
      { patch: '/api/tasks/#{taskId}', headers: any, json: { done: true, version: '#{taskVersion}' } },
      { get: '/api/tasks/#{taskId}', headers: typed },
      { delete: '/api/tasks/#{taskId}', headers: { Origin: 'http://127.0.0.1:7803', ...typed } },
    ]);
    expect(environment.map(({ name }) => name)).to.deep.equal(['PASSWORD']);
  });

  it('secrets become variables of the environment, unless they are kept', () => {
    const login = recording(
      recorded(`POST ${ORIGIN}/x`, {
        postData: { text: '{"password":"s3cret-pw"}' },
        headers: fields({ 'Content-Type': 'application/json', Authorization: 'Bearer abc.def.ghi' }),
        cookies: [{ name: 'session', value: 'c00kie' }],
      }),
    );
    const draft = draftOf(login);
    expect(JSON.stringify(draft)).not.to.match(/s3cret|abc\.def|c00kie/);
    expect(draft.environment.map(({ name }) => name).sort()).to.deep.equal(['PASSWORD', 'SESSION', 'TOKEN']);
    expect(JSON.stringify(draftOf(login, { keepSecrets: true }))).to.match(/s3cret-pw.*c00kie|c00kie.*s3cret-pw/);
  });

  it('fields that a server answers by are sent as they were recorded', () => {
    const sent = { Accept: 'application/json, text/plain, */*', 'Accept-Language': 'de', 'Accept-Charset': 'utf-8' };
    const [{ headers }] = main(recording(recorded(`GET ${ORIGIN}/a`, { headers: fields(sent) })));
    expect(headers).to.deep.equal(sent);
  });

  it('Origin and the origin of Referer are sent, and name the base URL that replaces that of the recording', () => {
    const sent = {
      'User-Agent': 'Mozilla/5.0',
      'Content-Type': 'text/plain',
      Origin: ORIGIN,
      Referer: `${ORIGIN}/a?token=x`,
    };
    const request = recording(recorded(`POST ${ORIGIN}/a`, { headers: fields(sent) }));
    const kept = (origin) => ({ 'Content-Type': 'text/plain', Origin: origin, Referer: `${origin}/` });
    expect(main(request)).to.deep.equal([{ post: '/a', headers: kept(ORIGIN) }]);
    const draft = draftOf(request, { baseUrl: 'http://other.test/v2' });
    expect(flowOf(draft)).to.deep.equal({
      baseUrl: 'http://other.test',
      main: [{ post: '/v2/a', headers: kept('http://other.test') }],
    });
    expect(draft.dialectNotes.join()).to.include('the User-Agent of the browser is left out');
  });

  it('the base URL is that of the first page, whatever came before it', () => {
    const json = recorded('GET http://noise.test/settings', content({}));
    const page = recorded(`GET ${ORIGIN}/`, { at: 100, status: 200 });
    page.response.headers = fields({ 'Content-Type': 'text/html' });
    expect(draftOf(recording(json, page)).baseUrl).to.equal(ORIGIN);
    page.response.status = 304;
    expect(draftOf(recording(json, { ...page, _resourceType: 'document' })).baseUrl).to.equal(ORIGIN);
  });

  it('a recording without responses is imported, with a note', () => {
    const one = recorded(`POST ${ORIGIN}/a`, { postData: { mimeType: 'text/plain', text: 'x' } });
    delete one.response;
    const draft = draftOf(recording(one, { ...one, response: {} }));
    expect(operationsOf(draft)).to.have.length(1);
    expect(draft.phases.main[0].operation.repeat).to.equal(2);
    expect(draft.dialectNotes.join()).to.include('no response of 2 requests');
  });

  it('an upload whose content is not in the recording is named, and an empty file is sent', () => {
    const postData = {
      mimeType: 'multipart/form-data; boundary=b',
      text: '--b\r\nContent-Disposition: form-data; name="f"; filename="a.png"\r\n\r\n\r\n--b--\r\n',
    };
    const upload = (bodySize) =>
      draftOf(recording(recorded(`POST ${ORIGIN}/up`, { postData, bodySize }))).phases.main[0];
    expect(upload(48_211).disabled).to.include('lacks the content of a.png');
    expect(upload(48_211).operation.formData).to.deep.equal({ f: { file: 'a.png' } });
    expect(upload(postData.text.length).disabled).to.equal(undefined);
  });

  it('a query of GraphQL becomes one of graphql, and other bodies with such a member do not', () => {
    const bodyOf = (json) =>
      main(
        recording(
          recorded(`POST ${ORIGIN}/g`, { postData: { mimeType: 'application/json', text: JSON.stringify(json) } }),
        ),
      )[0];
    const query = 'query a($n: Int!) { a(n: $n) { id } }';
    const variables = { n: 7 };
    expect(bodyOf({ query, variables, operationName: 'a' })).to.deep.include({ graphql: query, variables });
    expect(bodyOf({ query: '{ a }' })).to.deep.include({ graphql: '{ a }' });
    for (const json of [
      { query: 'shoes' },
      { query: '{"match":{}}' },
      { query, variables: {} },
      { query: '{ a }', size: 5 },
      // graphql would send the name, and no null.
      { query, variables },
      { query: '{ a }', operationName: null },
      { query: '{ a }', variables: null },
    ])
      expect(bodyOf(json).json).to.deep.equal(json);
  });

  it('a secret is replaced wherever else it is: in a path, a text, a comment', () => {
    const draft = draftOf(
      recording(
        recorded(`POST ${ORIGIN}/x/s3cret%2Fpw?q=1`, {
          postData: { text: '{"password":"s3cret/pw","again":"is s3cret/pw"}' },
          headers: fields({ 'Content-Type': 'application/json', 'X-Own': 's3cret/pw' }),
        }),
      ),
    );
    expect(JSON.stringify(draft)).not.to.match(/s3cret/);
    expect(draft.phases.main[0].operation).to.deep.equal({
      post: '/x/#{env.PASSWORD}?q=1',
      headers: { 'X-Own': '#{env.PASSWORD}', Accept: '*/*' },
      json: { password: '#{env.PASSWORD}', again: 'is #{env.PASSWORD}' },
    });
  });

  it('an export without cookies and credentials has a note', () =>
    expect(draftOf(recording(recorded(`GET ${ORIGIN}/`))).dialectNotes.join()).to.contain(
      'export it with sensitive data',
    ));

  for (const [title, text, reason] of [
    ['JSON of another kind', '{"log":{"version":"1.2"}}', /log\.entries: is missing/],
    ['a file that ends too early', '{"log":{"entries":[{"request":{', /the file ends too early/],
    ['a damaged entry', '{"log":{"entries":[{"request":nope}]}}', /log\.entries\[0\]: is not valid JSON/],
    ['an empty recording', '{"log":{"entries":[]}}', /no request that can be sent/],
    [
      'requests without a URL',
      `{"log":{"entries":[${Array(7).fill('{"request":{"method":"GET"}}').join()}]}}`,
      /log\.entries\[0\] \(has no URL\).*2 further entries/,
    ],
  ])
    it(`${title} is refused: ${reason.source}`, () =>
      expect(() => read(text, { from: 'site.har', folder: '/' }))
        .to.throw(reason)
        .with.property('code', 'E_FLOW_FILE'));

  itSlow('of a recording with any damage, a flow is made that can be run, or the damage is named', () => {
    const whole = JSON.parse(readFileSync(CHROMIUM));
    whole.log.entries[3].request.url = whole.log.entries[3].request.url.replace('http', 'ws');
    whole.log.entries[3]._webSocketMessages = [
      { type: 'send', time: 1, opcode: 1, data: '{"a":1}' },
      { type: 'receive', time: 2, opcode: 1, data: 'x' },
    ];
    const places = placesIn(whole.log, ['log']);
    const odd = fc.oneof(fc.constantFrom(...ODD), fc.jsonValue());
    const damage = fc.array(fc.tuple(fc.constantFrom(...places), odd), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(damage, (changes) => {
        const damaged = structuredClone(whole);
        for (const [path, value] of changes) replaceAt(damaged, path, value);
        let draft;
        try {
          draft = draftOf(damaged, { keepSecrets: true });
        } catch (error) {
          return void expect(error.code).to.equal('E_FLOW_FILE');
        }
        return void compiledFlow(flowOf(draft));
      }),
      { numRuns: 60 },
    );
  });

  describe('entries', () => {
    const paths = (text) => [...entriesIn(Buffer.from(text))].map(({ entry }) => entry);

    it('are read one by one, whatever stands before and after them', () =>
      expect(
        paths(
          '\ufeff{"a":"}]","log":{"x":[{"y":"\\"]"}],"n":-1.5e3,"entries":[{"b":"\\\\"},[1,{"c":"]"}],2, true ],"z":{}}} ',
        ),
      ).to.deep.equal([{ b: '\\' }, [1, { c: ']' }], 2, true]));

    it('that are not UTF-8 are named', () =>
      expect(() => [...entriesIn(Buffer.from('{"log":{"entries":[{"a":"\xff"}]}}', 'latin1'))]).to.throw(
        'log.entries[0]: is not UTF-8',
      ));

    it('of any damaged text end with an EntryError', () => {
      const whole = JSON.stringify(recording(recorded(`GET ${ORIGIN}/`)));
      for (let end = 0; end < whole.length; end++) {
        try {
          paths(whole.slice(0, end));
        } catch (error) {
          expect(error).to.be.instanceOf(EntryError);
        }
      }
    });
  });
});
