import { expect } from 'chai';

import { Stream } from '../../../lib/addons/http2/stream.js';

describe('a stream of HTTP/2', () => {
  /** A stream whose request was sent, and the errors that its receiver gets. */
  const sending = (method) => {
    const errors = [];
    const stream = new Stream({ addUser() {}, send() {} }, { now: () => 0, response: null });
    stream.send({ method }, 'status', { onError: ({ message }) => errors.push(message) });
    return { stream, errors };
  };
  const lost = { closer: 'the server', goAway: null, isHttp2: true };

  for (const [what, method, length, bytes, received] of [
    ['a part of a body', 'GET', 15, 4, '4 of 15 bytes'],
    ['a part of a body without a length', 'GET', null, 4, '4 bytes'],
    ['a whole body without END_STREAM', 'GET', 15, 15, 'all 15 bytes, but before the end of the stream'],
    ['the fields of a response to HEAD', 'HEAD', 15, 0, 'all 0 bytes, but before the end of the stream'],
  ])
    it(`names ${what} before the connection ended`, () => {
      const { stream, errors } = sending(method);
      stream.onHead({ statusCode: 200, length }, false);
      if (bytes > 0) stream.onData(Buffer.alloc(bytes), 0, bytes, 0);
      stream.lost(lost);
      expect(errors).to.deep.equal([`connection closed by the server in the body of the response, after ${received}`]);
    });

  it('a response that streams ends at its head if its time was over before', () => {
    const stream = new Stream({ addUser() {}, send() {} }, { now: () => 0 });
    const ended = [];
    stream.send({ method: 'GET' }, 'reader', { readerOf: () => ({ isOver: true, take: () => null }) });
    stream.session = { peer: null, cancel() {}, endStream: (one) => ended.push(one) };
    stream.onHead({ statusCode: 200, length: null, fields: () => ({ toObject: () => ({}) }) }, false);
    expect(ended).to.deep.equal([stream]);
  });

  for (const [status, ends, reason] of [
    [101, false, 'the status 101, which HTTP/2 does not have'],
    [103, true, 'the interim status 103 at the end of a response'],
  ])
    it(`refuses ${reason}`, () => {
      const { stream } = sending('GET');
      expect(() => stream.onHead({ statusCode: status, length: null }, ends)).to.throw(reason);
    });
});
