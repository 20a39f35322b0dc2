import { expect } from 'chai';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadFlow } from '../../../lib/core/flow/source/load.js';

describe('flows that import bench-rest, where it is not installed', () => {
  let cwd = '';

  const write = async (name, text) => {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), text);
  };

  const load = (argument, options) => loadFlow({ argument }, { cwd, ...options });

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'load-flow-'));
  });

  afterEach(() => rm(cwd, { recursive: true, force: true }));

  it('get the package that runs them', async () => {
    await write(
      'flow.mjs',
      `import benchrest, { defineFlow } from 'bench-rest';
         import { startTarget } from 'bench-rest/target';
         export default defineFlow({ main: [benchrest.name, startTarget.name] });`,
    );
    expect((await load('flow.mjs')).flow).to.deep.equal({ main: ['benchrest', 'startTarget'] });
  });
});
