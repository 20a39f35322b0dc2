import { createRequire } from 'node:module';
import { resolve } from 'node:path';

import { PHASES } from '../ground/phases.js';
import { createProblems } from '../ground/problems.js';
import { createChoice } from '../ground/random.js';
import { createEndpoints } from '../http/endpoint.js';
import { TLS_PROPERTIES } from '../http/tls-properties.js';
import { listOf } from '../text/format-value.js';
import { asHttp } from '../http/schemes.js';
import { createEnvironment, withArguments } from './arguments.js';
import { capturedBy } from './captures/index.js';
import { FunctionEntry, normalize, normalizeAround } from './normalize.js';
import { compileOperation } from './operation-compiler.js';
import { PROPERTY_NAMES } from './operation.js';
import { NamedOrigins } from './origins.js';
import { PROPERTIES } from './properties.js';
import { HTTP, protocolOf } from './protocols/index.js';
import { baseUrlFault, cleanUrl } from './request-url.js';
import { nameOf } from './request.js';
import { RETRIES } from './retries.js';
import { OTHER_VERSION } from '../http/versions.js';
import { resolveHooks } from './rules.js';
import { createScenarios, operationListsOf } from './scenarios.js';
import { createSequences } from './sequences.js';
import { SiblingSteps } from './sibling-steps.js';
import { createTlsReader } from './tls.js';
import { hasToken, nameTakenBy, refuseName } from './tokens/index.js';

/** @import { CompiledFlow, Operation, Step } from '../contracts/step.js' */
/** @import { Phase } from '../ground/phases.js' */
/** @import { OwnName, Problems } from '../ground/types.js' */
/** @import { ConnectTo } from '../http/endpoint.js' */
/** @import { ProxySettings } from '../http/proxy.js' */
/** @import { Refusal } from './checks/types.js' */
/** @import { Constants, CompilerContext, PlacedOperation, RawFlow, RunDefaults, Sequence } from './types.js' */
/** @import { Feeders } from './data/feeders.js' */
/** @import { Table } from './data/types.js' */

const requireHere = createRequire(import.meta.url);

/** Most flows have no functions. @type {() => typeof import('./function-step.js')} */
const loadFunctions = () => requireHere('./function-step.js');
/** Flows without code cannot change. @type {() => typeof import('./live-flow.js')} */
const loadLiveFlow = () => requireHere('./live-flow.js');
/** @type {() => typeof import('./live-operation.js')} */
const loadLiveOperation = () => requireHere('./live-operation.js');

/**
 * @typedef {object} CompileOptions run options; `baseUrl` and `headers` of the flow itself are among them
 * @property {string} [baseUrl]
 * @property {Record<string, unknown>} [headers] defaults for every operation
 * @property {number} [maxBodyMemory] bytes: no file of a body is larger
 * @property {string} [user]
 * @property {string} [password]
 * @property {boolean} [insecure] certificates are not verified; the other options of TLS are among these, too
 * @property {Record<string, string>} [cookies]
 * @property {string} [socketPath]
 * @property {boolean} [keepAlive]
 * @property {string[]} [credentialsFor] hosts that get the credentials of the run, too
 * @property {ProxySettings} [proxies]
 * @property {4 | 6} [family] of addresses
 * @property {ConnectTo} [connectTo]
 * @property {string} [resolver]
 * @property {number} [seed] of choices by weight
 * @property {Record<string, unknown>} [args] values of `#{args.name}`
 * @property {Record<string, string>} [variables] of files, for `#{env.NAME}`
 * @property {number} [workers] threads
 * @property {unknown[]} [loads] of a run with several
 * @property {number} [worker] number of the thread, from 0
 * @property {{ number: number }} [shard] from 1
 * @property {boolean} [strict] refuses every unknown property
 * @property {(own: OwnName) => OwnName} [explainOwn] adds what an unknown property is elsewhere
 * @property {() => void} [askLater] the server of the run is not ready: what would ask it calls this in its place
 * @property {CompileOptions} [planned] the options of the plan, if the flow has changed those that it sets
 */

