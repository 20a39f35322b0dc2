import { isEmpty } from '../../flow/record.js';
import { makeError } from '../../ground/errors.js';
import { ENDS, RUN_OPTIONS } from './index.js';
import { LOAD } from './load.js';
import { areArguments, readArguments, splitUser } from './requests.js';
import { MOST_USERS, readOption } from './row.js';

/** @import { RawFlow } from '../../flow/types.js' */
/** @import { Layer } from './types.js' */

/**
 * @typedef {object} Resolved
 * @property {Record<string, any>} options as given: neither read nor checked
 * @property {Record<string, string>} origins name of the layer that each value comes from; all of them if it is merged
 * @property {string[]} adapted names of those that a run may reduce
 *
 * @typedef {Pick<RawFlow, 'baseUrl' | 'socketPath' | 'runOptions'> & { headers?: RawFlow['headers'], scenarios?:
 *   RawFlow['scenarios'] }} FlowOptions
 */

const DEBUG = '--debug';
/** The layer of the options of a program. */
export const PROGRAM = 'program';
/** The layer of a step of a search for the capacity. */
export const BY_SEARCH = 'the search';

/** @type {Layer} */
const DEFAULTS = {
  name: 'default',
  options: Object.fromEntries(
    RUN_OPTIONS.flatMap((row) => (row.default === undefined ? [] : [[row.name, row.default]])),
  ),
};

/** The layers of a program. @type {(flow: FlowOptions, given: Record<string, any> | null | undefined) => Layer[]} */
export function programLayers(flow, given) {
  const options = withInherited(given ?? {});
  return [DEFAULTS, ...flowLayers('flow', flow), { name: PROGRAM, options: settleOptions(options) }];
}

/** Spreading an object loses inherited options. @type {(given: Record<string, any>) => Record<string, any>} */
function withInherited(given) {
  if (Object.getPrototypeOf(given) === Object.prototype) return given;
  const inherited = RUN_OPTIONS.filter(({ name }) => !Object.hasOwn(given, name) && given[name] !== undefined);
  return { ...Object.fromEntries(inherited.map(({ name }) => [name, given[name]])), ...given };
}

/**
 * Layers of a run of the command. Its defaults differ from the library's; one iteration is the default only if no layer
 * sets an end. `config`: the configuration file; `from`: where the flow comes from; `commandLine`: flags and what they
 * imply, weakest first; `debug`: receives every exchange of `--debug`.
 * @throws {Error} E_USAGE if nothing sets an end, and an option looks as if it should
 * @type {(given: { config: Layer, flow: FlowOptions, from: string, commandLine: Layer[], debug?: ((exchange: any,
 *   secrets: () => string[]) => void) | null }) => Layer[]}
 */
export function commandLayers({ config, flow, from, commandLine, debug = null }) {
  const above = [config, ...flowLayers(from, flow), ...commandLine, ...(debug ? [debugLayer(debug)] : [])];
  const options = optionsIn(above);
  // Loads of scenarios have ends of their own.
  const hasLoads = flow.scenarios?.some(({ load }) => load !== undefined) ?? false;
  const hasEnd = hasLoads || ENDS.some((name) => options[name]);
  if (!hasEnd && !debug) refuseWithoutEnd(options, optionsIn(commandLine));
  const defaults = Object.fromEntries(
    RUN_OPTIONS.map((row) => [row.name, row.name === 'iterations' && hasEnd ? undefined : row.commandDefault]),
  );
  return [DEFAULTS, { name: 'default', options: defaults }, ...above];
}

/** Lists the options that people may want to change, by their layers. @type {(layers: Layer[]) => string[]} */
export function hintsOf(layers) {
  const { options, origins } = resolveLayers(layers);
  if (origins.trace === DEBUG && options.thresholds !== undefined) return [NOT_JUDGED];
  if (origins.iterations === DEFAULTS.name) return [ONE_ITERATION];
  return origins.limit === DEFAULTS.name ? [] : idleUsers(options);
}

/** The options of some layers, weakest first, without any defaults. @type {(layers: Layer[]) => Record<string, any>} */
export function optionsIn(layers) {
  return resolveLayers([{ name: '', options: {} }, ...layers]).options;
}

/**
 * Returns the option `args` of layers above the flow, weakest first, for a flow that is a function; empty if they are
 * invalid, which is reported when all options are read.
 * @type {(layers: Layer[]) => Record<string, unknown>}
 */
