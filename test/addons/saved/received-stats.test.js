import { expect } from 'chai';

import { contradictionIn } from '../../../lib/addons/saved/received-stats.js';
import { recorded, resultOf } from '../../support/recorded.js';

describe('measure/received-stats', () => {
  it('times by status that lack a status of the operation are a contradiction', () => {
    const result = resultOf(recorded([200, 304].map((status, at) => ({ at, ms: 2, status }))));
    expect(contradictionIn(result, { isOver: true })).to.equal(undefined);
    delete result.operations[0].serviceTimeByStatus[200];
    expect(contradictionIn(result, { isOver: true })).to.match(/^operations: not as many times in serviceTimeByStatus/);
  });

  it('times by status are judged as those of the operation', () => {
    const result = resultOf(recorded([200, 304].map((status, at) => ({ at, ms: 2, status }))));
    result.operations[0].serviceTimeByStatus[200].sum = -1;
    expect(contradictionIn(result, { isOver: true })).to.match(
      /^operations\[0\]\.serviceTimeByStatus\.200\.sum: not of 1/,
    );
  });
});
