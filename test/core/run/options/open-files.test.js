import { expect } from 'chai';

import { tooFewFiles } from '../../../../lib/core/run/options/machine.js';

describe('the limit of open files', () => {
  const rows = [
    [
      { limit: 1000 },
      1024,
      /^1,000 virtual users need 1,064 open files.*limit is 1,024.*ulimit -n 1064$/,
      'the process needs files besides connections',
    ],
    [{ limit: 300 }, 80, /^300 virtual users.*limit is 80:/, 'there are fewer files than virtual users'],
    [{ limit: 300 }, 1024, null, 'enough'],
    [{ limit: 300 }, Infinity, null, 'the limit is unknown'],
    [{ limit: 3000, connections: 20 }, 1024, null, 'virtual users share connections'],
    [{ limit: 3000, connections: 2000 }, 1024, /^2,000 connections need 2,064/, 'too many are shared'],
    [{ limit: 3000, shard: { number: 2, of: 4 } }, 1024, null, 'only the share of the shard counts'],
    [{ limit: 3001, shard: { number: 1, of: 3 } }, 1024, /^1,001 virtual users/, 'the share of the shard is too large'],
  ];
  for (const [options, files, said, why] of rows) {
    it(`${JSON.stringify(options)} and ${files} files: ${why}`, () =>
      said
        ? expect(tooFewFiles(options, () => files)).to.match(said)
        : expect(tooFewFiles(options, () => files)).to.equal(null));
  }

  it('the limit is not read for few virtual users', () =>
    expect(
      tooFewFiles({ limit: 50 }, () => {
        throw new Error('the limit was read');
      }),
    ).to.equal(null));

  it('the limit is read without a lookup of the names of connections', () => {
    const { report } = process;
    const { getReport } = report;
    const states = [];
    report.getReport = () => states.push(report.excludeNetwork) && getReport.call(report);
    try {
      tooFewFiles({ limit: 1e9 });
    } finally {
      report.getReport = getReport;
    }
    expect([...states, report.excludeNetwork]).to.deep.equal([true, false]);
  });

  it('the limit of the system is read', () =>
    expect(tooFewFiles({ limit: 1e9 })).to.match(/^1,000,000,000 virtual users/));
});
