import { Readable } from 'node:stream';

import { expect } from 'chai';

import { isStream, readStream } from '../../../../lib/core/cli/run/open-source.js';

const io = (...chunks) => ({ stdin: Readable.from(chunks.map((text) => Buffer.from(text))) });

describe('a flow on standard input', () => {
  it('- and the names of standard input are streams; other names are not', () => {
    for (const name of ['-', '/dev/stdin', '/dev/fd/0']) expect(isStream(name), name).to.equal(true);
    for (const name of ['--', './-', 'flow.yaml', '/dev/null', '/dev/fd/999999', '/dev/fd/x'])
      expect(isStream(name), name).to.equal(false);
  });

  it('the chunks of a stream are joined', async () => {
    const { bytes, from } = await readStream('-', io('ab', 'c'));
    expect([Buffer.from(bytes).toString(), from]).to.deep.equal(['abc', 'standard input']);
  });

  it('a stream of more bytes than allowed is refused, and read no further', async () => {
    let count = 0;
    const endless = async function* () {
      for (;;) yield Buffer.alloc(2 ** 19, `${count++}`);
    };
    const error = await readStream('-', { stdin: Readable.from(endless()) }, 2 ** 20).catch((thrown) => thrown);
    expect(error.code).to.equal('E_USAGE');
    expect(error.message).to.equal('standard input has more than 1 MiB: save it to a file, and pass its path');
    expect(count).to.be.lessThan(100);
  });

  it('as many bytes as allowed are read', async () => {
    expect((await readStream('-', io('abcd'), 4)).bytes).to.have.lengthOf(4);
  });
});
