import { spawn } from 'node:child_process';

import { expect } from 'chai';

import { PROGRAM } from './support/command.js';
import { ok, serving } from './support/serve.js';
import { describeSlow } from './support/slow.js';

const LEAVE = '\u001b[?1049l';

/** Runs the command in a terminal of its own; `act(child, heard)` runs meanwhile. Resolves with what it wrote. */
function inTerminal(args, act, jobOf = (command) => command) {
  const quoted = [process.execPath, PROGRAM, ...args].map((arg) => `'${arg}'`).join(' ');
  // a shell with a trap goes on after Ctrl-C
  const line = `trap : INT; stty cols 120 rows 40; ${jobOf(quoted)}; echo "exit code $?"`;
  const env = { ...process.env, NO_COLOR: '', CI: '', TERM: 'xterm-256color', LC_ALL: 'C.UTF-8' };
  const child = spawn('script', ['-qec', line, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  let more = () => {};
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
    more();
  });
  const heard = async (pattern) => {
    while (!pattern.test(text)) await new Promise((resolve) => (more = resolve));
  };
  const closed = new Promise((resolve) => child.once('close', () => resolve(text)));
  return Promise.race([act(child, heard).then(() => closed), closed]);
}

describeSlow('the screen of a run', () => {
  before(function () {
    // The `script` of other systems has other options.
    if (process.platform !== 'linux') this.skip();
  });

  it('Ctrl-C restores the terminal, and then the report is printed', () =>
    serving(ok, async (url) => {
      const text = await inTerminal(['-t', '600s', '-c', '2', '-r', '50', url], async (child, heard) => {
        await heard(/\u001b\[\?1049h[^]*in flight/);
        child.stdin.write('\u0003');
      });
      const [during, after, ...more] = text.split(LEAVE);
      expect(more).to.deep.equal([]);
      expect(during).to.include('\u001b[?1049h\u001b[?25l').and.include('in flight');
      expect(during).to.match(/\u001b\[\?7h\u001b\[\?25h$/);
      expect(after).to.match(/^Stopping: running iterations finish[^]* iterations? in [^]*exit code \d+\s*$/);
      expect(after).not.to.include('\u001b[?25l');
    }));

  it('a job in the background does not take the screen of its shell', () =>
    serving(ok, async (url) => {
      const text = await inTerminal(
        ['--tui', '-t', '1s', url],
        async () => {},
        (command) => `set -m; ${command} & wait`,
      );
      expect(text)
        .to.match(/iterations? in /)
        .and.not.include('\u001b[?1049h');
    }));
});
