import { expect } from 'chai';

import { COMMANDS, likelyRuns } from '../../../../lib/core/cli/commands/index.js';
import { printsVersion } from '../../../../lib/core/cli/version.js';

describe('first look at the arguments', () => {
  for (const line of ['http://localhost/', './flow.js -n 5', '-n 5 flow.js', "-e [{get:'/'}]", '--serve /'])
    it(`${line}: likely a run`, () => expect(likelyRuns(line.split(' '))).to.equal(true));

  for (const line of ['', '--help', '-n 5 -h', '--version', 'flow.js --help'])
    it(`${JSON.stringify(line)}: no run`, () => expect(likelyRuns(line.split(' ').filter(Boolean))).to.equal(false));

  it('another command: no run', () => {
    for (const { name } of COMMANDS) expect(likelyRuns([name, 'flow.js']), name).to.equal(false);
  });

  it('the version is printed if that is all that is asked', () => {
    expect(['-V', '--version'].map((flag) => printsVersion([flag]))).to.deep.equal([true, true]);
    expect(printsVersion(['-V', 'flow.js'])).to.equal(false);
  });
});
