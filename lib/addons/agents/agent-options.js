import { refusalOf } from './options/refused.js';
import { AGENTS, QUEUE_VARIABLE } from './options/agents.js';
import { RUN_OPTIONS } from '../../core/run/options/index.js';
import { longFlag, readOption } from '../../core/run/options/row.js';
import { usageError } from '../../core/cli/usage-error.js';

/** @import { CoordinatorOptions } from './types.js' */
/** @import { RunnerModule } from '../../core/cli/types.js' */

/** Why a run on agents cannot print exchanges: completes the flag. */
const NO_DEBUG = 'prints the exchanges of a local run';

/** Runs flows on agents. @type {RunnerModule['runnerOf']} */
export function runnerOf(request, config, env) {
  const own = agentOptionsOf(request, config, env);
  if (own === null) return null;
  return {
    shards: own.agents,
    async open({ source, cwd, config: layer, commandLine, runLabel }, view) {
      const { Coordinator } = await import('./coordinator.js');
      return new Coordinator(
        { source, cwd, config: layer, commandLine, own, env, runLabel },
        {
          notice: (text) => view.notice(text.trimEnd()),
          onBegin: (begun) => view.onBegin(begun),
          onProgress: (progress) => view.onProgress(progress),
          onTick: (tick) => view.onTick(tick),
          onState: (stats) => view.onState(stats),
        },
      );
    },
  };
}

/**
 * Returns the options of a run on agents, from flags and the configuration file; null for a run on this machine.
 * @throws {Error} E_USAGE
 * @type {(...given: Parameters<RunnerModule['runnerOf']>) => CoordinatorOptions | null}
 */
export function agentOptionsOf({ runOptions, companions = [], debug = false }, config, env) {
  /** @type {Record<string, any>[]} */
  const [flags, configured] = [runOptions, config.options];
  // As layers.js resolves them, which only the thread of a run loads: null sets no option.
  const valueOf = (/** @type {string} */ name) => flags[name] ?? configured[name] ?? undefined;
  const set = AGENTS.filter(({ name }) => valueOf(name) !== undefined);
  const own = Object.fromEntries(set.map((row) => [row.name, readOption(row, valueOf(row.name))]));
  if (own.agents === undefined) {
    // The environment and the configuration name the queue of all runs, also of those on this machine; a queue of the
    // environment is in the run options like that of a flag.
    const isCommonQueue = [undefined, env[QUEUE_VARIABLE]].includes(flags.agentsQueue);
    const isSet = (/** @type {string} */ name) => ![undefined, false].includes(own[name]);
    const lone = AGENTS.find(({ name }) => isSet(name) && !(name === 'agentsQueue' && isCommonQueue));
    if (lone) throw usageError(`${longFlag(lone)} needs --agents, the number of agents`);
    return null;
  }
  const wanted = [...(debug ? [{ name: 'debug', refusedElsewhere: NO_DEBUG }] : []), ...companions];
  const { name, refusedElsewhere: why } = wanted.find(({ refusedElsewhere }) => refusedElsewhere) ?? {};
  if (why) throw usageError(`--${name} and --agents cannot be combined: --${name} ${why}`);
  const refused = RUN_OPTIONS.find(
    (row) => row.isOfCommand && refusalOf(row, 'agents') && valueOf(row.name) !== undefined,
  );
  if (refused)
    throw usageError(`${longFlag(refused)} and --agents cannot be combined: it ${refusalOf(refused, 'agents')}`);
  if (own.agentsQueue === undefined)
    throw usageError(
      `--agents needs --agents-queue, the URL of the Redis where they wait; or ${QUEUE_VARIABLE} in the environment`,
    );
  return /** @type {CoordinatorOptions} */ (own);
}
