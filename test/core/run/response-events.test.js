import { expect } from 'chai';

import { ResponseBatch, emitBatch, responseEmitter } from '../../../lib/core/run/response-events.js';

const [login, get, last] = [
  { name: 'POST /login', phase: 'before' },
  { name: 'GET /x', phase: 'main' },
  { name: 'DELETE /x', phase: 'afterMain' },
];

describe('run/response-events', () => {
  it('a batch gives the same events as the thread itself', () => {
    const [own, sent] = [[], []];
    const emit = responseEmitter((event) => own.push(event));
    const batch = new ResponseBatch(3);
    for (const response of [
      [login, undefined, 201, 1.5, 0],
      [get, 0, 200, 0.25, 10],
      [last, 2 ** 40, 500, 30_000, 2 ** 33],
    ]) {
      emit(...response);
      batch.add(...response);
    }
    emitBatch(batch.take(), (event) => sent.push(event));
    expect(own).to.deep.equal([
      { index: null, phase: 'before', operation: 'POST /login', status: 201, serviceTime: 1.5, bodyBytes: 0 },
      { index: 0, phase: 'main', operation: 'GET /x', status: 200, serviceTime: 0.25, bodyBytes: 10 },
      {
        index: 2 ** 40,
        phase: 'afterMain',
        operation: 'DELETE /x',
        status: 500,
        serviceTime: 30_000,
        bodyBytes: 2 ** 33,
      },
    ]);
    expect(sent).to.deep.equal(own);
  });

  it('a batch is full at its limit, and empty after take()', () => {
    const batch = new ResponseBatch(1);
    expect([batch.isEmpty, batch.isFull]).to.deep.equal([true, false]);
    batch.add(get, 1, 200, 1, 1);
    expect([batch.isEmpty, batch.isFull]).to.deep.equal([false, true]);
    expect([...batch.take().rows]).to.deep.equal([1, 0, 200, 1, 1]);
    expect([batch.isEmpty, batch.isFull, batch.take().rows.length]).to.deep.equal([true, false, 0]);
  });
});
