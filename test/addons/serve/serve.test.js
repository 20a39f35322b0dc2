import { expect } from 'chai';

import { createRateReader } from '../../../lib/addons/serve/command.js';

describe('serve', () => {
  it('the rate is that of the seconds with requests, every five of them and when no more come', () => {
    const read = createRateReader();
    const counts = [0, 0, 10, 20, 20, 20, 70, 120, 170, 220, 270, 270];
    expect(counts.map(read)).to.deep.equal([null, null, null, null, 10, null, null, null, null, null, 50, null]);
  });
});
