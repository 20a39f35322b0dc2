import { expect } from 'chai';

import { fitToData } from '../../../../lib/run/options/fit-to-flow.js';

const feeder = (count, { isUnique = true, endsRun = isUnique } = {}) => ({ name: 'users', count, isUnique, endsRun });
const fit = (options, ...feeders) => fitToData(options, { all: () => feeders });

describe('run/options/fit-to-data', () => {
  it('without rows that are used once the options are the same', () => {
    const options = { iterations: 7 };
    expect(fitToData(options, null)).to.equal(options);
    expect(fit(options, feeder(3, { isUnique: false }))).to.equal(options);
    expect(fit(options, feeder(3, { endsRun: false }))).to.deep.equal(options);
  });

  it('the iterations end with the first feeder that runs out', () => {
    expect(fit({ iterations: 7 }, feeder(5), feeder(3))).to.deep.equal({ iterations: 3 });
    expect(fit({ iterations: 2 }, feeder(5))).to.deep.equal({ iterations: 2 });
    expect(fit({ duration: 1 }, feeder(5))).to.deep.equal({ duration: 1, iterations: 5 });
  });

  it('a warm-up is refused', () =>
    expect(() => fit({ warmup: { duration: 1 } }, feeder(5, { endsRun: false }))).to.throw(
      'runOptions.warmup: would use rows of data.users, whose order is unique',
    ));
});
