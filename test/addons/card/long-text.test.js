import { expect } from 'chai';

import { fitted } from '../../../lib/addons/card/svg.js';

describe('the card of a result', () => {
  it('a text of a million letters is cut before it is measured', () => {
    const before = process.cpuUsage();
    for (let i = 0; i < 20; i++) expect(fitted('x'.repeat(1e6), { size: 10, width: 500 }).length).to.be.below(200);
    // Measured as a whole, each takes several seconds.
    expect(process.cpuUsage(before).user / 1e6).to.be.below(10);
  });

  it('a short text is not changed', () =>
    expect(fitted('GET /items', { size: 10, width: 500 })).to.equal('GET /items'));
});
