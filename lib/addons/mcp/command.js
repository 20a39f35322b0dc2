import { readCount, readMs, readRate, refuseBareTime } from '../../core/ground/units.js';
import { addAllowFlags, allowedOf } from '../../core/cli/flags/allow-flags.js';
import { argumentParser } from '../../core/cli/flags/argument-parser.js';

/** @import { CommandModule } from '../../core/cli/types.js' */
/** @import { McpRequest } from './requests.js' */

/** The limits of a run, as their flags are written. */
const LIMITS = { duration: '30s', concurrency: '50', rate: '1000/s' };

const isPositive = (/** @type {any} */ value) => Number.isFinite(value) && value > 0;

/** Serves assistants until standard input ends. @type {CommandModule} */
export default {
  declare(command, { submit }) {
    command.option('--folder <folder>', 'read flows, data and results below this folder, and nothing else', '.');
    addAllowFlags(command, {
      code: 'run flows of this folder that are JavaScript or TypeScript: they can do what you can',
      env: 'variables of the environment that flows may read, such as TOKEN,HOST (default: none)',
      target: 'where flows may send requests besides this machine, such as api.example:443,*.test:*',
    })
      .option(
        '--max-duration <time>',
        `the longest run, with its warm-up (default: ${LIMITS.duration})`,
        argumentParser(readMs, isPositive, 'a time above 0', refuseBareTime),
      )
      .option(
        '--max-concurrency <n>',
        `the most virtual users of a run (default: ${LIMITS.concurrency})`,
        argumentParser(readCount, isPositive, 'a whole number from 1'),
      )
      .option(
        '--max-rate <rate>',
        `the most requests and iterations per second of a run (default: ${LIMITS.rate})`,
        argumentParser(readRate, isPositive, 'a rate above 0, such as 500 or 30/m'),
      )
      .action((options) => submit(requestOf(options)));
  },

  async run(request, io, shutdown) {
    const { serveAssistant } = await import('./server.js');
    return serveAssistant(request, io, shutdown);
  },
};

/** @type {(options: Record<string, any>) => McpRequest} */
function requestOf({ folder, maxDuration, maxConcurrency, maxRate, ...options }) {
  return {
    command: 'mcp',
    folder,
    allowed: allowedOf(options),
    bounds: {
      duration: maxDuration ?? readMs(LIMITS.duration),
      concurrency: maxConcurrency ?? readCount(LIMITS.concurrency),
      rate: maxRate ?? readRate(LIMITS.rate),
    },
  };
}
