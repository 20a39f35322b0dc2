import { offered } from '../../ground/addons.js';
import { endMessage, endReasonRow } from '../../ground/end-reasons.js';
import { workingFolder } from '../../ground/system-errors.js';
import { RUN_OPTIONS } from '../../run/options/index.js';
import { COMMAND_LINE } from '../../run/options/names.js';
import { isWrittenByRun } from '../../run/participants.js';
import { configLayer, openConfig } from '../config.js';
import { Engine, errorOf } from '../engine/engine.js';
import { Signals } from '../exit-process.js';
import { printMessage, writeSafe } from '../output.js';
import { openOutputs } from '../result/outputs.js';
import { openSource } from './open-source.js';
import { RunView } from './run-view.js';

/** @import { Reason } from '../../ground/exit-codes.js' */
/** @import { Layer } from '../../run/options/types.js' */
/** @import { RunnerOutcome } from '../../run/types.js' */
/** @import { CommandRunner, Companion, Config, EngineRequest, EngineView, Io } from '../types.js' */
/** @import { OtherRunner, RunRequest, RunnerEntry, RunnerModule } from '../types.js' */
/** @import { EngineHere } from '../engine/engine-here.js' */
/** @import { EngineThread } from '../engine/engine-thread.js' */
/** @import { EngineKeepers } from '../engine/engine-keepers.js' */
/** @import { Shutdown } from '../exit-process.js' */
/** @import { Outputs } from '../result/outputs.js' */

/** @typedef {RunRequest & { version: string }} OpenRequest */
/** @typedef {Exclude<RunnerOutcome, { kind: 'refused' }>} RunnerEnd */

/**
 * Runs a flow and prints its result; or a preview of an add-on prints what would run. Configuration,
 * source and the files of the result are read and checked first, and companions opened, as they can refuse the run.
 * @type {(cliRequest: OpenRequest, io: Io, shutdown: Shutdown) => Promise<Iterable<Reason>>}
 */
export async function runFlow(cliRequest, io, shutdown) {
  const cwd = workingFolder(io);
  const config = await openConfig(io, cliRequest.config);
  const { source, layers } = await openSource(cliRequest.source, {
    cwd,
    io,
    config,
    runOptions: cliRequest.runOptions,
    hasServer: cliRequest.companions.some(({ isTarget }) => isTarget),
    request: cliRequest.urlRequest,
  });
  if (cliRequest.preview) return (await cliRequest.preview.load())({ ...cliRequest, source, layers }, config, io);
  const request = withConfig({ ...cliRequest, source }, config);
  const runner = await runnerOf(request, config, io.env);
  if (runner !== null) await cliRequest.thread?.close();
  const { outputs, companions } = await openRun(request, { cwd, io, shutdown });
  const view = new RunView(request, { io, outputs, companions });
  const flags = { name: COMMAND_LINE, options: request.runOptions };
  const engine = await createEngine(
    {
      source,
      cwd,
      config: configLayer(config),
      commandLine: [...layers, flags, ...companions.flatMap(({ layer }) => layer ?? [])],
      debug: request.debug,
      outputs: request.outputs,
      intervals: view.needsIntervals,
    },
    { view, runner, thread: cliRequest.thread ?? (await smallEngine(request, config)) },
  );
  shutdown.add(() => engine.close());
  const signals = new Signals(io, (text) => view.notice(text));
  const [outcome] = await Promise.all([signals.direct(engine), view.load()]).finally(() => view.stop());
  if (outcome.kind === 'refused') throw errorOf(outcome);
  const reasons = await printEnd(outcome, { engine, view, isInterrupted: signals.first !== null }, io);
  await signals.settled();
  if (signals.first) reasons.add('interrupted');
  return reasons;
}

/**
 * Prints why the run ended, the last output of its server, and the result.
 * @type {(outcome: RunnerEnd, run: { engine: CommandRunner, view: RunView, isInterrupted: boolean }, io: Io) =>
 *   Promise<Set<Reason>>}
 */
async function printEnd(outcome, { engine, view, isInterrupted }, io) {
  const ending = new Set(endingReasons(outcome));
  if (isInterrupted) ending.add('interrupted');
  const message = endingMessage(outcome);
  if (message) await printMessage(io.stderr, message);
  const output = await engine.lastKeeperOutput();
  if (output) await writeSafe(io.stderr, `bench-rest: ${output}\n`);
  if (!outcome.stats) return ending;
  return view.printResult(outcome.stats, { why: outcome.kind === 'ended' ? outcome.why : outcome.kind, ending });
}

