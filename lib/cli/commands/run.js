import { InvalidArgumentError, Option } from 'commander';

import { argumentParser, secretParser } from '../flags/argument-parser.js';
import { addOutputFlags, outputOptions } from '../flags/output-flags.js';
import { addRequestFlags, requestProperties } from '../flags/request-flags.js';
import { addRunFlags, runOptionsOf, warningsOf } from '../flags/run-flags.js';
import { addTargetFlags } from '../flags/target-flags.js';
import { usageError } from '../usage-error.js';

/**
 * @import { Command } from 'commander'
 * @import { RequestProperties } from '../../flow/source/with-request.js'
 * @import { RunOptions } from '../../run/options/types.js'
 * @import { FlowInput } from '../../flow/source/load.js'
 * @import { TargetOptions } from '../../target/server.js'
 * @import { OutputOptions } from '../flags/output-flags.js'
 * @import { CommandEntry } from './types.js'
 *
 * @typedef {object} RunSettings
 * @property {'run'} command
 * @property {FlowInput | null} source null if the command line has none
 * @property {RequestProperties} [urlRequest] of the URLs in the source
 * @property {Partial<RunOptions>} runOptions set by the command line and the environment
 * @property {TargetOptions | null} serve
 * @property {boolean} debug
 * @property {boolean} failIfSaturated
 * @property {number | null} dashboard port; null: none
 * @property {boolean} printConfig
 * @property {string[]} warnings to print before the run
 *
 * @typedef {RunSettings & OutputOptions} RunRequest
 */

/** Runs a flow. The default command: its name is omitted, as in `bench-rest flow.js`. @type {CommandEntry} */
export default {
  name: 'run',
  about: 'benchmark a REST service with a flow; the default command, its name is omitted',

  declare(command, { env, submit }) {
    command
      .argument('[flow...]', 'a flow file, a URL, several URLs (each iteration requests one), or - for standard input')
      .addOption(new Option('-h', 'print the most used options'));
    addRunFlags(command);
    addOwnFlags(command);
    command.action((flows, options) => submit(requestOf(flows, options, env)));
  },

  async run(request, io, shutdown) {
    const { runFlow } = await import('../run/run-flow.js');
    return runFlow(request, io, shutdown);
  },
};

/** Flags other than run options. @type {(command: Command) => void} */
function addOwnFlags(command) {
  command
    .optionsGroup('Requests:')
    .option('-e, --evaluate <flow>', 'run this flow: a URL, JSON, a JavaScript literal or YAML')
    .option(
      HEADER,
      "a header for every operation, 'Name: value' or name=value; repeatable",
      secretParser(HEADER, readHeader),
    );
  addRequestFlags(command);
  command
    .optionsGroup('Checks:')
    .option('--fail-if-saturated', 'exit with 98 if the load generator was saturated')
    .optionsGroup('Results:')
    .option('--debug', 'run one iteration and print every exchange, with secrets masked')
    .option('--print-config', 'print every option and where its value comes from')
    .option(
      '--dashboard [port]',
      'serve the HTML report live on 127.0.0.1 during the run (default: any free port)',
      argumentParser(Number, (v) => Number.isInteger(v) && v >= 0 && v <= 65_535, 'a port from 0 to 65535'),
    );
  addOutputFlags(command)
    .optionsGroup('Target:')
    .option('--serve', 'start the embedded target for this run, as base URL of relative URLs');
  addTargetFlags(command, 'any free port');
}

const HEADER = '-H, --header <field>';

/** @type {(text: string, headers?: Record<string, string | string[]>) => Record<string, string | string[]>} */
function readHeader(text, headers = {}) {
  const match = /^([^:=\s]+)\s*[:=]\s*(.*)$/s.exec(text);
  if (!match) throw new InvalidArgumentError("Expected 'Name: value' or name=value.");
  const [, name, value] = match;
  return { ...headers, [name]: Object.hasOwn(headers, name) ? [headers[name], value].flat() : value };
}

/** @type {(flows: string[], options: Record<string, any>, env: NodeJS.ProcessEnv) => RunRequest} */
function requestOf(flows, options, env) {
  const { evaluate, debug = false, serve = false, failIfSaturated = false, printConfig = false, dashboard } = options;
  const { port, delay, error, percent } = options;
  if (serve && options.baseUrl !== undefined) throw usageError('use either --serve or --base-url, not both');
  const targetOptions = { port, delay, error, percent };
  const unused = Object.entries(targetOptions).find(([, value]) => value !== undefined);
  if (!serve && unused) throw usageError(`--${unused[0]} is an option of --serve; add --serve`);
  return {
    command: 'run',
    source: sourceOf(flows, evaluate),
    urlRequest: requestProperties(options),
    runOptions: runOptionsOf(options, env),
    serve: serve ? { ...targetOptions, seed: options.seed } : null,
    debug,
    ...outputOptions(options),
    failIfSaturated,
    dashboard: dashboard ?? null,
    printConfig,
    warnings: warningsOf(options, evaluate === undefined ? flows : [evaluate]),
  };
}

/** @type {(flows: string[], evaluate: string | undefined) => RunSettings['source']} */
function sourceOf(flows, evaluate) {
  const [first] = flows;
  if (evaluate !== undefined && flows.length > 0) throw usageError(`use either a flow (${first}) or -e, not both`);
  if (evaluate !== undefined) return { evaluate };
  if (flows.length > 1) return { urls: flows };
  return first === undefined ? null : { argument: first };
}
