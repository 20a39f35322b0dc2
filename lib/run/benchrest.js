import { EventEmitter } from 'node:events';

import { readFlow } from '../flow/index.js';
import { loadFlow } from '../flow/load.js';
import { createProblems } from '../problems.js';
import { conduct } from './conduct.js';
import { fitToFlow } from './fit-to-flow.js';
import { findBound, flowFile } from './flow-source.js';
import { readRunOptions } from './read-options.js';
import { describeShape } from './shape.js';
import { openTarget } from './target.js';

/**
 * @import { CompiledFlow, Phase } from '../flow/types.js'
 * @import { Stats } from '../measure/types.js'
 * @import { Flow, RunEvents, RunOptions as GivenOptions } from '../public-types.js'
 * @import { FlowSource } from './flow-source.js'
 * @import { RunOptions } from './options.js'
 *
 * @typedef {object} Result
 * @property {Stats} stats
 * @property {number} errorCount
 * @property {string} why it ended: `done`, `before` (it failed), `stopped`, `aborted`, `unreachable`, or what stop() was told
 *
 * @typedef {object} Plan what will be run
 * @property {string} shape how many iterations, when, and how many at a time
 * @property {string[]} origins that are known before the run
 * @property {Record<Phase, string[]>} operations names of the operations of each phase
 */

/**
 * Runs a flow. Handlers that are attached right after the call miss nothing; the run can be awaited as well.
 *
 * @example
 * const { stats, errorCount } = await benchrest('http://localhost:8000/', { limit: 10, iterations: 100 });
 *
 * @param {Flow} flow a URL, an operation, an array of them, an object of phases, or the file of one: a path or a file: URL;
 *   it is not changed
 * @param {GivenOptions | null} [runOptions] `limit` and `iterations` are required, here or in `flow.runOptions`
 * @returns {Run}
 * @throws {Error} E_NO_MAIN, E_NO_LIMIT, and E_FLOW or E_RUN_OPTIONS with all problems; the run of a file rejects with them
 */
export function benchrest(flow, runOptions) {
  const argument = flowFile(flow);
  if (argument !== null)
    return new Run(async (run) => prepare((await loadFlow({ argument })).flow, runOptions, { argument }).work(run));
  return startRun(flow, runOptions, findBound(flow) === null ? { data: flow } : null);
}

/**
 * Runs a flow that was read from a source, which other threads can read too.
 *
 * @param {unknown} flow
 * @param {GivenOptions | null | undefined} runOptions
 * @param {FlowSource | null} source
 * @returns {Run}
 */
export function startRun(flow, runOptions, source) {
  const { plan, work } = prepare(flow, runOptions, source);
  return new Run(work, plan);
}

/** Reads and checks all there is before anything is sent. @type {(flow: unknown, runOptions: GivenOptions | null | undefined, source: FlowSource | null) => { plan: Plan, work: (run: Run) => Promise<Result> }} */
function prepare(flow, runOptions, source) {
  const read = readFlow(flow);
  const given = readRunOptions(read.flow.runOptions, runOptions);
  const compiled = read.compile(given.target ? { ...given, baseUrl: 'http://target.invalid' } : given);
  const options = fitToFlow(given, compiled);
  if (source === null) checkWorkers(flow, options);
  // a target of this process has its thread to itself where the flow can go to another
  if (options.target && source && !options.trace) options.workers ??= 1;
  const plan = planOf(compiled, options);
  return {
    plan,
    async work(run) {
      run.plan = plan;
      if (!options.target) return conduct(run, compiled, options, source);
      const target = await openTarget(options.target);
      try {
        const aimed = { ...options, baseUrl: target.url };
        return await conduct(run, read.compile(aimed), aimed, source);
      } finally {
        await target.leave();
      }
    },
  };
}

/** @type {(flow: unknown, options: RunOptions) => void} */
function checkWorkers(flow, { workers }) {
  const problems = createProblems('E_RUN_OPTIONS');
  const cure = "give the flow's file: new URL('./flow.js', import.meta.url), or its path";
  if (workers !== undefined)
    problems.add('runOptions.workers', `${findBound(flow)}, which cannot go to another thread; ${cure}`);
  problems.throwIfAny();
}