/** Reasons for an exit code other than 0 that do not follow from figures. @type {(ending: RunnerEnd) => Reason[]} */
export function endingReasons(ending) {
  if (ending.kind === 'lost') return [ending.isFault ? 'internal' : 'errors'];
  if (ending.kind === 'aborted') return ['interrupted'];
  const { exit } = endReasonRow(ending.why);
  return exit ? [exit] : [];
}

/** Explains why the run ended; undefined if it ended as planned. @type {(ending: RunnerEnd) => string | undefined} */
export function endingMessage(ending) {
  if (ending.kind === 'aborted')
    return ending.stats ? 'aborted; running iterations count as cancelled' : 'aborted before the first result';
  if (ending.kind === 'lost')
    return `the run was lost: ${ending.message}${ending.stats ? '\nshowing the last results received' : ''}`;
  return endMessage(ending.why, ending.stats ?? undefined);
}

/** @type {(request: OpenRequest, config: Config) => OpenRequest & { format: string }} */
function withConfig(request, config) {
  return {
    ...request,
    format: request.format ?? config.format ?? 'text',
    outputs: request.outputs.length > 0 ? request.outputs : (config.outputs ?? []),
  };
}

/**
 * @type {(request: OpenRequest, context: { cwd: string, io: Io, shutdown: Shutdown }) => Promise<{ outputs: Outputs,
 *   companions: Companion[] }>}
 */
async function openRun(request, context) {
  const sources = request.source && 'argument' in request.source ? [request.source.argument] : [];
  const outputs = openOutputs(request.outputs, context.cwd, { sources, isOfRun: isWrittenByRun });
  const companions = [];
  for (const { load, settings } of request.companions) companions.push(await (await load()).open(settings, context));
  return { outputs, companions };
}

/** @type {RunnerEntry[]} */
const RUNNERS = offered('runners');

/**
 * Returns what performs the run instead of this process; null: none does.
 * @throws {Error} E_USAGE
 * @type {(...given: Parameters<RunnerModule['runnerOf']>) => Promise<OtherRunner | null>}
 */
export async function runnerOf(request, config, env) {
  const names = Object.keys({ ...config.options, ...request.runOptions });
  for (const { load } of RUNNERS.filter(({ suits }) => suits(names))) {
    const runner = (await load()).runnerOf(request, config, env);
    if (runner !== null) return runner;
  }
  return null;
}

/**
 * Starts a run, in this process if it has no runner. `thread`: for a run in this process; `keepers`: those
 * of several runs in it.
 * @type {(request: Omit<EngineRequest, 'ticks'>, context: { view: EngineView, runner: OtherRunner | null, thread?:
 *   EngineThread | EngineHere, keepers?: EngineKeepers }) => Promise<CommandRunner>}
 */
export async function createEngine(request, { view, runner, thread, keepers }) {
  const own = { ...request, config: ofRun(request.config), commandLine: request.commandLine.map(ofRun) };
  return runner === null ? new Engine({ ...own, ticks: true }, view, thread, keepers) : runner.open(own, view);
}

/**
 * Returns the engine of a small run in this thread; undefined: the run has a thread.
 * @type {(request: OpenRequest, config: Config) => Promise<EngineHere | undefined>}
 */
async function smallEngine({ source, runOptions, companions, debug, thread }, config) {
  if (thread !== null) return undefined;
  const { EngineHere, runsHere } = await import('../engine/engine-here.js');
  const hasMore = source === null || companions.length > 0 || debug;
  return !hasMore && runsHere(source, { ...config.options, ...runOptions }) ? new EngineHere() : undefined;
}

const OF_COMMAND = RUN_OPTIONS.filter(({ isOfCommand }) => isOfCommand).map(({ name }) => name);

/** Leaves out the options that only the command reads. @type {(layer: Layer) => Layer} */
export function ofRun({ options, ...layer }) {
  const own = Object.entries(options).filter(([name]) => !OF_COMMAND.includes(name));
  return { ...layer, options: Object.fromEntries(own) };
}
