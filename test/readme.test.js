import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { EXIT_CODES } from '../lib/cli/exit-codes.js';
import { ERRORS } from '../lib/errors.js';
import { PROPERTIES } from '../lib/flow/operation.js';
import { HOOKS } from '../lib/hooks/index.js';
import { RUN_OPTIONS } from '../lib/run/options.js';
import { startTarget } from '../lib/target/server.js';
import { ROOT, command } from './support/command.js';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const blocks = [...README.matchAll(/^```(\w+) ?(\w*)\n(.*?)^```$/gms)].map(([, language, kind, text]) => ({
  language,
  kind,
  text,
}));
const ofKind = (kind) => blocks.filter((block) => block.kind === kind);
const run = promisify(execFile);

describe('the README', function () {
  this.timeout(60_000);
  let folder;
  let target;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(ROOT, join(folder, 'node_modules', 'bench-rest'), 'dir');
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    target = await startTarget();
  });
  after(async () => {
    await target.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const file = (name, text) => {
    writeFileSync(join(folder, name), text.replaceAll('http://localhost:8000', target.url));
    return join(folder, name);
  };

  for (const [i, { language, text }] of ofKind('flow').entries()) {
    it(`flow ${i + 1} (${language}) runs without errors`, async () => {
      const { code, stdout } = await command(['-n', '20', '--json', file(`flow${i}.${language}`, text)]);
      expect(JSON.parse(stdout).errors.samples).to.deep.equal([]);
      expect(code).to.equal(0);
    });
  }

  for (const { text } of ofKind('command')) {
    for (const line of text.trim().split('\n')) {
      it(line, async () => {
        file('flow.js', ofKind('flow')[0].text);
        const args = line
          .replaceAll('http://localhost:8000', target.url)
          .match(/"[^"]*"|'[^']*'|\S+/g)
          .slice(1);
        const { code, stdout } = await command(
          args.map((arg) => arg.replace(/^(["'])(.*)\1$/, '$2')),
          { cwd: folder },
        );
        expect(stdout)
          .to.match(/"count": 0|verdict|cannot be told/)
          .and.not.match(/^errors:/m);
        expect(code).to.equal(0);
      });
    }
  }

  it('the program runs', async () => {
    const { stdout, stderr } = await run(process.execPath, [file('program.js', ofKind('program')[0].text)], {
      cwd: folder,
    });
    expect(stderr).to.equal('');
    expect(stdout).to.match(/100 %, \d+ iterations\/s\n0 errors, p95 [\d.]+ ms\n$/);
  });

  it('the mocha test runs', async () => {
    const { stdout } = await run(
      process.execPath,
      [join(ROOT, 'node_modules/mocha/bin/mocha.js'), file('p95.test.js', ofKind('mocha')[0].text)],
      { cwd: folder },
    );
    expect(stdout).to.include('1 passing');
  });

  it('every block is of a kind that is tried here, or plain', () => {
    expect(new Set(blocks.map(({ kind }) => kind))).to.deep.equal(new Set(['', 'flow', 'command', 'program', 'mocha']));
    for (const { language } of ofKind('')) expect(language).to.be.oneOf(['sh', 'text']);
  });

  it('names every flag, hook, property, run option, error and exit code', async () => {
    const { stdout: help } = await command(['--help']);
    const flags = help.split('Examples:')[0].match(/--[a-z-]+/g);
    const names = [
      ...flags,
      ...HOOKS.map(({ name }) => name),
      ...Object.keys(PROPERTIES).filter((name) => name !== 'method'),
      ...RUN_OPTIONS.map(({ name }) => name),
      ...Object.keys(ERRORS),
    ];
    for (const name of names) expect(README, name).to.match(new RegExp(`\`[^\`\\n]*${name}\\b`));
    for (const { code, about } of Object.values(EXIT_CODES)) expect(README, about).to.include(`| ${code} |`);
  });

  it('leads to headings that are there', () => {
    const anchors = [...README.matchAll(/^#+ (.+)$/gm)].map(
      ([, title]) =>
        `#${title
          .toLowerCase()
          .replace(/[^\w\s-]/g, '')
          .replace(/ /g, '-')}`,
    );
    for (const [, link] of README.matchAll(/\]\((#[^)]+)\)/g)) expect(anchors).to.include(link);
  });
});
