import { Option } from 'commander';

import { HIGHEST_PORT } from '../../http/url-parts.js';
import { RANDOM_SEED } from '../../run/options/load.js';
import { argumentParser } from '../flags/argument-parser.js';
import {
  addOutcomeFlags,
  addOutputFlags,
  addRegressionFlag,
  demandsOf,
  noiseOptions,
  outputOptions,
} from '../flags/output-flags.js';
import { addRequestFlags, requestProperties } from '../flags/request-flags.js';
import { addConfigFlag, addRunFlags, addTargetFlags, runOptionsOf, warningsOf } from '../flags/run-flags.js';
import { usageError } from '../usage-error.js';

/** @import { RunRequest, CommandContext, CommandModule } from '../types.js' */
/** @import { Command } from 'commander' */
/** @import { RunOptions } from '../../contracts/run-options.js' */
/** @import { FlowInput, RequestProperties } from '../../flow/source/types.js' */
/** @import { TargetOptions } from '../../../addons/serve/server.js' */
/** @import { EngineThread } from '../engine/engine-thread.js' */

/**
 * @typedef {object} RunSettings
 * @property {'run'} command
 * @property {string} [config] path of the configuration file
 * @property {FlowInput | null} source null if the command line has none
 * @property {RequestProperties} [urlRequest] of the URLs in the source
 * @property {Partial<RunOptions>} runOptions set by the command line and the environment
 * @property {TargetOptions | null} serve
 * @property {boolean} debug
 * @property {'auto' | 'always' | 'never'} screen whether the whole screen of a terminal shows the run
 * @property {number | null} dashboard port; null: none
 * @property {string} [baseline] path of a saved result
 * @property {string[]} maxRegression
 * @property {string[]} noise
 * @property {string} [history]
 * @property {boolean} printConfig
 * @property {boolean} printPlan
 * @property {string[]} warnings to print before the run
 * @property {EngineThread} [thread] of the run, if it was started before the flags were read
 */

/** Runs a flow. The default command: its name is omitted, as in `bench-rest flow.js`. @type {CommandModule} */
export default {
  declare(command, context) {
    command
      .argument('[flow...]', 'a flow file, a URL, several URLs (each iteration requests one), or - for standard input')
      .addOption(new Option('-h', 'print the most used options'));
    addRunFlags(command);
    addConfigFlag(command);
    addOwnFlags(command);
    command.action((flows, options) => context.submit(requestOf(flows, options, context)));
  },

  async run(request, io, shutdown) {
    // main.js starts the thread of a run when it has only guessed that there is one.
    if (request.printConfig || request.printPlan) await request.thread?.close();
    const { runFlow } = await import('../run/run-flow.js');
    return runFlow(request, io, shutdown);
  },
};

/** @type {(command: Command) => void} */
function addOwnFlags(command) {
  command
    .optionsGroup('Requests:')
    .option('-e, --evaluate <flow>', 'run this flow: a URL, JSON, a JavaScript literal or YAML');
  addRequestFlags(command);
  addOutcomeFlags(command.optionsGroup('Checks:')).option(
    '--baseline <file>',
    'compare with this saved result: every report shows the changes',
  );
  addRegressionFlag(command)
    .optionsGroup('Results:')
    .option('--debug', 'run one iteration and print every exchange, with secrets masked')
    .option('--print-config', 'print every option and where its value comes from')
    .option('--print-plan', 'check flow and options, and draw the load over time; nothing is sent')
    .option(
      '--dashboard [port]',
      'serve the HTML report live on 127.0.0.1 during the run (default: any free port)',
      argumentParser(
        Number,
        (v) => Number.isInteger(v) && v >= 0 && v <= HIGHEST_PORT,
        `a port from 0 to ${HIGHEST_PORT}`,
      ),
    );
  addOutputFlags(command)
    .addOption(
      new Option(
        '--tui',
        'show the run on the whole screen (default: in a large terminal, if the run takes some seconds; see bench-rest list displays)',
      ),
    )
    // after --tui, as it would be the default otherwise
    .addOption(new Option('--no-tui', 'show the run in two lines of the terminal'))
    .optionsGroup('Target:')
    .option('--serve', 'start the embedded target for this run, as base URL of relative URLs');
  addTargetFlags(command, 'any free port', 'serve-');
}

/** @type {(flows: string[], options: Record<string, any>, context: CommandContext) => RunRequest} */
function requestOf(flows, options, context) {
  const { evaluate, debug = false, serve = false, printConfig = false, printPlan = false, dashboard } = options;
  const runOptions = runOptionsOf(options, context);
  if (serve && runOptions.start !== undefined) throw usageError('use either --serve or --start, not both');
  const targetOptions = targetOptionsOf(options);
  const wholeScreen = options.tui ? 'always' : 'never';
  const seed = options.seed === RANDOM_SEED ? undefined : options.seed;
  return {
    command: 'run',
    config: options.config,
    source: sourceOf(flows, evaluate),
    urlRequest: requestProperties(options),
    runOptions,
    serve: serve ? { ...targetOptions, seed } : null,
    debug,
    screen: options.tui === undefined ? 'auto' : wholeScreen,
    ...outputOptions(options),
    ...demandsOf(options),
    dashboard: dashboard ?? null,
    ...baselineOptions(options),
    printConfig,
    printPlan,
    warnings: warningsOf(options, evaluate === undefined ? flows : [evaluate]),
  };
}

/** @type {(options: Record<string, any>) => Pick<RunSettings, 'baseline' | 'maxRegression' | 'noise' | 'history'>} */
function baselineOptions({ baseline, maxRegression = [], ...options }) {
  const known = noiseOptions(options);
  const [flag] = [
    ...(maxRegression.length > 0 ? ['--max-regression'] : []),
    ...(known.noise.length > 0 ? ['--noise'] : []),
    ...(known.history !== undefined ? ['--history'] : []),
  ];
  if (baseline === undefined && flag !== undefined)
    throw usageError(`${flag} needs --baseline, the saved result to compare with`);
  return { baseline, maxRegression, ...known };
}

/** @type {(options: Record<string, any>) => TargetOptions} */
function targetOptionsOf({ serve, baseUrl, ...options }) {
  if (serve && baseUrl !== undefined) throw usageError('use either --serve or --base-url, not both');
  const { servePort: port, serveDelay: delay, serveError: error, servePercent: percent } = options;
  const targetOptions = { port, delay, error, percent };
  const unused = Object.entries(targetOptions).find(([, value]) => value !== undefined);
  if (!serve && unused) throw usageError(`--serve-${unused[0]} is an option of --serve; add --serve`);
  return targetOptions;
}

/** @type {(flows: string[], evaluate: string | undefined) => RunSettings['source']} */
export function sourceOf(flows, evaluate) {
  const [first] = flows;
  if (evaluate !== undefined && flows.length > 0) throw usageError(`use either a flow (${first}) or -e, not both`);
  if (evaluate !== undefined) return { evaluate };
  if (flows.length > 1) return { urls: flows };
  return first === undefined ? null : { argument: first };
}
