import { Writable } from 'node:stream';

import { expect } from 'chai';

import { ignoreStreamErrors, print, printMessage, terminalColumns, write } from '../../../lib/core/cli/output.js';

/** A stream that keeps what is written, or fails with a code. */
function stream(code, options = {}) {
  const chunks = [];
  const writable = new Writable({
    ...options,
    write(chunk, _, done) {
      if (!code) chunks.push(String(chunk));
      done(code && Object.assign(new Error(`write ${code}`), { code }));
    },
  });
  ignoreStreamErrors(writable);
  return Object.assign(writable, { text: () => chunks.join('') });
}

describe('cli/output', () => {
  it('a reader that closed the pipe is no error, others are', async () => {
    expect(await write(stream(), 'a')).to.equal(null);
    expect(await write(stream('EPIPE'), 'a')).to.equal(null);
    expect(await write(stream('ENOSPC'), 'a')).to.have.property('code', 'ENOSPC');
  });

  it('T8 a stream that failed before, and does not destroy itself, is not waited for', async () => {
    const failed = stream('ENOSPC', { autoDestroy: false });
    for (const text of ['a sample', 'the result'])
      expect(await write(failed, text), text).to.have.property('code', 'ENOSPC');
  });

  it('a terminal that does not tell its columns has 0', () => {
    expect([{ columns: 120 }, { columns: 0 }, {}].map(terminalColumns)).to.deep.equal([120, undefined, undefined]);
  });

  it('a message has the name of the program, and no control characters', async () => {
    const stderr = stream();
    await printMessage(stderr, 'a\u001b[31mb');
    expect(stderr.text())
      .to.match(/^bench-rest: a/)
      .and.not.include('\u001b');
  });

  const long =
    'flow.main[0].get: this has no URL, and it is said in many words, more than fit into a line of a terminal';
  const frame = `  ${'x'.repeat(90)} y z\n  ${' '.repeat(85)}^`;
  const stack = `    at ${'y'.repeat(90)} (a b c)`;
  for (const [what, text, columns, expected] of [
    ['as wide as the terminal', 'one two three four', 22, 'bench-rest: one two\n  three four\n'],
    ['of 80 columns in a pipe', `bad\n  ${long}`, undefined, null],
    ['of which code with a caret is left alone', frame, 40, `bench-rest: ${frame}\n`],
    ['of which a stack is left alone', `bad\n${stack}`, 40, `bench-rest: bad\n${stack}\n`],
  ])
    it(`a message has lines ${what}`, async () => {
      const stderr = Object.assign(stream(), { columns });
      const { COLUMNS } = process.env;
      delete process.env.COLUMNS;
      try {
        await printMessage(stderr, text);
      } finally {
        if (COLUMNS !== undefined) process.env.COLUMNS = COLUMNS;
      }
      if (expected !== null) expect(stderr.text()).to.equal(expected);
      else {
        const lines = stderr.text().trimEnd().split('\n');
        expect(lines.map(({ length }) => length <= 80)).to.deep.equal([true, true, true]);
        expect(lines[1]).to.match(/^ {2}flow/);
        expect(lines[2]).to.match(/^ {4}\w/);
      }
    });

  it('a result goes to stderr if stdout fails', async () => {
    const io = { stdout: stream('ENOSPC'), stderr: stream() };
    expect(await print('result', io)).to.deep.equal(['notWritten']);
    expect(io.stderr.text()).to.match(/ENOSPC[^]*result$/);
    const good = { stdout: stream(), stderr: stream() };
    expect(await print('result', good)).to.deep.equal([]);
    expect([good.stdout.text(), good.stderr.text()]).to.deep.equal(['result', '']);
  });
});
