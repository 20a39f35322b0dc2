import { counted } from '../../core/ground/decimal.js';
import { workingFolder } from '../../core/ground/system-errors.js';
import { namedLoad } from '../../core/measure/document.js';
import { drawLoads } from './load-curves.js';
import { DEFAULT_WIDTH } from '../../core/report/terminal.js';
import { wrapped } from '../../core/report/text/layout.js';
import { likelyMistakes, refusePlaceholders } from '../../core/flow/likely-mistakes.js';
import { openFlow } from '../../core/run/flow-source.js';
import { RUN_OPTIONS } from '../../core/run/options/index.js';
import { commandLayers, maskedOption, resolveLayers } from '../../core/run/options/layers.js';
import { COMMAND_LINE, inWordsOfFlags } from '../../core/run/options/names.js';
import { describeLoads, describeTransport, plannedLoad } from '../../core/run/plan.js';
import { prepare } from '../../core/run/prepare.js';
import { lengthOf } from '../../core/schedule/index.js';
import { maskField, maskText } from '../../core/text/mask.js';
import { escapeText, safeLines } from '../../core/text/safe.js';
import { configLayer } from '../../core/cli/config.js';
import { hasUnicode, print, printMessage, terminalColumns } from '../../core/cli/output.js';
import { runLoadOf } from '../../core/cli/result/describe-run.js';
import { ofRun } from '../../core/cli/run/run-flow.js';
import { pacingTexts } from '../../core/cli/run/run-view.js';

/** @import { LoadDescription } from '../../core/contracts/run.js' */
/** @import { FlowInput } from '../../core/flow/source/types.js' */
/** @import { Reason } from '../../core/ground/exit-codes.js' */
/** @import { Layer } from '../../core/run/options/types.js' */
/** @import { RunRequest, Config, Io } from '../../core/cli/types.js' */

/**
 * Checks flow and options, and draws the loads of the run over time; nothing is sent. `layers` has run options that the
 * source implies.
 * @type {(request: RunRequest & { source: FlowInput, layers: Layer[] }, config: Config, io: Io) =>
 *   Promise<Reason[]>}
 */
export async function printPlan({ source, layers: implied, runOptions }, config, io) {
  const commandLine = [...implied, { name: COMMAND_LINE, options: runOptions }];
  try {
    return await printLoads(source, commandLine, config, io);
  } catch (error) {
    throw inWordsOfFlags(error, commandLine, { hasLoads: 'paths' in source });
  }
}

/** @type {(source: FlowInput, commandLine: Layer[], config: Config, io: Io) => Promise<Reason[]>} */
async function printLoads(source, commandLine, config, io) {
  const given = [configLayer(config), ...commandLine].map(ofRun);
  const [ofConfig, ...ofCommand] = given;
  const { raw, read, from, origin, notices } = await openFlow(source, given, { cwd: workingFolder(io) });
  const layers = commandLayers({ config: ofConfig, flow: read.flow, from, commandLine: ofCommand });
  await read.load();
  const { summary, options } = prepare(read, layers, origin, { onNotice: (text) => void notices.push(text) });
  const { headers, strict } = resolveLayers(layers).options;
  if (strict && !origin.isRecording) refusePlaceholders(raw);
  else if (!origin.isRecording) notices.push(...likelyMistakes(raw, headers));
  for (const text of notices) await printMessage(io.stderr, text);
  // A name stays in its line.
  const loads = describeLoads(options).map((load) => ({
    ...load,
    name: escapeText(load.name),
    ...(load.after !== undefined && { after: escapeText(load.after) }),
  }));
  const width = terminalColumns(io.stdout) ?? DEFAULT_WIDTH;
  const transport = summary === null ? describeTransport(options) : (summary.transport ?? []);
  const facts = [...transport, ...pacingTexts(summary?.pacing)];
  const texts = [headOf(loads, summary?.origins ?? [], facts), ...loads.map(lineOf)];
  const [head, ...each] = texts.map((text) => wrapped(text, 2, width));
  const curves = drawLoads(loads.map(curvedLoadOf), { width, unicode: hasUnicode(io.env) });
  const lines = [head, '', ...curves, '', ...each];
  return print(safeLines(`${lines.join('\n')}\n`), io);
}

/** Describes a load with what its curve needs. @type {(load: LoadDescription) => Parameters<typeof drawLoads>[0][0]} */
export function curvedLoadOf(load) {
  const { rampUp } = load.options;
  return { ...runLoadOf(load), rampUp, length: lengthOf(/** @type {any} */ (load.options)) };
}

/** @type {(loads: LoadDescription[], origins: string[], facts: string[]) => string} */
function headOf(loads, origins, facts) {
  const target = origins.length > 0 ? ` against ${origins.join(', ')}` : '';
  return [`${counted(loads.length, 'load')}${target}`, ...facts, 'nothing is sent'].join('; ');
}

/** Describes a load, with its number of iterations if the words lack it. @type {(load: LoadDescription) => string} */
function lineOf({ name, from, after, text, options }) {
  const { ms, count } = plannedLoad(/** @type {any} */ (options), 1);
  const planned = count(1, ms);
  // The words name the option, or there is no number.
  const isListed = planned === null || planned === Infinity || planned === options.iterations;
  const all = isListed ? '' : `; ${counted(planned, 'iteration')}`;
  return `${namedLoad({ name, startAfter: from, after, text })}${all}`;
}

/**
 * Prints the value of every option and the layer that it comes from. `layers` has run options that the source implies.
 * @type {(request: RunRequest & { source: FlowInput, layers: Layer[] }, config: Config, io: Io) =>
 *   Promise<Reason[]>}
 */
export async function printConfig({ source, layers: implied, runOptions, debug, format, outputs }, config, io) {
  const flags = { name: COMMAND_LINE, options: runOptions };
  const { read, from } = await openFlow(source, [configLayer(config), ...implied, flags], { cwd: workingFolder(io) });
  const [defaults, ...layers] = commandLayers({
    config: withOutput(configLayer(config), config),
    flow: read.flow,
    from,
    commandLine: [...implied, withOutput(flags, { format, outputs: outputs.length > 0 ? outputs : undefined })],
    debug: debug ? () => {} : null,
  });
  const outputDefaults = { name: 'default', options: { format: 'text' } };
  const { options, origins } = resolveLayers([defaults, outputDefaults, ...layers]);
  const lines = [...RUN_OPTIONS.map(({ name }) => name), 'format', 'outputs']
    .filter((name) => options[name] !== undefined)
    .map((name) => `${name.padEnd(24)} ${formatted(name, maskedOption(name, options[name]))}  (${origins[name]})`);
  return print(safeLines(`${lines.join('\n')}\n`), io);
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
