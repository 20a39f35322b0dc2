import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { readResult } from '../../../lib/addons/saved/read-result.js';
import { resultAt } from '../../support/literal-history.js';
import { START, stateAt, viewIn } from '../../support/run-views.js';
import { until } from '../../support/until.js';

describe('files of a run that goes on', () => {
  let folder;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name) => join(folder, name);

  const viewOf = (names) => viewIn(folder, names);
  const read = () => readResult('a.json', folder);

  it('are written after each minute, and say that they are a part of a run', async () => {
    const view = viewOf(['a.json', 'a.md']);
    view.onState(stateAt(59));
    view.onState(stateAt(61), 3);
    await until(() => existsSync(at('a.json')) && existsSync(at('a.md')));
    const one = read();
    expect([one.measuredElapsed, one.endedAt, one.run.endReason]).to.deep.equal([61_000, undefined, 'running']);
    expect(one.outcome.reasons.map(({ code }) => code)).to.include('interrupted');
    expect(one.validity.reasons.map(({ message }) => message)).to.include(
      'the run had not ended: this is its state after 61.0 s',
    );
    expect(one.requests.cancelled).to.equal(resultAt(0, 1).requests.cancelled + 3);
    expect(readFileSync(at('a.md'), 'utf8')).to.include('A part of a run');
    view.onState(stateAt(120));
    view.onState(stateAt(122));
    await until(() => read().measuredElapsed !== 61_000);
    expect([read().measuredElapsed, read().id]).to.deep.equal([122_000, one.id]);
  });

  it('outlive a process that is killed: at most a minute is lost', () => {
    const lib = (path) => JSON.stringify(new URL(`../../../lib/${path}`, import.meta.url).href);
    writeFileSync(
      at('program.mjs'),
      `import { existsSync } from 'node:fs';
      import { setTimeout } from 'node:timers/promises';
      import { openOutputs } from ${lib('core/cli/result/outputs.js')};
      import { RunView, planText } from ${lib('core/cli/run/run-view.js')};
      const stats = ${JSON.stringify(stateAt(60))};
      const { stdout, stderr, cwd } = process;
      const view = new RunView(
        { format: 'text', quiet: true, outputs: ['a.json'] },
        { io: { stdout, stderr, env: {}, cwd }, outputs: openOutputs(['a.json'], cwd()) },
      );
      view.onBegin(${JSON.stringify(START)});
      view.onState(stats);
      while (!existsSync('a.json')) await setTimeout(1);
      view.onState({ ...stats, measuredElapsed: 119_000 });
      process.kill(process.pid, 'SIGKILL');`,
    );
    const { signal } = spawnSync(process.execPath, ['program.mjs'], { cwd: folder, timeout: 60_000 });
    expect(signal).to.equal('SIGKILL');
    expect(read().measuredElapsed).to.equal(60_000);
  });
});
