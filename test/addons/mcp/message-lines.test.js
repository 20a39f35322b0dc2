import { text } from 'node:stream/consumers';

import { expect } from 'chai';

import { MessageLines } from '../../../lib/addons/mcp/message-lines.js';

/** Writes the input in pieces of this size; resolves with what passes, and the ids of requests that were refused. */
async function passed(input, { most = 400, size = input.length } = {}) {
  const refused = [];
  const lines = new MessageLines(most, (id) => refused.push(id));
  const output = text(lines);
  for (let at = 0; at < input.length; at += size) lines.write(Buffer.from(input.slice(at, at + size)));
  lines.end();
  return { output: await output, refused };
}

describe('lines of a client', () => {
  for (const size of [1, 7, 1000])
    it(`pass whole, in pieces of ${size} bytes`, async () =>
      expect(await passed('{"a":1}\n\n{"b":2}\n', { size })).to.deep.equal({
        output: '{"a":1}\n\n{"b":2}\n',
        refused: [],
      }));

  it('a line that does not end is no message', async () => {
    expect(await passed('{"a":1}\n{"b"')).to.deep.equal({ output: '{"a":1}\n', refused: [] });
  });

  const long = 'x'.repeat(1000);
  for (const [about, line, ids] of [
    ['before its params', `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"flow":"${long}"}}`, ['7']],
    ['behind its method', `{"method":"tools/call","id":"a-1","params":{"flow":"${long}"}}`, ['"a-1"']],
    ['at its end', `{"method":"tools/call","params":{"flow":"${long}"},"jsonrpc":"2.0","id":12}`, ['12']],
    ['nowhere', `{"method":"tools/call","params":{"id":3,"flow":"${long}"}}`, []],
  ])
    it(`a line that is too long is dropped, and its id is found ${about}`, async () => {
      for (const size of [3, 64, 5000])
        expect(await passed(`${line}\n{"b":2}\n`, { size })).to.deep.equal({ output: '{"b":2}\n', refused: ids });
    });

  for (const [about, line, ids] of [
    [
      'requests and a notification',
      '[{"id":1,"method":"ping"},{"method":"x"},{"id":"b","method":"ping"}]',
      ['1', '"b"'],
    ],
    ['nothing', '[]', []],
    ['no messages', '[null,1,[{"id":2}],{"id":{}}]', []],
    ['no JSON', '[{"id":1}', []],
  ])
    it(`a batch of ${about} is dropped, and its requests are refused`, async () =>
      expect(await passed(`${line}\n{"b":2}\n`)).to.deep.equal({ output: '{"b":2}\n', refused: ids }));
});
