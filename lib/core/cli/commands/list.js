import { print, terminalColumns } from '../output.js';

/** @import { CommandModule } from '../types.js' */

/** Prints what can be used by name: hooks, tokens, formats and others. @type {CommandModule} */
export default {
  declare(command, { submit }) {
    command
      .argument('[what]', 'what to list; without it, everything that can be listed')
      .action((what) => submit({ command: 'list', what }));
  },

  /** @param {{ command: 'list', what?: string }} request */
  async run({ what }, io) {
    const { listText } = await import('../list-text.js');
    return print(listText(what, { width: terminalColumns(io.stdout) }), io);
  },
};
