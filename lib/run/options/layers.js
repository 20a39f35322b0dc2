import { areArguments, readArguments } from './arguments.js';
import { ENDS, RUN_OPTIONS } from './index.js';
import { LOAD } from './load.js';
import { settleOptions } from './settle-options.js';
import { NOT_JUDGED, ONE_ITERATION, idleUsers, refuseWithoutEnd } from './single-iteration.js';

/**
 * @import { RawFlow } from '../../flow/types.js'
 *
 * Where the value of a run option comes from, weakest layer first: defaults, configuration file, flow, command line
 * (or program), `--debug`. This is the only place where options of different origin meet.
 *
 * @typedef {object} Layer
 * @property {string} name as `--print-config` prints it
 * @property {Record<string, any>} options `undefined` is ignored, `null` means the default
 * @property {string[]} [resets] options that weaker layers cannot set
 * @property {string[]} [adapts] options whose value is an upper limit here: a run that allows only less reduces it
 *
 * @typedef {object} Resolved
 * @property {Record<string, any>} options as given: neither read nor checked
 * @property {Record<string, string>} origins name of the layer that each value comes from; all of them if it is merged
 * @property {string[]} adapted names of those that a run may reduce
 *
 * @typedef {Pick<RawFlow, 'baseUrl' | 'socketPath' | 'runOptions'> & { headers?: RawFlow['headers'] }} FlowOptions
 */

const DEBUG = '--debug';

/** @type {Layer} */
const DEFAULTS = {
  name: 'default',
  options: Object.fromEntries(RUN_OPTIONS.map((row) => [row.name, row.default])),
};

/**
 * Layers of a run that a program starts.
 *
 * @param {FlowOptions} flow
 * @param {Record<string, any> | null | undefined} given
 * @returns {Layer[]}
 */
export function programLayers(flow, given) {
  const options = withInherited(given ?? {});
  return [DEFAULTS, ...flowLayers('flow', flow), { name: 'program', options: settleOptions(options) }];
}

/** An object of a class, or one that was made from another, has options that are not its own. @type {(given: Record<string, any>) => Record<string, any>} */
function withInherited(given) {
  const inherited = RUN_OPTIONS.filter(({ name }) => !Object.hasOwn(given, name) && given[name] !== undefined);
  return { ...Object.fromEntries(inherited.map(({ name }) => [name, given[name]])), ...given };
}

/**
 * Layers of a run of the command. Its defaults differ from the library's; one iteration is the default only if no
 * layer sets an end.
 *
 * @param {object} given
 * @param {Layer} given.config the configuration file
 * @param {FlowOptions} given.flow
 * @param {string} given.from where the flow comes from
 * @param {Layer[]} given.commandLine flags and what they imply, weakest first
 * @param {((exchange: any, secrets: () => string[]) => void) | null} [given.debug] receives every exchange of `--debug`
 * @returns {Layer[]}
 * @throws {Error} E_USAGE if nothing sets an end, and an option looks as if it should
 */
export function commandLayers({ config, flow, from, commandLine, debug = null }) {
  const above = [config, ...flowLayers(from, flow), ...commandLine, ...(debug ? [debugLayer(debug)] : [])];
  const hasEnd = above.some(({ options }) => ENDS.some((name) => options[name]));
  if (!hasEnd && !debug) refuseWithoutEnd(flat(above), flat(commandLine));
  const defaults = Object.fromEntries(
    RUN_OPTIONS.map((row) => [row.name, row.name === 'iterations' && hasEnd ? undefined : row.commandDefault]),
  );
  return [DEFAULTS, { name: 'default', options: defaults }, ...above];
}

/**
 * @param {Layer[]} layers of a run of the command
 * @returns {string[]} what people may want to change
 */
export function hintsOf(layers) {
  const { options, origins } = resolveLayers(layers);
  if (origins.trace === DEBUG && options.thresholds !== undefined) return [NOT_JUDGED];
  if (origins.iterations === DEFAULTS.name) return [ONE_ITERATION];
  return origins.limit === DEFAULTS.name ? [] : idleUsers(options);
}

