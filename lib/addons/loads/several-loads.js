import { COMPLETED } from '../../core/ground/end-reasons.js';
import { ITERATION_PHASES, PHASES } from '../../core/ground/phases.js';
import { prepareIteration } from '../../core/iteration/iteration.js';
import { Recorder } from '../../core/measure/recorder.js';
import { clock } from '../../core/run/clock.js';
import { flowOfLoad } from '../../core/run/options/fit-to-flow.js';
import { READ_MS, SharedLoads } from './shared-loads.js';

/** @import { RecorderState } from '../../core/measure/state.js' */
/** @import { IndexAllocator, Load, LoadPlan, LoadsOfThread, LoadThread, ThreadLoad } from '../../core/run/types.js' */
/** @import { Pacer } from '../../core/run/load/pacer.js' */

/** How often the records of the loads are added up, ms. */
const COLLECT_MS = 200;
/** Errors may end the run, so they are added up sooner. */
const COLLECT_ERRORS_MS = 10;

/**
 * The loads of a run, as one thread generates them. Each is a part of the run, as a thread is: it has its own virtual
 * users, its own end, and records on its own; the figures of the run are the sum.
 * @implements {LoadsOfThread}
 */
export class SeveralLoads {
  #plan;
  #thread;
  #shared;
  /** One for each load. @type {ThreadLoad[]} */
  each;
  #collectedAt = -Infinity;

