import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { expect } from 'chai';

import { freePort } from '../../../lib/addons/server/run-with-server.js';
import { DOOR } from '../../../lib/core/ground/join-addon.js';
import { command, spawned } from '../../support/command.js';
import { blocksOf, textOf } from '../../support/documents.js';
import { inFolder, linkPackage } from '../../support/in-folder.js';
import { itSlow } from '../../support/slow.js';

const FILES = ['addon.mjs', 'package.json', 'flow.yaml', 'server.mjs'];
const WROTE = FILES.map((name) => `wrote ${name}\n`).join('');

/** Runs a story while the server of a folder listens. */
async function served(cwd, port, story) {
  const server = spawn(process.execPath, ['server.mjs', String(port)], { cwd, stdio: 'ignore' });
  try {
    for (let isOpen = false; !isOpen && server.exitCode === null; await wait(20)) {
      const socket = connect(port, 'localhost');
      isOpen = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      socket.destroy();
    }
    return await story();
  } finally {
    server.kill();
  }
}

/** Writes an add-on into a folder with files, and runs its flow and the command of the guide. */
const runsIn = (files) =>
  inFolder(async (cwd) => {
    const { stdout } = await spawned(['init', '--addon'], { cwd });
    expect(stdout.replace('left alone: package.json exists', 'wrote package.json').startsWith(WROTE)).to.equal(true);
    const hasPackage = 'package.json' in files;
    expect(stdout).to.match(hasPackage ? /^ {2}npm install --save-dev bench-rest/m : /^ {2}npm install {2}/m);
    const [, line] = /^ {2}npx bench-rest (.*flow\.yaml) /m.exec(stdout);
    linkPackage(cwd);
    const port = await freePort();
    const flow = readFileSync(join(cwd, 'flow.yaml'), 'utf8').replace('7000', String(port));
    writeFileSync(join(cwd, 'flow.yaml'), flow);
    writeFileSync(join(cwd, 'wrong.yaml'), flow.replace('ping', 'pang'));
    await served(cwd, port, async () => {
      const args = [...line.replace('-n 1000', '-n 20').split(' '), '--json'];
      const run = await spawned(args, { cwd });
      expect(run.code, run.stderr).to.equal(0);
      expect(JSON.parse(run.stdout).checks.details[0]).to.include({ name: 'reply pong', passed: 20 });
      const [, ofGuide] = /`bench-rest --addon \.\/line\.mjs (.*):7000`/.exec(textOf('docs/guide/addons.md'));
      const direct = `${ofGuide}:${port}`.replace('-n 1000', '-n 20').split(' ');
      const alone = await spawned(['--addon', './addon.mjs', ...direct], { cwd });
      expect(alone.code, alone.stderr).to.equal(0);
      const wrong = await spawned([...args.slice(0, -2), 'wrong.yaml', '--json'], { cwd });
      expect(JSON.parse(wrong.stdout).errors.details[0]).to.include({ code: 'E_LINE', count: 20 });
    });
  }, files);

describe('bench-rest init --addon', () => {
  for (const [what, files] of [
    ['a new folder', {}],
    ['a package whose type is commonjs', { 'package.json': '{ "type": "commonjs" }' }],
  ])
    itSlow(`writes into ${what} an add-on that runs at once, with its check and its error`, () => runsIn(files));

  it('writes a package that names the version of the door, and this bench-rest', () =>
    inFolder(async (cwd) => {
      await command(['init', '--addon'], { cwd });
      const { keywords, exports } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
      expect(keywords).to.include(`bench-rest-door-${DOOR}`);
      expect(exports).to.equal('./addon.mjs');
      expect(readFileSync(join(cwd, 'addon.mjs'), 'utf8')).to.include(`door: ${DOOR},`);
    }));

  it('writes the add-on that the guide builds, and prints its command', () =>
    inFolder(async (cwd) => {
      const blocks = blocksOf(textOf('docs/guide/addons.md'));
      const { stdout } = await command(['init', '--addon'], { cwd });
      const steps = blocks.filter(({ kind }) => kind === 'imported').map(({ code }) => code);
      expect(steps.join('\n')).to.equal(readFileSync(join(cwd, 'addon.mjs'), 'utf8'));
      const [, line] = /^ {2}(npx bench-rest .*flow\.yaml) /m.exec(stdout);
      expect(textOf('docs/guide/addons.md')).to.include(`\`${line}\``);
    }));

  it('overwrites nothing, and is refused beside flags of a flow', () =>
    inFolder(
      async (cwd) => {
        const { code, stdout } = await command(['init', '--addon'], { cwd });
        expect(code).to.equal(2);
        expect(stdout).to.include('left alone: package.json exists\n');
        expect(readFileSync(join(cwd, 'package.json'), 'utf8')).to.equal('{}');
        const refused = await command(['init', '--addon', '--workflow'], { cwd });
        expect(refused.stderr).to.include("option '--addon' cannot be used with option '--workflow'");
      },
      { 'package.json': '{}' },
    ));
});
