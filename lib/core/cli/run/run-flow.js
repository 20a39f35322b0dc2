import { endReasonRow } from '../../ground/end-reasons.js';
import { workingFolder } from '../../ground/system-errors.js';
import { THREAD_MS, settlesWithin } from '../../run/closing.js';
import { COMMAND_LINE } from '../../run/options/names.js';
import { isProfileFile } from '../../../addons/server/options/profile.js';
import { configLayer, openConfig } from '../config.js';
import { Engine, errorOf } from '../engine/engine.js';
import { Signals } from '../exit-process.js';
import { printMessage, withNotices, writeSafe } from '../output.js';
import { openOutputs } from '../result/outputs.js';
import { agentOptionsOf, withoutAgents } from '../../../addons/agents/agent-options.js';
import { openSource } from './open-source.js';
import { RunView } from './run-view.js';

/** @import { Reason } from '../../ground/exit-codes.js' */
/** @import { Layer } from '../../run/options/types.js' */
/** @import { Outcome } from '../../run/types.js' */
/** @import { Coordinator } from '../../../addons/agents/coordinator.js' */
/** @import { CoordinatorOptions } from '../../../addons/agents/types.js' */
/** @import { RunRequest, Config, EngineRequest, Io } from '../types.js' */
/** @import { EngineThread } from '../engine/engine-thread.js' */
/** @import { EngineServers } from '../engine/engine.js' */
/** @import { Shutdown } from '../exit-process.js' */

/** @typedef {RunRequest & { version: string }} OpenRequest */
/** @typedef {Exclude<Outcome, { kind: 'refused' }>} Ending */

/**
 * Runs a flow and prints its result; with --print-config and --print-plan it prints what would run. Configuration,
 * source, baseline and the files of the result are read and checked first, as they can refuse the run.
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
    hasServer: cliRequest.serve !== null,
    request: cliRequest.urlRequest,
  });
  if (cliRequest.printConfig || cliRequest.printPlan) {
    const { printConfig, printPlan } = await import('./print-run.js');
    const print = cliRequest.printConfig ? printConfig : printPlan;
    return print({ ...cliRequest, source, layers }, config, io);
  }
  const request = withConfig({ ...cliRequest, source }, config);
  const agents = agentOptionsOf(request, config, io.env);
  const view = await openView(request, { cwd, io, shutdown });
  const commandLine = await commandLineLayers(request, shutdown);
  const engine = await createEngine(
    {
      source,
      cwd,
      config: configLayer(config),
      commandLine: [...layers, ...commandLine],
      debug: request.debug,
      outputs: request.outputs,
      intervals: view.needsIntervals,
    },
    { view, agents, env: io.env, thread: cliRequest.thread },
  );
  shutdown.add(async () => {
    const isClosed = await engine.close();
    if (engine.serverNotice) await printMessage(io.stderr, engine.serverNotice);
    return isClosed;
  });
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
 * @type {(outcome: Ending, run: { engine: Engine | Coordinator, view: RunView, isInterrupted: boolean }, io: Io) =>
 *   Promise<Set<Reason>>}
 */
async function printEnd(outcome, { engine, view, isInterrupted }, io) {
  const ending = new Set(endingReasons(outcome));
  if (isInterrupted) ending.add('interrupted');
  const message = endingMessage(outcome);
  if (message) await printMessage(io.stderr, message);
  const output = await engine.lastServerOutput();
  if (output) await writeSafe(io.stderr, `bench-rest: ${output}\n`);
  if (!outcome.stats) return ending;
  return view.printResult(outcome.stats, { why: outcome.kind === 'ended' ? outcome.why : outcome.kind, ending });
}

/** Reasons for an exit code other than 0 that do not follow from figures. @type {(ending: Ending) => Reason[]} */
export function endingReasons(ending) {
  if (ending.kind === 'lost') return [ending.isFault ? 'internal' : 'errors'];
  if (ending.kind === 'aborted') return ['interrupted'];
  const { exit } = endReasonRow(ending.why);
  return exit ? [exit] : [];
}

