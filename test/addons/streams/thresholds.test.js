import { expect } from 'chai';

import { readThreshold } from '../../../lib/core/measure/thresholds.js';

describe('a threshold on the goodput of streams', () => {
  it('may be of an operation whose name looks like one', () => {
    const { threshold } = readThreshold('goodput(x) goodput(firstEvent<1s)>95%', {
      operations: ['goodput(x)'],
      checks: [],
    });
    expect(threshold).to.include({ operation: 'goodput(x)', check: null, figure: 'goodput(firstEvent<1s)' });
  });
});
