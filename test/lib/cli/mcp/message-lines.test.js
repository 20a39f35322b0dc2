import { text } from 'node:stream/consumers';

import { expect } from 'chai';

import { LineLimit } from '../../../../lib/cli/mcp/line-limit.js';

/** Writes the input in pieces of this size; resolves with what passes, and the ids of messages that were dropped. */
async function passed(input, { most = 400, size = input.length } = {}) {
  const dropped = [];
  const limit = new LineLimit(most, (id) => dropped.push(id));
  const output = text(limit);
  for (let at = 0; at < input.length; at += size) limit.write(Buffer.from(input.slice(at, at + size)));
  limit.end();
  return { output: await output, dropped };
}

describe('lines of a client', () => {
  for (const size of [1, 7, 1000])
    it(`pass whole, in pieces of ${size} bytes`, async () =>
      expect(await passed('{"a":1}\n\n{"b":2}\n', { size })).to.deep.equal({
        output: '{"a":1}\n\n{"b":2}\n',
        dropped: [],
      }));

  it('a line that does not end is no message', async () => {
    expect(await passed('{"a":1}\n{"b"')).to.deep.equal({ output: '{"a":1}\n', dropped: [] });
  });

  const long = 'x'.repeat(1000);
  for (const [about, line, id] of [
    ['before its params', `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"flow":"${long}"}}`, '7'],
    ['behind its method', `{"method":"tools/call","id":"a-1","params":{"flow":"${long}"}}`, '"a-1"'],
    ['at its end', `{"method":"tools/call","params":{"flow":"${long}"},"jsonrpc":"2.0","id":12}`, '12'],
    ['nowhere', `{"method":"tools/call","params":{"id":3,"flow":"${long}"}}`, null],
  ])
    it(`a line that is too long is dropped, and its id is found ${about}`, async () => {
      for (const size of [3, 64, 5000])
        expect(await passed(`${line}\n{"b":2}\n`, { size })).to.deep.equal({ output: '{"b":2}\n', dropped: [id] });
    });
});
