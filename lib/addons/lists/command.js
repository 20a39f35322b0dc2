import { offered } from '../../core/ground/addons.js';
import { print, terminalColumns } from '../../core/cli/output.js';

/** @import { CommandModule, OfferedListing } from '../../core/cli/types.js' */

/** @type {OfferedListing[]} */
const OF_URLS = offered('listings');

/** Prints what can be used by name: hooks, tokens, formats and others. @type {CommandModule} */
export default {
  declare(command, { submit }) {
    command
      .argument(
        '[what]',
        ['what to list', ...OF_URLS.map(({ about }) => about), 'without it, everything that can be listed'].join('; '),
      )
      .action((what) => submit({ command: 'list', what }));
  },

  /** @param {{ command: 'list', what?: string }} request */
  async run({ what }, io) {
    const url = what !== undefined && URL.canParse(what) ? new URL(what) : null;
    const offering = OF_URLS.find(({ scheme }) => url?.protocol.replace(/s?:$/, '') === scheme);
    if (url !== null && offering !== undefined) return print((await offering.load()).listOfUrl(url), io);
    const { listText } = await import('./list-text.js');
    return print(listText(what, { width: terminalColumns(io.stdout) }), io);
  },
};
