import { optionsIn } from '../../core/run/options/layers.js';
import { WITHOUT_REFUSED } from './pack-options.js';

/** @import { Layer } from '../../core/run/options/types.js' */
/** @import { Part, ShardContext } from './types.js' */

/**
 * Creates the request to an engine (see EngineRequest) for a shard, or for a part of one that was lost.
 * @type {(context: ShardContext) => Record<string, any>}
 */
export function shardRequest({ shard, part, permitMemory, work, source, cwd, requestLog, bounds, timing, ...agent }) {
  const { workers, secrets } = agent;
  const own = {
    ...WITHOUT_REFUSED,
    // The flow does not decide where an agent writes its log.
    log: requestLog,
    shard: part ? { number: part.number, of: part.of, from: part.from } : { number: shard.number, of: shard.of },
    runId: shard.run,
    // The coordinator decides by the sum of all shards.
    abortOnFail: false,
    abortOnFailOf: null,
    abortAfter: null,
    precision: null,
    maxDuration: null,
    progress: 0,
    ...(work.flow.kind === 'data' && { strict: true }),
  };
  return {
    source,
    cwd,
    config: withDefault(work.config, { workers }),
    commandLine: [
      secrets,
      ...work.commandLine,
      { name: 'agents', options: own },
      ...(part ? [takenOver(optionsIn([work.config, ...work.commandLine]).workers ?? workers)] : []),
    ],
    debug: false,
    ticks: true,
    ...(bounds && { bounds }),
    asShard: { keepMs: timing.reportMs, ...(permitMemory && { permitMemory }) },
  };
}

/**
 * Returns the options of a part: it has no time before its start, and fewer virtual users than a shard, so the workers
 * of the run, or of the agent, are an upper limit (`adapts`).
 * @type {(workers: number | string) => Layer}
 */
function takenOver(workers) {
  return { name: 'agents', options: { workers, warmup: null, prealloc: 0 }, adapts: ['workers'] };
}

/**
 * Adds the number of workers of the agent if its configuration has none. It is an upper limit (`adapts`): a shard may
 * have fewer virtual users than workers.
 * @type {(config: Layer, options: { workers: number | string }) => Layer}
 */
function withDefault(config, { workers }) {
  if ((config.options.workers ?? null) !== null) return config;
  return { ...config, options: { ...config.options, workers }, adapts: ['workers'] };
}

/**
 * @typedef {object} RunningPart see ShardRun
 * @property {() => Promise<string>} run
 * @property {(reason: string, options?: { within?: number }) => void} stop
 * @property {() => void} abort
 */

/** @type {(from: number[]) => string} */
function startsOf(from) {
  if (from.length === 1) return `INDEX ${from[0]}`;
  return `iterations ${from.join(', ')} of its loads`;
}

/** The parts of lost agents that an agent runs beside its own shard: each like a shard, with its own reports. */
export class TakenParts {
  #create;
  #notify;
  /** The numbers of the reports of those that began. @type {Set<number>} */
  #begun = new Set();
  /** @type {RunningPart[]} */
  #running = [];
  /** @type {Promise<unknown>[]} */
  #ends = [];
  #isClosed = false;

  /** @param {(part: Part) => RunningPart} create @param {(text: string) => void} notify prints a line */
  constructor(create, notify) {
    this.#create = create;
    this.#notify = notify;
  }

  /** Begins those that it has not begun. @type {(parts: Part[]) => void} */
  begin(parts) {
    for (const part of parts) {
      if (this.#isClosed || this.#begun.has(part.report)) continue;
      this.#begun.add(part.report);
      this.#notify(`takes over part ${part.number} of ${part.of} from ${startsOf(part.from)}`);
      this.#ends.push(this.#run(part));
    }
  }

  /**
   * Runs a part. If its thread cannot be created, only the part is lost, and the coordinator gives it to another agent.
   * @type {(part: Part) => Promise<void>}
   */
  async #run(part) {
    /** @type {string} */
    let how;
    try {
      const running = this.#create(part);
      this.#running.push(running);
      how = await running.run();
    } catch (error) {
      how = /** @type {Error} */ (error).message;
    }
    this.#notify(`part ${part.number} of ${part.of}: ${how}`);
  }

  /** @type {RunningPart['stop']} */
  stop(reason, options) {
    this.#isClosed = true;
    for (const part of this.#running) part.stop(reason, options);
  }

  abort() {
    this.#isClosed = true;
    for (const part of this.#running) part.abort();
  }

  /**
   * Waits for those that run, then accepts no more. Until then the agent reports that it runs, so the coordinator may
   * give it more.
   */
  async close() {
    for (let i = 0; i < this.#ends.length; i++) await this.#ends[i];
    this.#isClosed = true;
  }
}
