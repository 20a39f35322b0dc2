import { isRecord } from '../flow/record.js';
import { isCode } from '../flow/source/formats/index.js';
import { offered } from '../ground/addons.js';
import { createProblems, noticeOf } from '../ground/problems.js';
import { BARE_TIME_REFUSALS, LIKELY_PAUSE, findLikelySeconds } from '../ground/units.js';
import { hasUserStages } from '../schedule/stages.js';
import { Benchmark } from './benchmark.js';
import { checkDialectOptions, located, modulePath } from './flow-source.js';
import { TLS_OPTIONS } from './options/connections.js';
import { inUsers } from './options/fit-to-flow.js';
import { RUN_OPTIONS, bringsTarget, reachingIn, rowOf, rowsWith } from './options/index.js';
import { firstOutside } from '../process/confinement.js';
import { PROGRAM, optionsIn, resolveLayers, shownOptions } from './options/layers.js';
import { RANDOM_SEED, hasStageFile } from './options/load.js';
import { COMMAND_LINE, explainMisplaced, explainProperty } from './options/names.js';
import { inspectRunOptions } from './options/read-options.js';
import { longFlag, readOption } from './options/row.js';
import { checkParticipants } from './participants.js';
import { createPlan, describeLoads } from './plan.js';
import { Run } from './run.js';

/** @import { RunOptions } from '../contracts/run-options.js' */
/** @import { PlanSummary } from '../contracts/run.js' */
/** @import { ReadFlow } from '../flow/types.js' */
/** @import { OwnName, Problem, Problems } from '../ground/types.js' */
/** @import { FlowOrigin, HostEntry, HostedRun, Hosting, LoadPlan, RunPlan } from './types.js' */
/** @import { Resolved } from './options/layers.js' */
/** @import { Layer } from './options/types.js' */
/** @import { RunResult } from './run.js' */

/** Stands for the URL of a server that is not started yet. */
const PLACEHOLDER_URL = 'http://localhost/';
/** @type {HostEntry[]} */
const HOSTS = offered('hosts');

/** @type {(options: RunOptions) => HostEntry | undefined} */
const hostOf = (options) => HOSTS.find(({ suits }) => suits(options));

/**
 * @typedef {object} Caller of a run
 * @property {Hosting} [hosting] what it has for the host of the run
 * @property {boolean} [judges] false: thresholds are checked, but no result is compared with them
 * @property {(paths: string[], flag: string) => void} [onFiles] receives the files that the run writes for an option,
 *   before one is opened; throws if one of them belongs to the caller
 * @property {string[]} [files] absolute paths of files that participants of the run write
 * @property {string} [hint] what to do if an option is missing
 * @property {(text: string) => void} [onNotice] receives each likely mistake in the flow, once it is planned
 *
 * @typedef {object} PreparedRun
 * @property {PlanSummary | null} summary null if the run can be planned only when its work has begun
 * @property {RunOptions} options fitted to the flow, if it is planned
 * @property {(run: Run) => Promise<RunResult>} work
 */

/**
 * Makes a run, which begins only after the caller could attach listeners. Layers are weakest first.
 * @throws {Error} as {@link prepare}
 * @type {(read: ReadFlow, layers: Layer[], origin: FlowOrigin, caller?: Caller) => Run}
 */
export function startRun(read, layers, origin, caller) {
  const { summary, work } = prepare(read, layers, origin, caller);
  return new Run(work, summary);
}

/**
 * Plans a run, without starting it. A run with a server of its own is planned when the address of the server is known,
 * and one of a flow with feeders, whose code is not loaded yet, when it is. Layers are weakest first.
 * @throws {Error} E_NO_LIMIT, and E_FLOW or E_RUN_OPTIONS with all problems
 * @type {(read: ReadFlow, layers: Layer[], origin: FlowOrigin, caller?: Caller) => PreparedRun}
 */
export function prepare(read, layers, origin, caller = {}) {
  return inFile(layers, origin, () => prepareRun(read, layers, origin, caller));
}

/**
 * Plans; the problems of a flow that is a document have the lines where it has them.
 * @type {<T>(layers: Layer[], origin: FlowOrigin, plan: () => T) => T}
 */
function inFile(layers, { locate }, plan) {
  try {
    return plan();
  } catch (error) {
    throw located(inTheFlow(error, layers), locate);
  }
}