  /**
   * @param {LoadPlan} plan
   * @param {LoadThread} thread
   */
  constructor(plan, thread) {
    this.#plan = plan;
    this.#thread = thread;
    this.#shared = new SharedLoads(thread.loadsMemory, thread.threads);
    this.each = plan.loads.map((load) => this.#create(load));
    // The result lists the scenarios in the order of the flow, whichever load records one first.
    for (const { scenario } of plan.flow.main) if (scenario) thread.recorder.scenarios.add(scenario.name);
    thread.ending.onStop((reason, options) => this.each.forEach(({ ending }) => ending.stop(reason, options)));
    thread.ending.onAbort(() => this.each.forEach(({ ending }) => ending.abort()));
  }

  /** @type {(load: Load) => ThreadLoad} */
  #create(load) {
    const { context, pacer, openEnding, onError } = this.#thread;
    const { seriesInterval } = this.#plan.options;
    const recorder = new Recorder({ interval: seriesInterval, isDrained: true });
    const ending = openEnding(load.position);
    const flow = flowOfLoad(this.#plan.flow, load);
    const own = {
      ...context,
      recorder,
      ending,
      loads: load.of,
      /** @type {(error: any, phase: any, step?: any, index?: any, exchange?: any) => void} */
      onError: (error, phase, step, index, exchange) => {
        onError(recorder, error, { phase, step, index, exchange });
        if (clock.now() - this.#collectedAt > COLLECT_ERRORS_MS) this.collect();
      },
    };
    return {
      load,
      flow,
      indexes: this.#indexesOf(load),
      recorder,
      context: own,
      iteration: prepareIteration(flow, own, this.#plan.recompile === null ? PHASES : []),
      pacer: new SharedPacer(pacer),
      ending,
    };
  }

  bind() {
    for (const { iteration, flow } of this.each) iteration.bind(flow, ITERATION_PHASES);
  }

  /** The loads share `maxRequests` of the run. @type {(load: Load) => IndexAllocator} */
  #indexesOf({ position, schedule, options: { requests = 0 } }) {
    const { options, stride } = this.#plan;
    const indexes = this.#thread.indexes[position];
    if (options.maxRequests === undefined) return indexes;
    const isDue = (/** @type {number} */ position) => schedule.arrival(stride.indexOf(position)) < schedule.end;
    return this.#shared.limited(indexes, { requests, most: stride.countOf(options.maxRequests), isDue });
  }

  /**
   * Runs the measured iterations. `runOne` runs those of a load, from an instant of the clock on. A load without an
   * end goes on until the others have ended in all threads.
   * @type {(start: number, runOne: (load: ThreadLoad, start: number) => Promise<void>) => Promise<void>}
   */
  async run(start, runOne) {
    const { each } = this;
    for (const { recorder } of each) recorder.points.begin(start);
    const stopCollecting = clock.every(() => this.collect(), COLLECT_MS);
    const ends = each.map((load) => this.#runOne(load, start, runOne));
    try {
      await Promise.all([...ends, this.#stopAfterLoadsWithEnd(ends)]);
    } finally {
      stopCollecting();
      this.#thread.pacer.wakeAll();
    }
  }

  /** `ends`: of the loads, in this thread. @type {(ends: Promise<void>[]) => Promise<void>} */
  async #stopAfterLoadsWithEnd(ends) {
    const { ending } = this.#thread;
    const positions = this.#plan.loads.flatMap(({ position, hasEnd }) => (hasEnd ? [position] : []));
    if (positions.length === 0 || this.#plan.options.forever) return;
    await Promise.all(positions.map((position) => ends[position]));
    // Other threads may still run them: this one may have no virtual user of them at all.
    if (positions.length < this.each.length)
      await pollUntil(() => ending.isOver || positions.every((position) => this.#shared.hasEnded(position)));
    ending.stop(COMPLETED);
  }

  /** @type {(part: ThreadLoad, ...run: Parameters<SeveralLoads['run']>) => Promise<void>} */
  async #runOne(part, start, runOne) {
    const { load, ending } = part;
    const { arrived, end } = load.schedule;
    const begin = start + (await this.#startOf(part, start));
    const cancelEnd = ending.stopAt(begin + end);
    // A thread that is late may begin after its end: a closed load would start an iteration at once, in an open one
    // nothing is due.
    const isClosed = arrived === null;
    const hasNothingToStart = ending.isOver || (isClosed && begin + end <= clock.now());
    try {
      if (!hasNothingToStart) await runOne(part, begin);
    } finally {
      cancelEnd();
      ending.drained();
      // Its series ends with its last iteration: rates are per second until then.
      part.recorder.points.close(clock.now());
      // After a stop nothing starts any more.
      if (!this.#thread.ending.isOver) this.#shared.end(load.position, clock.now() - start);
    }
  }

  /**
   * Waits until a load starts, or the run is over.
   * @type {(load: ThreadLoad, start: number) => Promise<number>} ms after the start of the run; Infinity: it never does
   */
  async #startOf({ load, ending, pacer }, start) {
    await pollUntil(() => ending.isOver || this.#shared.startOf(load) < Infinity);
    const startMs = this.#shared.startOf(load);
    if (startMs === 0 || ending.isOver) return startMs;
    const unsubscribe = ending.onStop(() => pacer.wakeAll());
    await pacer.until(start + startMs);
    unsubscribe();
    return startMs;
  }

  /** Adds what the loads have recorded since the last call to the figures of the run. */
  collect() {
    const { onStates } = this.#thread;
    this.#collectedAt = clock.now();
    if (onStates !== null) onStates(this.drain());
  }

  /** Returns what the loads have recorded since the last call. @type {() => RecorderState[]} */
  drain() {
    this.#thread.recorder.points.advance(clock.now());
    return this.each.map(({ recorder }) => recorder.drain());
  }

  close() {
    for (const { ending, recorder } of this.each) {
      ending.close();
      recorder.close();
    }
  }
}

/** Waits for what another thread may change. @type {(isReached: () => boolean) => Promise<void>} */
async function pollUntil(isReached) {
  while (!isReached()) await new Promise((/** @type {(_: void) => void} */ resolve) => clock.after(resolve, READ_MS));
}

/** The pacer of a thread, as one of its loads uses it: it wakes the lanes of that load alone. */
class SharedPacer {
  #pacer;
  /** @type {Set<() => void>} */
  #waiting = new Set();

  /** @param {Pacer} pacer */
  constructor(pacer) {
    this.#pacer = pacer;
  }

  /** @type {(at: number) => Promise<void>} */
  until(at) {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        resolve();
      };
      this.#waiting.add(wake);
      void this.#pacer.untilInAnyOrder(at).then(wake);
    });
  }

  wakeAll() {
    for (const wake of this.#waiting) wake();
  }
}