/** Explains why the run ended; undefined if it ended as planned. @type {(ending: Ending) => string | undefined} */
export function endingMessage(ending) {
  if (ending.kind === 'aborted')
    return ending.stats ? 'aborted; running iterations count as cancelled' : 'aborted before the first result';
  if (ending.kind === 'lost')
    return `the run was lost: ${ending.message}${ending.stats ? '\nshowing the last results received' : ''}`;
  const stopped = ending.stats?.loadGenerators?.find(({ stoppedBy }) => stoppedBy !== undefined);
  if (ending.why === 'agent' && stopped)
    return `stopped, because agent ${stopped.name} was stopped (${stopped.stoppedBy})`;
  return endReasonRow(ending.why).message;
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
 * @type {(request: OpenRequest & { format: string }, context: { cwd: string, io: Io, shutdown: Shutdown }) =>
 *   Promise<RunView>}
 */
async function openView(request, { cwd, io, shutdown }) {
  const baseline = await withNotices(io, (onNotice) => baselineOf(request, cwd, onNotice));
  const sources = request.source && 'argument' in request.source ? [request.source.argument] : [];
  const outputs = openOutputs(request.outputs, cwd, { sources, isOfRun: isProfileFile });
  if (request.dashboard === null) return new RunView(request, { io, outputs, baseline, dashboard: null });
  const { startDashboard } = await import('../../../addons/page/dashboard.js');
  const dashboard = await startDashboard(request.dashboard);
  shutdown.add(dashboard.close);
  const view = new RunView(request, { io, outputs, baseline, dashboard });
  view.notice(`dashboard: ${dashboard.url}`);
  return view;
}

/**
 * @type {(request: RunRequest, cwd: string, onNotice: (text: string) => void) => Promise<ReturnType<typeof
 *   import('../../../addons/compare/baseline.js').openBaseline> | null>}
 */
async function baselineOf({ baseline, maxRegression, noise, history }, cwd, onNotice) {
  if (baseline === undefined) return null;
  const { openBaseline } = await import('../../../addons/compare/baseline.js');
  return openBaseline({ baseline, maxRegression, noise, history }, cwd, onNotice);
}

/**
 * Returns the run options of the flags, and of the embedded target, which it starts.
 * @type {(request: RunRequest, shutdown: Shutdown) => Promise<Layer[]>}
 */
async function commandLineLayers({ runOptions, serve }, shutdown) {
  const flags = { name: COMMAND_LINE, options: runOptions };
  if (!serve) return [flags];
  const { startTargetThread } = await import('../../../addons/serve/thread.js');
  const target = await startTargetThread(serve);
  shutdown.add(() => settlesWithin(target.close(), THREAD_MS));
  return [flags, { name: '--serve', options: { baseUrl: target.url } }];
}

/**
 * Starts a run: in a thread of this process, or on agents. `thread`: for a run on this machine; `servers`: those of
 * several runs on this machine.
 * @type {(request: Omit<EngineRequest, 'ticks'>, context: { view: Pick<RunView, 'log' | 'notice' | 'onBegin' |
 *   'onProgress' | 'onExchange' | 'onTick' | 'onState'>, agents: CoordinatorOptions | null, env: NodeJS.ProcessEnv,
 *   thread?: EngineThread, servers?: EngineServers }) => Promise<Engine | Coordinator>}
 */
export async function createEngine(request, { view, agents, env, thread, servers }) {
  const config = withoutAgents(request.config);
  const commandLine = request.commandLine.map(withoutAgents);
  if (agents === null) return new Engine({ ...request, config, commandLine, ticks: true }, view, thread, servers);
  // Still open if only the configuration file names agents: commands/run.js closed it for --agents.
  await thread?.close();
  const { Coordinator } = await import('../../../addons/agents/coordinator.js');
  // The rest of the request is for a run on this machine.
  const { source, cwd, logLabel } = request;
  return new Coordinator(
    { source, cwd, config, commandLine, own: agents, env, logLabel },
    {
      notice: (text) => view.notice(text.trimEnd()),
      onBegin: (begun) => view.onBegin(begun),
      onProgress: (progress) => view.onProgress(progress),
      onTick: (tick) => view.onTick(tick),
      onState: (stats) => view.onState(stats),
    },
  );
}
