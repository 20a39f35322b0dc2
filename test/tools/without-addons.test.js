import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { ADDONS } from '../../lib/addons.js';
import { COMMANDS } from '../../lib/core/cli/commands/index.js';
import { ok, serving } from '../support/serve.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A program that prints the outputs of commands as a list: a process for each command would load all modules again. */
const PRINTED = `
import './lib/addons-of-command.js';
import { commandHere } from './test/support/command.js';
const texts = [];
for (const args of JSON.parse(process.argv[1])) texts.push((await commandHere(args)).stdout);
process.stdout.write(JSON.stringify(texts));`;

/** An add-on with those that work only beside it. */
function withDependents(name, all = new Set([name])) {
  for (const { name: other, needs = [] } of ADDONS)
    if (needs.includes(name) && !all.has(other)) withDependents(other, all.add(other));
  return all;
}

/** The names of add-ons that are removed together, as a text: many add-ons have the same group. */
const GROUPS = new Set(ADDONS.map(({ name }) => [...withDependents(name)].sort().join(', ')));

/** A copy of the checkout without some add-ons. @type {(names: string[], paths: string[]) => string} */
function copyWithout(names, paths) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
  for (const path of paths) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const name of names) rmSync(join(folder, 'lib/addons', name), { recursive: true });
  return folder;
}

describe('without any add-on', () => {
  // beside other tests, those of the core take minutes
  it('the tests of the core pass, and a URL runs with help', function () {
    this.timeout(600_000);
    return serving(ok, async (url) => {
      const left = ['.git', 'node_modules', 'bench', 'site', 'cjs', 'types'];
      const paths = readdirSync(ROOT).filter((path) => !left.includes(path));
      const folder = copyWithout(
        ADDONS.map(({ name }) => name),
        paths,
      );
      const node = async (...args) =>
        (await run(process.execPath, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 })).stdout;
      try {
        rmSync(join(folder, 'test/addons'), { recursive: true });
        await node('scripts/addons.js');
        expect(await node('bin/bench-rest.js', '-n', '5', url)).to.include('5 iterations');
        expect(await node('bin/bench-rest.js', '-w', '2', '-r', '20', '-t', '1s', url)).to.include('20 iterations');
        expect(await node('bin/bench-rest.js', '--help-all')).to.include('Exit codes:');
        const mocha = join('node_modules', 'mocha', 'bin', 'mocha.js');
        const args = [mocha, '--parallel', '--jobs', '2', '--reporter', 'json', 'test/core/**/*.test.js'];
        // a failure of a test ends mocha with an error, whose stdout has the reason
        const printed = await node(...args).catch(({ stdout }) => stdout);
        const { stats, failures } = JSON.parse(printed.replace(/^[^]*?(?=^\{)/m, ''));
        expect(failures.map(({ fullTitle, err }) => `${fullTitle}: ${err.message}`)).to.eql([]);
        expect(stats.passes).to.be.above(5000);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  });
});

describe('without an add-on', () => {
  for (const group of GROUPS)
    it(`${group}: a URL and a flow run, and help and lists name no part of it`, () =>
      serving(ok, async (url) => {
        const names = group.split(', ');
        const folder = copyWithout(names, [
          'lib',
          'bin',
          'index.js',
          'package.json',
          '.prettierrc.json',
          'scripts/addons.js',
          'test/support',
        ]);
        const node = async (...args) => (await run(process.execPath, args, { cwd: folder })).stdout;
        try {
          await node('scripts/addons.js');
          expect(await node('bin/bench-rest.js', '-n', '5', url)).to.include('5 iterations');
          const facts = await Promise.all(names.map((name) => import(join(ROOT, `lib/addons/${name}/addon.js`))));
          const commands = facts.flatMap(({ ofCommand }) => ofCommand?.commands ?? []);
          expect(COMMANDS.map(({ name }) => name)).to.include.members(commands.map(({ name }) => name));
          const flow = `{ main: [{ get: '${url}', expect: { status: 200 } }] }`;
          const lists = names.includes('lists') ? [] : [['list', 'commands']];
          const all = JSON.stringify([['-n', '5', '-e', flow], ['--help-all'], ...lists]);
          const [report, ...texts] = JSON.parse(await node('--input-type=module', '-e', PRINTED, all));
          expect(report).to.include('5 iterations');
          expect(texts[0]).to.include('Exit codes:');
          for (const { about } of commands) for (const text of texts) expect(text).to.not.include(about);
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }));

  it('those that need it are named', async () => {
    const folder = copyWithout(['streams'], ['lib', 'package.json', '.prettierrc.json', 'scripts/addons.js']);
    try {
      const { stderr } = await run(process.execPath, ['scripts/addons.js'], { cwd: folder }).catch((error) => error);
      expect(stderr).to.include('lib/addons/grpc/addon.js: needs streams, which is gone: delete lib/addons/grpc, too');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
