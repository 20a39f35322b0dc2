import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { mergedResult } from '../../../lib/addons/merge/merge-results.js';
import { readResult } from '../../../lib/addons/saved/read-result.js';
import { resultSaver } from '../../../lib/addons/agents/run-agent.js';
import { soleGenerator } from '../../../lib/core/measure/load-generators.js';
import { checkRun } from '../../../lib/addons/agents/submission.js';
import { stateOf } from '../../support/shard-reports.js';

describe('the result of a shard that an agent saves', () => {
  let folder;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  after(() => rmSync(folder, { recursive: true }));

  const save = async (number, notices = []) => {
    const options = {
      duration: 10_000,
      limit: 30,
      rate: 30,
      shard: { number, of: number > 3 ? 9 : 3 },
      runId: 'r1',
      log: `${number}.csv`,
    };
    const { begun } = await checkRun(
      { urls: ['http://127.0.0.1:1/'] },
      { cwd: folder, config: { name: 'c', options: {} }, commandLine: [{ name: 'f', options }], agents: 3 },
    );
    begun.plan = { ...begun.plan, options, shard: options.shard, runId: 'r1' };
    const stats = {
      ...stateOf(Array(50).fill(1), { isOver: true, planned: 50, plannedMs: 5000 }),
      measuredAt: '2026-01-01T00:00:00.000Z',
      id: `${number}`,
      loadGenerators: [soleGenerator({ shard: options.shard, workers: 1 })],
    };
    const saver = resultSaver({ cwd: folder, notify: (text) => notices.push(text) });
    return saver({ run: 'r1', number }, { begun, stats, why: 'queue' });
  };

  it('A95 the results that agents saved are merged, and what they did not run is missing', async () => {
    const paths = [await save(1), await save(2), await save(3)];
    expect(paths[0]).to.equal(join(folder, 'bench-rest-r1-1.json'));
    const results = paths.map((path) => readResult(path, folder));
    const result = mergedResult(results, paths);
    expect(result.iterations).to.include({ started: 150, missing: 150 });
    expect(result.run).to.include({ endReason: 'queue', id: 'r1' });
    expect(readFileSync(paths[0], 'utf8')).not.to.include('1.csv');
  });

  it('a file that is there is not replaced', async () => {
    writeFileSync(join(folder, 'bench-rest-r1-7.json'), 'mine');
    const notices = [];
    expect(await save(7, notices)).to.equal(null);
    expect(notices.join()).to.match(/cannot be written/);
    expect(readFileSync(join(folder, 'bench-rest-r1-7.json'), 'utf8')).to.equal('mine');
  });
});
