import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { command, spawned } from '../support/command.js';
import { describeSlow } from '../support/slow.js';

describeSlow('A84 code of a flow that posts messages to the thread that runs it', () => {
  let cwd;
  before(() => (cwd = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  after(() => rmSync(cwd, { recursive: true }));

  for (const [posted, args, run = command] of [
    ["'hi'", []],
    // one in a process of its own, which must end
    ['null', [], spawned],
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
      const threads = { engine: 'thread', workers: 'thread' };
      const load = ['--serve', '-n', '500', '-c', '1'];
      const { stdout, stderr, code } = await run([...load, ...args, 'flow.mjs'], { cwd, ...threads });
      const printed = (stdout + stderr).replace(/\s+/g, ' ');
      expect(printed).to.include('code of the flow posted a message to parentPort');
      expect(printed).not.to.match(/TypeError|node:internal/);
      expect(code, stderr).to.equal(1);
    });
});
