import { readFlow } from '../../lib/core/flow/compile.js';
import { clock } from '../../lib/core/run/clock.js';
import { originOf } from '../../lib/core/run/flow-source.js';
import { loadsMemory } from '../../lib/addons/loads/shared-loads.js';
import { indexMemory, sharedIndexes } from '../../lib/core/run/load/arrivals.js';
import { LoadGenerator } from '../../lib/core/run/load/generator.js';
import { programLayers } from '../../lib/core/run/options/layers.js';
import { inspectRunOptions } from '../../lib/core/run/options/read-options.js';
import { createPlan } from '../../lib/core/run/plan.js';

const LONGEST_MS = 100_000;

/**
 * A clock that goes on to its next timer as soon as nothing else is left to do, so a run of minutes takes milliseconds
 * and has the same times on each machine.
 */
class VirtualClock {
  #now = 0;
  #timers = new Set();

  now = () => this.#now;

  after = (act, ms) => {
    const timer = { act, at: this.#now + Math.max(0, ms) };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  every = (act, ms) => {
    let cancel = () => {};
    const next = () => {
      cancel = this.after(() => {
        next();
        act();
      }, ms);
    };
    next();
    return () => cancel();
  };

  afterReads = (act) => {
    const immediate = setImmediate(act);
    return () => clearImmediate(immediate);
  };

  /** Time goes on until a promise is settled. */
  async until(promise) {
    let isSettled = false;
    const settle = () => (isSettled = true);
    promise.then(settle, settle);
    while (!isSettled) {
      // A lane starts in a turn of its own, and a pacer polls for some turns.
      for (let turn = 0; turn < 4 && !isSettled; turn++) await new Promise(setImmediate);
      if (!isSettled) this.#advance();
    }
    return promise;
  }

  #advance() {
    const at = Math.min(...[...this.#timers].map((timer) => timer.at));
    if (at > LONGEST_MS) throw new Error(`the run has not ended after ${this.#now} ms`);
    this.#now = Math.max(this.#now, at);
    for (const timer of [...this.#timers]) {
      if (timer.at <= at && this.#timers.delete(timer)) timer.act();
    }
  }
}

/** Reads a flow of calls and its options, and plans its run as `--print-plan` does. */
export function planOf(flow, given) {
  const read = readFlow(flow);
  const { options, problems } = inspectRunOptions(programLayers(read.flow, { timeout: 0, ...given }), {}, read.flow);
  problems.throwIfAny();
  const plan = createPlan(read, options, originOf(flow));
  // The thread that wakes load threads has a clock of its own.
  return { ...plan, pacing: plan.pacing && 'timer' };
}

/**
 * Runs the iterations of a plan in `threads` load generators of this thread, on a virtual clock. `shard` is a part of
 * the run, which begins at `startsAt`.
 * @returns {Promise<number>} when the measured iterations started
 */
export async function runVirtually(plan, { threads = 1, startsAt = 0 } = {}) {
  const real = { ...clock };
  const virtual = new VirtualClock();
  const { now, after, every, afterReads } = virtual;
  Object.assign(clock, { now, after, every, afterReads });
  const loads = plan.loads.length;
  const memory = indexMemory(threads, loads);
  let generators = [];
  const shared = { workers: threads, loadsMemory: loadsMemory(loads) };
  try {
    generators = await Promise.all(
      Array.from({ length: threads }, (_, worker) =>
        LoadGenerator.open(plan, {
          ...{ ...shared, worker },
          indexes: plan.loads.map((_load, position) => sharedIndexes(memory, position)),
        }),
      ),
    );
    const each = (act) => virtual.until(Promise.all(generators.map(act)));
    await each((generator) => generator.warmUp());
    const start = clock.now() - startsAt;
    await each((generator) => generator.run(start));
    return start;
  } finally {
    await virtual.until(Promise.all(generators.map((generator) => generator.close())));
    Object.assign(clock, real);
  }
}

/**
 * A flow of calls whose loads (an object by names) run beside each other, and the log of its calls: the load, the
 * virtual user, the INDEX, and when it started and ended.
 */
export function loggedCalls(loads) {
  const calls = [];
  const main = (load, ms) => [
    {
      measure: `call of ${load}`,
      run: ({ vu, index }) =>
        new Promise((resolve) => {
          const call = { load, vu, index, from: clock.now(), to: Infinity };
          calls.push(call);
          clock.after(() => {
            call.to = clock.now();
            resolve();
          }, ms);
        }),
    },
  ];
  const scenarios = Object.fromEntries(
    Object.entries(loads).map(([name, { serviceMs, startAfter, ...load }]) => [
      name,
      { load, ...(startAfter !== undefined && { startAfter }), main: main(name, serviceMs) },
    ]),
  );
  return { flow: { scenarios }, calls };
}
