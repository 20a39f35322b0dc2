import { Command, InvalidArgumentError, Option } from 'commander';

import { makeError } from '../errors.js';
import { REPORTERS } from '../report/index.js';
import { RUN_OPTIONS } from '../run/options.js';
import { readCount, readMs } from '../units.js';
import { EXIT_CODES } from './exit-codes.js';

/**
 * @import { RunOptions } from '../run/options.js'
 * @import { TargetOptions } from '../target/server.js'
 * @import { AbRequest } from './commands/ab.js'
 * @import { CompareRequest } from './commands/compare.js'
 * @import { Wish } from './report-result.js'
 *
 * @typedef {RunWish & Wish} RunRequest
 *
 * @typedef {object} RunWish
 * @property {'run'} command
 * @property {{ argument: string } | { evaluate: string }} source
 * @property {Partial<RunOptions>} given what the command line says, nothing else
 * @property {TargetOptions | null} serve
 * @property {boolean} debug
 * @property {boolean} failIfSaturated
 * @property {number | null} dashboard port; null: none
 * @property {boolean} printConfig
 * @property {string[]} warnings that people are to read before the run
 *
 * @typedef {{ command: 'report' | 'merge', paths: string[] } & Wish} ReportRequest
 * @typedef {{ command: 'serve', options: TargetOptions }} ServeRequest
 * @typedef {RunRequest | ReportRequest | CompareRequest | AbRequest | ServeRequest} Request
 * @typedef {{ command: 'print', text: string }} PrintRequest help or version
 */

const FROM_ENV = { user: 'BENCH_REST_USER', password: 'BENCH_REST_PASSWORD' };
const SHOWN_DEFAULTS = { iterations: '1', limit: '10', progress: '1000', timeout: '30000', gracefulStop: '30000' };

const EXAMPLES = `
Examples:
  bench-rest --serve -n 10k                                   a first result, against the embedded target
  bench-rest -n 1000 -c 50 http://localhost:8000/             GET a URL
  bench-rest -n 1000 -c 50 ./flow.js                          run a flow: .js .mjs .cjs .json .yaml
  bench-rest -r 500 -t 30s -c 100 ./flow.js                   500 iterations a second, whatever the server does
  bench-rest -w auto -W 5s -t 30s -c 200 ./flow.js            all cores, after a warm-up
  bench-rest -n 1000 ./flow.js --base-url http://localhost:3000
  bench-rest -e "{ head: 'http://localhost:8000/' }"          run a flow given here
  bench-rest --debug ./flow.js                                one iteration, every exchange shown
  bench-rest --json -n 10k ./flow.js > result.json            for programs
  bench-rest -t 30s --threshold 'p95<200ms' -o page.html ./flow.js   a test, and a page to look at
  bench-rest ab ./old.js ./new.js -n 5000 -c 50               which is faster, and is it more than noise
  bench-rest serve --port 8000                                the embedded REST target alone

A flow is an array of operations, or an object with before, beforeMain, main, afterMain, after:
  export default { main: [{ put: '/items/#{INDEX}', json: { name: 'n#{INDEX}' } }, { get: '/items/#{INDEX}' }] };

Exit codes:
    0  no errors
${codes()}`;

/**
 * Reads the command line.
 *
 * @param {string[]} args without node and script
 * @param {{ version: string, env: NodeJS.ProcessEnv, columns: number }} about
 * @returns {Request | PrintRequest}
 * @throws {Error} E_USAGE
 */
