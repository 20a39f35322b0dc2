import { AGENTS, AGENT_OPTIONS, QUEUE_VARIABLE } from '../../run/options/agents.js';
import { readOption } from '../../run/options/row.js';
import { Engine } from '../engine/engine.js';
import { usageError } from '../usage-error.js';

/**
 * @import { Layer } from '../../run/options/layers.js'
 * @import { Coordinator } from '../../shard/coordinator.js'
 * @import { AgentOptions } from '../../shard/types.js'
 * @import { RunRequest } from '../commands/run.js'
 * @import { Config } from '../config.js'
 * @import { EngineRequest } from '../engine/engine.js'
 * @import { EngineThread } from '../engine/engine-thread.js'
 * @import { RunView } from './run-view.js'
 */

/** Flags that a run on agents does not have. */
const LOCAL = [
  { key: 'debug', flag: '--debug', why: 'prints the exchanges of a local run' },
  { key: 'serve', flag: '--serve', why: 'starts a target that agents on other machines cannot reach' },
];

/**
 * The options of a run on agents, from flags and the configuration file.
 *
 * @param {RunRequest} request
 * @param {Pick<Config, 'options'>} config
 * @param {NodeJS.ProcessEnv} env
 * @returns {AgentOptions | null} null for a run on this machine
 * @throws {Error} E_USAGE
 */
export function agentOptionsOf(request, config, env) {
  const given = { .../** @type {Record<string, any>} */ (config.options), ...withoutUndefined(request.runOptions) };
  const own = Object.fromEntries(
    AGENTS.filter(({ name }) => given[name] !== undefined).map((row) => [row.name, readOption(row, given[row.name])]),
  );
  if (own.agents === undefined) {
    // the environment and the configuration name the queue of all runs, also of those on this machine
    const isOfAll = [undefined, env[QUEUE_VARIABLE]].includes(request.runOptions.queue);
    const lone = AGENT_OPTIONS.find((name) => own[name] !== undefined && !(name === 'queue' && isOfAll));
    if (lone) throw usageError(`${flagOf(lone)} needs --agents, the number of agents`);
    return null;
  }
  const local = LOCAL.find(({ key }) => /** @type {Record<string, any>} */ (request)[key]);
  if (local) throw usageError(`${local.flag} and --agents cannot be combined: ${local.flag} ${local.why}`);
  if (own.queue === undefined)
    throw usageError(
      `--agents needs --queue, the URL of the Redis where they wait; or ${QUEUE_VARIABLE} in the environment`,
    );
  return /** @type {AgentOptions} */ (own);
}

/**
 * Starts a run: in a thread of this process, or on agents.
 *
 * @param {Omit<EngineRequest, 'ticks'>} request
 * @param {object} context
 * @param {RunView} context.view
 * @param {AgentOptions | null} context.agents
 * @param {NodeJS.ProcessEnv} context.env
 * @param {EngineThread} [context.thread] for a run on this machine
 * @returns {Promise<Engine | Coordinator>}
 */
export async function createEngine(request, { view, agents, env, thread }) {
  const config = withoutAgents(request.config);
  const commandLine = request.commandLine.map(withoutAgents);
  if (agents === null) return new Engine({ ...request, config, commandLine, ticks: true }, view, thread);
  // the configuration file has agents
  await thread?.close();
  const { Coordinator } = await import('../../shard/coordinator.js');
  const { source, cwd } = request;
  return new Coordinator(
    { source, cwd, config, commandLine, own: agents, env },
    {
      notice: (text) => view.notice(text.trimEnd()),
      onBegin: (begun) => view.onBegin(begun),
      onProgress: (progress) => view.onProgress(progress),
      onTick: (tick) => view.onTick(tick),
      onState: (stats) => view.onState(stats),
    },
  );
}

/** @type {(layer: Layer) => Layer} */
function withoutAgents({ options, ...layer }) {
  const own = Object.entries(options).filter(([name]) => !AGENT_OPTIONS.includes(name));
  return { ...layer, options: Object.fromEntries(own) };
}

/** @type {(options: object) => Record<string, any>} */
function withoutUndefined(options) {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** @type {(name: string) => string} */
function flagOf(name) {
  return /--[\w-]+/.exec(AGENTS.find((row) => row.name === name)?.flag ?? '')?.[0] ?? name;
}
