import { loadFlow } from '../flow/load.js';
import { RUN_OPTIONS } from '../run/options.js';
import { maskField } from '../mask.js';
import { DEFAULTS } from './defaults.js';
import { write } from './output.js';

/**
 * @import { Config } from './config.js'
 * @import { Reason } from './exit-codes.js'
 * @import { Io } from './main.js'
 * @import { RunRequest } from './options.js'
 */

/**
 * Shows what each option is, and who said so: the command line, the flow, the configuration file, or nobody.
 *
 * @param {RunRequest} request
 * @param {Config} config
 * @param {Io} io
 * @returns {Promise<Set<Reason>>}
 */
export async function printConfig({ source, given, format, outputs }, config, io) {
  const { flow, from } = await loadFlow(source, { cwd: io.cwd() });
  const ofFlow = /** @type {any} */ (flow)?.runOptions ?? {};
  const defaults = { ...Object.fromEntries(RUN_OPTIONS.map((row) => [row.name, row.default])), ...DEFAULTS };
  const layers = /** @type {[string, Record<string, any>][]} */ ([
    ['command line or environment', { ...given, format, output: outputs.length > 0 ? outputs : undefined }],
    [from, ofFlow],
    [config.path ?? 'configuration', { ...config.options, format: config.format, output: config.output }],
    ['default', { ...defaults, format: 'text' }],
  ]);
  const names = [...RUN_OPTIONS.map(({ name }) => name), 'format', 'output'];
  const lines = names.flatMap((name) => {
    const [where, values] = layers.find(([, all]) => all[name] !== undefined) ?? [];
    return values ? [`${name.padEnd(24)} ${shown(name, values[name])}  (${where})`] : [];
  });
  return new Set(/** @type {Reason[]} */ ((await write(io.stdout, `${lines.join('\n')}\n`)) ? ['notWritten'] : []));
}

/** @type {(name: string, value: any) => string} */
function shown(name, value) {
  if (name === 'headers')
    return JSON.stringify(
      Object.fromEntries(Object.entries(value).map(([field, text]) => [field, maskField(field, String(text))])),
    );
  return typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) !== Object.prototype &&
    !Array.isArray(value)
    ? 'an object'
    : maskField(name, JSON.stringify(value) ?? String(value));
}
