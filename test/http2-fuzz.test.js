import { expect } from 'chai';

import { HTTP2_EXTREMES, findHttp2Differences, http2Mutant } from './support/http2-fuzz.js';
import { seeded } from './support/random.js';
import { scaled } from './support/scale.js';
import { describeSlow } from './support/slow.js';

describeSlow('frames of HTTP/2 with some bytes changed', function () {
  this.timeout(300_000);

  it('are read the same by node:http2, except for known differences', async () => {
    const random = seeded(9113);
    const cases = Array.from({ length: scaled(200, 1000) }, () => http2Mutant(random));
    expect(await findHttp2Differences([...HTTP2_EXTREMES, ...cases])).to.deep.equal([]);
  });
});