export function readArguments(args, { version, env, columns }) {
  let printed = '';
  /** @type {Request | undefined} */
  let asked;
  const program = new Command('bench-rest')
    .description('Benchmarks REST services with flows.')
    .enablePositionalOptions()
    .argument('[flow]', 'a flow file or a URL')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .addHelpText('after', EXAMPLES)
    .action((flow, options) => {
      asked = runRequest(flow, options, env);
    });
  addRunOptions(program);
  addTargetOptions(
    program.command('serve').description('starts the embedded REST target and serves until Ctrl-C'),
    '8000',
  ).action(({ port = 8000, ...options }) => {
    asked = { command: 'serve', options: { port, ...options } };
  });
  addWishes(
    program
      .command('report')
      .description('shows a saved result, or writes it in other formats')
      .argument('<result>', 'a .json or .ndjson file'),
  ).action((path, options) => {
    asked = { command: 'report', paths: [path], ...wishOf(options) };
  });
  addWishes(
    program
      .command('merge')
      .description('adds up saved results, such as those of several machines')
      .argument('<results...>', '.json or .ndjson files'),
  ).action((paths, options) => {
    asked = { command: 'merge', paths, ...wishOf(options) };
  });
  addComparing(
    program.command('compare').description('two saved results side by side, and whether a change is more than noise'),
  )
    .argument('<base>', 'a .json file, or several with commas between')
    .argument('<new>', 'the same of the other side')
    .action((base, other, { json = false, maxRegression = [] }) => {
      asked = { command: 'compare', base: base.split(','), other: other.split(','), json, maxRegression };
    });
  const ab = addComparing(
    program.command('ab').description('runs two flows in turn, or one against two services, and compares them'),
  )
    .argument('<flow>', 'the first flow, a file or a URL')
    .argument('[other]', 'the second; or --versus')
    .option(
      '--runs <n>',
      'of each side (default: 10)',
      reader(readCount, (v) => v > 0, 'a whole number from 1'),
    )
    .option('--versus <url>', 'base URL of the second side, for the same flow');
  for (const option of runFlags()) ab.addOption(option);
  ab.action((flow, other, options) => {
    if ((other === undefined) === (options.versus === undefined))
      throw usage('give a second flow, or --versus with the base URL of the second side');
    const { runs = 10, versus, json = false, maxRegression = [] } = options;
    asked = {
      command: 'ab',
      flows: [flow, other ?? flow],
      given: givenOf(options, env),
      versus,
      runs,
      json,
      maxRegression,
      warnings: warningsOf(options),
    };
  });
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => (printed += text),
      writeErr: () => {},
      getOutHelpWidth: () => Math.max(columns, 60),
    });
  }
  try {
    // without a port what follows is the flow
    program.parse(
      args.map((arg, i) => (arg === '--dashboard' && !/^\d+$/.test(args[i + 1] ?? '') ? '--dashboard=0' : arg)),
      { from: 'user' },
    );
  } catch (/** @type {any} */ error) {
    if (printed) return { command: 'print', text: printed };
    if (typeof error?.code !== 'string' || !error.code.startsWith('commander.')) throw error;
    throw makeError('E_USAGE', { problem: error.message.replace(/^error: /, '').replace('\n', ' ') }, { cause: error });
  }
  return /** @type {Request} */ (asked);
}

/** @type {(command: Command) => Command} */
function addComparing(command) {
  return command
    .option(
      '--max-regression <figure=share>',
      'exit with 97 where it is worse by more, such as p99=10%; repeatable',
      (one, before = []) => [...before, one],
    )
    .option('--json', 'print one JSON document');
}

/** One flag for each row of the run options that has one. @type {() => Option[]} */
function runFlags() {
  return RUN_OPTIONS.flatMap(({ name, flag, read = String, check, expected, about }) => {
    if (!flag) return [];
    const shownDefault = /** @type {Record<string, string>} */ (SHOWN_DEFAULTS)[name];
    const fromEnv = /** @type {Record<string, string>} */ (FROM_ENV)[name];
    const text = `${about}${shownDefault ? ` (default: ${shownDefault})` : ''}${fromEnv ? `, also ${fromEnv}` : ''}`;
    const option = new Option(flag, text);
    if (name === 'stages')
      option.argParser((one, before = []) => [...before, reader((line) => read([line]), check, expected)(one)[0]]);
    else if (name === 'thresholds') option.argParser((one, before = []) => [...before, one]);
    else if (flag.includes('<')) option.argParser(reader(read, check, expected));
    return [option];
  });
}

/** The run options, and what only the command knows. @type {(program: Command) => void} */
function addRunOptions(program) {
  for (const option of runFlags()) program.addOption(option);
  program
    .optionsGroup('Flow:')
    .option('-e, --evaluate <flow>', 'a flow: a URL, a JavaScript literal, or YAML')
    .option('-H, --header <field>', "a header of every operation, 'Name: value'; repeatable", readHeader)
    .optionsGroup('Output:')
    .option('--debug', 'run one iteration and show every exchange')
    .option('--print-config', 'show each option, and where its value comes from')
    .option(
      '--dashboard [port]',
      'the page of the result, live, on 127.0.0.1 (default: any port)',
      reader(Number, (v) => Number.isInteger(v) && v >= 0 && v <= 65_535, 'a port from 0 to 65535'),
    )
    .option('--fail-if-saturated', 'exit with 98 when the client was the limit');
  addWishes(program)
    .optionsGroup('Embedded target:')
    .option('--serve', 'start the embedded target for this run, as base of relative URLs');
  addTargetOptions(program, 'any');
}

/** How a result is shown. @type {(command: Command) => Command} */
function addWishes(command) {
  return command
    .option(
      '-o, --output <file>',
      `a file for the result, by its extension: ${extensions()}; repeatable`,
      (one, before = []) => [...before, one],
    )
    .addOption(
      new Option('--format <name>', 'what is printed (default: text)').choices(REPORTERS.map(({ name }) => name)),
    )
    .addOption(new Option('--json', 'the same as --format json: one document and nothing else').conflicts('format'))
    .option('--latency', 'print the whole percentile spectrum')
    .option('--quiet', 'print nothing but errors and failed thresholds');
}

