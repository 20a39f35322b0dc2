import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { commandHere, ROOT } from '../support/command.js';
import { listen, shut } from '../support/serve.js';

const PEERS = join(ROOT, 'bench/node_modules');

/** The fields in which requests of other tools differ from ours: those that they alone send, and we alone send. */
const KNOWN = {
  // what HTTP/1.1 means without it
  autocannon: { theirs: [/^connection: keep-alive$/], ours: [] },
  loadtest: {
    theirs: [/^accept: \*\/\*$/, /^connection: close$/, /^transfer-encoding: chunked$/, /^user-agent: loadtest\//],
    ours: [/^content-length: /],
  },
};

/** Boundaries are chosen at random, and have other lengths: so has the body. */
const BOUNDARY = /boundary=(\S+)/;

/** The commands of the guide: blocks of lines, one for each tool. */
const BLOCKS = [...readFileSync(join(ROOT, 'docs/guide/url-mode.md'), 'utf8').matchAll(/^```sh tools\n(.*?)^```$/gms)]
  .map(([, code]) => code.trim().split('\n'))
  .map((lines) => Object.fromEntries(lines.map((line) => [line.split(' ')[0], line])));

/** Words of a command of one request, without the quotes of the shell. */
function argumentsOf(line, url) {
  return line
    .replace(/ -(n|a) 1000 -c 50 /, ' -$1 1 -c 1 ')
    .replace('http://localhost:8000', url)
    .match(/'[^']*'|\S+/g)
    .slice(1)
    .map((word) => word.replace(/^'(.*)'$/, '$1'));
}

async function recording(story) {
  const seen = [];
  const server = http.createServer(async (req, res) => {
    const chunks = [];
    for await (const chunk of req) chunks.push(chunk);
    const boundary = BOUNDARY.exec(req.headers['content-type'])?.[1];
    const plain = (text) => (boundary ? text.replaceAll(boundary, 'BOUNDARY') : text);
    const fields = req.rawHeaders.flatMap((name, i, all) =>
      i % 2 === 0 && !(boundary && /^content-length$/i.test(name)) ? [`${name.toLowerCase()}: ${all[i + 1]}`] : [],
    );
    seen.push({
      line: `${req.method} ${req.url}`,
      fields: fields.map(plain).sort(),
      body: plain(Buffer.concat(chunks).toString('latin1')),
    });
    res.end('ok');
  });
  try {
    return await story(await listen(server), seen);
  } finally {
    await shut(server);
  }
}

/** Runs a tool of bench/ to its end. */
async function tool(name, args, cwd) {
  const child = spawn(process.execPath, [join(PEERS, '.bin', name), ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code, stderr).to.equal(0);
}

const without = (some, others) => some.filter((field) => !others.includes(field));
/** Known differences that a request had. */
const met = new Set();

function isKnown(field, known) {
  const found = known.find((one) => one.test(field));
  if (found) met.add(found);
  return found !== undefined;
}

describe('the first commands of other tools', () => {
  let folder;

  before(() => {
    if (!existsSync(PEERS))
      throw new Error('these tests need autocannon and loadtest: npm install --prefix bench --ignore-scripts');
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    writeFileSync(join(folder, 'photo.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 13, 10]));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('are in the guide: GET, JSON, two forms, header and cookie', () => expect(BLOCKS).to.have.lengthOf(5));

  for (const { 'bench-rest': ours, ...others } of BLOCKS) {
    for (const [name, line] of Object.entries(others).filter(([one]) => Object.hasOwn(KNOWN, one))) {
      it(`${line} sends what ${ours} sends`, () =>
        recording(async (url, seen) => {
          await tool(name, argumentsOf(line, url), folder);
          const { code, stderr } = await commandHere(argumentsOf(ours, url), { cwd: folder });
          expect(code, stderr).to.equal(0);
          expect(seen).to.have.lengthOf(2);
          const [theirs, own] = seen;
          expect([own.line, own.body]).to.deep.equal([theirs.line, theirs.body]);
          const known = KNOWN[name];
          const more = without(theirs.fields, own.fields).filter((field) => !isKnown(field, known.theirs));
          const less = without(own.fields, theirs.fields).filter((field) => !isKnown(field, known.ours));
          expect({ more, less }).to.deep.equal({ more: [], less: [] });
        }));
    }
  }

  it('differ in every way that is known', () => {
    const all = Object.values(KNOWN).flatMap(({ theirs, ours }) => [...theirs, ...ours]);
    expect(all.filter((one) => !met.has(one))).to.deep.equal([]);
  });
});
