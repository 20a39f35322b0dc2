import { expect } from 'chai';

import { FRAME_HEAD, HEADERS } from '../../../../lib/transport/h2/frames.js';
import { createHeadReader } from '../../../../lib/transport/h2/head.js';
import { RequestWriter, Slab } from '../../../../lib/transport/h2/request-writer.js';
import { requestTo } from '../../../support/transports.js';

/** Writes a request: its bytes, and the size that its stream gets. */
function written(request) {
  const parts = [];
  const socket = { write: (bytes) => parts.push(bytes), cork() {}, uncork() {} };
  const client = { maxStreams: 1, slab: new Slab(), headOf: createHeadReader() };
  const writer = new RequestWriter({ maxHeadBytes: 65_536 }, client);
  let size = NaN;
  writer.begin(socket);
  writer.write({ request, onSent: (_id, _now, bytes) => (size = bytes) }, 0);
  writer.end();
  return { bytes: Buffer.concat(parts), size };
}

describe('transport/h2/request-writer', () => {
  for (const [title, length] of [
    ['in one frame', 100],
    ['in CONTINUATION frames', 20_000],
    ['larger than the memory for frames', 70_000],
  ])
    it(`the size of a head ${title} is that of its block and of one frame head`, () => {
      const fields = ['x-a', 'a', 'x-b', 'b', 'x-long', 'y'.repeat(length)];
      const { bytes, size } = written(requestTo('http://a.example/', { fields }));
      let frames = 0;
      for (let at = 0; at < bytes.length; at += FRAME_HEAD + bytes.readUIntBE(at, 3)) frames++;
      expect(bytes[3]).to.equal(HEADERS);
      expect(size).to.equal(bytes.length - (frames - 1) * FRAME_HEAD);
    });
});