export function argumentsOf(layers) {
  const args = readArguments(optionsIn(layers).args);
  return areArguments(args) ? /** @type {Record<string, unknown>} */ (args) : {};
}

/** Returns layers: `runOptions` above `baseUrl` and such. @type {(name: string, flow: FlowOptions) => Layer[]} */
function flowLayers(name, { baseUrl, socketPath, headers = {}, runOptions }) {
  const own = { baseUrl, socketPath, headers: Object.keys(headers).length > 0 ? headers : undefined };
  return [
    { name, options: own },
    { name, options: runOptions, isWritten: true, isFlow: true },
  ];
}

/**
 * Returns the options for one iteration of one virtual user, whatever load is configured.
 * @type {(trace: (exchange: any, secrets: () => string[]) => void) => Layer}
 */
function debugLayer(trace) {
  const resets = LOAD.map(({ name }) => name).filter((name) => name !== 'seed');
  return { name: DEBUG, options: { iterations: 1, limit: 1, trace }, resets };
}

/**
 * Resolves layers, weakest first; the first one holds the defaults. A run does it a few times with all options, so few
 * objects are made.
 * @type {(given: Layer[]) => Resolved}
 */
export function resolveLayers(given) {
  const layers = given.map((layer) => ({ ...layer, options: splitUser(layer.options ?? {}) }));
  const [defaults] = layers;
  const byDefault = [defaults];
  /** The layers that set each option; several if it is merged. @type {Map<string, Layer[]>} */
  const owners = new Map();
  const reset = (/** @type {string} */ name) => {
    if (defaults.options[name] === undefined) owners.delete(name);
    else owners.set(name, byDefault);
  };
  for (const layer of layers) {
    for (const name of layer.resets ?? []) reset(name);
    const alone = [layer];
    for (const name of Object.keys(layer.options)) {
      const value = layer.options[name];
      const weaker = MERGED.has(name) ? owners.get(name) : undefined;
      if (value === null) reset(name);
      else if (value !== undefined) owners.set(name, weaker ? [...weaker, layer] : alone);
    }
  }
  const known = [...owners];
  const namesOf = (/** @type {Layer[]} */ own) => [...new Set(own.map(({ name }) => name))].join(', ');
  return {
    options: Object.fromEntries(known.map(([name, own]) => [name, valueOf(name, own)])),
    origins: Object.fromEntries(known.map(([name, own]) => [name, own.length === 1 ? own[0].name : namesOf(own)])),
    adapted: known.filter(([name, own]) => own.every(({ adapts }) => adapts?.includes(name))).map(([name]) => name),
  };
}

const MERGED = new Map(RUN_OPTIONS.flatMap(({ name, merge }) => (merge ? [[name, merge]] : [])));

/** @type {(name: string, owners: Layer[]) => any} */
function valueOf(name, owners) {
  if (owners.length === 1) return owners[0].options[name];
  return owners.map(({ options }) => options[name]).reduce(/** @type {any} */ (MERGED.get(name)));
}

/**
 * Returns the options that people and results see: those that differ from the library's defaults, as given, without
 * secrets and without objects of this thread. Layers are weakest first.
 * @type {(layers: Layer[]) => Record<string, any>}
 */
export function shownOptions([, ...layers]) {
  return Object.fromEntries(
    Object.entries(optionsIn(layers))
      .filter(([name]) => !HIDDEN.has(name))
      .map(([name, value]) => [name, maskedOption(name, value)]),
  );
}

/** Returns the given value of an option without the secrets in it. @type {(name: string, value: any) => any} */
export function maskedOption(name, value) {
  return MASKED.get(name)?.(value) ?? value;
}

const MASKED = new Map(RUN_OPTIONS.flatMap(({ name, masked }) => (masked ? [[name, masked]] : [])));

const HIDDEN = new Set(
  RUN_OPTIONS.filter(({ schema, isSecret, masked }) => (schema === null && !masked) || isSecret).map(
    ({ name }) => name,
  ),
);

/** Options of 1.2.4 that are numbers; it converted other values. */
const NUMBERS = ['limit', 'iterations', 'prealloc', 'progress'];

/** Options of 1.2.4 that are texts: 0 and NaN stand for none. */
const TEXTS = ['user', 'password'];

