import { workingFolder } from '../../ground/system-errors.js';
import { openFlow } from '../../run/flow-source.js';
import { RUN_OPTIONS } from '../../run/options/index.js';
import { commandLayers, maskedOption, resolveLayers } from '../../run/options/layers.js';
import { COMMAND_LINE } from '../../run/options/names.js';
import { maskField, maskText } from '../../text/mask.js';
import { safeLines } from '../../text/safe.js';
import { configLayer } from '../config.js';
import { print } from '../output.js';

/** @import { FlowInput } from '../../flow/source/types.js' */
/** @import { Reason } from '../../ground/exit-codes.js' */
/** @import { Layer } from '../../run/options/types.js' */
/** @import { RunRequest, Config, Io } from '../types.js' */

/**
 * Prints the value of every option and the layer that it comes from. `layers` has run options that the source implies.
 * @type {(request: RunRequest & { source: FlowInput, layers: Layer[] }, config: Config, io: Io) =>
 *   Promise<Set<Reason>>}
 */
export async function printConfig({ source, layers: implied, runOptions, debug, format, outputs }, config, io) {
  const above = [configLayer(config), ...implied, { name: 'command line', options: runOptions }];
  const { read, from } = await openFlow(source, above, { cwd: workingFolder(io) });
  const [defaults, ...layers] = commandLayers({
    config: withOutput(configLayer(config), config),
    flow: read.flow,
    from,
    commandLine: [
      ...implied,
      withOutput(
        { name: COMMAND_LINE, options: runOptions },
        { format, outputs: outputs.length > 0 ? outputs : undefined },
      ),
    ],
    debug: debug ? () => {} : null,
  });
  const outputDefaults = { name: 'default', options: { format: 'text' } };
  const { options, origins } = resolveLayers([defaults, outputDefaults, ...layers]);
  const lines = [...RUN_OPTIONS.map(({ name }) => name), 'format', 'outputs']
    .filter((name) => options[name] !== undefined)
    .map((name) => `${name.padEnd(24)} ${formatted(name, maskedOption(name, options[name]))}  (${origins[name]})`);
  return new Set(/** @type {Reason[]} */ ((await print(safeLines(`${lines.join('\n')}\n`), io)) ? [] : ['notWritten']));
}

/** Outputs come from the same layers. @type {(layer: Layer, output: Pick<Config, 'format' | 'outputs'>) => Layer} */
function withOutput({ name, options }, { format, outputs }) {
  return { name, options: { ...options, format, outputs } };
}

/** @type {(name: string, value: any) => string} */
function formatted(name, value) {
  if (typeof value === 'function') return 'a function';
  const isPlain =
    typeof value !== 'object' || Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain) return 'an object';
  const text = JSON.stringify(value) ?? String(value);
  // The row of an option masks the secrets in its value.
  return RUN_OPTIONS.some((row) => row.name === name && row.masked) ? maskText(text) : maskField(name, text);
}
