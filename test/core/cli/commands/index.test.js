import { expect } from 'chai';

import { COMMANDS, loadCommands } from '../../../../lib/core/cli/commands/index.js';
import { createProgram, readArguments } from '../../../../lib/core/cli/options.js';
import { command } from '../../../support/command.js';
import { itSlow } from '../../../support/slow.js';

const { cwd } = process;

describe('cli/commands', () => {
  it('every command has a name, a help text and its functions', async () => {
    for (const { name, about, declare, run } of await loadCommands()) {
      expect(name).to.match(/^[a-z][a-z0-9]*$/);
      expect(about, name).to.match(/^[a-z][^.]*$/);
      expect([typeof declare, typeof run]).to.deep.equal(['function', 'function']);
    }
  });

  it('without a flag, an option that can also be negated has no value', async () => {
    const { commands, options } = createProgram({ version: '', commands: await loadCommands(), env: {}, submit() {} });
    for (const [name, declared] of [['', options], ...commands.map((one) => [one.name(), one.options])]) {
      const longs = declared.map(({ long }) => long);
      for (const [at, long] of longs.entries())
        if (longs.includes(long?.replace('--no-', '--'), at + 1)) expect.fail(`${name} ${long} is before its opposite`);
    }
  });

  it('the screen is for terminals that suit it, unless --tui or --no-tui decides', async () => {
    for (const [flags, screen] of [
      [[], 'auto'],
      [['--tui'], 'always'],
      [['--no-tui'], 'never'],
    ])
      expect(
        readArguments([...flags, 'http://h/'], {
          version: '',
          commands: await loadCommands(),
          env: {},
          columns: 80,
          cwd,
        }),
      ).to.include({ screen });
  });

  it('--help lists every command except run, the default', async () => {
    const { stdout } = await command(['--help']);
    for (const { name } of COMMANDS.filter((entry) => entry.name !== 'run'))
      expect(stdout).to.match(new RegExp(`^ {2}${name} `, 'm'));
  });

  for (const { name, about } of COMMANDS) {
    it(`help ${name} prints the help of ${name}`, async () => {
      const { code, stdout, stderr } = await command(['help', name]);
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
      const isDefault = name === 'run';
      expect(stdout).to.include(`Usage: bench-rest ${isDefault ? '[options]' : name}`);
      if (!isDefault) {
        expect(stdout.replace(/\s+/g, ' ')).to.include(about);
        expect(await command([name, '--help'])).to.include({ code: 0, stdout });
      }
    });
  }

  itSlow('help with a group prints all its flags', async () => {
    const { stdout } = await command(['help', 'load']);
    expect(stdout)
      .to.match(/^Load:\n/)
      .and.include('--max-backlog')
      .and.not.include('--keep-going');
    expect((await command(['help', 'Server'])).stdout).to.include('--base-url');
  });

  it('help with a group that has a page of the guide, too, names how to print that', async () => {
    expect((await command(['help', 'checks'])).stdout)
      .to.match(/^Checks:\n/)
      .and.include('bench-rest help guide/checks\n');
    expect((await command(['help', 'guide/checks'])).stdout).to.match(/^Checks\n\n`expect` states/);
  });

  it('help with a topic prints the beginning of its page of the guide, in the width of the terminal', async () => {
    const { code, stdout } = await command(['help', 'flows']);
    expect(code).to.equal(0);
    expect(stdout)
      .to.match(/^Flows\n\nA flow describes/)
      .and.match(/\nMore, by bench-rest help and a title: 'Phases', 'One[^]*'\nhttps:.*guide\/flows\.md\n$/);
    expect(stdout)
      .to.include("  main: [{ get: '/me' }")
      .and.not.match(/^```|\]\(/m);
  });

  for (const [word, pattern] of [
    ['tokens', /^Tokens\n\nA token such as/],
    ['Captures', /^Capture\n[^]*\nMore: bench-rest help flows\nhttps:.*guide\/flows\.md#capture\n$/],
    ['conversations', /^Conversations\n[^]*help websocket\n/],
    ['ci', /^Thresholds and CI\n/],
    ['one of several operations', /^One of several operations\n/],
    ['exit-codes', /^Exit codes:\n +0  success\n( +\d+  .*\n){9}$/],
    ['users', /^The guide has it in:\n(bench-rest help [\w-]+ +\S.*\n)+$/],
    ['docker', /^The guide has it in:\n(bench-rest help [\w-]+\n)+$/],
  ])
    it(`help ${word} finds the page, the section or the pages of the guide that have the word`, async () => {
      expect((await command(['help', ...word.split(' ')])).stdout).to.match(pattern);
    });

  for (const [name, near] of [
    ['rnu', 'run'],
    ['tokns', 'tokens'],
    ['mtls', 'tls'],
    ['flwos', 'flows'],
    ['conections', 'connections'],
  ])
    it(`help ${name} is refused, and suggests ${near}`, async () => {
      const { code, stderr } = await command(['help', name]);
      expect(code).to.equal(2);
      expect(stderr).to.include(`unknown topic '${name}'; did you mean ${near}?`);
    });

  it('help prints the help of bench-rest', async () => {
    const [help, option] = await Promise.all([command(['help']), command(['--help'])]);
    expect(help).to.deep.equal(option);
  });
});
