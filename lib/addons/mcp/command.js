import { addAllowFlags, allowedOf } from '../agents/allow-flags.js';
import { addBoundFlags, boundsOf } from '../agents/bound-flags.js';

/** @import { CommandModule } from '../../core/cli/types.js' */
/** @import { McpRequest } from './requests.js' */

/** The limits of a run, as their flags are written. */
const LIMITS = { duration: '30s', users: '50', rate: '1000/s', bytes: '1GiB' };

/** Serves assistants until standard input ends. @type {CommandModule} */
export default {
  declare(command, { submit }) {
    command.option('--folder <folder>', 'read flows, data and results below this folder, and nothing else', '.');
    addAllowFlags(command, {
      code: 'run flows of this folder that are JavaScript or TypeScript: they can do what you can',
      env: 'variables of the environment that flows may read, such as TOKEN,HOST (default: none)',
      target: 'where flows may send requests besides this machine, such as api.example:443,*.test:*',
    });
    addBoundFlags(command, LIMITS);
    command.action((options) => submit(requestOf(options)));
  },

  async run(request, io, shutdown) {
    const { serveAssistant } = await import('./server.js');
    return serveAssistant(request, io, shutdown);
  },
};

/** @type {(options: Record<string, any>) => McpRequest} */
function requestOf({ folder, ...options }) {
  return { command: 'mcp', folder, allowed: allowedOf(options), bounds: boundsOf(options, LIMITS) };
}
