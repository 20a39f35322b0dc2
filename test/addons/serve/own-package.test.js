import { expect } from 'chai';

import { loadFlow } from '../../../lib/core/flow/source/load.js';
import { inFolder } from '../../support/in-folder.js';

describe('flows that import bench-rest, where it is not installed', () => {
  it('get the package that runs them', () =>
    inFolder(
      async (cwd) =>
        expect((await loadFlow({ argument: 'flow.mjs' }, { cwd })).flow).to.deep.equal({
          main: ['benchrest', 'startTarget'],
        }),
      {
        'flow.mjs': `import benchrest, { defineFlow } from 'bench-rest';
          import { startTarget } from 'bench-rest/target';
          export default defineFlow({ main: [benchrest.name, startTarget.name] });`,
      },
    ));
});
