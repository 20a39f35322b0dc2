import { expect } from 'chai';

import { tooFewFiles } from '../../../../lib/cli/run/open-files.js';

describe('cli/run/open-files', () => {
  const rows = [
    [
      1000,
      1024,
      /^1000 virtual users need 1064 open files.*limit is 1024.*ulimit -n 1064$/,
      'the process needs files besides connections',
    ],
    [300, 80, /^300 virtual users.*limit is 80:/, 'there are fewer files than virtual users'],
    [300, 1024, null, 'enough'],
    [300, Infinity, null, 'the limit is unknown'],
  ];
  for (const [lanes, files, said, why] of rows) {
    it(`${lanes} virtual users and ${files} files: ${why}`, () =>
      said
        ? expect(tooFewFiles(lanes, () => files)).to.match(said)
        : expect(tooFewFiles(lanes, () => files)).to.equal(null));
  }

  it('the limit is not read for few virtual users', () =>
    expect(
      tooFewFiles(50, () => {
        throw new Error('the limit was read');
      }),
    ).to.equal(null));

  it('the limit of the system is read', () => expect(tooFewFiles(1e9)).to.match(/^1000000000 virtual users/));
});