/** @type {(flow: CompiledFlow, options: RunOptions) => Plan} */
function planOf(flow, options) {
  const phases = /** @type {Phase[]} */ (Object.keys(flow));
  const origins = new Set(
    options.target ? [] : phases.flatMap((phase) => flow[phase].flatMap(({ origin }) => origin ?? [])),
  );
  const operations = /** @type {Plan['operations']} */ (
    Object.fromEntries(phases.map((phase) => [phase, flow[phase].map(({ name }) => name)]))
  );
  return { shape: describeShape(options), origins: [...origins], operations };
}

/**
 * A run under way. Emits `error (err, ctxName)`, `progress (stats, percent, concurrent, ips)` and
 * `end (stats, errorCount)`; without an error listener errors are only counted.
 *
 * @extends {EventEmitter<RunEvents>}
 */
export class Run extends EventEmitter {
  /** @type {Promise<Result>} */
  #result;
  /** @type {unknown[]} */
  #thrown = [];
  #isAwaited = false;
  /** @type {{ reason: string, options?: { within?: number } } | null} */
  #stopped = null;
  /** @type {(reason: string, options?: { within?: number }) => void} */
  #onStop = () => {};
  #hasLeft = false;
  #onLeave = () => {};
  /** @type {() => Stats | null} */
  #snapshot = () => null;

  /**
   * @param {(run: Run) => Promise<Result>} work
   * @param {Plan | null} [plan] null where a file is read first
   */
  constructor(work, plan = null) {
    super();
    this.plan = plan;
    this.#result = new Promise((resolve) => setImmediate(resolve)).then(() => work(this));
    this.#result.then(
      ({ stats, errorCount }) => process.nextTick(() => this.#end(stats, errorCount)),
      (error) => process.nextTick(() => this.#refuse(error)),
    );
  }

  /**
   * Ends the run early: no iteration starts any more, those under way get up to `gracefulStop`, then they are cancelled.
   *
   * @param {string} [reason]
   * @param {{ within?: number }} [options] `within`: less time than `gracefulStop`, ms
   */
  stop(reason = 'stopped', options) {
    this.#stopped ??= { reason, options };
    this.#onStop(reason, options);
  }

  /** Ends the run at once: what is under way is cancelled, and nothing is torn down. */
  leave() {
    this.#hasLeft = true;
    this.#onLeave();
  }

  /** The stats so far; null before the run began. */
  snapshot() {
    return this.#snapshot();
  }

  /** @type {Promise<Result>['then']} */
  then(onResult, onError) {
    this.#isAwaited = true;
    return this.#result.then(onResult, onError);
  }

  /** @type {Promise<Result>['catch']} */
  catch(onError) {
    this.#isAwaited = true;
    return this.#result.catch(onError);
  }

  /** @type {Promise<Result>['finally']} */
  finally(onEnd) {
    this.#isAwaited = true;
    return this.#result.finally(onEnd);
  }

  /**
   * An error without a listener is no crash; a listener that throws does so after the run, when its books are closed.
   *
   * @template K
   * @param {keyof RunEvents | K} name
   * @param {K extends keyof RunEvents ? RunEvents[K] : never} values
   * @returns {boolean}
   */
  emit(name, ...values) {
    if (this.listenerCount(/** @type {any} */ (name)) === 0) return false;
    try {
      return super.emit(name, ...values);
    } catch (error) {
      this.#thrown.push(error);
      return true;
    }
  }

  /** What conducts the run says here how it is stopped and looked at. @type {(controls: { stop: (reason: string, options?: { within?: number }) => void, leave: () => void, snapshot: () => Stats }) => void} */
  attach({ stop, leave, snapshot }) {
    this.#onStop = stop;
    this.#onLeave = leave;
    this.#snapshot = snapshot;
    if (this.#stopped) stop(this.#stopped.reason, this.#stopped.options);
    if (this.#hasLeft) leave();
  }

  /** A run that could not be: said to whoever listens or waits, and aloud if nobody does. @type {(error: Error) => void} */
  #refuse(error) {
    if (!this.emit('error', error, 'internal') && !this.#isAwaited) throw error;
  }

  /** @type {(stats: Stats, errorCount: number) => void} */
  #end(stats, errorCount) {
    this.emit('end', stats, errorCount);
    const [first] = this.#thrown;
    if (this.#thrown.length > 0) throw first;
  }
}
