import { expect } from 'chai';

import { tooFewFiles } from '../../../../lib/cli/run/open-files.js';

describe('cli/run/open-files', () => {
  const rows = [
    [1000, 1024, /^1000 lanes.*only 1024 files.*ulimit -n 1064$/, 'the process needs files besides connections'],
    [300, 80, /^300 lanes.*only 80 files/, 'there are fewer files than lanes'],
    [300, 1024, null, 'enough'],
    [300, Infinity, null, 'the limit is unknown'],
  ];
  for (const [lanes, files, said, why] of rows) {
    it(`${lanes} lanes and ${files} files: ${why}`, () =>
      said
        ? expect(tooFewFiles(lanes, () => files)).to.match(said)
        : expect(tooFewFiles(lanes, () => files)).to.equal(null));
  }

  it('the limit is not read for few lanes', () =>
    expect(
      tooFewFiles(50, () => {
        throw new Error('asked');
      }),
    ).to.equal(null));

  it('the limit of the system is read', () => expect(tooFewFiles(1e9)).to.match(/^1000000000 lanes/));
});
