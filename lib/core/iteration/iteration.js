import { createRequire } from 'node:module';

import { PHASES, factsOf, isTeardown, scenariosOf, selectorOf } from '../ground/phases.js';
import { prepareStep } from './step.js';

/** @import { HookStats } from '../contracts/hooks.js' */
/** @import { OperationRecorder, IterationOutcome, TransactionRecorder } from '../contracts/recorders.js' */
/** @import { Request } from '../contracts/request.js' */
/** @import { CompiledFlow, Feeders, LiveStep, Row, Step } from '../contracts/step.js' */
/** @import { Phase } from '../ground/phases.js' */
/** @import { ConnectionShare, Lane } from './lane.js' */
/** @import { CookieJars, IterationJar } from './session/cookies.js' */
/** @import { StepControl } from './step-functions.js' */
/** @import { ExchangeContext, PerformStep } from './step.js' */

const requireHere = createRequire(import.meta.url);

/** Most flows have no functions, and their code is long. @type {() => typeof import('./function-run.js')} */
const loadFunctions = () => requireHere('./function-run.js');
/** @type {() => typeof import('./step-functions.js')} */
const loadStepFunctions = () => requireHere('./step-functions.js');

/**
 * @typedef {object} BoundScenarios
 * @property {string[]} names
 * @property {(index: number) => number} choose the position of the scenario that an iteration runs
 * @property {TransactionRecorder[]} recorders
 */

/** @typedef {Partial<Record<Phase, (Request | null)[]>>} Rendered requests that were rendered before the run */

/** @type {(flow: CompiledFlow, context: PhaseContext, phases?: readonly Phase[]) => PreparedIteration} */
export function prepareIteration(flow, context, phases = PHASES) {
  return new PreparedIteration(flow, context, phases);
}

/**
 * A flow that is bound to the recorder, the clock and the other parts of a run. The generator of each thread prepares
 * one before the run; its lanes share it, and perform its iterations (`iteration-run.js`) and the phases that run once.
 */
export class PreparedIteration {
  /** The parts of the run for Env. */
  #run;
  /** Code of the flow may keep or change the state of an iteration: each gets an Env of its own. */
  #hasCode = false;
  /** The `iterCtx` of all iterations without code, created when first needed. @type {Record<string, any> | null} */
  #iterCtx = null;
  /** A function begins each virtual user; otherwise its first iteration does. */
  #hasUserBegin = false;
  context;
  /** Keys of the connections that are closed at the end of an iteration; null: the flow has none. */
  heldKeys = /** @type {string[] | null} */ (null);
  /** Each iteration runs one of these scenarios; null: the flow has none. @type {BoundScenarios | null} */
  scenarios;
  /** Those that are bound. */
  phases = /** @type {Record<Phase, BoundPhase>} */ ({});
  /** The function that ends each virtual user; null: the flow has none. @type {BoundPhase | null} */
  userEnd = null;

  /** @param {CompiledFlow} flow @param {PhaseContext} context @param {readonly Phase[]} phases that are bound */
  constructor(flow, context, phases) {
    const { user, password, recorder, jars, runCtx, vars, feeders, createIterCtx } = context;
    this.context = context;
    this.#run = { user, password, stats: recorder.metrics.forHooks, jars, runCtx, vars, feeders, createIterCtx };
    this.scenarios = null;
    this.bind(flow, phases);
  }

  /** Binds phases; those of an iteration together. @type {(flow: CompiledFlow, phases: readonly Phase[]) => void} */
  bind(flow, phases) {
    const { context } = this;
    if (phases.includes('main')) this.#bindIterations(flow);
    for (const phase of phases) this.phases[phase] = preparePhase(phase, flow[phase].filter(isOfPhase), context);
    if (!phases.includes('main')) return;
    const userEnd = endsOfUsers(flow);
    if (userEnd.length > 0) this.userEnd = preparePhase('after', userEnd, context);
  }

