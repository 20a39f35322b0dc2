import { ENDS, RUN_OPTIONS } from './index.js';
import { LOAD } from './load.js';

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
 *
 * @typedef {object} Resolved
 * @property {Record<string, any>} options as given: neither read nor checked
 * @property {Record<string, string>} origins name of the layer that each value comes from
 */

/** @type {Layer} */
const DEFAULTS = {
  name: 'default',
  options: Object.fromEntries(RUN_OPTIONS.map((row) => [row.name, row.default])),
};

/**
 * Layers of a run that a program starts.
 *
 * @param {Pick<RawFlow, 'baseUrl' | 'runOptions'>} flow
 * @param {Record<string, any> | null | undefined} given
 * @returns {Layer[]}
 */
export function programLayers(flow, given) {
  return [DEFAULTS, flowLayer('flow', flow), { name: 'program', options: given ?? {} }];
}

/**
 * Layers of a run of the command. Its defaults differ from the library's; one iteration is the default only if no
 * layer sets an end.
 *
 * @param {object} given
 * @param {Layer} given.config the configuration file
 * @param {Layer} given.flow options of the flow
 * @param {Layer[]} given.commandLine flags and what they imply, weakest first
 * @param {((exchange: any) => void) | null} given.debug receives every exchange of `--debug`
 * @returns {Layer[]}
 */
export function commandLayers({ config, flow, commandLine, debug }) {
  const above = [config, flow, ...commandLine, ...(debug ? [debugLayer(debug)] : [])];
  const hasEnd = above.some(({ options }) => ENDS.some((name) => options[name]));
  const defaults = Object.fromEntries(
    RUN_OPTIONS.map((row) => [row.name, row.name === 'iterations' && hasEnd ? undefined : row.commandDefault]),
  );
  return [DEFAULTS, { name: 'default', options: defaults }, ...above];
}

/**
 * The run options of a flow: its `runOptions`, and its `baseUrl`.
 *
 * @param {string} name
 * @param {Pick<RawFlow, 'baseUrl' | 'runOptions'>} flow
 * @returns {Layer}
 */
export function flowLayer(name, { baseUrl, runOptions }) {
  return { name, options: { baseUrl, ...runOptions } };
}

/** One iteration of one virtual user, whatever load is configured. @type {(trace: (exchange: any) => void) => Layer} */
function debugLayer(trace) {
  const resets = LOAD.map(({ name }) => name).filter((name) => name !== 'seed');
  return { name: '--debug', options: { iterations: 1, limit: 1, trace }, resets };
}

/**
 * @param {Layer[]} layers weakest first; the first one holds the defaults
 * @returns {Resolved}
 */
export function resolveLayers(layers) {
  const [weakest] = layers;
  /** @type {Map<string, Layer>} */
  const owners = new Map();
  for (const layer of layers) {
    for (const name of layer.resets ?? []) owners.set(name, weakest);
    for (const [name, value] of Object.entries(layer.options)) {
      if (value !== undefined) owners.set(name, value === null ? weakest : layer);
    }
  }
  const known = [...owners].filter(([name, { options }]) => options[name] !== undefined);
  return {
    options: Object.fromEntries(known.map(([name, { options }]) => [name, options[name]])),
    origins: Object.fromEntries(known.map(([name, layer]) => [name, layer.name])),
  };
}

/**
 * @param {Layer[]} layers weakest first
 * @returns {Record<string, any>} options that differ from the library's defaults, as given
 */
export function givenOptions([, ...layers]) {
  const { options } = resolveLayers([{ name: 'default', options: {} }, ...layers]);
  return options;
}
