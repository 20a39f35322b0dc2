import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { loadCommands } from '../../lib/core/cli/commands/index.js';
import { completionScript } from '../../lib/addons/completion/completion-script.js';
import { ROOT } from '../support/command.js';
import { COMPLETIONS, FOLDERS } from '../support/completions.js';

const commands = await loadCommands();

const run = promisify(execFile);
const CAPTURE = fileURLToPath(new URL('shells/capture.zsh', import.meta.url));

/** How the words are captured that a shell offers for a line. */
const CAPTURES = {
  zsh: (script, line) => ['zsh', ['-f', CAPTURE, script, line]],
  fish: (script, line) => ['fish', ['--no-config', '-c', `source ${script}; complete -C ${JSON.stringify(line)}`]],
};

describe('the shells', () => {
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    mkdirSync(join(folder, 'project/flows'), { recursive: true });
    for (const name of ['flow.mjs', 'first.json', 'photo.png', 'flows/b.mjs', 'flows/c.png'])
      writeFileSync(join(folder, 'project', name), '');
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const [shell, capture] of Object.entries(CAPTURES)) {
    describe(`${shell} completes`, () => {
      let script;
      before(async () => {
        await run(shell, ['--version']).catch(() => {
          throw new Error(`these tests need ${shell}: apt-get install ${shell}`);
        });
        script = join(folder, `script.${shell}`);
        writeFileSync(script, completionScript(shell, commands));
      });

      for (const [line, words] of [...COMPLETIONS, ...(shell === 'zsh' ? [] : FOLDERS)]) {
        it(`${line}| with ${words.join(' ') || 'nothing'}`, async () => {
          const [program, args] = capture(script, line);
          const { stdout, stderr } = await run(program, args, { cwd: join(folder, 'project') });
          expect(stderr).to.equal('');
          const offered = stdout
            .split('\n')
            .map((row) =>
              row
                .split('\t')[0]
                .replace(/^--format=/, '')
                .replace(/\/$/, ''),
            )
            .filter(Boolean);
          expect([...new Set(offered)].sort()).to.deep.equal([...words].sort());
        });
      }
    });
  }

  it('groff reads the manual page without warnings', async () => {
    const { stdout, stderr } = await run('groff', ['-man', '-Tascii', '-ww', join(ROOT, 'man/bench-rest.1')]);
    expect(stderr).to.equal('');
    // bold and underlined characters are written twice
    expect(stdout.replace(/.\u0008/g, ''))
      .to.include('-c, --concurrency n')
      .and.include('EXIT STATUS');
  });
});
