import { readCount } from '../../../core/ground/units.js';
import { argumentParser } from '../../../core/cli/flags/argument-parser.js';
import { addRequestFlags, requestProperties, requestedUrls } from '../../../core/cli/flags/request-flags.js';
import { addConfigFlag, addRunFlags, runOptionsOf, warningsOf } from '../../../core/cli/flags/run-flags.js';
import { usageError } from '../../../core/cli/usage-error.js';
import { addComparisonFlags, comparisonOptions } from './compare.js';

/** @import { CommandContext, CommandModule } from '../../../core/cli/types.js' */
/** @import { AbRequest } from '../requests.js' */
/** @import { RunOptions } from '../../../core/contracts/run-options.js' */
/** @import { RequestProperties } from '../../../core/flow/source/types.js' */

/**
 * @typedef {object} AbSides
 * @property {'ab'} command
 * @property {[string, string]} flows
 * @property {string} [config] path of the configuration file
 * @property {RequestProperties} [urlRequest] of the flows that are URLs
 * @property {Partial<RunOptions>} runOptions
 * @property {string} [versus] base URL of the second side
 * @property {string} [versusStart] command that starts the server of the second side
 * @property {string} [versusRef] commit whose server is the first side, A; B is what --start starts now
 * @property {string} [setup] command that makes the server of that commit ready to start
 * @property {number} runs of each side
 * @property {string} [saveRuns] folder for the results of the runs
 * @property {string[]} warnings to print before the runs
 */

/** Runs two flows, or one flow with two servers, in turn and compares them. @type {CommandModule} */
export default {
  declare(command, context) {
    addComparisonFlags(command)
      .argument('<flow>', 'the first flow, a file or a URL')
      .argument('[other]', 'the second flow; or --versus, --versus-start or --versus-ref')
      .option(
        '--runs <n>',
        'runs of each side (default: 10)',
        argumentParser(readCount, (v) => v > 0, 'a whole number from 1'),
      )
      .option('--versus <url>', 'base URL of the second side, for the same flow')
      .option(
        '--save-runs <folder>',
        'save the result of every run, as A/01.json, B/01.json, … in this folder (experimental)',
      )
      .option(
        '--versus-start <command>',
        'start the server of the second side with this command, for the same flow (experimental)',
      )
      .option(
        '--versus-ref <ref>',
        'compare with the server of this branch, tag or commit, which is checked out and started like that of --start; B is what --start starts now (experimental)',
      )
      .option(
        '--setup <command>',
        "run this in the checkout of --versus-ref, such as 'npm ci && npm run build'; without it, packages are linked, or installed by the lock file (experimental)",
      )
      .action((flow, other, options) => context.submit(requestOf(flow, other, options, context)));
    addRunFlags(command, { without: ['Agents'] });
    addConfigFlag(command);
    addRequestFlags(command.optionsGroup('Requests:'));
  },

  async run(request, io, shutdown) {
    const { runAb } = await import('../ab/run-ab.js');
    return runAb(request, io, shutdown);
  },
};

/**
 * @type {(first: string, second: string | undefined, options: Record<string, any>, context: CommandContext) =>
 *   AbRequest}
 */
function requestOf(first, second, options, context) {
  const [flow, other] = requestedUrls([first, ...(second === undefined ? [] : [second])], options);
  const { runs = 10, versus, versusStart, versusRef, setup, saveRuns } = options;
  const hasVersus = versus !== undefined || versusStart !== undefined;
  const hasSecondSide = hasVersus || versusRef !== undefined;
  if (hasSecondSide && other !== undefined)
    throw usageError(
      'a second flow cannot be used with --versus, --versus-start or --versus-ref: with them, both sides run the same flow',
    );
  if (!hasSecondSide && other === undefined)
    throw usageError(
      'give a second flow, or --versus with the base URL of the second side, --versus-start or --versus-ref; to load one URL, as ApacheBench does, leave out the word ab',
    );
  if (versusRef !== undefined && hasVersus) throw usageError('use either --versus-ref, or --versus and --versus-start');
  if (setup !== undefined && versusRef === undefined) throw usageError('--setup needs --versus-ref');
  return {
    command: 'ab',
    flows: [flow, other ?? flow],
    config: options.config,
    urlRequest: requestProperties(options),
    runOptions: runOptionsOf(options, context),
    versus,
    versusStart,
    versusRef,
    setup,
    runs,
    saveRuns,
    ...comparisonOptions(options),
    warnings: warningsOf(options, [flow, other, versus]),
  };
}
