import { expect } from 'chai';

import { partsOf } from '../../../lib/measure/transactions.js';

describe('partsOf', () => {
  it('lists scenarios, groups and operations with their times and encoded counts', () => {
    const stats = {
      operations: [{ name: 'GET /', phase: 'main', serviceTime: { max: 1 } }],
      scenarios: [{ name: 'buy', time: { max: 2 } }],
      groups: [{ name: 'checkout', time: { max: 3 } }],
      histograms: { operations: ['x'], scenarios: ['y'], groups: ['z'] },
    };
    expect(partsOf(stats).map(({ kind, name, time, encoded }) => [kind, name, time.max, encoded])).to.deep.equal([
      ['scenario', 'buy', 2, 'y'],
      ['group', 'checkout', 3, 'z'],
      ['main', 'GET /', 1, 'x'],
    ]);
  });

  it('results without scenarios, groups or counts have operations alone', () => {
    const [part, ...others] = partsOf({ operations: [{ name: 'GET /', phase: 'after', serviceTime: {} }] });
    expect([part.kind, part.encoded, others]).to.deep.equal(['after', undefined, []]);
  });
});