  /** @type {(flow: CompiledFlow) => void} */
  #bindIterations(flow) {
    this.#hasCode = [...flow.beforeMain, ...flow.main, ...flow.afterMain].some(
      ({ beforeHooks, afterHooks, values, pauseMs, control, call, live, protocol: { isCode = false } }) =>
        beforeHooks.length + afterHooks.length + values.length > 0 ||
        typeof pauseMs === 'function' ||
        control !== null ||
        call !== null ||
        live !== undefined ||
        isCode,
    );
    this.#hasUserBegin = flow.beforeMain.some(({ userPart }) => userPart === 'begin');
    this.heldKeys = heldKeysOf(flow);
    this.scenarios = bindScenarios(flow, this.context);
  }

  /** @type {(index: number | undefined, lane: Lane) => Env} */
  createEnv(index, lane) {
    return new Env(index, this.#run, lane.share, this.#run.createIterCtx());
  }

  /** `last`: that of its last iteration. @type {(index: number, lane: Lane, last: Env | null) => Env} */
  nextEnv(index, lane, last) {
    if (last !== null && !this.#hasCode) {
      last.renew(index);
      return last;
    }
    if (!this.#hasUserBegin) lane.share.hasBegun = true;
    // Nothing can change it.
    if (!this.#hasCode) return new Env(index, this.#run, lane.share, (this.#iterCtx ??= this.#run.createIterCtx()));
    return this.createEnv(index, lane);
  }

  /** @type {(phase: 'before' | 'after', env: Env, lane: Lane) => Promise<IterationOutcome>} */
  once(phase, env, lane) {
    return this.#perform(this.phases[phase], env, lane);
  }

  /** Ends the virtual user of a lane, unless it has not begun. @type {(lane: Lane) => Promise<unknown>} */
  async endUser(lane) {
    const { share } = lane;
    if (this.userEnd === null || !share.hasBegun) return;
    share.hasBegun = false;
    await this.#perform(this.userEnd, this.createEnv(undefined, lane), lane);
  }

  /** @type {(phase: BoundPhase, env: Env, lane: Lane) => Promise<IterationOutcome>} */
  #perform(phase, env, lane) {
    lane.readClock();
    return new Promise((onEnd, onFault) => lane.iteration.once(this, phase, env, { onEnd, onFault }));
  }
}

/** Lists the functions that end virtual users: they are steps of `after`. @type {(flow: CompiledFlow) => Step[]} */
function endsOfUsers({ after }) {
  return after.filter((step) => !isOfPhase(step));
}

/** @type {(step: Step) => boolean} */
function isOfPhase({ userPart }) {
  return userPart !== 'end';
}

/** @type {(flow: CompiledFlow, context: PhaseContext) => BoundScenarios | null} */
function bindScenarios({ main }, { recorder, loads }) {
  const scenarios = scenariosOf(main);
  if (scenarios.length === 0) return null;
  const [{ names, choose }] = scenarios;
  return { names, choose: byNumber(choose, loads), recorders: names.map((name) => recorder.scenarios.add(name)) };
}

/**
 * Iteration n of one of several loads has INDEX n x loads + position. Choices are made by n: in turn, one of two loads
 * would always get the same one by INDEX.
 * @type {<Choose extends (index: number, ...rest: any[]) => unknown>(choose: Choose, loads?: number) => Choose}
 */
function byNumber(choose, loads = 1) {
  if (loads === 1) return choose;
  return /** @type {any} */ (
    (/** @type {number} */ index, /** @type {any[]} */ ...rest) => choose(Math.floor(index / loads), ...rest)
  );
}

/** One that is kept is kept for all. @type {(flow: CompiledFlow) => string[] | null} */
function heldKeysOf({ beforeMain, main, afterMain }) {
  const uses = [...beforeMain, ...main, ...afterMain].flatMap(({ held }) => held ?? []);
  const keys = new Set(uses.map(({ key }) => key));
  for (const { key, keeps } of uses) if (keeps) keys.delete(key);
  return keys.size === 0 ? null : [...keys];
}

/**
 * @typedef {object} PhaseOptions
 * @property {(error: Error, phase: Phase, step: Step, index: number | undefined, exchange: () => string[] | null) =>
 *   void} onError exchange: lines of the request and its response, if the error has to do with them
 * @property {boolean} isPaced requests of a lane have a maximum rate
 * @property {() => number} random 0 to 1
 * @property {() => Record<string, any>} createIterCtx a copy of the flow's `iterCtx`
 * @property {number} [loads] how many loads the run has; default: one
 *
 * @typedef {ExchangeContext & PhaseOptions} PhaseContext
 *
 * @typedef {object} BoundStep
 * @property {Step} step
 * @property {PerformStep} perform
 * @property {OperationRecorder | null} operation null: a function, which is measured by its requests
 * @property {boolean} isPlain it is performed once and at once: no control, no turn to wait for, no groups in its phase
 * @property {StepControl | null} control null: it is performed once
 * @property {TransactionRecorder | null} group that it is measured with
 *
 * @typedef {object} BoundPhase the steps of a phase, bound to a run
 * @property {Phase} name
 * @property {BoundStep[]} steps
 * @property {((index: number, scenario: number) => BoundStep[]) | null} select the steps that an iteration performs;
 *   null: all
 * @property {(() => void) | null} refresh called before an iteration begins the phase; null: code cannot change what is
 *   read then
 * @property {boolean} isEmpty
 * @property {boolean} hasGroups
 * @property {boolean} isTeardown
 */

/** @type {(step: Step, context: PhaseContext) => PerformStep} */
function performFunction(step, context) {
  const { prepareFunction, oncePerUser } = loadFunctions();
  const perform = prepareFunction(step, context);
  return step.userPart === 'begin' ? oncePerUser(perform) : perform;
}

/** @type {(name: Phase, steps: Step[], context: PhaseContext) => BoundPhase} */
function preparePhase(name, steps, context) {
  const hasGroups = steps.some(({ group }) => group !== null);
  const bound = steps.map((step) => {
    const operation = step.call === null ? context.recorder.operations.add(step.name, name, factsOf(step)) : null;
    return {
      step,
      operation,
      isPlain: step.control === null && !context.isPaced && !hasGroups,
      perform: operation === null ? performFunction(step, context) : prepareStep(step, context, operation),
      control: step.control === null ? null : new (loadStepFunctions().StepControl)(step, context),
      group: step.group === null ? null : context.recorder.groups.add(step.group),
    };
  });
  const select = selectorOf(steps, bound);
  /** @type {BoundPhase} */
  const phase = {
    name,
    steps: bound,
    select: select && byNumber(select, context.loads),
    refresh: null,
    isEmpty: steps.length === 0,
    hasGroups,
    isTeardown: isTeardown(name),
  };
  if (steps.some(({ live }) => live?.isReadAtStart)) phase.refresh = () => refreshPhase(phase, context);
  return phase;
}

/**
 * Replaces the steps whose operation has changed in what an iteration reads when it begins the phase. Iterations that
 * have begun it keep their list.
 * @type {(phase: BoundPhase, context: PhaseContext) => void}
 */
function refreshPhase(phase, context) {
  const isStale = (/** @type {BoundStep} */ { step: { live } }) => live?.isReadAtStart && live.isStaleAtStart();
  if (!phase.steps.some(isStale)) return;
  phase.steps = phase.steps.map((bound) => (isStale(bound) ? renewedAtStart(bound, context) : bound));
  const select = selectorOf(
    phase.steps.map(({ step }) => step),
    phase.steps,
  );
  phase.select = select && byNumber(select, context.loads);
}

/** @type {(bound: BoundStep, context: PhaseContext) => BoundStep} */
function renewedAtStart(bound, context) {
  try {
    const step = /** @type {LiveStep} */ (bound.step.live).renewedAtStart();
    const operation = /** @type {OperationRecorder} */ (bound.operation);
    return { ...bound, step, perform: prepareStep(step, context, operation) };
  } catch (error) {
    return { ...bound, perform: (_env, _lane, _rendered, receiver) => receiver.onError(error) };
  }
}

/**
 * The state of one iteration for its hooks, and the scope of tokens and functions of the flow. Hooks may write any
 * value to it, because no measurement depends on it.
 */
export class Env {
  /** The cookies of the iteration, created when first read. @type {IterationJar | null} */
  #jar = null;
  #run;
  #share;
  /** The variables of the iteration, created when first read. @type {Record<string, any> | null} */
  #vars = null;
  /** The rows of the iteration, created when first read. @type {Record<string, Row> | null} */
  #data = null;
  /** The ETags of the iteration, created when first read. @type {Record<string, string> | undefined} */
  #etags = undefined;
  /** @type {Record<string, any>} */
  iterCtx;
  /** The name of the scenario that the iteration runs. @type {string | undefined} */
  scenario = undefined;
  /** How often the current operation was performed before, with `repeat`. */
  round = 0;
  /** @type {unknown[]} */
  #values = NONE;

  /**
   * @param {number | undefined} index
   * @param {{ user?: string, password?: string, stats: HookStats, jars: CookieJars, runCtx: Record<string, any>,
   *   vars: Record<string, any>, feeders: Feeders | null, createIterCtx: () => Record<string, any> }} run
   * @param {ConnectionShare} share of the lane
   * @param {Record<string, any>} iterCtx
   */
  constructor(index, run, share, iterCtx) {
    this.index = index;
    this.#run = run;
    this.iterCtx = iterCtx;
    this.#share = share;
    const { user, password } = share.start ?? run;
    this.user = user;
    this.password = password;
    /** @type {HookStats} */
    this.stats = run.stats;
  }

  /**
   * Becomes the state of the next iteration, in a flow without code. Rows stay: a token that reads one counts as code.
   * @type {(index: number) => void}
   */
  renew(index) {
    this.index = index;
    this.#jar = null;
    this.#vars = null;
  }

  /** What the function leaves is the start of all iterations of the virtual user. */
  beginUser() {
    const { user, password, vars } = this;
    this.#share.start = { user, password, vars, jar: this.#jar, etags: this.#etags };
    this.iterCtx = this.#run.createIterCtx();
    this.#vars = this.#jar = null;
    this.#etags = undefined;
  }

  get jar() {
    const { jars } = this.#run;
    const { jar } = this.#share.start ?? NO_START;
    jars.isUsed = true;
    return (this.#jar ??= jar === null ? jars.create(this) : jars.copy(jar));
  }

  set jar(jar) {
    this.#run.jars.isUsed = true;
    this.#jar = jar;
  }

  /** Itself: functions of the flow find the same names as hooks. */
  get env() {
    return this;
  }

  /** The stored ETags by URL. @type {Record<string, string>} */
  get etags() {
    return (this.#etags ??= Object.assign(Object.create(null), this.#share.start?.etags));
  }

  set etags(etags) {
    this.#etags = etags;
  }

  /** The name that functions of flows for bench-rest 1 read. */
  get INDEX() {
    return this.index;
  }

  get runCtx() {
    return this.#run.runCtx;
  }

  get vars() {
    const { vars } = this.#share.start ?? this.#run;
    // Those of `before` and `after` are the variables of the run.
    const isOfRun = this.index === undefined && vars === this.#run.vars;
    return (this.#vars ??= isOfRun ? vars : Object.create(vars));
  }

  /** The row that the iteration has of each feeder. @type {Record<string, Row>} */
  get data() {
    return (this.#data ??= this.#run.feeders?.rowsOf(this.index) ?? {});
  }

  /** The values that the functions of the current operation have returned. @type {unknown[]} */
  get values() {
    return this.#values;
  }

  set values(values) {
    this.#values = values;
  }

  get vu() {
    return this.#share.number;
  }

  get vuCtx() {
    return this.#share.context;
  }

  set vuCtx(vuCtx) {
    this.#share.context = vuCtx;
  }

  get hasJar() {
    return this.#jar !== null || (this.#share.start ?? NO_START).jar !== null;
  }
}

// It is the argument of functions in bench-rest 1: for (const name in tokens)
Object.defineProperty(Env.prototype, 'INDEX', { enumerable: true });

/** @type {unknown[]} */
const NONE = [];
/** Most virtual users begin without a function. */
const NO_START = { jar: null };
