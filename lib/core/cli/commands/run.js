import { Option } from 'commander';

import { hintsAt, offered } from '../../ground/addons.js';
import { addCompanionFlags, addFlags, companionsOf } from '../flags/companions.js';
import { addOutcomeFlags, addOutputFlags, demandsOf, outputOptions } from '../flags/output-flags.js';
import { addRequestFlags, requestProperties, requestedUrls } from '../flags/request-flags.js';
import { addConfigFlag, addRunFlags, runOptionsOf, warningsOf } from '../flags/run-flags.js';
import { CommonOption } from '../program.js';
import { usageError } from '../usage-error.js';

/** @import { RunRequest, CommandContext, CommandModule, PreviewEntry, WantedCompanion } from '../types.js' */
/** @import { Command } from 'commander' */
/** @import { RunOptions } from '../../contracts/run-options.js' */
/** @import { FlowInput, RequestProperties } from '../../flow/source/types.js' */
/** @import { EngineThread } from '../engine/engine-thread.js' */

/** @type {PreviewEntry[]} */
const PREVIEWS = offered('previews');

/**
 * @typedef {object} RunSettings
 * @property {'run'} command
 * @property {string} [config] path of the configuration file
 * @property {FlowInput | null} source null if the command line has none
 * @property {RequestProperties} [urlRequest] of the URLs in the source
 * @property {Partial<RunOptions>} runOptions set by the command line and the environment
 * @property {boolean} debug
 * @property {'auto' | 'always' | 'never'} screen whether the whole screen of a terminal shows the run
 * @property {WantedCompanion[]} companions
 * @property {PreviewEntry} [preview] prints something about the run, in its place
 * @property {string[]} warnings to print before the run
 * @property {EngineThread | null} [thread] of the run, if it was started before the flags were read; null: a small
 *   run needs none
 */

/** Runs a flow. The default command: its name is omitted, as in `bench-rest flow.js`. @type {CommandModule} */
export default {
  declare(command, context) {
    command
      .argument('[flow...]', 'a flow file, a URL, several URLs (each iteration requests one), or - for standard input')
      .addOption(new Option('-h', 'print the most used options'))
      .addOption(new Option('--help-all', 'print all options, examples and exit codes'));
    addRunFlags(command);
    addConfigFlag(command);
    addOwnFlags(command);
    command.action((flows, options) => context.submit(requestOf(flows, options, context)));
  },

  async run(request, io, shutdown) {
    // main.js starts the thread of a run when it has only guessed that there is one.
    if (request.preview) await request.thread?.close();
    const { runFlow } = await import('../run/run-flow.js');
    return runFlow(request, io, shutdown);
  },
};

/** @type {(command: Command) => void} */
function addOwnFlags(command) {
  command
    .optionsGroup('Requests:')
    .addOption(new CommonOption('-e, --evaluate <flow>', 'run this flow: a URL, JSON, JavaScript or YAML', 'short'));
  addRequestFlags(command);
  addOutcomeFlags(command.optionsGroup('Checks:'))
    .optionsGroup('Results:')
    .addOption(new CommonOption('--debug', 'run one iteration and print every exchange, with secrets masked', 'short'));
  addFlags(command, PREVIEWS);
  addOutputFlags(addCompanionFlags(command).optionsGroup('Results:'))
    .addOption(
      new Option(
        '--tui',
        `show the run on the whole screen (default: in a large terminal, if the run takes some seconds${hintsAt('list')
          .map((list) => `; see ${list} displays`)
          .join('')})`,
      ),
    )
    // after --tui, as it would be the default otherwise
    .addOption(new Option('--no-tui', 'show the run in two lines of the terminal'));
}

/** @type {(given: string[], options: Record<string, any>, context: CommandContext) => RunRequest} */
function requestOf(given, options, context) {
  const { evaluate, debug = false } = options;
  const flows = requestedUrls(given, options);
  const texts = evaluate === undefined ? flows : [evaluate];
  const runOptions = runOptionsOf(options, context);
  const companions = companionsOf(options, runOptions, texts);
  const wholeScreen = options.tui ? 'always' : 'never';
  return {
    command: 'run',
    config: options.config,
    source: sourceOf(flows, evaluate),
    urlRequest: requestProperties(options),
    runOptions,
    debug,
    screen: options.tui === undefined ? 'auto' : wholeScreen,
    ...outputOptions(options),
    ...demandsOf(options),
    companions,
    preview: PREVIEWS.find(({ name }) => options[name]),
    warnings: warningsOf(options, texts),
  };
}

/** @type {(flows: string[], evaluate: string | undefined) => RunSettings['source']} */
export function sourceOf(flows, evaluate) {
  const [first] = flows;
  if (evaluate !== undefined && flows.length > 0) throw usageError(`use either a flow (${first}) or -e, not both`);
  if (evaluate !== undefined) return { evaluate };
  if (flows.length > 1) return { urls: flows };
  return first === undefined ? null : { argument: first };
}
