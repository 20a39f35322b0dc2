import { expect } from 'chai';

import { recordedFlow } from '../../../../lib/addons/import/dialects/har.js';
import { createProblems } from '../../../../lib/core/ground/problems.js';
import { fields, recorded, recording } from '../../../support/har.js';

const SHOP = 'https://shop.example';

/** The flow of a recording, what was left out of it, and its problems. */
function read(document, options = {}) {
  const problems = createProblems('E_FLOW');
  const notices = [];
  const flow = recordedFlow(document, problems, { selection: options, notice: (text) => notices.push(text) });
  return { flow, notices, problems: problems.list.map(({ path, reason }) => `${path}: ${reason}`) };
}

/** The operations of recorded requests. */
function operations(entries, options) {
  const { flow, problems } = read(recording(...entries), options);
  expect(problems).to.deep.equal([]);
  return flow.main;
}

const urls = (entries, options) => operations(entries, options).map(({ method, uri }) => `${method} ${uri}`);
const headersOf = (headers, { line = `POST ${SHOP}/`, ...options } = {}, request = {}) =>
  operations([recorded(line, { headers: fields(headers), ...request })], options)[0].headers;

describe('a HAR file as a flow', () => {
  it('requests become operations with URLs relative to the recorded origin, which is the base URL', () => {
    const { flow, notices } = read(recording(recorded(`GET ${SHOP}/a?b=c#d`), recorded(`DELETE ${SHOP}`, { at: 5 })));
    expect(notices).to.deep.equal([]);
    expect(flow).to.deep.equal({
      baseUrl: SHOP,
      main: [
        { method: 'GET', uri: '/a?b=c', name: 'GET /a', headers: {}, followRedirect: false },
        { method: 'DELETE', uri: '/', name: 'DELETE /', headers: {}, followRedirect: false },
      ],
    });
  });

  it('requests are sent in the order of their start, or in that of the file if one has none', () => {
    const entries = [recorded(`GET ${SHOP}/2`, { at: 20 }), recorded(`GET ${SHOP}/1`, { at: 10 })];
    expect(urls(entries)).to.deep.equal(['GET /1', 'GET /2']);
    delete entries[0].startedDateTime;
    expect(urls(entries)).to.deep.equal(['GET /2', 'GET /1']);
  });

  it('a path that begins with two slashes is not read as a host', () => {
    const [{ uri }] = operations([recorded(`GET ${SHOP}//evil.example/x`)]);
    expect(new URL(uri, 'http://localhost:8000').href).to.equal('http://localhost:8000//evil.example/x');
  });

  it('a query that is in queryString alone is sent', () =>
    expect(urls([recorded(`GET ${SHOP}/`, { queryString: fields({ 'a b': 'ü&' }) })])).to.deep.equal([
      'GET /?a+b=%C3%BC%26',
    ]));

  it('values that no text can be made of are refused as others are', () => {
    const odd = { toString: 1 };
    const request = { postData: { text: 'x' }, headers: [{ name: odd, value: 'a' }] };
    const { problems } = read(recording(recorded(`POST ${SHOP}/`, { ...request, time: odd })));
    expect(problems).to.deep.equal([
      'log.entries[0].request.headers[0]: expected { name, value } with texts; remove it',
    ]);
  });

  it('names of operations have at most 100 characters', () =>
    expect(operations([recorded(`GET ${SHOP}/${'x'.repeat(5000)}`)])[0].name.length).to.be.at.most(101));

  it('a status of 400 or more in the recording is ignored in the run', () =>
    expect(operations([recorded(`GET ${SHOP}/`, { status: 404 })])[0].afterHooks).to.deep.equal(['ignoreStatus']));

  describe('the origin', () => {
    const entries = [
      recorded('GET http://shop.example/', { status: 301 }),
      recorded(`GET ${SHOP}/`, { at: 1 }),
      recorded('GET https://api.example/v1', { at: 2 }),
      recorded('GET https://cdn.example/a.js', { at: 3 }),
      recorded('GET https://cdn.example/b.js', { at: 4 }),
    ];

    it('is that of the first request that was not redirected; the others are left out and named', () => {
      const { flow, notices } = read(recording(...entries));
      expect(flow).to.have.property('baseUrl', SHOP);
      expect(flow.main).to.have.length(1);
      expect(notices[0]).to.equal(
        `sends 1 of 5 recorded requests, those to ${SHOP}; left out:\n` +
          '  4 to other origins, of which --base-url can select one: https://cdn.example (2), http://shop.example (1), https://api.example (1)',
      );
    });

    it('is that of the base URL, if it was recorded', () =>
      expect(urls(entries, { baseUrl: 'https://api.example/' })).to.deep.equal(['GET /v1']));

    it('stays the first one with a base URL that was not recorded, or is a unix socket', () => {
      for (const baseUrl of ['http://localhost:8000', 'unix:/run/app.sock', 'nonsense'])
        expect(urls(entries, { baseUrl }), baseUrl).to.deep.equal(['GET /']);
    });
  });

  describe('left out, counted and named:', () => {
    const rows = [
      ['WebSockets', 'GET wss://shop.example/ws', {}, '1 WebSocket: log.entries[1]'],
      ['upgrades that Firefox records as http', `GET ${SHOP}/ws`, { status: 101 }, '1 WebSocket: log.entries[1]'],
      ['data: URLs', 'GET data:text/plain,x', {}, '1 not HTTP'],
      ['blob: URLs', 'GET blob:https://shop.example/1', {}, '1 not HTTP'],
      ['file: URLs', 'GET file:///etc/passwd', {}, '1 not HTTP'],
      ['extensions', 'GET chrome-extension://abc/x.js', {}, '1 not HTTP'],
      ['CONNECT of a proxy', 'CONNECT https://shop.example:443/', {}, '1 CONNECT of a proxy'],
      [
        'requests that failed',
        `GET ${SHOP}/x`,
        { status: 0, entry: { _error: 'net::ERR_BLOCKED' } },
        '1 without a response',
      ],
      ['what the cache revalidated', `GET ${SHOP}/x`, { status: 304 }, "1 from the browser's cache"],
      ['what the cache answered', `GET ${SHOP}/x`, { entry: { _fromCache: 'disk' } }, "1 from the browser's cache"],
    ];
    for (const [what, line, more, says] of rows) {
      it(what, () => {
        const { flow, notices } = read(recording(recorded(`GET ${SHOP}/`), recorded(line, { at: 1, ...more })));
        expect(flow.main.map(({ uri }) => uri)).to.deep.equal(['/']);
        expect(notices[0])
          .to.match(/^sends 1 of 2 recorded requests/)
          .and.include(`\n  ${says}`);
      });
    }
  });

  describe('header fields', () => {
    it('those of the connection, of HTTP/2 and of the body are not sent, the others are', () => {
      const sent = { 'User-Agent': 'Firefox', 'accept-encoding': 'gzip, br', Authorization: 'Bearer x', 'X-A': '1' };
      const connection = {
        Connection: 'keep-alive, X-Hop',
        'X-Hop': '1',
        'Keep-Alive': '5',
        TE: 'trailers',
        Upgrade: 'h2c',
      };
      const pseudo = { ':method': 'POST', ':authority': 'shop.example', ':path': '/', ':scheme': 'https' };
      const body = {
        Host: 'shop.example',
        'content-length': '9',
        'Transfer-Encoding': 'chunked',
        Expect: '100-continue',
      };
      expect(headersOf({ ...pseudo, ...connection, ...sent, ...body, Cookie: 'a=b' })).to.deep.equal(sent);
    });

    it('validators of the cache are not sent with GET; If-Match is', () => {
      const given = { 'If-None-Match': '"1"', 'If-Modified-Since': 'x', 'If-Match': '"2"' };
      expect(headersOf(given, { line: `GET ${SHOP}/` })).to.deep.equal({ 'If-Match': '"2"' });
      expect(headersOf(given)).to.deep.equal(given);
    });

    it('repeated ones are all sent', () => {
      const headers = [...fields({ 'X-A': '1' }), ...fields({ 'x-a': '2' })];
      expect(operations([recorded(`GET ${SHOP}/`, { headers })])[0].headers).to.deep.equal({ 'X-A': ['1', '2'] });
    });

    it('those that the run sets are not sent as recorded', () =>
      expect(headersOf({ authorization: 'Bearer old', 'X-A': '1' }, { headers: ['Authorization'] })).to.deep.equal({
        'X-A': '1',
      }));

    it('Origin and Referer of the recorded origin become those of the base URL', () => {
      const given = { Origin: SHOP, Referer: `${SHOP}/cart?x`, 'X-Origin': SHOP };
      const other = { Origin: 'https://other.example', Referer: `${SHOP}.evil.example/` };
      const baseUrl = 'http://localhost:8000/app';
      expect(headersOf(given, { baseUrl })).to.deep.equal({
        Origin: 'http://localhost:8000',
        Referer: 'http://localhost:8000/cart?x',
        'X-Origin': SHOP,
      });
      expect(headersOf(other, { baseUrl })).to.deep.equal(other);
      expect(headersOf(given)).to.deep.equal(given);
    });

    it('those that cannot be sent are left out and named: invalid names and characters, and tokens', () => {
      const headers = fields({
        'a b': '1',
        'X-Snow': '☃',
        'X-Token': '#{INDEX}',
        'X-Angle': 'a#<INDEX>',
        'X-Lines': 'a\r\nb',
        ok: '#1',
      });
      const { flow, notices } = read(recording(recorded(`GET ${SHOP}/`, { headers })));
      expect(flow.main[0].headers).to.deep.equal({ ok: '#1' });
      expect(notices[0]).to.match(/\n  5 header fields that cannot be sent .*: "a b", "X-Snow", "X-Token", …/);
    });
  });

  describe('cookies', () => {
    const cookies = fields({ list: '1' });

    it('are not sent by default; the jar of the iteration is used', () => {
      const [operation] = operations([recorded(`GET ${SHOP}/`, { headers: fields({ Cookie: 'a=1' }), cookies })]);
      expect(operation.headers).to.deep.equal({});
      expect(operation).to.not.have.property('jar');
    });

    it('are sent with harCookies: the Cookie field, or else the list, and no cookies of the server', () => {
      const entries = [
        recorded(`GET ${SHOP}/1`, { headers: fields({ cookie: 'a=1', Cookie: 'b=2' }), cookies }),
        recorded(`GET ${SHOP}/2`, { at: 1, cookies: [...cookies, ...fields({ more: '2' })] }),
        recorded(`GET ${SHOP}/3`, { at: 2 }),
      ];
      const all = operations(entries, { cookies: true });
      expect(all.map(({ headers }) => headers)).to.deep.equal([
        { Cookie: 'a=1; b=2' },
        { Cookie: 'list=1; more=2' },
        {},
      ]);
      expect(all.map(({ jar }) => jar)).to.deep.equal([false, false, false]);
    });
  });

  describe('timing', () => {
    const entries = [
      recorded(`GET ${SHOP}/1`, { at: 0, time: 30.4 }),
      recorded(`GET ${SHOP}/2`, { at: 100, time: 500 }),
      recorded('GET https://cdn.example/', { at: 150, time: 5 }),
      recorded(`GET ${SHOP}/3`, { at: 200, time: -1 }),
      recorded(`GET ${SHOP}/4`, { at: 1200 }),
    ];

    it('is not repeated by default', () =>
      expect(operations(entries).map(({ pause }) => pause)).to.deep.equal([
        undefined,
        undefined,
        undefined,
        undefined,
      ]));

    it('with harTiming, pauses last from the end of a request to the start of the next one; parallel ones have none', () =>
      expect(operations(entries, { timing: true }).map(({ pause }) => pause)).to.deep.equal([
        70,
        undefined,
        1000,
        undefined,
      ]));

    it('needs the start of every request', () => {
      const [first, ...others] = entries;
      const { problems } = read(recording({ ...first, startedDateTime: 'soon' }, ...others), { timing: true });
      expect(problems).to.deep.equal([
        'log.entries[0].startedDateTime: is not a time: --har-timing needs the start of every request',
      ]);
    });
  });

  describe('bodies', () => {
    const bodyOf = (postData, request = {}) => {
      const [{ body, formData, headers }] = operations([recorded(`POST ${SHOP}/`, { postData, ...request })]);
      return { body: body && String(body), formData, type: headers['Content-Type'] ?? headers['content-type'] };
    };

    for (const [what, postData, expected] of [
      ['text', { mimeType: 'text/plain', text: 'ü' }, { body: 'ü', type: 'text/plain' }],
      ['text that looks like a token', { mimeType: 'a/b', text: '#{INDEX}' }, { body: '#{INDEX}', type: 'a/b' }],
      ['base64', { mimeType: 'a/b', text: 'w7w= ', encoding: 'base64' }, { body: 'ü', type: 'a/b' }],
      [
        'the text, if there are parameters too',
        { mimeType: 'x/y', text: 'a=1', params: fields({ b: '2' }) },
        { body: 'a=1', type: 'x/y' },
      ],
      [
        'parameters of a form',
        { mimeType: 'application/x-www-form-urlencoded', params: [...fields({ 'a b': '&', d: null }), { name: 'c' }] },
        { body: 'a+b=%26&d=&c=', type: 'application/x-www-form-urlencoded' },
      ],
      [
        'parameters without a type',
        { params: fields({ a: '1' }) },
        { body: 'a=1', type: 'application/x-www-form-urlencoded' },
      ],
      ['nothing, as Firefox records GET', { mimeType: '', params: [], text: '' }, {}],
      ['nothing, of a program that writes null', { mimeType: '', params: null }, {}],
      ['null', null, {}],
      ['a type that no field can carry', { mimeType: 'a\r\nb', text: 'x' }, { body: 'x' }],
    ]) {
      it(`${what}`, () => {
        const { body, formData, type } = bodyOf(postData);
        expect({ body, formData, type }).to.deep.equal({
          body: undefined,
          formData: undefined,
          type: undefined,
          ...expected,
        });
      });
    }

    it('the recorded Content-Type wins over mimeType', () =>
      expect(bodyOf({ mimeType: 'a/b', text: 'x' }, { headers: fields({ 'content-type': 'c/d' }) }).type).to.equal(
        'c/d',
      ));

    it('parts of a form get a new boundary; a file has the recorded content, a name and a type', () => {
      const params = [
        { name: 'a', value: '1' },
        { name: 'a', value: '#{INDEX}' },
        { name: 'f', value: 'text', fileName: '/etc/passwd', contentType: 'text/plain' },
        { name: 'g', fileName: 'empty.png' },
      ];
      const headers = fields({ 'Content-Type': 'multipart/form-data; boundary=old' });
      const { formData, type } = bodyOf({ mimeType: 'multipart/form-data; boundary=old', params }, { headers });
      expect(type).to.equal(undefined);
      expect(formData).to.deep.equal({
        a: [{ value: '1' }, { value: Buffer.from('#{INDEX}') }],
        f: [{ value: 'text', filename: '/etc/passwd', contentType: 'text/plain' }],
        g: [{ value: '', filename: 'empty.png' }],
      });
    });

    it('a body of Firefox is without the fields of its upload stream', () => {
      const text = 'Content-Type: a/b\r\nContent-Length: 1\r\n\r\nx';
      const headers = [...fields({ 'Content-Type': 'a/b' }), ...fields({ 'Content-Type': 'a/b' })];
      expect(bodyOf({ mimeType: 'a/b', params: [], text }, { headers })).to.include({ body: 'x', type: 'a/b' });
    });

    it('a body that was not recorded is not sent, counted and named', () => {
      const { flow, notices } = read(recording(recorded(`POST ${SHOP}/`, { bodySize: 12 })));
      expect(flow.main[0]).to.not.have.any.keys('body', 'formData');
      expect(notices[0]).to.include(
        '\n  1 bodies that are not in the recording; their requests are sent without them: log.entries[0]',
      );
    });
  });
});
