import { expect } from 'chai';

import { ResponseSender } from '../../../lib/core/run/response-events.js';

const get = /** @type {any} */ ({ name: 'GET /' });
const INDEX = 0;

/** A sender of batches of two, and what it posts: the indexes of a batch, and how many were missed. */
const sender = () => {
  const posted = [];
  const own = new ResponseSender(
    ({ rows }, missed) => posted.push([[...rows].filter((_, i) => i % 5 === INDEX), missed]),
    2,
  );
  let next = 0;
  const add = (count) => {
    for (let i = 0; i < count; i++) own.add(get, next++, 200, 1, 1);
  };
  return { own, posted, add };
};

describe('responses that are sent to listeners', () => {
  it('collects responses until it is flushed', () => {
    const { own, posted, add } = sender();
    own.flush();
    add(1);
    expect(posted).to.deep.equal([]);
    own.flush();
    expect(posted).to.deep.equal([[[0], 0]]);
  });

  it('sends a full batch at once, and the next one when the main thread has emitted it', () => {
    const { own, posted, add } = sender();
    add(4);
    own.flush();
    expect(posted).to.deep.equal([[[0, 1], 0]]);
    own.acknowledge();
    expect(posted).to.deep.equal([
      [[0, 1], 0],
      [[2, 3], 0],
    ]);
  });

  it('keeps no more than two batches: drops and counts what a slow listener cannot take', () => {
    const { own, posted, add } = sender();
    add(9);
    own.acknowledge();
    expect(posted.at(-1)).to.deep.equal([[2, 3], 5]);
    own.acknowledge();
    add(1);
    own.flush();
    expect(posted.at(-1)).to.deep.equal([[9], 0]);
  });

  it('the end sends the rest, even if the main thread is busy', () => {
    const { own, posted, add } = sender();
    add(5);
    own.end();
    own.end();
    expect(posted).to.deep.equal([
      [[0, 1], 0],
      [[2, 3], 1],
    ]);
  });
});
