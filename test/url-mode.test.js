import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../index.js';
import { command } from './support/command.js';
import { listen, shut } from './support/serve.js';
import { itSlow } from './support/slow.js';
import { NAMES } from './support/transports.js';

/** Runs `story(url, seen)` with a server that records each request: its line, its fields as they arrived, its body as latin1. */
async function recording(story) {
  const seen = [];
  const server = http.createServer(async (req, res) => {
    const chunks = [];
    for await (const chunk of req) chunks.push(chunk);
    const fields = req.rawHeaders.flatMap((name, i, all) =>
      i % 2 === 0 ? [`${name.toLowerCase()}: ${all[i + 1]}`] : [],
    );
    seen.push({
      line: `${req.method} ${req.url}`,
      fields: fields.filter((field) => !/^(host|connection: keep-alive|content-length)/.test(field)),
      length: req.headers['content-length'],
      body: Buffer.concat(chunks).toString('latin1'),
    });
    res.end('hello');
  });
  try {
    return await story(await listen(server), seen);
  } finally {
    await shut(server);
  }
}

describe('the request of a URL, described by options', () => {
  let folder;
  const at = (name) => join(folder, name);

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    writeFileSync(at('body.json'), '{"é":"#{INDEX}"}\n');
    writeFileSync(at('body.bin'), Buffer.from([0, 255, 10, 13]));
    writeFileSync(at('x.png'), 'PNG');
  });
  after(() => rmSync(folder, { recursive: true }));

  const rows = [
    [['-m', 'delete'], { line: 'DELETE /p', fields: [], body: '' }],
    [['--method', 'PURGE'], { line: 'PURGE /p' }],
    [['-b', 'héllo'], { line: 'POST /p', fields: [], length: '6', body: 'h\xc3\xa9llo' }],
    [['-b', ''], { line: 'POST /p', length: '0', body: '' }],
    [['-m', 'put', '-b', 'x#{INDEX}'], { line: 'PUT /p', body: 'x0' }],
    [['-b', '@@home'], { body: '@home' }],
    [() => ['-b', `@${at('body.bin')}`], { body: '\x00\xff\n\r', fields: ['content-type: application/octet-stream'] }],
    [
      () => ['-b', `@${at('body.json')}`],
      { line: 'POST /p', body: '{"\xc3\xa9":"#{INDEX}"}\n', fields: ['content-type: application/json'] },
    ],
    [() => ['-b', `@${at('body.json')}`, '-T', 'text/x'], { fields: ['content-type: text/x'] }],
    [['-b', '{}', '-T', 'json'], { fields: ['content-type: application/json'], body: '{}' }],
    [['-b', 'a=1&b=2', '-T', 'form'], { fields: ['content-type: application/x-www-form-urlencoded'], body: 'a=1&b=2' }],
    [['--data', '{}', '--contentType', 'application/json'], { fields: ['content-type: application/json'] }],
    [
      ['--method', 'POST', '--headers', 'content-type=application/json', '--body', '{ "hello": "world"}'],
      { line: 'POST /p', fields: ['content-type: application/json'], body: '{ "hello": "world"}' },
    ],
    [['-H', 'x-a=1=2', '-H', 'x-b: 3=4', '-H', 'x-c=5:6'], { fields: ['x-a: 1=2', 'x-b: 3=4', 'x-c: 5:6'] }],
    [['--keep-alive'], { fields: [] }],
    [['--no-keep-alive'], { fields: ['connection: close'] }],
  ];

  for (const httpClient of NAMES) {
    itSlow(`${httpClient} sends what each of the options says`, () =>
      recording(async (url, seen) => {
        for (const [args, expected] of rows) {
          seen.length = 0;
          const flags = typeof args === 'function' ? args() : args;
          const { code, stderr } = await command(['--http-client', httpClient, '--quiet', ...flags, `${url}/p`]);
          expect({ flags, code, stderr, seen }).to.deep.include({ code: 0, stderr: '' });
          expect(seen[0], flags.join(' ')).to.deep.include(expected);
        }
      }),
    );

    it(`${httpClient} sends a form with fields and files`, () =>
      recording(async (url, seen) => {
        const flags = [
          '-F',
          'name=v#{INDEX}',
          '-F',
          `f=@${at('x.png')}`,
          '-F',
          `f=@${at('x.png')};type=a/b;filename=y`,
        ];
        await command(['--http-client', httpClient, '--quiet', '-n', '2', '-c', '1', ...flags, url]);
        const [{ line, fields, body }, second] = seen;
        const [, boundary] = /^content-type: multipart\/form-data; boundary=(.*)$/.exec(fields[0]);
        expect(line).to.equal('POST /');
        const parts = (value) => [
          `--${boundary}`,
          'Content-Disposition: form-data; name="name"',
          '',
          value,
          `--${boundary}`,
          'Content-Disposition: form-data; name="f"; filename="x.png"',
          'Content-Type: image/png',
          '',
          'PNG',
          `--${boundary}`,
          'Content-Disposition: form-data; name="f"; filename="y"',
          'Content-Type: a/b',
          '',
          'PNG',
          `--${boundary}--`,
          '',
        ];
        expect(body.split('\r\n')).to.deep.equal(parts('v0'));
        expect(second.body.split('\r\n')).to.deep.equal(parts('v1'));
      }));

    it(`${httpClient} sends a body of { file } of an operation, with every method`, () =>
      recording(async (url, seen) => {
        const file = at('body.bin');
        const flow = [
          { put: url, body: { file } },
          { method: 'query', url, body: { file }, headers: { 'content-type': 'x/y' } },
        ];
        await benchrest(flow, { limit: 1, iterations: 1, httpClient });
        expect(seen.map(({ line, fields, body }) => [line, ...fields, body])).to.deep.equal([
          ['PUT /', 'content-type: application/octet-stream', '\x00\xff\n\r'],
          ['QUERY /', 'content-type: x/y', '\x00\xff\n\r'],
        ]);
      }));
  }

  it('works with pipelining, preallocation and workers', () =>
    recording(async (url, seen) => {
      const flags = ['-n', '20', '-c', '2', '-b', 'x', '-T', 'text', '--quiet', '--http-client', 'builtin'];
      expect((await command([...flags, '--pipelining', '2', url])).code).to.equal(0);
      expect((await command([...flags, '-b', 'x#{INDEX}', '-a', '20', '-w', '2', url])).code).to.equal(0);
      expect(seen).to.have.lengthOf(40);
      expect(new Set(seen.slice(0, 20).map(({ body }) => body))).to.deep.equal(new Set(['x']));
      expect(new Set(seen.slice(20).map(({ body }) => body))).to.have.property('size', 20);
    }));

  it('applies to the URL of -e, to a URL that is text in an array, and to the embedded target', () =>
    recording(async (url, seen) => {
      await command(['-b', 'x', '--quiet', '-e', `${url}/a`]);
      await command(['-b', 'y', '--quiet', '-e', `['${url}/b', '${url}/c']`]);
      expect(seen.map(({ line, body }) => `${line} ${body}`)).to.deep.equal(['POST /a x', 'POST /b y', 'POST /c y']);
      const { code, stdout } = await command([
        '--serve',
        '-m',
        'PUT',
        '-b',
        '{}',
        '-T',
        'json',
        '--json',
        '-e',
        "'/items/1'",
      ]);
      expect(code).to.equal(0);
      expect(JSON.parse(stdout).operations[0]).to.include({ name: 'PUT /items/1' });
    }));

  const refused = [
    [['-b', 'x', '-F', 'a=b'], /use either -b or -F: one request has one body/],
    [['-T', 'json', '-F', 'a=b'], /for an urlencoded form write -b 'a=1&b=2' -T form/],
    [['-m', '10s'], /Expected a method such as POST\. The time limit of a request is --timeout 10s/],
    [['-T', '2s'], /Expected a media type such as text\/plain, or json, form, text\. A time limit is --timeout/],
    [['-b', '@-'], /A body is not read from stdin/],
    [['-b', '@/none'], /flow\.main\[0\]\.body: \/none does not exist; check the path/],
    [['-F', 'a=@/none'], /flow\.main\[0\]\.formData\.a: \/none does not exist/],
    [['-F', 'a'], /Expected 'name=value'/],
    [['-H', 'x'], /Expected 'Name: value' or name=value/],
  ];
  for (const [flags, says] of refused) {
    it(`${flags.join(' ')} is refused before the run`, async () => {
      const { code, stderr } = await command([...flags, 'http://127.0.0.1:1/']);
      expect(stderr).to.match(says);
      expect(code).to.be.oneOf([2, 3]);
    });
  }

  it('is refused with a flow, which describes its requests itself', async () => {
    for (const flow of [['examples/put-get.js'], ['-e', '{ get: "http://127.0.0.1:1/" }']]) {
      const { code, stderr } = await command(['-m', 'PUT', ...flow]);
      expect(stderr).to.match(
        /describes its requests itself: -m, -b, -T, --expect-body and other flags of a request are for a URL/,
      );
      expect(code).to.equal(2);
    }
  });
});
