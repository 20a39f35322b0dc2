import { expect } from 'chai';

import { scheduleFor } from '../../../lib/core/schedule/index.js';
import { sideBySide } from '../../../lib/addons/loads/side-by-side.js';
import fc from '../../support/fast-check.js';

const created = (options) => scheduleFor(options).create(options);
const VISITS = { limit: 10, rate: 10, duration: 1000 };
const IMPORT = { limit: 3, iterations: 4 };
const SPIKE = { limit: 5, rate: 100, duration: 200 };
const loads = () => [
  { from: 0, schedule: created(VISITS) },
  { from: 0, schedule: created(IMPORT) },
  { from: 500, schedule: created(SPIKE) },
];

describe('loads side by side', () => {
  it('arrival(INDEX) is that of iteration n of its load: INDEX = n x loads + position', () => {
    const { arrival } = sideBySide(loads());
    expect([0, 3, 6].map(arrival)).to.deep.equal([0, 100, 200]);
    expect([1, 4, 7, 10, 13].map(arrival)).to.deep.equal([0, 0, 0, 0, Infinity]);
    expect([2, 5, 8].map(arrival)).to.deep.equal([500, 510, 520]);
    expect(arrival(3 * 20 + 2)).to.equal(Infinity);
  });

  it('arrivals, virtual users and the end are those of all loads', () => {
    const { arrived, lanes, most, end } = sideBySide(loads());
    expect([0, 499, 500, 5000].map(arrived)).to.deep.equal([1, 5, 7, 30]);
    expect([0, 600].map(lanes)).to.deep.equal([13, 18]);
    expect(most).to.equal(18);
    expect(end).to.equal(Infinity);
    expect(sideBySide(loads(), 800).end).to.equal(800);
    expect(sideBySide([loads()[0], loads()[2]]).end).to.equal(1000);
  });

  it('closed loads alone have no arrivals', () => expect(sideBySide([loads()[1], loads()[1]]).arrived).to.equal(null));

  it('each INDEX is one iteration of one load, and each iteration has one', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.nat(1e9), fc.nat(1e9), (count, index, n) => {
        const place = index % count;
        expect(Math.floor(index / count) * count + place).to.equal(index);
        expect((n * count + place) % count).to.equal(place);
        expect(Math.floor((n * count + place) / count)).to.equal(n);
      }),
    ));
});
