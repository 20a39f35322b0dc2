import { expect } from 'chai';

import { tooFewFiles } from '../../../../lib/cli/run/open-files.js';

describe('cli/run/open-files', () => {
  const rows = [
    [1000, 1024, /^1000 lanes.*only 1024 files.*ulimit -n 1064$/, 'the process needs some beside'],
    [300, 80, /^300 lanes.*only 80 files/, 'fewer than lanes'],
    [300, 1024, null, 'enough'],
    [300, Infinity, null, 'a system that does not say'],
  ];
  for (const [lanes, files, said, why] of rows) {
    it(`${lanes} lanes and ${files} files: ${why}`, () =>
      said
        ? expect(tooFewFiles(lanes, () => files)).to.match(said)
        : expect(tooFewFiles(lanes, () => files)).to.equal(null));
  }

  it('few lanes do not even ask', () =>
    expect(
      tooFewFiles(50, () => {
        throw new Error('asked');
      }),
    ).to.equal(null));

  it('the system is asked', () => expect(tooFewFiles(1e9)).to.match(/^1000000000 lanes/));
});
