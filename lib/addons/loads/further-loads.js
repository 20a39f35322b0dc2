import { existsSync } from 'node:fs';

import { Option } from 'commander';

import { protocolOfUrl } from '../../core/flow/protocols/index.js';
import { hasFlowExtension } from '../../core/flow/source/formats/index.js';
import { accepts, checkedUrl } from '../../core/flow/source/formats/url.js';
import { BARE_TIME_REFUSALS, refuseBareTime } from '../../core/ground/units.js';
import { LOAD_OPTIONS } from '../../core/run/options/load.js';
import { RUN_OPTIONS } from '../../core/run/options/index.js';
import { Program, valueIn } from '../../core/cli/program.js';
import { usageError } from '../../core/cli/usage-error.js';
import { addRequestFlags, requestProperties, requestedUrls } from '../../core/cli/flags/request-flags.js';
import { optionsOf } from '../../core/cli/flags/run-flags.js';

/** @import { Command } from 'commander' */
/** @import { RequestProperties } from '../../core/flow/source/types.js' */
/** @import { RunRequest, SeparatorModule } from '../../core/cli/types.js' */

/**
 * @typedef {object} LoadPart
 * @property {string[]} urls
 * @property {Record<string, unknown>} load run options that it has by itself
 * @property {RequestProperties} [request] of its URLs
 * @property {string} [startAfter]
 */

const LOAD_ROWS = RUN_OPTIONS.filter(({ name }) => LOAD_OPTIONS.includes(name));
const TIMES = LOAD_ROWS.filter(({ refuseText }) => BARE_TIME_REFUSALS.has(refuseText)).map(({ name }) => name);
const START_AFTER = '--start-after <time or load>';

/**
 * Adds further loads to a request, which then runs a flow with a scenario for each load. A word `+` begins the next
 * load on the command line:
 *
 *     bench-rest -r 100 -t 1m /items + -c 4 --pause 1s /import + --start-after 30s -r 500 -t 10s /items
 *
 * The request is what precedes the first `+`: the first load, and the options of the whole run. `further` are the
 * arguments after each `+`.
 * @throws {Error} E_USAGE
 * @type {SeparatorModule['withParts']}
 */
export function withParts(request, further, program) {
  if (request.command !== 'run')
    throw usageError(`+ begins another load of a run: bench-rest ${request.command} has no loads`);
  const { source, runOptions, urlRequest, ...rest } = request;
  const { load, wholeRun } = splitOptions(runOptions);
  const first = { urls: urlsOf(source), load, ...(urlRequest && { request: urlRequest }) };
  const parts = [first, ...further.map((args) => readPart(args, program))];
  for (const part of parts) refuseFlows(part);
  const flow = { scenarios: Object.fromEntries(namedParts(parts).map(([name, part]) => [name, scenarioOf(part)])) };
  const paths = parts.flatMap(({ urls }) => urls);
  return { ...rest, source: { evaluate: JSON.stringify(flow), paths }, runOptions: wholeRun };
}

/**
 * Divides the options before the first `+` into those of the first load and those of the whole run.
 * @type {(runOptions: Record<string, any>) => { load: Record<string, unknown>, wholeRun: Record<string, any> }}
 */
function splitOptions(runOptions) {
  const isOfLoad = (/** @type {[string, unknown]} */ [name]) => LOAD_OPTIONS.includes(name);
  const all = Object.entries(runOptions);
  return {
    load: Object.fromEntries(all.filter(isOfLoad)),
    wholeRun: Object.fromEntries(all.filter((entry) => !isOfLoad(entry))),
  };
}

/** @type {(source: RunRequest['source']) => string[]} */
function urlsOf(source) {
  if (source === null) throw usageError('a URL is missing before +: write bench-rest -r 100 -t 30s URL + -c 4 URL');
  if ('urls' in source) return source.urls;
  if ('argument' in source) return [source.argument];
  throw usageError('loads that are joined by + have URLs: in a flow, write them as load of its scenarios, without -e');
}

