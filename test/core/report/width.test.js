import { expect } from 'chai';

import { DEFAULT_WIDTH, widthWithin } from '../../../lib/core/report/terminal.js';

describe('the width of a terminal', () => {
  const ROWS = [
    [undefined, DEFAULT_WIDTH, 'an unknown terminal gets the default'],
    [80, 80, 'a text fits its terminal'],
    [20, 40, 'tables need 40 columns'],
    [300, 120, 'lines have 120 columns at most'],
  ];
  for (const [columns, width, fact] of ROWS) it(fact, () => expect(widthWithin(columns)).to.equal(width));
});
