import { expect } from 'chai';

import { iterationIndex as token } from '../../../../lib/core/flow/tokens/index.js';

describe('tokens of INDEX', () => {
  it('is the number of the iteration, beyond 2^31 too', () => {
    const render = token.compile({ name: 'INDEX' }, () => {});
    expect([0, 7, 2 ** 31 + 1].map((index) => render({ index }))).to.deep.equal(['0', '7', '2147483649']);
  });

  for (const use of [{ member: 'a' }, { argument: '1' }, { argument: '' }]) {
    it(`${JSON.stringify(use)} is refused`, () => {
      const refused = [];
      token.compile({ name: 'INDEX', ...use }, (reason) => refused.push(reason));
      expect(refused).to.deep.equal(['takes no argument']);
    });
  }
});
