import { print } from '../output.js';
import { unknownName } from '../usage-error.js';

/** @import { CommandModule } from '../types.js' */

/** Prints the help of a command. @type {CommandModule} */
export default {
  declare(command, { submit }) {
    command.argument('[command]', 'name of the command; without it, the help of bench-rest').action((name = 'run') => {
      const program = /** @type {import('commander').Command} */ (command.parent);
      const found = name === 'run' ? program : program.commands.find((one) => one.name() === name);
      if (!found) throw unknownName('command', name, ['run', ...program.commands.map((one) => one.name())]);
      let helpText = '';
      found.configureOutput({ writeOut: (part) => (helpText += part) }).outputHelp();
      submit({ command: 'help', helpText });
    });
  },

  /** @param {{ command: 'help', helpText: string }} request */
  run: ({ helpText }, io) => print(helpText, io),
};
