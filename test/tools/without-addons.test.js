import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
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
/** Imports of add-ons by the core that are still open: those add-ons cannot be removed yet. */
const OPEN = JSON.parse(readFileSync(join(ROOT, 'scripts/lint/open-arrows.json'), 'utf8'));
const bound = new Set(Object.values(OPEN).flat());

/** An add-on with those that work only beside it. */
function withDependents(name, all = new Set([name])) {
  for (const { name: other, needs = [] } of ADDONS)
    if (needs.includes(name) && !all.has(other)) withDependents(other, all.add(other));
  return all;
}

const removable = ADDONS.map(({ name }) => [...withDependents(name)]).filter(
  (all) => !all.some((one) => bound.has(one)),
);

describe('without an add-on', () => {
  it('at least five can be removed', () => expect(removable).to.have.lengthOf.at.least(5));

  for (const names of removable)
    it(`${names.join(', ')}: a URL and a flow run, and help and lists name no part of it`, () =>
      serving(ok, async (url) => {
        const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
        const node = async (...args) => (await run(process.execPath, args, { cwd: folder })).stdout;
        try {
          for (const path of ['lib', 'bin', 'index.js', 'package.json', '.prettierrc.json', 'scripts/addons.js'])
            cpSync(join(ROOT, path), join(folder, path), { recursive: true });
          symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
          for (const name of names) rmSync(join(folder, 'lib/addons', name), { recursive: true });
          await node('scripts/addons.js');
          expect(await node('bin/bench-rest.js', '-n', '5', url)).to.include('5 iterations');
          const flow = `{ main: [{ get: '${url}', expect: { status: 200 } }] }`;
          expect(await node('bin/bench-rest.js', '-n', '5', '-e', flow)).to.include('5 iterations');
          const facts = await Promise.all(names.map((name) => import(join(ROOT, `lib/addons/${name}/addon.js`))));
          const commands = facts.flatMap(({ ofCommand }) => ofCommand?.commands ?? []);
          expect(COMMANDS.map(({ about }) => about)).to.include.members(commands.map(({ about }) => about));
          const [help, list] = [
            await node('bin/bench-rest.js', '--help'),
            await node('bin/bench-rest.js', 'list', 'commands'),
          ];
          for (const { about } of commands) for (const text of [help, list]) expect(text).to.not.include(about);
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }));
});
