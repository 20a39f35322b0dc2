import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

import { command } from '../../support/command.js';
import { resultAt } from '../../support/literal-history.js';
import { stateAt, viewIn } from '../../support/run-views.js';
import { until } from '../../support/until.js';

describe('files of a run that goes on', () => {
  let folder;

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const at = (name) => join(folder, name);

  it('are named as such by report and compare', async () => {
    viewIn(folder, ['a.json']).onState(stateAt(60));
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
