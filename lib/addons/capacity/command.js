import { Option } from 'commander';

import { FIRST_LOADS, SET_BY_SEARCH, STEP_MS, WITHIN, isShare, readLoad } from './load.js';
import { readLimit, readMs, refuseBareTime } from '../../core/ground/units.js';
import { CAPACITY_FORMATS } from './formats.js';
import { argumentParser } from '../../core/cli/flags/argument-parser.js';
import { addColorFlags, addFormatFlags, formatOptions } from '../../core/cli/flags/output-flags.js';
import { addRequestFlags, requestProperties, requestedUrls } from '../../core/cli/flags/request-flags.js';
import { addConfigFlag, addRunFlags, runOptionsOf, warningsOf } from '../../core/cli/flags/run-flags.js';
import { PROFILE } from '../server/options/profile.js';
import { usageError } from '../../core/cli/usage-error.js';
import { sourceOf } from '../../core/cli/commands/run.js';

/** @import { CommandContext, CommandModule } from '../../core/cli/types.js' */
/** @import { CapacityRequest } from './requests.js' */
/** @import { RunOptions } from '../../core/contracts/run-options.js' */
/** @import { FlowInput, RequestProperties } from '../../core/flow/source/types.js' */

/**
 * @typedef {object} CapacitySettings
 * @property {'capacity'} command
 * @property {string} [config] path of the configuration file
 * @property {FlowInput | null} source null if the command line has none
 * @property {RequestProperties} [urlRequest] of the URLs in the source
 * @property {Partial<RunOptions>} runOptions set by the command line and the environment
 * @property {'rate' | 'users'} by
 * @property {number} [from] load of the first step
 * @property {number} [within] precision, as a share
 * @property {number} [stepMs]
 * @property {number} [maxDurationMs]
 * @property {number | null} atLeast
 * @property {string[]} warnings to print before the search
 */

/** @type {(text: string) => number} */
function readShare(text) {
  const limit = readLimit(text);
  return limit && 'share' in limit ? limit.share : Number(text);
}

const isLoad = (/** @type {string} */ text) => readLoad(text, 'rate') > 0;
const isTime = (/** @type {string} */ text) => readMs(text) >= 1000;

/** Searches the highest load that holds. @type {CommandModule} */
export default {
  declare(command, context) {
    command
      .argument('[flow...]', 'a flow file, a URL, several URLs (each iteration requests one), or - for standard input')
      .addOption(
        new Option(
          '--by <load>',
          'what to vary: the arrival rate, or the number of virtual users (default: rate)',
        ).choices(['rate', 'users']),
      )
      .option(
        '--from <load>',
        `load of the first step, such as 100/s (default: ${FIRST_LOADS.rate}/s), or ${FIRST_LOADS.users} virtual user`,
        argumentParser(String, isLoad, 'a rate such as 100/s, or a number of virtual users'),
      )
      .option(
        '--within <share>',
        `precision of the answer, such as 2% (default: ${WITHIN * 100}%)`,
        argumentParser(readShare, isShare, 'a share between 0 and 100 %, such as 5%'),
      )
      .option(
        '--step <time>',
        `length of a step, at least; low rates take up to three times as long (default: ${STEP_MS / 1000}s)`,
        argumentParser(String, isTime, 'a time of 1s or more', refuseBareTime),
      )
      .option(
        '--max-duration <time>',
        'start no step that would end later than this, and answer with what is known',
        argumentParser(String, isTime, 'a time of 1s or more', refuseBareTime),
      )
      .option(
        '--at-least <load>',
        'exit with 99 if the capacity is below this, such as 500/s',
        argumentParser(String, isLoad, 'a rate such as 500/s, or a number of virtual users'),
      );
    addFormatFlags(command, 'capacity', CAPACITY_FORMATS).option('--quiet', 'print no steps');
    addColorFlags(command).option('-e, --evaluate <flow>', 'load this flow: a URL, JSON, a JavaScript literal or YAML');
    addRunFlags(command, { except: [...SET_BY_SEARCH, ...PROFILE.map(({ name }) => name)] });
    addConfigFlag(command);
    addRequestFlags(command.optionsGroup('Requests:'));
    command.action((flows, options) => context.submit(requestOf(flows, options, context)));
  },

  async run(request, io, shutdown) {
    const { runCapacity } = await import('./run-capacity.js');
    return runCapacity(request, io, shutdown);
  },
};

/** @type {(given: string[], options: Record<string, any>, context: CommandContext) => CapacityRequest} */
function requestOf(given, options, context) {
  const flows = requestedUrls(given, options);
  const { by = 'rate', from, within, step, maxDuration, atLeast, evaluate, quiet = false } = options;
  if (by === 'users' && options.concurrency !== undefined)
    throw usageError('-c and --by users cannot be combined: the search decides on the number of virtual users');
  return {
    command: 'capacity',
    config: options.config,
    source: sourceOf(flows, evaluate),
    urlRequest: requestProperties(options),
    runOptions: runOptionsOf(options, context),
    by,
    ...(from !== undefined && { from: loadOf('--from', from, by) }),
    within,
    ...(step !== undefined && { stepMs: readMs(step) }),
    ...(maxDuration !== undefined && { maxDurationMs: readMs(maxDuration) }),
    atLeast: atLeast === undefined ? null : loadOf('--at-least', atLeast, by),
    ...formatOptions(options),
    quiet,
    warnings: warningsOf(options, evaluate === undefined ? flows : [evaluate]),
  };
}

/** @type {(flag: string, text: string, by: 'rate' | 'users') => number} */
function loadOf(flag, text, by) {
  const load = readLoad(text, by);
  if (load > 0) return load;
  throw usageError(`${flag} ${text}: with --by users it is a number of virtual users, such as ${flag} 50`);
}
