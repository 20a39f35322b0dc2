import { print } from '../output.js';

/** @import { CommandModule } from '../types.js' */

/** Explains a command, a group of flags, or a topic of the guide. @type {CommandModule} */
export default {
  declare(command, { submit }) {
    command
      .argument(
        '[topic]',
        'a command, a group of flags such as load, a page of the guide such as flows, or words in it',
      )
      .allowExcessArguments() // a title has several words
      .action(() => submit({ command: 'help', topic: command.args.join(' ') || 'run', program: command.parent }));
  },

  /** @param {{ command: 'help', topic: string, program: import('commander').Command }} request */
  async run({ topic, program }, io) {
    const { helpOn } = await import('../help.js');
    return print(helpOn(topic, program), io);
  },
};
