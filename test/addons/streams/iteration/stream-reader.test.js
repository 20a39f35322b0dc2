import { expect } from 'chai';

import { StreamReopening } from '../../../../lib/addons/streams/iteration/stream-reader.js';

/** The pauses before connections, each of which has an event or not. */
function pausesOf(connections, retryMs = null) {
  const reopening = new StreamReopening();
  return connections.map((hasEvent) => {
    reopening.hasEvent = hasEvent;
    const pauseMs = reopening.pauseMs(retryMs);
    reopening.next({ path: '/' }, '');
    return pauseMs;
  });
}

describe('streams that are read', () => {
  it('a stream waits a second, or as long as the server says, before it is opened again', () => {
    expect(pausesOf([true, true])).to.deep.equal([1000, 1000]);
    expect(pausesOf([true, true], 0)).to.deep.equal([0, 0]);
  });

  it('the pauses grow while connections bring no event, up to 5 s', () =>
    expect(pausesOf([false, false, false, true, ...Array(8).fill(false)], 0)).to.deep.equal([
      ...[100, 200, 400, 0],
      ...[100, 200, 400, 800, 1600, 3200, 5000, 5000],
    ]));

  it('a longer time of the server holds', () =>
    expect(pausesOf([false, true], 60_000)).to.deep.equal([60_000, 60_000]));

  it('the next request has the identifier of the last event, if a field can have it', () => {
    const reopening = new StreamReopening();
    const own = { path: '/', fields: ['Last-Event-ID', '3', 'a', 'b'], extra: null };
    const next = { path: '/', fields: ['a', 'b', 'last-event-id', '7'], extra: null };
    expect(reopening.next(own, '7'), 'in place of that of the flow').to.deep.equal(next);
    expect(reopening.next({ path: '/other' }, 'a\nb')).to.equal(own);
  });
});