/** Reads the arguments after a `+`. @type {(args: string[], program: Command) => LoadPart} */
function readPart(args, program) {
  const command = new Program('load').argument('[url...]');
  for (const option of LOAD_ROWS.filter(({ flag }) => flag !== undefined).flatMap(optionsOf)) command.addOption(option);
  command.addOption(new Option(START_AFTER));
  addRequestFlags(command);
  const { urls, problem } = readWords(args, command);
  for (const arg of args) refuseFlagOfRun(arg, command, program);
  if (problem !== undefined) throw usageError(`after +: ${problem}`);
  const options = command.opts();
  const { startAfter, header } = options;
  if (header !== undefined) throw usageError('-H is of all loads: write it before the first +');
  if (urls.length === 0) throw usageError(`after + comes another load: ${[...args, 'URL'].join(' ')}`);
  if (startAfter !== undefined && refuseBareTime(startAfter))
    throw usageError(`--start-after ${startAfter}: write a time such as 30s, or the path of another load`);
  const request = requestProperties(options);
  const load = LOAD_ROWS.flatMap((row) => {
    const value = row.flag && valueIn(options, row.flag);
    return value === undefined ? [] : [[row.name, value]];
  });
  return {
    urls: requestedUrls(urls, options),
    load: Object.fromEntries(load),
    ...(request && { request }),
    ...(startAfter !== undefined && { startAfter }),
  };
}

/** @type {(args: string[], command: Program) => { urls: string[], problem?: string }} */
function readWords(args, command) {
  try {
    const { operands, unknown } = command.parseOptions(args);
    return { urls: operands, problem: command.refusal(args, { isRefused: unknown.length > 0 }) };
  } catch (/** @type {any} */ error) {
    if (error.code !== 'commander.optionMissingArgument') throw error;
    return { urls: [], problem: error.message };
  }
}

/** @type {(arg: string, command: Command, program: Command) => void} */
function refuseFlagOfRun(arg, command, program) {
  const [flag] = arg.split('=');
  const has = (/** @type {Command} */ one) => one.options.some(({ short, long }) => flag === short || flag === long);
  if (has(program) && !has(command)) throw usageError(`${flag} is of the whole run: write it before the first +`);
}

/** @type {(part: LoadPart) => Record<string, unknown>} */
function scenarioOf({ urls, load, request, startAfter }) {
  const operations = urls.map((url) =>
    protocolOfUrl(url).fromUrl(url.startsWith('/') ? url : checkedUrl(url), request),
  );
  return {
    load: Object.fromEntries(Object.entries(load).map(([name, given]) => [name, withUnits(given, name)])),
    ...(startAfter !== undefined && { startAfter }),
    main: operations.length === 1 ? operations : [{ oneOf: operations }],
  };
}

/** The flags were read as ms, and a flow has units. @type {(given: any, name: string) => unknown} */
function withUnits(given, name) {
  if (Array.isArray(given)) return given.map((one) => withUnits(one, name));
  if (typeof given === 'number') return TIMES.includes(name) ? `${given}ms` : given;
  return given?.duration === undefined ? given : { ...given, duration: `${given.duration}ms` };
}

/** @type {(part: LoadPart) => void} */
function refuseFlows({ urls }) {
  const file = urls.find((url) => url === '-' || (hasFlowExtension(url) && !isUrlOrPath(url)));
  if (file !== undefined)
    throw usageError(`${file} is a flow: loads that are joined by + have URLs; write them as load of its scenarios`);
}

/** `/items.json` is a document of the service, unless this machine has such a file. @type {(url: string) => boolean} */
function isUrlOrPath(url) {
  if (url.startsWith('/')) return !existsSync(url);
  return accepts({ argument: url, from: url, path: url, cwd: '', limitMs: 0 });
}

/**
 * Names the loads after their paths; a second load of the same paths has a number.
 * @type {(parts: LoadPart[]) => [name: string, part: LoadPart][]}
 */
function namedParts(parts) {
  /** @type {Set<string>} */
  const taken = new Set();
  return parts.map((part) => {
    const path = part.urls.map(pathOf).join(' ');
    let name = path;
    for (let number = 2; taken.has(name); number++) name = `${path} ${number}`;
    taken.add(name);
    return [name, part];
  });
}

/** Returns the path of a URL, without its query. @type {(url: string) => string} */
function pathOf(url) {
  return /^[\w+.-]+:\/\/[^/?]*(\/[^?]*)?/.exec(url)?.[1] ?? (url.startsWith('/') ? url.split('?')[0] : '/');
}
