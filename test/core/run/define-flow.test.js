import { createRequire } from 'node:module';

import { expect } from 'chai';

import benchrest, { defineFlow } from '../../../index.js';

describe('defineFlow', () => {
  it('returns its argument: a flow, or a function that returns one', () => {
    for (const flow of ['/', { get: '/' }, ['/'], { main: ['/'] }, () => ['/']])
      expect(defineFlow(flow)).to.equal(flow);
  });

  it('is a property of what require returns', () => {
    const required = createRequire(import.meta.url)('../../../index.js');
    expect(required).to.equal(benchrest).and.include({ defineFlow, benchrest });
  });
});
