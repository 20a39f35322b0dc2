import { expect } from 'chai';

import { FRAME_HEAD, HEADERS, MAX_WINDOW } from '../../../lib/addons/http2/frames.js';
import { createHeadReader } from '../../../lib/addons/http2/head.js';
import { RequestWriter, Slab } from '../../../lib/addons/http2/request-writer.js';
import { requestTo } from '../../support/transports.js';

function openWriter() {
  const parts = [];
  const socket = { write: (bytes) => parts.push(bytes), cork() {}, uncork() {} };
  const client = { maxStreams: 1, slab: new Slab(), headOf: createHeadReader() };
  const writer = new RequestWriter({ maxHeadBytes: 65_536 }, client);
  /** Writes requests: their bytes, and the size that the stream of the last one gets. */
  const write = (...requests) => {
    let size = NaN;
    writer.begin(socket);
    for (const request of requests)
      writer.write(Object.assign(request, { request, onSent: (_id, _now, bytes) => (size = bytes) }), 0);
    writer.end();
    return { bytes: Buffer.concat(parts.splice(0)), size };
  };
  return { writer, write };
}

describe('requests over HTTP/2', () => {
  for (const [title, length] of [
    ['in one frame', 100],
    ['in CONTINUATION frames', 20_000],
    ['larger than the memory for frames', 70_000],
  ])
    it(`the size of a head ${title} is that of its block and of one frame head`, () => {
      const fields = ['x-a', 'a', 'x-b', 'b', 'x-long', 'y'.repeat(length)];
      const { bytes, size } = openWriter().write(requestTo('http://a.example/', { fields }));
      let frames = 0;
      for (let at = 0; at < bytes.length; at += FRAME_HEAD + bytes.readUIntBE(at, 3)) frames++;
      expect(bytes[3]).to.equal(HEADERS);
      expect(size).to.equal(bytes.length - (frames - 1) * FRAME_HEAD);
    });

  it('the fields of operations in turn are sent once, on one connection', () => {
    const { write } = openWriter();
    const [one, ...others] = Array.from('abcdefghijklmnopqrst', (name) =>
      requestTo('http://a.example/', { fields: ['x-long', name.repeat(99)] }),
    );
    const sizes = [1, 2, 3, 4].map(() => write(one, ...others).bytes.length);
    expect(sizes[0]).to.be.above(20 * 100);
    expect(sizes[2]).to.be.below(20 * 20);
    expect(sizes[3]).to.equal(sizes[2]);
    const single = openWriter();
    single.write(one);
    single.write(one);
    expect(single.write(one).bytes.length).to.be.below(20);
  });

  it('a body takes from the window of its stream, which the server may fill up again', () => {
    const { writer, write } = openWriter();
    writer.setStreamWindow(MAX_WINDOW);
    const stream = requestTo('http://a.example/', { method: 'POST', body: 'x'.repeat(100) });
    write(stream);
    expect([writer.addWindow(stream, 100), writer.addWindow(stream, 1)]).to.deep.equal([true, false]);
  });
});
