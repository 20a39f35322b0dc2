import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../../../../index.js';
import { flowOf } from '../../../../lib/addons/import/draft.js';
import { read } from '../../../../lib/addons/import/curl/index.js';
import { listen, shut } from '../../../support/serve.js';
import { itSlow } from '../../../support/slow.js';
import { CURL_ROWS } from './curl-rows.js';

const FILES = {
  'body.txt': 'name=from a file',
  '..body.txt': 'a=1',
  'lines.txt': 'a=1\r\n&b=2\n',
  'body.json': '{"a": 1}',
  'bytes.bin': Buffer.from([0, 255, 1, 254, 10, 13]),
};
/** The oldest one with --json is 7.82. */
const HAS_CURL = /^curl (7\.8[2-9]|[89]\.)/.test(String(spawnSync('curl', ['--version']).stdout));
/** Fields that each client has of its own, unless the command sets them. */
const OWN = {
  'user-agent': /^curl\//,
  accept: /^\*\/\*$/,
  'accept-encoding': /^(deflate, gzip|gzip, deflate)/,
  expect: /^100-continue$/,
};

/** What the server receives, without the fields of the client and the boundary of a multipart body. */
function received({ method, url, rawHeaders }, body) {
  const fields = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name, value] = [rawHeaders[i].toLowerCase(), rawHeaders[i + 1]];
    const isOwn =
      OWN[name]?.test(value) || name === 'content-length' || (name === 'connection' && value === 'keep-alive');
    // curl joins the cookies of several -b without a space
    const joined = name === 'cookie' ? value.replace(/;(?! )/g, '; ') : value;
    if (!isOwn) fields.push(`${name}: ${joined}`);
  }
  const text = body.toString('latin1');
  const boundary = /boundary=(\S+)/.exec(fields.join('\n'))?.[1];
  const plain = (one) => (boundary === undefined ? one : one.replaceAll(boundary, 'BOUNDARY'));
  return { line: `${method} ${url}`, fields: fields.map(plain).sort(), body: plain(text) };
}

describe('import/curl', () => {
  let folder;
  let server;
  let url;
  let seen = [];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    for (const [name, content] of Object.entries(FILES)) writeFileSync(join(folder, name), content);
    server = http.createServer(async (request, response) => {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      seen.push(received(request, Buffer.concat(chunks)));
      response.end('ok');
    });
    url = await listen(server);
  });
  after(async () => {
    await shut(server);
    rmSync(folder, { recursive: true, force: true });
  });

  const byCurl = (line) =>
    new Promise((resolve, reject) => {
      seen = [];
      const child = spawn('bash', ['-c', line], { cwd: folder, stdio: 'ignore' });
      child.on('error', reject);
      child.on('close', () => resolve(seen));
    });
  const imported = (line, options) =>
    read(line, { from: '-e', folder, flowFolder: process.cwd(), keepSecrets: true, ...options });
  const byFlow = async (line) => {
    const draft = imported(line);
    seen = [];
    const { stats } = await benchrest(flowOf(draft), { iterations: 1, limit: 1, quiet: true });
    // The server answers a query of GraphQL with a text.
    const others = stats.errors.details.filter(({ kind }) => kind !== 'graphql');
    expect(others, JSON.stringify(draft.phases.main)).to.deep.equal([]);
    return seen;
  };

  it('a user without a password has that of the environment', () => {
    const { phases, environment } = imported('curl -u joe http://localhost/', { keepSecrets: false });
    expect(phases.main[0].operation.auth).to.deep.equal({ user: 'joe', pass: '#{env.PASSWORD}' });
    expect(environment.map(({ name }) => name)).to.deep.equal(['PASSWORD']);
  });

  it('variables in the name of an upload and in the user of a proxy are read from the environment', () => {
    const { phases } = imported('curl -T "$FILE" http://localhost/up/ -x localhost:1 -U "$NAME:$PASS"');
    expect(phases.main[0].operation).to.include({
      put: '/up/#{env.FILE}',
      proxy: 'http://#{env.NAME}:#{env.PASS}@localhost:1',
    });
  });

  it('a range that runs backwards is named', () => {
    const { phases, skipped } = imported("curl 'http://localhost/[3-1]' 'http://localhost/[a-Z]' http://localhost/a");
    expect(phases.main).to.have.length(1);
    expect(skipped.map(({ why }) => why).join()).to.match(/runs backwards.*runs backwards/);
  });

  it('a list within a list is named, unless -g sends its braces', () => {
    const { phases, skipped } = imported(
      "curl 'http://{a,{b,c}}:81/' 'http://localhost/{a,[1-2]}' 'http://localhost/{a,b}'; curl -g 'http://localhost/{{}'",
    );
    expect(phases.main.map(({ operation }) => operation.get)).to.deep.equal(['/a', '/b', '/{{}']);
    expect(skipped.map(({ why }) => why).join()).to.match(/within a list.*within a list/);
  });

  it('limits of 0 are none, others that are no time are named, and a proxy has the port of curl', () => {
    const { phases } = imported('curl -m 0 --connect-timeout 5s -x https://proxy.test http://localhost/');
    const [{ operation, comments }] = phases.main;
    expect(operation).to.include({ timeout: 0, proxy: 'https://proxy.test:443' });
    expect(comments.join()).to.contain('--connect-timeout 5s is not a number of seconds');
  });

  it('-G reads a file in the folder of the script', () =>
    expect(flowOf(imported('curl -G --data-urlencode q@body.txt http://localhost/')).main[0].get).to.equal(
      '/?q=name%3Dfrom+a+file',
    ));

  it('bytes that are no text are named, and so is a file outside of the folder', () => {
    const { skipped, dialectNotes } = imported(
      `curl http://localhost/a -d $'geheim\\xff'\ncurl http://localhost/ -d a=1 -d @${process.cwd()}/package.json -d @..body.txt`,
    );
    expect(skipped).to.have.length(1);
    expect(skipped[0].why).to.match(/bytes of a \$'…' are not text/);
    expect(dialectNotes.join()).to.match(/package.json, which is outside of the folder, is in the flow/);
    expect(dialectNotes.join()).not.to.match(/\.\.body/);
  });

  for (const row of CURL_ROWS) {
    itSlow(`sends what curl sends: ${row.replace(/\s+/g, ' ').slice(0, 110)}`, async function () {
      if (!HAS_CURL) return this.skip();
      const line = row.replaceAll('URL', url).replaceAll('PORT', new URL(url).port);
      const expected = await byCurl(line.replaceAll(/\bcurl /g, 'curl -s '));
      expect(expected.length).to.be.at.least(1);
      expect(await byFlow(line)).to.deep.equal(expected);
    });
  }
});
