import { createProblems } from '../../core/ground/problems.js';
import { readMs } from '../../core/ground/units.js';
import { createRun } from '../../core/run/benchrest.js';
import { serverFor } from '../server/watched-server.js';
import { capacityOutcome, capacityReasons } from './conclusion.js';
import { courseOptions, findCapacity, refusedStep, stepOutcomeOf, thresholdsIn } from './course.js';
import { SET_BY_SEARCH, isShare, readLoad, stepLayers } from './load.js';

/** @import { Capacity, CapacityOptions } from './capacity.js' */
/** @import { Flow } from '../../core/contracts/flows.js' */
/** @import { RunOptions } from '../../core/contracts/run.js' */
/** @import { ServedRun } from '../server/run-with-server.js' */
/** @import { StartServer } from '../server/types.js' */
/** @import { CourseOptions, StepOutcome } from './course.js' */
/** @import { StepLoad } from './load.js' */

/** The options of the search; all others are those of the runs. */
const OWN = ['by', 'from', 'within', 'step', 'maxDuration', 'atLeast', 'onStep'];
const NAMES = { from: 'capacity.from', step: 'capacity.step', maxDuration: 'capacity.maxDuration' };

/**
 * Searches the highest load that holds, for a program.
 * @throws {Error} E_RUN_OPTIONS, E_FLOW, and those of a run
 * @type {(flow: Flow, options?: CapacityOptions) => Promise<Capacity>}
 */
export async function searchCapacity(flow, options = {}) {
  const { signal, by = 'rate', atLeast, onStep } = options;
  const course = readOptions(options);
  const runOptions = /** @type {RunOptions} */ (
    Object.fromEntries(Object.entries(options).filter(([name]) => !OWN.includes(name)))
  );
  const given = [/** @type {any} */ (flow)?.runOptions, runOptions].map((some) => ({ name: '', options: some ?? {} }));
  const server = new SharedServer();
  /** @type {ServedRun['hosting']} */
  const hosting = { startServer: server.start };
  /** @type {(load: StepLoad) => Promise<StepOutcome>} */
  const perform = async (load) => {
    if (signal?.aborted) return { ended: 'interrupted' };
    const { stats, endReason } = await createRun(flow, runOptions, {
      layersOf: (layers) => stepLayers(load, layers),
      hosting,
    });
    return signal?.aborted ? { ended: 'interrupted' } : stepOutcomeOf(endReason, stats);
  };
  try {
    const { capacity, ended, message } = await findCapacity(
      { ...course, thresholds: thresholdsIn(given) },
      {
        run: (load, _next, { steps }) => perform(load).catch((error) => refusedStep(error, steps.length + 1)),
        onStep: ({ shown }) => onStep?.(shown),
      },
    );
    const goal = atLeast === undefined ? null : readLoad(atLeast, by);
    return { ...capacity, outcome: capacityOutcome(ended ? [ended] : capacityReasons(capacity, goal), message) };
  } finally {
    await server.end();
  }
}

/** @throws {Error} E_RUN_OPTIONS @type {(options: CapacityOptions) => CourseOptions} */
function readOptions(options) {
  const { by = 'rate', from, within, step, maxDuration, atLeast = 1 } = options;
  const given = {
    by,
    within,
    from: from === undefined ? undefined : readLoad(from, by),
    stepMs: step === undefined ? undefined : readMs(step),
    maxDurationMs: maxDuration === undefined ? undefined : readMs(maxDuration),
  };
  const course = courseOptions(given, options, NAMES);
  const { maxDurationMs = Infinity } = course;
  const problems = createProblems('E_RUN_OPTIONS');
  /** @type {(name: keyof CapacityOptions, isValid: boolean, expected: string) => void} */
  const check = (name, isValid, expected) => {
    if (options[name] !== undefined && !isValid) problems.add(`capacity.${name}`, `expected ${expected}`);
  };
  check('by', ['rate', 'users'].includes(by), 'rate or users');
  check('from', course.from > 0, 'a load above 0, such as 100');
  check('atLeast', readLoad(atLeast, by) > 0, 'a load above 0, such as 500');
  check('within', isShare(course.within), 'a share between 0 and 1, such as 0.05');
  check('step', course.stepMs >= 1000, "a time of 1s or more, such as '10s'");
  check('maxDuration', maxDurationMs >= 1000, "a time of 1s or more, such as '5m'");
  for (const name of by === 'users' ? [...SET_BY_SEARCH, 'limit'] : SET_BY_SEARCH)
    if (name in options && !OWN.includes(name))
      problems.add(`capacity.${name}`, 'is decided by the search: leave it out');
  problems.throwIfAny();
  return course;
}

/** The server of the option `start`, which serves all steps: a step that ends does not stop it. */
class SharedServer {
  /** @type {ReturnType<typeof serverFor> | null} */
  #server = null;
  /** @type {Promise<{ pid: number, origin: string }> | null} */
  #ready = null;

  /** @type {StartServer} */
  start = async (settings, isCancelled) => {
    this.#server ??= serverFor(settings);
    this.#ready ??= this.#server.start(isCancelled);
    const server = this.#server;
    const ready = await this.#ready;
    const { channel } = server;
    return { ...ready, channel, onEnd: (listener) => server.onEnd(listener), stop: async () => {} };
  };

  async end() {
    await this.#server?.stop();
  }
}
