import { expect } from 'chai';

import { Histogram } from '../../../lib/core/measure/histogram.js';
import { partsOf } from '../../../lib/core/measure/transactions.js';

const timesOf = (...all) => {
  const histogram = new Histogram();
  for (const ms of all) histogram.update(ms);
  return histogram;
};

describe('partsOf', () => {
  it('lists scenarios, groups, tags and operations with their times and counts', () => {
    const [one, two, three, four] = [timesOf(1), timesOf(2), timesOf(3), timesOf(1, 3)];
    const labels = { team: 'search' };
    const stats = {
      operations: [
        { name: 'GET /', phase: 'main', labels, times: { serviceTime: one.summary(true) } },
        { name: 'PUT /', phase: 'main', labels, times: { serviceTime: three.summary(true) } },
      ],
      tags: [{ name: 'team:search', labels, times: { serviceTime: four.summary(true) } }],
      scenarios: [{ name: 'buy', labels: {}, times: { responseTime: two.summary(true) } }],
      groups: [{ name: 'checkout', labels: {}, times: { duration: three.summary(true) } }],
    };
    const parts = partsOf(stats).map(({ kind, name, timeName, time, counts }) => [
      ...[kind, name, timeName, time.max, counts().sum],
    ]);
    expect(parts).to.deep.equal([
      ['scenario', 'buy', 'responseTime', 2, 2],
      ['group', 'checkout', 'duration', 3, 3],
      ['tag', 'team:search', 'serviceTime', 3, 4],
      ['main', 'GET /', 'serviceTime', 1, 1],
      ['main', 'PUT /', 'serviceTime', 3, 3],
    ]);
  });

  it('results without scenarios and groups have operations alone, and those without counts have none', () => {
    const operation = { name: 'GET /', phase: 'after', times: { serviceTime: { count: 1 } } };
    const [part, ...others] = partsOf({ operations: [operation] });
    expect([part.kind, part.counts(), others]).to.deep.equal(['after', null, []]);
  });
});
