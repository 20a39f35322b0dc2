import { expect } from 'chai';

import { ownPartOf } from '../../../lib/core/iteration/iteration-run.js';

describe('the part of the load generator in a time', () => {
  for (const [title, { exchangedMs = 0, ownMs = 0, busyMs = 0, ms }, expected] of [
    ['that of the exchanges', { ms: 10, exchangedMs: 10, ownMs: 2, busyMs: 9 }, 2],
    ['the time between them in which the event loop was busy', { ms: 10, exchangedMs: 6, ownMs: 1, busyMs: 3 }, 4],
    ['not more than the time between them', { ms: 10, exchangedMs: 6, ownMs: 1, busyMs: 9 }, 5],
    ['not more than the whole', { ms: 10, exchangedMs: 20, ownMs: 15, busyMs: 9 }, 10],
    ['nothing, if the event loop was free', { ms: 10 }, 0],
  ])
    it(`is ${title}`, () => expect(ownPartOf(ms, exchangedMs, ownMs, busyMs)).to.equal(expected));
});
