import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { loadFlow } from '../../lib/core/flow/source/load.js';
import { command } from '../support/command.js';
import { fields, recorded, recording } from '../support/har.js';
import { scaled } from '../support/scale.js';
import { ok, serving } from '../support/serve.js';
import { itSlow } from '../support/slow.js';

const SHOP = 'https://shop.example';
const good = recorded(`GET ${SHOP}/`);
const text = (document) => JSON.stringify(document, null, 2);
const withRequest = (changes) => text(recording(good, recorded(`POST ${SHOP}/`, changes)));
const withEntry = (entry) => text(recording(good, entry));

/** What is broken, the file, and its message: line and column, the reason, the remedy. */
const BROKEN = [
  ['no JSON', '{ "log": { "version": "1.2", }', /x\.har:1:30: expected a key/],
  ['a file that is cut off', text(recording(good)).slice(0, 300), /x\.har:\d+:\d+: .*string is not closed|expected/],
  ['an empty file', '', /x\.har:1:1: expected a value/],
  ['no object', '5', /x\.har:1:1: log: is missing: this is no HAR recording; export the recording again/],
  ['an array', '[]', /x\.har:1:1: log: is missing/],
  ['no log', '{ "main": [] }', /x\.har:1:1: log: is missing/],
  ['a log that is a text', '{\n "log": "x" }', /x\.har:2:9: log: is missing/],
  [
    'another version',
    '{ "log": {\n  "version": "2.0", "entries": [] } }',
    /x\.har:2:14: log\.version: expected "1\.2" or "1\.1", got "2\.0"/,
  ],
  [
    'no entries',
    '{ "log": { "version": "1.2" } }',
    /x\.har:1:10: log\.entries: expected an array of requests, got undefined; export/,
  ],
  ['entries that are no array', '{ "log": { "entries": {} } }', /x\.har:1:23: log\.entries: expected an array/],
  [
    'empty entries',
    '{ "log": { "entries": [] } }',
    /x\.har:1:23: log\.entries: is empty: nothing was recorded; export/,
  ],
  [
    'an entry that is null',
    withEntry(null),
    /x\.har:\d+:7: log\.entries\[1\]: expected an object, got null; remove this entry/,
  ],
  [
    'an entry without a request',
    withEntry({ response: {} }),
    /log\.entries\[1\]\.request: expected an object, got undefined/,
  ],
  [
    'a request without a method',
    withEntry({ request: { url: SHOP } }),
    /\.request\.method: expected an HTTP method, got undefined/,
  ],
  ['a method with a line end', withRequest({ method: 'GET\r\nX: 1' }), /\.request\.method: expected an HTTP method/],
  [
    'a request without a URL',
    withEntry({ request: { method: 'GET' } }),
    /\.request\.url: expected a URL such as https:\/\/example\.com\//,
  ],
  ['a URL without a host', withRequest({ url: 'https://' }), /\.request\.url: expected a URL/],
  ['a relative URL', withRequest({ url: '/x' }), /\.request\.url: expected a URL .* got "\/x"/],
  [
    'headers that are an object',
    withRequest({ headers: { a: 'b' } }),
    /\.request\.headers: expected an array of \{ name, value \}/,
  ],
  [
    'a header without a name',
    withRequest({ headers: [{ value: 'x' }] }),
    /\.request\.headers\[0\]: expected \{ name, value \}/,
  ],
  ['a header that is null', withRequest({ headers: [null] }), /\.request\.headers\[0\]: expected/],
  [
    'bad base64',
    withRequest({ postData: { text: 'a!b', encoding: 'base64' } }),
    /x\.har:\d+:\d+: log\.entries\[1\]\.request\.postData\.text: is not base64/,
  ],
  [
    'base64 that is cut off',
    withRequest({ postData: { text: 'YWJjZ', encoding: 'base64' } }),
    /postData\.text: is not base64/,
  ],
  ['a body that is a text', withRequest({ postData: 'x' }), /\.request\.postData: expected an object, got a string/],
  ['parameters that are an object', withRequest({ postData: { params: {} } }), /postData\.params: expected an array/],
  [
    'parameters without names',
    withRequest({ postData: { params: [{ value: 1 }] } }),
    /postData\.params: expected an array/,
  ],
  [
    'a token in the name of a parameter',
    withRequest({ postData: { mimeType: 'multipart/form-data', params: fields({ '#{INDEX}': 'x' }) } }),
    /postData\.params\[0\]: has a token/,
  ],
  [
    'nothing that can be sent',
    text(recording(recorded('GET data:,x'))),
    /log\.entries: has no request that can be sent \(1 not HTTP/,
  ],
  ['a duplicate key', '{ "log": 1,\n  "log": 2 }', /x\.har:2:3: duplicate key "log"/],
  ['nesting', `{ "log": ${'['.repeat(100_000)}`, /nested deeper than 500 levels/],
];

describe('B14 HAR files', () => {
  let folder;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const file = (content, name = 'x.har') => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const failure = (content) =>
    loadFlow({ argument: file(content) }).then(
      () => expect.fail('the recording was accepted'),
      (error) => error,
    );

  for (const [what, content, message] of BROKEN) {
    it(`${what}: refused with line, column and remedy`, async () => {
      const error = await failure(content);
      expect(error.code).to.be.oneOf(['E_FLOW', 'E_FLOW_FILE']);
      expect(error.message).to.match(message);
      expect(error.message.length).to.be.below(20_000);
    });
  }

  it('the command ends with exit code 2 before the first request, and names all broken entries', async () => {
    const { code, stderr } = await command([file(text(recording(null, good, { request: 5 })))]);
    expect(code).to.equal(2);
    expect(stderr).to.match(/x\.har:\d+:\d+: log\.entries\[0\]: .*\n.*x\.har:\d+:\d+: log\.entries\[2\]\.request: /);
  });

  it('a .json file with a log that has no entries is recognized as a recording', async () => {
    const path = file('{ "log": { "version": "1.2", "creator": {} } }', 'y.json');
    const error = await loadFlow({ argument: path }).catch((thrown) => thrown);
    expect(error.message).to.match(/y\.json:1:10: log\.entries: expected an array/);
  });

  it('keys such as __proto__ change nothing', () =>
    serving(ok, async (baseUrl, seen) => {
      const entry = text(recording(recorded(`GET ${SHOP}/`, { headers: fields({ x: '1' }) })))
        .replace('"name": "x"', '"name": "__proto__"')
        .replace('"pages"', '"__proto__": { "polluted": 1 }, "constructor": 5, "pages"');
      const { stats } = await benchrest(file(entry), { baseUrl, limit: 1, iterations: 1 });
      expect(stats.errors.count).to.equal(0);
      expect(Object.hasOwn(seen[0].headers, '__proto__') || seen[0].line === 'GET /').to.equal(true);
      expect({}.polluted).to.equal(undefined);
    }));

  it('a cookie list and a Cookie field are sent once', () =>
    serving(ok, async (baseUrl, seen) => {
      const entry = recorded(`GET ${SHOP}/`, { headers: fields({ Cookie: 'a=1' }), cookies: fields({ a: '1' }) });
      await benchrest(file(text(recording(entry))), { baseUrl, limit: 1, iterations: 1, harCookies: true });
      expect(seen[0].headers.cookie).to.equal('a=1');
    }));

  itSlow('a recording of many megabytes is read, and 100 of its problems are reported', async () => {
    const count = scaled(2000, 20_000);
    const big = (entry) => ({ ...entry, response: { status: 200, content: { text: '<p>"x"</p>'.repeat(500) } } });
    const entries = Array.from({ length: count }, (_, i) => big(recorded(`GET ${SHOP}/${i}`, { at: i })));
    const { flow } = await loadFlow({ argument: file(JSON.stringify(recording(...entries))) });
    expect(flow.main).to.have.length(count);
    for (const entry of entries) delete entry.request;
    const { message, problems } = await failure(JSON.stringify(recording(...entries)));
    expect(problems).to.have.length(count);
    expect(message).to.match(/and \d+ more$/);
    expect(message.length).to.be.below(20_000);
  });

  it('X1 secrets of a recording are masked in every output', () =>
    serving(ok, async (url) => {
      const headers = fields({
        Authorization: 'Bearer CANARY1234',
        Cookie: 'session=CANARY1234',
        'X-Api-Key': 'CANARY1234',
      });
      const postData = { mimeType: 'application/json', text: '{"password":"CANARY1234"}' };
      const entry = recorded(`POST ${SHOP}/?token=CANARY1234`, { headers, postData });
      const bad = recorded(`POST ${SHOP}/`, { url: 'https://me:CANARY1234@/' });
      const path = file(text(recording(entry)));
      for (const args of [['--debug'], ['-n', '1', '--json'], ['-n', '1']]) {
        const { code, stdout, stderr } = await command([...args, '--har-cookies', '--base-url', url, path]);
        expect(code).to.equal(0);
        expect(stdout + stderr).to.not.include('CANARY');
      }
      expect((await failure(text(recording(bad)))).message).to.not.include('CANARY');
    }));
});

describe('X7 paths in recordings', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('no file that a recording names is read: its parameter is sent with the recorded content', () =>
    serving(ok, async (baseUrl, seen) => {
      writeFileSync(join(folder, 'secret.txt'), 'CANARY');
      const path = join(folder, 'secret.txt');
      const params = [
        { name: 'f', fileName: path, contentType: 'text/plain' },
        { name: 'g', value: path, fileName: '../../etc/passwd' },
        { name: 'h', value: { file: path } },
      ];
      const entries = [
        recorded(`POST ${SHOP}/1`, { postData: { mimeType: 'multipart/form-data', params } }),
        recorded(`POST ${SHOP}/2`, { at: 1, postData: { mimeType: 'a/b', _file: path, _sha1: 'x' }, bodySize: 6 }),
        recorded(`GET file://${path}`, { at: 2 }),
        recorded(`GET unix:${path}:/`, { at: 3 }),
      ];
      writeFileSync(join(folder, 'x.har'), text(recording(...entries)));
      const { stats } = await benchrest(join(folder, 'x.har'), { baseUrl, limit: 1, iterations: 1 });
      expect(stats.errors.count).to.equal(0);
      expect(seen.map(({ line }) => line)).to.deep.equal(['POST /1', 'POST /2']);
      expect(seen.map(({ body }) => body).join('')).to.not.include('CANARY');
    }));
});
