import { expect } from 'chai';

import { mostOf } from '../../../lib/core/flow/rules.js';

describe('properties that need others', () => {
  for (const [all, most] of [
    [[], 'status'],
    [['status', 'head'], 'head'],
    [['head', 'body', 'status'], 'body'],
  ])
    it(`readers of ${all.join(', ') || 'nothing'} need the ${most}`, () => expect(mostOf(all)).to.equal(most));
});
