import { availableParallelism } from 'node:os';

import { expect } from 'chai';

import { readWorkers } from '../../../../lib/core/run/options/machine.js';

describe('the number of workers', () => {
  it('auto is one per core', () => expect(readWorkers('auto')).to.equal(availableParallelism()));
  it('a number is itself', () => expect([readWorkers('3'), readWorkers(2)]).to.deep.equal([3, 2]));
  it('anything else is NaN', () => expect(readWorkers('many')).to.be.NaN);
});