/** @type {(layers: Layer[]) => Record<string, any>} */
function flat(layers) {
  return resolveLayers([{ name: '', options: {} }, ...layers]).options;
}

/**
 * The option `args` of layers above the flow, for a flow that is a function.
 *
 * @param {Layer[]} layers weakest first
 * @returns {Record<string, unknown>} empty if they are invalid, which is reported when all options are read
 */
export function argumentsOf(layers) {
  const args = readArguments(flat(layers).args);
  return areArguments(args) ? /** @type {Record<string, unknown>} */ (args) : {};
}

/**
 * The layers of a flow: its `baseUrl`, `socketPath` and `headers`, and above them its `runOptions`.
 *
 * @type {(name: string, flow: FlowOptions) => Layer[]}
 */
function flowLayers(name, { baseUrl, socketPath, headers = {}, runOptions }) {
  const own = { baseUrl, socketPath, headers: Object.keys(headers).length > 0 ? headers : undefined };
  return [
    { name, options: own },
    { name, options: runOptions },
  ];
}

/** One iteration of one virtual user, whatever load is configured. @type {(trace: (exchange: any, secrets: () => string[]) => void) => Layer} */
function debugLayer(trace) {
  const resets = LOAD.map(({ name }) => name).filter((name) => name !== 'seed');
  return { name: DEBUG, options: { iterations: 1, limit: 1, trace }, resets };
}

/**
 * @param {Layer[]} layers weakest first; the first one holds the defaults
 * @returns {Resolved}
 */
export function resolveLayers(layers) {
  const [weakest] = layers;
  /** The layers that set each option; several if it is merged. @type {Map<string, Layer[]>} */
  const owners = new Map();
  for (const layer of layers) {
    for (const name of layer.resets ?? []) owners.set(name, [weakest]);
    for (const [name, value] of Object.entries(layer.options)) {
      if (value === undefined) continue;
      const merged = MERGED.has(name) ? (owners.get(name) ?? []) : [];
      owners.set(name, value === null ? [weakest] : [...merged, layer]);
    }
  }
  const known = [...owners]
    .map(([name, all]) => ({ name, all: all.filter(({ options }) => options[name] !== undefined) }))
    .filter(({ all }) => all.length > 0);
  return {
    options: Object.fromEntries(known.map(({ name, all }) => [name, valueOf(name, all)])),
    origins: Object.fromEntries(
      known.map(({ name, all }) => [name, [...new Set(all.map((layer) => layer.name))].join(', ')]),
    ),
    adapted: known.filter(({ name, all }) => all.every(({ adapts }) => adapts?.includes(name))).map(({ name }) => name),
  };
}

const MERGED = new Map(RUN_OPTIONS.flatMap(({ name, merge }) => (merge ? [[name, merge]] : [])));

/** @type {(name: string, owners: Layer[]) => any} */
function valueOf(name, owners) {
  const values = owners.map(({ options }) => options[name]);
  return values.length === 1 ? values[0] : values.reduce(/** @type {any} */ (MERGED.get(name)));
}

/**
 * The options that people and results see: those that differ from the library's defaults, as given, without secrets and
 * without objects of this thread.
 *
 * @param {Layer[]} layers weakest first
 * @returns {Record<string, any>}
 */
export function shownOptions([, ...layers]) {
  const { options } = resolveLayers([{ name: 'default', options: {} }, ...layers]);
  return Object.fromEntries(
    Object.entries(options)
      .filter(([name]) => !HIDDEN.has(name))
      .map(([name, value]) => [name, maskedOption(name, value)]),
  );
}

/**
 * @param {string} name
 * @param {any} value as given
 * @returns {any} without the secrets in it
 */
export function maskedOption(name, value) {
  return MASKED.get(name)?.(value) ?? value;
}

const MASKED = new Map(RUN_OPTIONS.flatMap(({ name, masked }) => (masked ? [[name, masked]] : [])));

const HIDDEN = new Set(
  RUN_OPTIONS.filter(({ schema, isSecret, masked }) => (schema === null && !masked) || isSecret).map(
    ({ name }) => name,
  ),
);
