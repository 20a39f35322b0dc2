import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { expect } from 'chai';

import { PROGRAM } from '../support/command.js';

describe('A84 code of a flow that posts messages to the thread that runs it', () => {
  let cwd;
  before(() => (cwd = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  after(() => rmSync(cwd, { recursive: true }));

  for (const [posted, args] of [
    ["'hi'", []],
    ['null', []],
    ["{ type: 'done' }", ['--workers', '1']],
    ["{ type: 'planned' }", []],
    ["{ type: 'ended', stats: {}, why: 'completed', exitCode: 0 }", []],
    ["{ type: 'report' }", ['--workers', '1']],
    ['null', ['--workers', '1']],
  ])
    it(`ends the run with that reason: ${[posted, ...args].join(' ')}`, async () => {
      const flow = [
        "import { parentPort } from 'node:worker_threads';",
        `export default { main: [{ get: '/', afterHooks: [() => parentPort.postMessage(${posted})] }] };`,
      ].join('\n');
      writeFileSync(join(cwd, 'flow.mjs'), flow);
      const child = spawn(process.execPath, [PROGRAM, '--serve', '-n', '500', '-c', '1', ...args, 'flow.mjs'], { cwd });
      const exited = new Promise((resolve) => child.once('close', resolve));
      const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
      const printed = (stdout + stderr).replace(/\s+/g, ' ');
      expect(printed).to.include('code of the flow posted a message to parentPort');
      expect(printed).not.to.match(/TypeError|node:internal/);
      expect(code, stderr).to.equal(1);
    });
});
