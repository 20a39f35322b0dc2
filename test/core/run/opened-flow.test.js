import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { openFlow } from '../../../lib/core/run/flow-source.js';

const FLOW = `export default ({ args }) => ({ main: [\`http://127.0.0.1:9/\${args.page}\`], data: { users: 'users.csv' } });`;

describe('a flow that is opened', () => {
  let cwd;
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    writeFileSync(join(cwd, 'flow.mjs'), FLOW);
    writeFileSync(join(cwd, 'users.csv'), 'name\nann\n');
  });
  afterEach(() => rmSync(cwd, { recursive: true }));

  it('a flow that is a function gets its arguments, and its code for data is loaded', async () => {
    const layers = [{ name: 'flags', options: { args: { page: 'a' } } }];
    const { raw, read, from, origin } = await openFlow({ argument: 'flow.mjs' }, layers, { cwd });
    expect(raw.main).to.deep.equal(['http://127.0.0.1:9/a']);
    expect([from, origin.folder]).to.deep.equal([join(cwd, 'flow.mjs'), cwd]);
    expect(read.isLoaded).to.equal(true);
    expect(
      read
        .openFeeders({})
        .all()
        .map(({ name }) => name),
    ).to.deep.equal(['users']);
  });

  it('the origin has what another thread needs to read the flow', async () => {
    const layers = [{ name: 'flags', options: { args: { page: 'b' } } }];
    const { origin } = await openFlow({ argument: 'flow.mjs' }, layers, { cwd });
    expect(origin.source).to.include({ argument: 'flow.mjs', cwd });
    expect(origin.source.args).to.deep.equal({ page: 'b' });
  });
});