/** @type {(options: Record<string, any>) => Wish} */
function wishOf({ json = false, format, output = [], latency = false, quiet = false }) {
  return { format: json ? 'json' : format, outputs: output, latency, quiet };
}

/** @type {(command: Command, port: string) => Command} */
function addTargetOptions(command, port) {
  const whole = (/** @type {number} */ from, /** @type {number} */ to) =>
    reader(Number, (v) => Number.isInteger(v) && v >= from && v <= to, `a whole number from ${from} to ${to}`);
  return command
    .option('--port <n>', `port (default: ${port})`, whole(0, 65_535))
    .option(
      '--delay <ms>',
      `wait before every response`,
      reader(readMs, (v) => v >= 0 && v <= 600_000, 'milliseconds from 0 to 600000'),
    )
    .option('--error <status>', `status of responses that are made to fail`, whole(200, 599))
    .option(
      '--percent <n>',
      `how many of them (default: 100)`,
      reader(Number, (v) => v >= 0 && v <= 100, 'a number from 0 to 100'),
    );
}

/** @type {(read: (text: string) => any, check: (value: any) => boolean, expected: string) => (text: string) => any} */
function reader(read, check, expected) {
  return (text) => {
    const value = text.trim() === '' && read !== String ? NaN : read(text);
    if (check(value)) return value;
    const example = read === readCount ? ', such as 1000 or 10k' : read === readMs ? ', such as 500 or 30s' : '';
    throw new InvalidArgumentError(`Expected ${expected}${example}.`);
  };
}

/** @type {(text: string, headers?: Record<string, string | string[]>) => Record<string, string | string[]>} */
function readHeader(text, headers = {}) {
  const match = /^([^:\s]+)\s*:\s*(.*)$/s.exec(text);
  if (!match) throw new InvalidArgumentError("Expected 'Name: value'.");
  const [, name, value] = match;
  return { ...headers, [name]: Object.hasOwn(headers, name) ? [headers[name], value].flat() : value };
}

/** @type {(flow: string | undefined, options: Record<string, any>, env: NodeJS.ProcessEnv) => RunRequest} */
function runRequest(flow, options, env) {
  const {
    evaluate,
    debug = false,
    serve = false,
    failIfSaturated = false,
    printConfig = false,
    dashboard,
    port,
    delay,
    error,
    percent,
  } = options;
  if (flow !== undefined && evaluate !== undefined)
    throw usage(`both a flow (${flow}) and -e are given; give one of them`);
  if (flow === undefined && evaluate === undefined && !serve)
    throw usage('no flow is given; try: bench-rest http://localhost:8000/ or bench-rest --serve -n 10k');
  if (serve && options.baseUrl !== undefined) throw usage('both --serve and --base-url are given; give one of them');
  const ofTarget = { port, delay, error, percent };
  const lost = Object.entries(ofTarget).find(([, value]) => value !== undefined);
  if (!serve && lost) throw usage(`--${lost[0]} is an option of --serve, which is not given`);
  return {
    command: 'run',
    source: evaluate !== undefined ? { evaluate } : flow !== undefined ? { argument: flow } : { evaluate: "'/'" },
    given: givenOf(options, env),
    serve: serve ? ofTarget : null,
    debug,
    ...wishOf(options),
    failIfSaturated,
    dashboard: dashboard ?? null,
    printConfig,
    warnings: warningsOf(options),
  };
}

/** @type {(options: Record<string, any>) => string[]} */
function warningsOf({ password, insecure }) {
  const told = `a password on the command line can be seen by everybody on this machine; ${FROM_ENV.password} in the environment cannot`;
  const trusting = 'certificates are not verified (--insecure): whoever answers is taken for the server';
  return [...(password === undefined ? [] : [told]), ...(insecure ? [trusting] : [])];
}

/** The run options that the command line and the environment give. @type {(options: Record<string, any>, env: NodeJS.ProcessEnv) => Partial<RunOptions>} */
function givenOf(options, env) {
  /** @type {Record<string, any>} */
  const given = options.header ? { headers: options.header } : {};
  for (const { name, flag } of RUN_OPTIONS) {
    const value = flag && options[new Option(flag).attributeName()];
    if (value !== undefined) given[name] = value;
  }
  for (const [name, variable] of Object.entries(FROM_ENV)) {
    if (given[name] === undefined && env[variable]) given[name] = env[variable];
  }
  return given;
}

/** @type {() => string} */
function extensions() {
  return [...new Set(REPORTERS.map(({ extension }) => extension))].join(' ');
}

/** @type {() => string} */
function codes() {
  const rows = Object.values(EXIT_CODES).sort((a, b) => a.code - b.code);
  return rows.map(({ code, about }) => `${String(code).padStart(5)}  ${about}\n`).join('');
}

/** @type {(problem: string) => Error} */
function usage(problem) {
  return makeError('E_USAGE', { problem });
}
