import { expect } from 'chai';

import { scalabilityOf } from '../../../lib/addons/capacity/conclusion.js';
import { seeded } from '../../support/random.js';

const USERS = [1, 2, 4, 8, 16, 32, 64];

/** The throughput of numbers of virtual users by the law, with noise of this share. */
function points({ rate, contention, coherence }, noise = 0, random = seeded(1).next) {
  return USERS.map((users) => ({
    users,
    throughput:
      ((rate * users) / (1 + contention * (users - 1) + coherence * users * (users - 1))) *
      (1 + noise * (2 * random() - 1)),
  }));
}

describe('capacity/conclusion: scalability', () => {
  it('exact points determine the parameters, and the peak', () => {
    const { fits, rate, contention, coherence, peak } = scalabilityOf(
      points({ rate: 100, contention: 0.05, coherence: 0.001 }),
    );
    expect(fits).to.equal(true);
    expect(rate.value).to.be.closeTo(100, 1e-6);
    expect(contention.value).to.be.closeTo(0.05, 1e-6);
    expect(coherence.value).to.be.closeTo(0.001, 1e-6);
    expect(peak).to.be.closeTo(Math.sqrt(0.95 / 0.001), 1e-3);
  });

  it('two standard errors contain the parameters in about 95 % of noisy fits', () => {
    const random = seeded(7).next;
    const law = { rate: 100, contention: 0.05, coherence: 0.001 };
    const hits = { contention: 0, coherence: 0 };
    for (let i = 0; i < 300; i++) {
      const fit = scalabilityOf(points(law, 0.05, random));
      for (const name of Object.keys(hits))
        // the quantile of Student's t with four degrees of freedom
        if (Math.abs(fit[name].value - law[name]) <= 2.78 * fit[name].error) hits[name]++;
    }
    for (const count of Object.values(hits)) expect(count / 300).to.be.within(0.9, 0.99);
  });

  it('a sentence says what limits', () => {
    const messageOf = (law) => scalabilityOf(points({ rate: 100, contention: 0, coherence: 0, ...law }, 0.01)).message;
    expect(messageOf({ coherence: 0.001 })).to.match(/^coherence limits: throughput is highest with 3\d virtual users/);
    expect(messageOf({ contention: 0.1 })).to.match(/^contention limits: throughput does not exceed [\d,.]+\/s/);
    expect(messageOf({ contention: 0.99, coherence: 0.1 })).to.match(
      /: throughput is highest with 1 virtual user, and/,
    );
    expect(messageOf({})).to.match(/^throughput grows with the number of virtual users/);
  });

  it('throughput that does not follow the law does not fit', () => {
    expect(scalabilityOf(points({ rate: 1, contention: 0, coherence: 0 }).slice(0, 4))).to.deep.equal({
      fits: false,
      message: 'the Universal Scalability Law does not fit: a fit needs 5 numbers of virtual users, and it has 4',
    });
    const jumping = USERS.map((users, i) => ({ users, throughput: i % 2 ? 10 : 1000 }));
    expect(scalabilityOf(jumping).fits).to.equal(false);
    const superlinear = USERS.map((users) => ({ users, throughput: users ** 1.5 }));
    expect(scalabilityOf(superlinear).fits).to.equal(false);
  });
});
