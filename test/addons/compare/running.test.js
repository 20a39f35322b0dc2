import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect } from 'chai';

import { openOutputs } from '../../../lib/core/cli/result/outputs.js';
import { RunView } from '../../../lib/core/cli/run/run-view.js';
import { command } from '../../support/command.js';
import { resultAt } from '../../support/literal-history.js';
import { until } from '../../support/until.js';

const START = {
  plan: {
    shape: '1 iteration',
    origins: [],
    proxies: [],
    operations: {},
    options: { limit: 1 },
    limits: { endMs: 1000 },
  },
  from: 'flow.js',
  hash: 'x',
  notices: [],
  hints: [],
};

describe('files of a run that goes on', () => {
  let folder;

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const at = (name) => join(folder, name);

  /** The state of a run after so many seconds. */
  const stateAt = (seconds) => {
    const { run: _run, outcome: _outcome, id: _id, endedAt: _endedAt, ...stats } = resultAt(0, 1);
    const ms = seconds * 1000;
    return { ...stats, measuredElapsed: ms, totalElapsed: ms };
  };

  const viewOf = (names) => {
    const files = names.map(at);
    const stream = () => new Writable({ write: (_chunk, _encoding, done) => done() });
    const io = { stdout: stream(), stderr: stream(), env: {}, cwd: () => folder };
    const request = { format: 'text', quiet: true, debug: false, outputs: files, version: '2' };
    const view = new RunView(request, { io, outputs: openOutputs(files, folder) });
    view.onBegin(START);
    return view;
  };

  it('are named as such by report and compare', async () => {
    viewOf(['a.json']).onState(stateAt(60));
    await until(() => existsSync(at('a.json')));
    const { code, stdout } = await command(['report', 'a.json'], { cwd: folder });
    expect(code).to.equal(100);
    expect(stdout.replaceAll(/\s+/g, ' ')).to.include(
      'A part of a run: it had not ended when this was written, 60.0 s',
    );
    writeFileSync(at('b.json'), JSON.stringify(resultAt(1, 1)));
    const compared = await command(['compare', 'a.json', 'b.json'], { cwd: folder });
    expect(compared.stdout.replaceAll(/\s+/g, ' ')).to.include('the run had not ended: this is its state after 60.0 s');
  });
});
