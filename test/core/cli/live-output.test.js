import { Writable } from 'node:stream';

import { expect } from 'chai';

import { LiveOutput } from '../../../lib/core/cli/live-output.js';

/** A stream, and what was written to it. */
function output() {
  let text = '';
  const stderr = new Writable({ write: (chunk, _, done) => ((text += chunk), done()) });
  return { live: new LiveOutput(stderr), text: () => text };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));
const bytes = Buffer.from('\u00e9');

describe('cli/live-output', () => {
  it('above a display the output of a flow has whole lines, and its rest follows the display', async () => {
    const [{ live, text }, above] = [output(), []];
    live.log.write('as it ');
    live.log.write('comes ');
    await turn();
    live.show(() => ({ print: (lines) => above.push(lines), stop() {} }));
    for (const part of ['a', 'b\n\nc\nd', bytes.subarray(0, 1), bytes.subarray(1)]) live.log.write(part);
    live.stop();
    expect(above).to.deep.equal(['ab\n\nc']);
    expect(text()).to.equal('as it comes d\u00e9');
  });

  it('a character of a flow that is cut at the end of its output is printed as unreadable', async () => {
    const { live, text } = output();
    for (const part of ['a', bytes.subarray(0, 1), bytes.subarray(1), bytes.subarray(0, 1)]) live.log.write(part);
    await turn();
    live.stop();
    expect(text()).to.equal('a\u00e9\ufffd');
  });

  it('a display gets the lines that were printed before it, without control characters', () => {
    const { live, text } = output();
    live.print('a\u001b[31mb');
    let given;
    live.show((printed) => {
      given = printed;
      return {};
    });
    expect(text())
      .to.match(/^a.*b\n$/)
      .and.not.include('\u001b');
    expect(`${given.join('\n')}\n`).to.equal(text());
  });

  it('a display that cannot be shown is no error, and no other one is shown', () => {
    const { live, text } = output();
    live.show(() => {
      throw new Error('no columns');
    });
    expect(text()).to.equal('bench-rest: the display of the progress failed: no columns\n');
    live.show(() => expect.fail('a second display'));
    live.print('a line');
    expect(text()).to.match(/\na line\n$/);
  });
});
