import { print } from '../../core/cli/output.js';

/** @import { CommandModule } from '../../core/cli/types.js' */

/** Prints a script that completes commands, options and file names in a shell. @type {CommandModule} */
export default {
  declare(command, { submit }) {
    command
      .argument('<shell>', 'bash, zsh or fish')
      .action((shell) => submit({ command: 'completion', shell }))
      .addHelpText('after', INSTALLATION);
  },

  /** @param {{ command: 'completion', shell: string }} request */
  async run({ shell }, io) {
    const [{ completionScript }, { loadCommands }] = await Promise.all([
      import('./completion-script.js'),
      import('../../core/cli/commands/index.js'),
    ]);
    return print(completionScript(shell, await loadCommands()), io);
  },
};

const INSTALLATION = `
Install it once:
  bash  bench-rest completion bash > ~/.local/share/bash-completion/completions/bench-rest
  zsh   bench-rest completion zsh > "\${fpath[1]}/_bench-rest"
  fish  bench-rest completion fish > ~/.config/fish/completions/bench-rest.fish
`;