/**
 * Gives the options of a program the one meaning that they had for 1.2.4: values that stand for nothing are removed,
 * numbers are converted, and of more virtual users or rendered requests than iterations the others have nothing to do.
 * @type {(given: Record<string, any>) => Record<string, any>}
 */
export function settleOptions(given) {
  /** @type {Record<string, any>} */
  const options = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, settledValue(name, value)]));
  const { limit, iterations, prealloc } = options;
  const areNumbers = typeof limit === 'number' && typeof iterations === 'number';
  // Too many virtual users are refused later, unless there are fewer iterations.
  if (areNumbers && limit > MOST_USERS && iterations > 0 && iterations <= MOST_USERS)
    options.limit = Math.ceil(iterations);
  // Symbols and objects without a prototype cannot be compared.
  const canCompare = [prealloc, iterations].every((one) => ['number', 'string'].includes(typeof one));
  if (canCompare && prealloc > iterations) options.prealloc = Math.ceil(iterations);
  return options;
}

/** An empty text stands for nothing in these, although their rows accept it. */
const ALSO_EMPTY = ['baseUrl', 'socketPath', 'thresholds'];

/** @type {(name: string, value: any) => unknown} */
function settledValue(name, value) {
  const row = RUN_OPTIONS.find((one) => one.name === name);
  if (NUMBERS.includes(name)) {
    const number = likeNumber(value);
    if (number !== null) return number;
  }
  if (TEXTS.includes(name) && typeof value === 'number' && !value) return undefined;
  const isNothing = value === 0 ? row?.type === 'boolean' : isEmpty(value);
  if (row === undefined || !isNothing) return value;
  // It may be a valid value, such as '' for no proxy.
  return row.check(readOption(row, value)) && !ALSO_EMPTY.includes(name) ? value : undefined;
}

/** Converts `true`, `[3]`, `'0x3'`; other texts have their own notation. @type {(value: unknown) => number | null} */
function likeNumber(value) {
  const only = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const isConverted = only === true || /^\s*0[xob]/i.test(String(typeof only === 'string' ? only : ''));
  const isListed = only !== value && ['number', 'string'].includes(typeof only) && only !== '';
  return (isConverted || isListed) && Number.isSafeInteger(Number(only)) ? Number(only) : null;
}

/** A time between progress updates below this, ms, for a run of one iteration, is likely a duration in seconds. */
const LIKELY_SECONDS = 1000;

/**
 * Refuses options that make no sense for a run of one iteration, and flags that mean its length in other tools. Runs
 * with an end accept them, as 1.2.4 did. `options` are those of all layers, which set no end.
 * @throws {Error} E_USAGE
 * @type {(options: Record<string, any>, flags: Record<string, any>) => void}
 */
export function refuseWithoutEnd({ rate }, { prealloc = 0, progress = 0 }) {
  if (prealloc > 1)
    refuse(
      `-a ${prealloc} renders requests before the start, but this run has 1 iteration: for ${prealloc} iterations write -n ${prealloc}`,
    );
  if (progress > 0 && progress < LIKELY_SECONDS)
    refuse(
      `-d ${progress} is the time between progress updates, in ms, but this run has 1 iteration: to run for ${progress} s write -t ${progress}s`,
    );
  if (rate !== undefined)
    refuse('a rate (-r) needs an end, or the run has 1 iteration: add -t 10s, -n 1000 or --forever');
}

/** The hint for a run that has one iteration because nothing sets an end. */
const ONE_ITERATION = '1 iteration; use -n 1000 or -t 10s for a benchmark';

/** The hint for `--debug` of a flow with thresholds. */
const NOT_JUDGED = '--debug runs one iteration: no threshold is judged';

/**
 * Returns the hint for a run with fewer iterations than virtual users. At an arrival rate, idle virtual users are
 * normal.
 * @type {(options: Record<string, any>) => string[]}
 */
export function idleUsers({ iterations, limit, rate, stages }) {
  const hasRate = rate !== undefined || stages !== undefined;
  if (hasRate || typeof limit !== 'number' || !(iterations < limit)) return [];
  return [`only ${iterations} of ${limit} virtual users have an iteration to run; use -n ${limit} or more, or -t 10s`];
}

/** @type {(problem: string) => never} */
function refuse(problem) {
  throw makeError('E_USAGE', { problem });
}
