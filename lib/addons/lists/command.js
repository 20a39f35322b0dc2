import { offered } from '../../core/ground/addons.js';
import { addFlags } from '../../core/cli/flags/companions.js';
import { addHeaderFlag } from '../../core/cli/flags/request-flags.js';
import { runOptionsOf } from '../../core/cli/flags/run-flags.js';
import { print, terminalColumns } from '../../core/cli/output.js';
import { usageError } from '../../core/cli/usage-error.js';
import { rowOf } from '../../core/run/options/index.js';

/** @import { CommandModule, OfferedListing } from '../../core/cli/types.js' */
/** @import { RunOptions } from '../../core/contracts/run-options.js' */

/** @type {OfferedListing[]} */
const OF_URLS = offered('listings');

/** How the server of a URL is reached. */
const REACHING = ['insecure', 'ca', 'cert', 'key', 'passphrase', 'servername'];

/** Prints what can be used by name: hooks, tokens, formats and others. @type {CommandModule} */
export default {
  declare(command, { env, words, submit }) {
    command.argument(
      '[what]',
      ['what to list', ...OF_URLS.map(({ about }) => about), 'without it, everything that can be listed'].join('; '),
    );
    if (OF_URLS.length > 0) {
      addHeaderFlag(command, "of a URL: a header, 'Name: value' or name=value; repeatable");
      addFlags(command, REACHING.map(rowOf));
    }
    command.action((what, options) => {
      const hasUrl = listingOf(what) !== undefined;
      if (!hasUrl && Object.keys(options).length > 0) throw usageError('the flags of list are for the URL of a server');
      submit({ command: 'list', what, options: hasUrl ? runOptionsOf(options, { env, words }) : {} });
    });
  },

  /** @param {{ command: 'list', what?: string, options: Partial<RunOptions> }} request */
  async run({ what, options }, io) {
    const listing = listingOf(what);
    if (listing !== undefined) return print((await listing.load()).listOfUrl(new URL(String(what)), options), io);
    const { listText } = await import('./list-text.js');
    return print(listText(what, { width: terminalColumns(io.stdout) }), io);
  },
};

/** @type {(what?: string) => OfferedListing | undefined} */
function listingOf(what) {
  const url = what !== undefined && URL.canParse(what) ? new URL(what) : null;
  return OF_URLS.find(({ scheme }) => url?.protocol.replace(/s?:$/, '') === scheme);
}
