import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { COMMANDS, loadCommands } from '../../../lib/core/cli/commands/index.js';
import { SHELLS, completionScript, describeProgram } from '../../../lib/addons/completion/completion-script.js';
import { createProgram } from '../../../lib/core/cli/options.js';
import { RUN_OPTIONS } from '../../../lib/core/run/options/index.js';
import { command } from '../../support/command.js';
import { COMPLETIONS, FOLDERS } from '../../support/completions.js';

const commands = await loadCommands();

const program = createProgram({ version: '', commands, env: {}, submit() {} });
const described = describeProgram(program);

describe('completion in shells', () => {
  it('describes every command, option and argument', () => {
    expect(described.map(({ name }) => name || 'run')).to.have.members(COMMANDS.map(({ name }) => name));
    for (const [i, one] of [program, ...program.commands].entries()) {
      const names = described[i].options.flatMap((option) => option.names);
      for (const { short, long } of one.options) expect(names).to.include.members([short, long].filter(Boolean));
      for (const argument of one.registeredArguments)
        expect(described[i].values, `${one.name()} ${argument.name()}`).to.be.an('object');
    }
  });

  it('has words that no shell would expand', () => {
    const all = described.flatMap(({ name, values, options }) => [
      name,
      ...(values.words ?? []),
      ...options.flatMap(({ names, value }) => [...names, ...(value?.words ?? [])]),
    ]);
    for (const word of all) expect(word).to.match(/^[\w./-]*$/);
  });

  it('completes the values of every run option that needs one of a list', () => {
    const [{ options }] = described;
    const withList = RUN_OPTIONS.filter(
      ({ flag, schema }) => flag && !flag.includes('[') && Array.isArray(schema?.enum),
    );
    expect(withList.length).to.be.above(2);
    for (const { flag } of withList) {
      const option = options.find(({ names }) => flag.split(/[ ,]+/).includes(names.at(-1)));
      expect(option.value.words, flag).to.have.lengthOf.at.least(2);
    }
  });

  for (const shell of Object.keys(SHELLS)) {
    it(`prints a script for ${shell} with every command and flag`, async () => {
      const { code, stdout, stderr } = await command(['completion', shell]);
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
      expect(stdout).to.equal(completionScript(shell, commands));
      for (const { name, options } of described) {
        expect(stdout).to.include(name);
        for (const long of options.map(({ names }) => names.at(-1)).filter((one) => one.startsWith('--')))
          expect(stdout).to.include(shell === 'fish' ? ` -l ${long.slice(2)} ` : long);
      }
    });
  }

  it('refuses a shell that it does not know', async () => {
    const { code, stderr } = await command(['completion', 'zhs']);
    expect(code).to.equal(2);
    expect(stderr).to.include("unknown shell 'zhs'; use one of bash zsh fish");
    expect((await command(['completion', 'powershell'])).stderr).to.include('use one of bash zsh fish');
  });

  describe('in bash', () => {
    let folder;
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
      writeFileSync(join(folder, 'script.bash'), completionScript('bash', commands));
      mkdirSync(join(folder, 'project/flows'), { recursive: true });
      for (const name of ['flow.mjs', 'f low.yaml', 'first.json', 'photo.png', 'flows/b.mjs', 'flows/c.png'])
        writeFileSync(join(folder, 'project', name), '');
    });
    after(() => rmSync(folder, { recursive: true }));

    /** What bash offers for the last word; bash splits words at the equals sign, too. */
    const offered = async (line) => {
      const words = line.split(/(=)|\s+/).filter((word) => word !== undefined);
      const code = `source ../script.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _bench_rest; ((\${#COMPREPLY[@]})) && printf '%s\\n' "\${COMPREPLY[@]}"; exit 0`;
      const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', code, 'bash', ...words], {
        cwd: join(folder, 'project'),
      });
      // compopt works only inside of a completion
      expect(stderr.replace(/^.*compopt: not currently executing completion function\n/gm, '')).to.equal('');
      return stdout.split('\n').filter(Boolean).sort();
    };

    for (const [line, words] of [...COMPLETIONS, ...FOLDERS]) {
      it(`${line}| is completed with ${words.join(' ') || 'nothing'}`, async () => {
        expect(await offered(line)).to.deep.equal([...words].sort());
      });
    }

    it('an empty line is completed with commands and flows', async () => {
      const names = COMMANDS.map(({ name }) => name).filter((name) => name !== 'run');
      expect(await offered('bench-rest ')).to.have.members([...names, 'flows', 'flow.mjs', 'f low.yaml', 'first.json']);
    });
  });
});