/**
 * Reads a flow: a URL, an operation, an array of them, or an object of phases. `folder` is that of relative paths, by
 * default the working directory; `isLive`: code can change the flow while it runs.
 * @throws {Error} E_NO_MAIN
 * @type {(raw: unknown, place?: { folder?: string, isLive?: boolean }) => ReadFlow}
 */
export function readFlow(raw, { folder, isLive = false } = {}) {
  return new ReadFlow(raw, folder, isLive);
}

/** A flow whose shortcuts are resolved; it is compiled once its options are known. */
export class ReadFlow {
  #folder;
  #problems = createProblems('E_FLOW');
  /** Null until {@link load}, or without feeders. @type {typeof import('./data/open-feeders.js') | null} */
  #feederCode = null;
  flow;
  /** The variables of the compiled flow at the start of the run, with `#{args.name}` and the like replaced. */
  vars;
  /** Texts about what is valid in the compiled flow and unlikely to be meant. @type {string[]} */
  notices = [];
  /** Properties of the compiled flow that are ignored. @type {OwnName[]} */
  own = [];
  /** The flow as code can change it; null: none can. @type {import('./live-flow.js').LiveFlow | null} */
  live;

  /** @param {unknown} raw @param {string} [folder] @param {boolean} [isLive] */
  constructor(raw, folder, isLive = false) {
    this.#folder = folder;
    this.flow = withStageFiles(normalize(raw, this.#problems), folder);
    this.vars = this.flow.vars;
    this.live = isLive ? new (loadLiveFlow().LiveFlow)(raw, this.flow) : null;
  }

  /** The problems that are known before the flow is compiled. */
  get problems() {
    return this.#problems.list;
  }

  /** Reports whether the flow has all code that it needs: {@link load} loads what only some flows need. */
  get isLoaded() {
    return this.#feederCode !== null || Object.keys(this.flow.data).length === 0;
  }

  /** @type {() => Promise<void>} */
  async load() {
    if (!this.isLoaded) this.#feederCode = await import('./data/open-feeders.js');
  }

  /**
   * Opens the feeders of a loaded flow; null if it has none. {@link compile} throws their problems. `tables` are rows
   * that another thread has read.
   * @type {(options: CompileOptions, tables?: Record<string, Table>) => Feeders | null}
   */
  openFeeders(options, tables) {
    if (this.#feederCode === null) return null;
    const { flow } = this;
    const { seed = 1, workers, loads } = options;
    const problems = this.#problems;
    const data = withArguments(flow.data, constantsOf(options), { path: 'flow.data', problems });
    return this.#feederCode.openFeeders(data, {
      ...{ folder: this.#folder, seed, loads: loads?.length, problems, tables },
      refuseName: (name) => refuseName(name) ?? refuseDuplicate(name, flow),
      isShared: workers !== undefined,
    });
  }

  /**
   * Compiles phases again if code has changed the flow since they were compiled; null: it has not.
   * @throws {Error} E_NO_MAIN, E_FLOW with all problems
   * @type {(options: CompileOptions, feeders: Feeders | null, phases: readonly Phase[]) => CompiledFlow | null}
   */
  recompile(options, feeders, phases) {
    const { live, flow: then } = this;
    if (!live?.hasChanged(phases)) return null;
    const problems = createProblems('E_FLOW');
    const now = normalize(live.read(phases), problems);
    live.refuseChanges(now, problems);
    problems.throwIfAny();
    this.flow = { ...now, runOptions: then.runOptions, vars: then.vars, data: then.data };
    return this.compile({ ...live.optionsNow(options, now), planned: options }, feeders, phases);
  }

  /**
   * Compiles the flow. Some flows are compiled twice, to check them before the run: each time has the problems of
   * reading, and its own.
   * @throws {Error} E_FLOW with all problems
   * @type {(options: CompileOptions, feeders?: Feeders | null, phases?: readonly Phase[]) => CompiledFlow} phases: that
   *   are compiled; the others are empty
   */
  compile(options, feeders = null, phases = PHASES) {
    const { flow, live } = this;
    const problems = createProblems('E_FLOW');
    // There may be more of them than a call can have arguments.
    for (const problem of this.#problems.list) problems.list.push(problem);
    for (const own of this.#problems.own) problems.own.push(own);
    checkOperations(flow, problems, { mayBeEmpty: live !== null });
    const constants = constantsOf(options);
    const vars = withArguments(flow.vars, constants, { path: 'flow.vars', problems });
    const context = { ...options, folder: this.#folder, feeders, live, phases };
    const { steps, notices } = compile({ ...flow, vars }, context, constants, problems);
    this.vars = vars;
    this.own = problems.own;
    const { strict, explainOwn = (own) => own } = options;
    if (strict) for (const { path, reason } of this.own.map(explainOwn)) problems.add(path, reason);
    problems.throwIfAny();
    this.notices = [...notices, ...(feeders?.notices() ?? [])];
    return steps;
  }
}

/** Files of load profiles are relative to the flow. @type {(flow: RawFlow, folder?: string) => RawFlow} */
function withStageFiles(flow, folder) {
  if (folder === undefined) return flow;
  const placed = (/** @type {any} */ one) => {
    if (typeof one === 'string' && one.startsWith('@')) return `@${resolve(folder, one.slice(1))}`;
    return typeof one?.file === 'string' ? { ...one, file: resolve(folder, one.file) } : one;
  };
  const withFiles = (/** @type {any} */ options) => {
    const stages = options?.stages;
    if (stages === undefined) return options;
    return { ...options, stages: Array.isArray(stages) ? stages.map(placed) : placed(stages) };
  };
  return {
    ...flow,
    runOptions: withFiles(flow.runOptions),
    scenarios: flow.scenarios.map((one) => (one.load === undefined ? one : { ...one, load: withFiles(one.load) })),
  };
}

/** @type {(flow: RawFlow, problems: Problems, options: { mayBeEmpty: boolean }) => void} */
function checkOperations({ phases, scenarios }, problems, { mayBeEmpty }) {
  const isEmpty = !mayBeEmpty && PHASES.every((phase) => phases[phase].length === 0);
  // A problem of the phases or scenarios may have taken their operations
  if (isEmpty && scenarios.length === 0 && problems.list.length === 0)
    problems.add('flow.main', "has no operations: write main: [{ get: 'http://localhost:8000/' }]");
  for (const { where, operations } of operationListsOf('main', { phases, scenarios }))
    if (operations.length > 0 && operations.every(isSkipped))
      problems.add(where, 'has only operations with skip: true: an iteration would send nothing');
}

/** Places that a notice lists. */
const MOST_SKIPPED = 12;

/**
 * Compiles operations to steps. Everything that does not depend on an iteration is computed here.
 * @type {(flow: RawFlow, options: CompileOptions & { folder?: string, feeders: Feeders | null, live: ReadFlow['live'],
 *   phases: readonly Phase[] }, constants: Constants, problems: Problems) => { steps: CompiledFlow, notices: string[]
 *   }}
 */
function compile(flow, options, constants, problems) {
  const { seed = 1, live } = options;
  const notices = createNotices();
  const run = runDefaults(flow.vars, options, constants, { problems, notice: notices.add });
  const around = hooksAround(flow, problems);
  const scenarios = createScenarios(flow.scenarios, seed);
  const siblings = new SiblingSteps({ run, around, flow });
  /** @type {string[]} */
  const skipped = [];
  const context = { run, around, flow, constants, problems, siblings, seed, skipped, live, options };
  const sequenceOf = createSequences(flow, { seed, problems, feeders: options.feeders });
  // This is compiled first: a virtual user begins before any operation of an iteration has captured a variable.
  const beginUser = userSteps('begin', sequenceOf('beforeMain', null), context);
  /** @type {(phase: Phase) => Step[]} */
  const stepsOf = (phase) =>
    (options.phases.includes(phase) ? operationListsOf(phase, flow) : []).flatMap(({ where, operations, at }) => {
      const sequence = sequenceOf(phase, at === null ? null : scenarios[at]);
      return operations.flatMap((entry, i) => compileEntry(entry, where, i, sequence, context));
    });
  const steps = /** @type {CompiledFlow} */ (Object.fromEntries(PHASES.map((phase) => [phase, stepsOf(phase)])));
  if (skipped.length > 0) notices.add(`left out, as skip is true: ${listOf(skipped, MOST_SKIPPED)}`, 'skip');
  // The run performs the first step of an iteration, and the one after all of them, once for each virtual user.
  steps.beforeMain.unshift(...beginUser);
  steps.after.push(...userSteps('end', sequenceOf('after', null), context));
  return { steps, notices: notices.list() };
}

/** @type {(flow: Pick<RawFlow, 'beforeHooks' | 'afterHooks'>, problems: Problems) => CompilerContext['around']} */
function hooksAround({ beforeHooks, afterHooks }, problems) {
  return {
    beforeHooks: resolveHooks(beforeHooks, 'flow.beforeHooks', problems),
    afterHooks: resolveHooks(afterHooks, 'flow.afterHooks', problems),
  };
}

/**
 * @typedef {CompilerContext & { seed: number, skipped: string[], live: ReadFlow['live'], options: CompileOptions }}
 *   CompileContext
 */

/**
 * Compiles an entry of a phase, of which later entries know the captured names. Null: it was refused.
 * @type {(entry: Operation | FunctionEntry | null, where: string, opIndex: number, sequence: Sequence, context:
 *   CompileContext) => Step[]}
 */
function compileEntry(entry, where, opIndex, sequence, context) {
  if (entry === null) return [];
  const place = `${where}[${opIndex}]`;
  if (entry instanceof FunctionEntry)
    return [loadFunctions().compileFunction(entry, place, opIndex, sequence, context)];
  const placed = readEntry(entry, place, context);
  const compileOne = context.live === null ? compileOperation : compileLive;
  const steps = placed.flatMap((one) => {
    const compiled = compileOne(one, opIndex, sequence, context);
    if (!isSkipped(one.operation)) return compiled;
    context.skipped.push(one.where);
    return [];
  });
  sequence.names.add(capturedBy(entry, where).map(([name]) => name));
  return steps;
}

/** Reports whether an entry of a phase is left out. @type {(entry: any) => boolean} */
function isSkipped(entry) {
  if (Array.isArray(entry?.oneOf)) return entry.oneOf.length > 0 && entry.oneOf.every(isSkipped);
  return entry?.skip === true;
}

/**
 * Compiles an operation that code can change while its phase runs: the step compiles itself again. Operations of other
 * protocols than HTTP are read when their phase begins.
 * @type {(placed: PlacedOperation, opIndex: number, sequence: Sequence, context: CompileContext) => Step[]}
 */
function compileLive(placed, opIndex, sequence, context) {
  const { LiveOperation } = loadLiveOperation();
  const live = /** @type {NonNullable<ReadFlow['live']>} */ (context.live);
  const known = { ...sequence, names: sequence.names.fork() };
  /** @type {ConstructorParameters<typeof LiveOperation>[1]['compile']} */
  const compileAgain = (operation, renewed) => {
    const problems = createProblems('E_FLOW');
    const { flow, options, constants, run } = context;
    const { headers, computedHeaders, ...hooks } = normalizeAround(live.around(), problems);
    const { headers: defaults } = live.optionsNow(options.planned ?? options, { ...flow, headers });
    const [step] = compileOperation({ ...placed, operation }, opIndex, known, {
      ...{ ...context, problems, siblings: undefined, around: hooksAround(hooks, problems) },
      flow: { ...flow, headers, computedHeaders },
      run: { ...run, headers: withArguments(defaults ?? {}, constants, { path: 'headers', problems }) },
    });
    problems.throwIfAny();
    return { ...step, live: renewed };
  };
  const own = new LiveOperation(placed.operation, { around: Object.values(live.around()), compile: compileAgain });
  const steps = compileOperation({ ...placed, operation: own.operation }, opIndex, sequence, context);
  return own.canChange && protocolOf(own.operation) === HTTP ? [{ ...steps[0], live: own }] : steps;
}

/** @type {(part: 'begin' | 'end', sequence: Sequence, context: CompilerContext) => Step[]} */
function userSteps(part, sequence, context) {
  const entry = context.flow.user[part];
  if (entry === null) return [];
  const where = part === 'begin' ? 'flow.beforeUser' : 'flow.afterUser';
  const step = loadFunctions().compileFunction(entry, where, 0, sequence, context);
  return [{ ...step, userPart: part, isImplied: true }];
}

/**
 * @type {(vars: RawFlow['vars'], options: CompileOptions & { folder?: string }, constants: Constants, to: { problems:
 *   Problems, notice: RunDefaults['notice'] }) => RunDefaults}
 */
function runDefaults(vars, options, constants, { problems, notice }) {
  /** @type {<T>(value: T, path: string) => T} */
  const replaced = (value, path) => withArguments(value, constants, { path, problems });
  const given = replaced(options.baseUrl, 'baseUrl');
  const baseUrl = given === undefined ? undefined : asHttp(cleanUrl(given));
  checkBaseUrl(baseUrl, problems);
  return {
    notice,
    isStrict: options.strict ?? false,
    baseUrl,
    origins: new NamedOrigins({ baseUrl, vars, credentialsFor: options.credentialsFor }),
    headers: replaced(options.headers ?? {}, 'headers'),
    maxBodyMemory: options.maxBodyMemory,
    folder: options.folder,
    user: options.user,
    password: options.password,
    cookies: replaced(options.cookies, 'cookies'),
    socketPath: replaced(options.socketPath, 'socketPath'),
    keepAlive: options.keepAlive,
    version: OTHER_VERSION && /** @type {any} */ (options)[OTHER_VERSION.name],
    retries: Object.fromEntries(RETRIES.map(({ name }) => [name, /** @type {any} */ (options)[name]])),
    tlsOf: createTlsReader(tlsDefaults(options), options.folder),
    endpointOf: createEndpoints(options.proxies, options),
    askLater: options.askLater,
    addresses: { family: options.family, connectTo: options.connectTo, resolver: options.resolver },
  };
}

/**
 * Keeps the first notice of each kind: the others of a flow say the same of other operations. Functions add some during
 * the run.
 */
function createNotices() {
  /** @type {Map<string, { first: string, more: number }>} */
  const kinds = new Map();
  return {
    add(/** @type {string} */ text, kind = 'url') {
      const known = kinds.get(kind);
      if (known) known.more++;
      else kinds.set(kind, { first: text, more: 0 });
    },
    list: () =>
      [...kinds.values()].map(({ first, more }) => (more === 0 ? first : `${first} (and ${more} more like this)`)),
  };
}

/** @type {(options: CompileOptions) => Constants} */
function constantsOf({ args = {}, variables, worker, shard }) {
  return { args, environment: createEnvironment(variables), worker, shard: shard?.number };
}

/** Tokens of a flow have one name each. @type {(name: string, flow: RawFlow) => string | undefined} */
function refuseDuplicate(name, { tokens, vars }) {
  const [other] = Object.entries({ tokens, vars }).filter(([, values]) => Object.hasOwn(values, name));
  return other && nameTakenBy(`flow.${other[0]}.${name}`);
}

/** The TLS options of a run, for tls.connect. @type {(options: Record<string, any>) => Record<string, unknown>} */
export function tlsDefaults(options) {
  const given = Object.keys(TLS_PROPERTIES).filter((key) => options[key] !== undefined);
  return {
    ...Object.fromEntries(given.map((key) => [key, options[key]])),
    ...(options.insecure && { rejectUnauthorized: false }),
  };
}

/** @type {(baseUrl: string | undefined, problems: Problems) => void} */
function checkBaseUrl(baseUrl, problems) {
  if (baseUrl === undefined) return;
  // The URL parser would take it for a fragment, which is never sent
  if (hasToken(baseUrl)) problems.add('baseUrl', 'has a token: only #{args.name} and #{env.NAME} can be used here');
  const fault = baseUrlFault(baseUrl);
  if (fault !== undefined) problems.add('baseUrl', fault);
}

/** @typedef {Pick<CompilerContext, 'constants' | 'problems'> & { seed: number }} EntryContext */

/** @type {(entry: Operation, where: string, context: EntryContext) => PlacedOperation[]} */
function readEntry(entry, where, context) {
  if (entry.oneOf !== undefined) return readOneOf(entry, where, context);
  if (entry.weight !== undefined) context.problems.add(`${where}.weight`, 'is for the operations of a oneOf');
  return [{ operation: entry, where, choice: null, hasOrigin: false }];
}

/** @type {(entry: Operation, where: string, context: EntryContext) => PlacedOperation[]} */
function readOneOf({ oneOf, ...others }, where, { seed, constants, problems }) {
  for (const key of Object.keys(others)) {
    const path = `${where}.${key}`;
    if (!Object.hasOwn(PROPERTIES, key)) problems.refuseUnlessOwn(path, 'property', key, PROPERTY_NAMES);
    else problems.add(path, 'cannot be combined with oneOf: put it into each of its operations');
  }
  if (!Array.isArray(oneOf) || oneOf.length === 0) {
    problems.add(`${where}.oneOf`, "expected an array of operations such as [{ get: '/a' }, { get: '/b' }]");
    return [];
  }
  const all = oneOf.flatMap((operation, i) => {
    // Null: it was refused.
    if (operation === null) return [];
    const place = `${where}.oneOf[${i}]`;
    const refusals = refuseAlternative(operation);
    for (const { at = '', reason } of refusals) problems.add(place + at, reason);
    return refusals.length > 0 ? [] : [{ operation, where: place, name: nameOf(operation) }];
  });
  const weights = all
    .filter(({ operation }) => !isSkipped(operation))
    .map(({ operation }) => weightOf(operation, constants));
  const choice = createChoice(weights, { seed, place: where });
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { name } of all) counts.set(name, (counts.get(name) ?? 0) + 1);
  return all.map(({ name, ...placed }) => {
    // Without the origin, operations of one name could not be told from each other in results.
    const hasOrigin = counts.get(name) !== 1;
    return { ...placed, choice, name: hasOrigin ? undefined : name, hasOrigin };
  });
}

/** Explains why an entry cannot be one of a oneOf. @type {(entry: Operation | FunctionEntry) => Refusal[]} */
function refuseAlternative(entry) {
  if (entry instanceof FunctionEntry)
    return [{ reason: 'is a function: write one function that chooses what it requests' }];
  if (entry.oneOf !== undefined) return [{ reason: 'is a oneOf within a oneOf: list its operations in the outer one' }];
  const { key, refusals } = protocolOf(entry);
  return refusals.oneOf === undefined ? [] : [{ at: `.${key}`, reason: refusals.oneOf }];
}

/** @type {(operation: Operation, constants: Constants) => number | undefined} */
function weightOf({ weight }, constants) {
  const given = withArguments(weight, constants, { path: '', problems: createProblems('E_FLOW') });
  return typeof given === 'number' ? given : undefined;
}