/** Locates problems of thresholds in the flow that has them. @type {(error: any, layers: Layer[]) => any} */
function inTheFlow(error, layers) {
  const { thresholds: owner } = resolveLayers(layers).origins;
  const isOfFlow = layers.some(({ name, isFlow, options }) => isFlow && name === owner && options?.thresholds);
  const { code, problems: list = [] } = error ?? {};
  if (!isOfFlow || code !== 'E_RUN_OPTIONS' || !list.every((/** @type {Problem} */ { path }) => THRESHOLDS.test(path)))
    return error;
  const problems = createProblems('E_FLOW');
  for (const { path, reason } of list) problems.add(path.replace(THRESHOLDS, 'flow.thresholds'), reason);
  return problems.error() ?? error;
}

const THRESHOLDS = /^(?:runOptions\.)?thresholds(?=\[|$)/;

const WRITING = rowsWith('files');

/** @type {typeof prepare} */
function prepareRun(read, layers, origin, caller = {}) {
  const { hosting, onFiles, hint, files = [] } = caller;
  const { options, problems, resolved } = inspectRunOptions(layers, process.env, {
    misplaced: () => misplacedOptions(read, hint),
    scenarios: read.flow.scenarios,
  });
  for (const { path, reason } of likelySeconds(resolved, layers, read)) problems.add(path, reason);
  checkTogether(options, { read, layers, origin, files }, problems);
  refuse(problems, read, options);
  for (const row of WRITING) onFiles?.(row.files?.(options) ?? [], longFlag(row));
  const planner = new Planner({ read, layers, resolved, origin, options, unknown: problems.own }, caller);
  const host = hostOf(options);
  if (host === undefined && read.isLoaded) {
    const plan = planner.plan();
    return {
      summary: planner.summaryOf(plan),
      options: inUsers(plan.options),
      work: (run) => {
        planner.warn(run);
        return new Benchmark(run, plan).run();
      },
    };
  }
  /** @type {PreparedRun['work']} */
  const work = async (run) => {
    await read.load();
    /** @type {HostedRun['planFor']} */
    const planFor = (baseUrl, askLater) => inFile(layers, origin, () => planner.planFor(run, baseUrl, askLater));
    /** @type {HostedRun['perform']} */
    const perform = (plan, service) => {
      run.planned(planner.summaryOf(plan));
      return new Benchmark(run, plan, service).run();
    };
    if (host === undefined) return perform(planFor());
    return (await host.load()).run(run, { options, planFor, perform, hosting, files });
  };
  return { summary: null, options, work };
}

/** Plans the run of options that were read, and passes on the warnings that its first plan has. */
class Planner {
  #read;
  #layers;
  /** The options of the layers, as given. */
  #given;
  #origin;
  #options;
  #unknown;
  #caller;
  /** The seed that was drawn for this run; undefined: the seed is not random. @type {number | undefined} */
  #drawnSeed;
  #isPlanned = false;
  /**
   * The caller has got these texts when the flow was planned, and the run emits them as `warning` once it exists: a
   * program has only the events, and a command that only plans has no run.
   * @type {string[]}
   */
  #warnings = [];

  /**
   * @param {object} prepared
   * @param {ReadFlow} prepared.read
   * @param {Layer[]} prepared.layers
   * @param {Resolved} prepared.resolved
   * @param {FlowOrigin} prepared.origin
   * @param {RunOptions} prepared.options
   * @param {OwnName[]} prepared.unknown names of options that are none of ours
   * @param {Pick<Caller, 'judges' | 'onNotice'>} caller
   */
  constructor({ read, layers, resolved, origin, options, unknown }, caller) {
    this.#read = read;
    this.#layers = layers;
    this.#given = resolved;
    this.#origin = origin;
    this.#options = options;
    this.#unknown = unknown;
    this.#caller = caller;
    if (this.#given.options.seed === RANDOM_SEED) this.#drawnSeed = options.seed;
  }

  /** @type {HostedRun['planFor']} */
  plan(baseUrl = this.#options.baseUrl, askLater = undefined) {
    const { judges, onNotice } = this.#caller;
    let plan;
    try {
      plan = createPlan(this.#read, { ...this.#options, baseUrl }, this.#origin, { judges, askLater });
    } catch (error) {
      throw inTheFlow(error, this.#layers);
    }
    // A second plan, for the address of a server, has the same warnings.
    if (this.#isPlanned) return plan;
    this.#isPlanned = true;
    if (!this.#options.quiet) this.#warnings = this.#likelyMistakes();
    for (const text of this.#warnings) onNotice?.(text);
    return plan;
  }

  /**
   * Plans, and lets the run emit the warnings.
   * @type {(run: Run, baseUrl?: string, askLater?: () => void) => LoadPlan & RunPlan}
   */
  planFor(run, baseUrl, askLater) {
    const plan = this.plan(baseUrl, askLater);
    this.warn(run);
    return plan;
  }

  /** Emits each warning once. @type {(run: Run) => void} */
  warn(run) {
    for (const text of this.#warnings.splice(0)) run.warn(text);
  }

  /** @type {(plan: LoadPlan & RunPlan) => PlanSummary} */
  summaryOf(plan) {
    const seed = this.#drawnSeed;
    return {
      ...plan.summary,
      // The given option has a name of a file instead of stages.
      ...(hasStageFile(this.#given.options.stages) && { loads: describeLoads(inUsers(plan.options)) }),
      options: { ...shownOptions(this.#layers), ...(seed !== undefined && { seed }) },
    };
  }

  #likelyMistakes() {
    const { strict, abortOnFail, thresholds } = this.#options;
    const seed = this.#drawnSeed;
    return [
      ...(abortOnFail && thresholds === undefined ? [`abortOnFail has no effect: no threshold is set`] : []),
      ...likelySecondsOf(this.#given).map(({ path, reason }) => `${path}: ${reason}`),
      ...unusedLimit(this.#layers, this.#given, this.#options),
      // With `strict`, unknown options are problems already.
      ...noticesOf(this.#read, strict ? [] : this.#unknown),
      ...(seed === undefined ? [] : [`the seed of this run is ${seed}; --seed ${seed} repeats it`]),
    ];
  }
}

/**
 * Checks the options that depend on the flow, on where it comes from, and on the caller.
 * @type {(options: RunOptions, run: { read: ReadFlow, layers: Layer[], origin: FlowOrigin, files: string[] },
 *   problems: Problems) => void}
 */
function checkTogether(options, { read, layers, origin, files }, problems) {
  checkDialectOptions(options, origin.isRecording ?? false, problems);
  checkReach(read.flow.runOptions, origin, problems);
  checkAllowed(layers, problems);
  refuseOfCommand(options, problems);
  checkParticipants(options, files, problems);
}

/**
 * Lists options that are written into the flow itself, by our names or those of other tools, below a hint: for a run
 * that lacks one.
 * @type {(read: ReadFlow, hint?: string) => Problem[]}
 */
function misplacedOptions(read, hint) {
  try {
    // Compiling collects the names that are none of ours in read.own.
    if (read.isLoaded) read.compile({ baseUrl: PLACEHOLDER_URL });
  } catch {
    // The problems of the flow are reported once the run has options.
  }
  const hints = hint === undefined ? [] : [{ path: 'runOptions', reason: hint }];
  const misplaced = read.own.flatMap(({ path }) => {
    const reason = explainMisplaced(path);
    return reason === undefined ? [] : [{ path, reason }];
  });
  return [...hints, ...misplaced];
}

/** The options that the command refuses without a unit. */
const TIMES = RUN_OPTIONS.filter(({ refuseText }) => BARE_TIME_REFUSALS.has(refuseText)).map(({ name }) => name);

/**
 * Refuses a few milliseconds without a unit in what people wrote into files: they are likely meant as seconds, and the
 * command refuses them in its flags.
 * @type {(resolved: Resolved, layers: Layer[], read: ReadFlow) => Problem[]}
 */
function likelySeconds({ options, origins }, layers, { flow: { scenarios = [] } }) {
  const written = layers.filter(({ isWritten }) => isWritten).map(({ name }) => name);
  const own = Object.fromEntries(Object.entries(options).filter(([name]) => written.includes(origins[name])));
  return [
    ...secondsIn(own, 'runOptions'),
    ...scenarios.flatMap(({ where, load, startAfter }) => [
      ...(scenarios.some(({ name }) => name === startAfter) ? [] : secondsIn({ startAfter }, where, ['startAfter'])),
      ...(isRecord(load) ? secondsIn(load, `${where}.load`) : []),
    ]),
  ];
}

/** Notices them in a program, where a number is in milliseconds. @type {(given: Resolved) => Problem[]} */
function likelySecondsOf({ options, origins }) {
  // Short pauses in ms are usual in programs.
  const isUsual = (/** @type {string} */ name) => name === 'pause' && typeof options.pause === 'number';
  const own = Object.entries(options).filter(([name]) => origins[name] === PROGRAM && !isUsual(name));
  return secondsIn(Object.fromEntries(own), 'runOptions');
}

/** @type {(options: Record<string, any>, where: string, names?: string[]) => Problem[]} */
function secondsIn(options, where, names = TIMES) {
  const given = names.filter((name) => options[name] !== undefined);
  return given.flatMap((name) =>
    [options[name]].flat().flatMap((value) => {
      const reason = findLikelySeconds(
        value?.duration ?? value?.mean ?? value,
        name === 'pause' ? LIKELY_PAUSE : undefined,
      );
      return reason === undefined ? [] : [{ path: `${where}.${name}`, reason }];
    }),
  );
}

/**
 * Notices `limit` beside stages of virtual users, which replace it. That of a weaker layer than theirs is for other
 * runs, and a program has to set one in any case.
 * @type {(layers: Layer[], given: Resolved, options: RunOptions) => string[]}
 */
function unusedLimit(layers, { origins }, options) {
  if (!hasUserStages(options) || origins.limit === PROGRAM) return [];
  const [limitAt, stagesAt] = ['limit', 'stages'].map((option) =>
    layers.findIndex(({ name }) => name === origins[option]),
  );
  const shown = origins.limit === COMMAND_LINE ? '-c (--concurrency)' : 'runOptions.limit';
  return limitAt < stagesAt ? [] : [`${shown} has no effect: the stages set the number of virtual users; leave it out`];
}

/** @type {(read: ReadFlow, unknownOptions: OwnName[]) => string[]} */
function noticesOf({ notices, own }, unknownOptions) {
  const all = [...own.map(explainProperty), ...unknownOptions];
  return all.length === 0 ? notices : [...notices, noticeOf(all)];
}

/** If one of them is missing because it is refused, a flow seems to have problems that it does not have. */
const FLOW_OPTIONS = [
  ...['baseUrl', 'socketPath', 'args', 'envFiles', ...TLS_OPTIONS],
  ...rowsWith('bringsTarget').map(({ name }) => name),
];

/**
 * Refuses options together with the problems of the flow. Those of thresholds alone are left to the plan, which knows
 * the names of the flow and reports all of them.
 * @type {(problems: Problems, read: ReadFlow, options: RunOptions) => void}
 */
function refuse(problems, read, options) {
  if (problems.list.length === 0) return;
  const flowProblems = read.isLoaded && !concernFlow(problems) ? problemsOf(read, options) : read.problems;
  const plansLate = hostOf(options)?.plansLate ?? false;
  const isForPlan = flowProblems.length === 0 && read.isLoaded && !plansLate && concernThresholds(problems);
  if (!isForPlan) problems.throwIfAny({ title: 'the flow is malformed, too:', list: flowProblems });
}

/** @type {(problems: Problems) => boolean} */
function concernFlow({ list }) {
  return list.some(({ path }) => FLOW_OPTIONS.includes(path.split('.')[1]));
}

/** @type {(problems: Problems) => boolean} */
function concernThresholds({ list }) {
  return list.every(({ path }) => path.startsWith('thresholds['));
}

/** @type {(read: ReadFlow, options: RunOptions) => Problem[]} */
function problemsOf(read, options) {
  const baseUrl = bringsTarget(options) ? PLACEHOLDER_URL : options.baseUrl;
  try {
    read.compile({ ...options, baseUrl, explainOwn: explainProperty }, read.openFeeders(options));
  } catch (error) {
    const { code, problems } = /** @type {any} */ (error);
    if (code !== 'E_FLOW') throw error;
    return problems;
  }
  return [];
}

/**
 * Refuses options in a flow that is data if they do more than its requests, such as running a command.
 * @type {(runOptions: Record<string, any> | undefined, origin: FlowOrigin, problems: Problems) => void}
 */
function checkReach(runOptions, { source }, problems) {
  if (isCode(modulePath(source) ?? '')) return;
  for (const row of reachingIn(runOptions))
    problems.add(
      `flow.runOptions.${row.name}`,
      `${row.reaches}, which only a flow that is a module can do: write ${longFlag(row)}, or set it in the program`,
    );
}

/**
 * Refuses targets of a flow that the configuration does not allow: a flow may narrow them.
 * @type {(layers: Layer[], problems: Problems) => void}
 */
function checkAllowed(layers, problems) {
  const row = rowOf('allowTargets');
  const at = layers.findIndex(({ isFlow }) => isFlow);
  const [own, outer] = [layers[at]?.options?.[row.name], optionsIn(layers.slice(0, at))[row.name]].map((given) =>
    readOption(row, given),
  );
  if (own === undefined || !Array.isArray(outer)) return;
  const wider = own === null ? 'null' : row.check(own) && firstOutside(own, outer);
  if (wider)
    problems.add(
      `flow.runOptions.${row.name}`,
      `the configuration allows ${outer.join(', ')} alone, and ${wider} is more: leave it out, or write ${longFlag(row)}`,
    );
}

const OF_COMMAND = rowsWith('isOfCommand');

/** Refuses options that the command reads itself. @type {(options: Record<string, any>, problems: Problems) => void} */
function refuseOfCommand(options, problems) {
  for (const { name } of OF_COMMAND) {
    if (options[name] !== undefined)
      problems.add(
        `runOptions.${name}`,
        'is an option of the command: write it as a flag, or into the configuration file',
      );
  }
}
