import { addressesOf, hasUnknownOrigins, protocolsOf, proxiesOf, stepsOf } from '../../flow/origins.js';
import { ITERATION_PHASES, factsOf, scenariosOf, stepCount } from '../../ground/phases.js';
import { makeError } from '../../ground/errors.js';
import { createProblems } from '../../ground/problems.js';
import { mappingOf } from '../../http/endpoint.js';
import { writeAddress } from '../../http/url-parts.js';
import { distinctNames, hasTag, namesOf, rowsNamed, tagName, tagsOf } from '../../measure/tags.js';
import { figuresNamed } from '../../measure/operation-figures.js';
import { rowOfSome, scopeOfThreshold } from '../../measure/threshold-figures.js';
import { partOfThreshold, readThresholds } from '../../measure/thresholds.js';
import { refusedTarget } from '../../process/confinement.js';
import { listOf, listed } from '../../text/format-value.js';
import { maskText } from '../../text/mask.js';
import { severalLoads } from '../loads.js';
import { transportNamed } from '../../transport/index.js';
import { thresholdTexts } from './checks.js';
import { rowsWith } from './index.js';
import { Stride } from './shard.js';

/** @import { RunOptions } from '../../contracts/run-options.js' */
/** @import { CompiledFlow } from '../../contracts/step.js' */
/** @import { Problems } from '../../ground/types.js' */
/** @import { Proxy } from '../../http/proxy.js' */
/** @import { OperationFigures } from '../../measure/operation-figures.js' */
/** @import { HookMetrics } from '../../measure/threshold-figures.js' */
/** @import { KnownCheck, Threshold } from '../../measure/thresholds.js' */
/** @import { Load } from '../types.js' */

/**
 * Fits options whose meaning depends on the flow: limits of requests become limits of whole iterations, requests in
 * flight on one connection become lanes, thresholds are matched with the operations that they name. `onNotice` receives
 * options that probably have no effect.
 * @throws {Error} E_RUN_OPTIONS
 * @type {(options: RunOptions, flow: CompiledFlow, onNotice?: (text: string) => void) => RunOptions}
 */
export function fitToFlow(options, flow, onNotice = () => {}) {
  const problems = createProblems('E_RUN_OPTIONS');
  for (const check of FLOW_CHECKS) check(options, flow, problems, onNotice);
  const thresholds = readThresholdsOf(options, flow, problems);
  problems.throwIfAny();
  const { loads, pipelining, maxRequestsPerUser } = options;
  const fitted = Object.assign({ ...options, thresholds }, lanesOf(options));
  if (loads === undefined) return Object.assign(fitted, limitsOf(options, requestsOf(flow)));
  const own = loads.map((load, position) => {
    const requests = requestsOf(flowOfLoad(flow, { position, of: loads.length }));
    const limits = limitsOf({ ...load, maxRequestsPerUser }, requests);
    return { ...load, ...lanesOf({ ...load, pipelining }), ...limits, ...(requests < Infinity && { requests }) };
  });
  return { ...fitted, loads: severalLoads().planAgain(own, options) };
}

/**
 * Refuses what code has changed in a flow if it does not fit the options, or needs a plan of its own: `then` is the
 * flow that was planned.
 * @throws {Error} E_RUN_OPTIONS
 * @type {(options: RunOptions, then: CompiledFlow, now: CompiledFlow, phases: readonly string[]) => void} phases: that
 *   were compiled again
 */
export function refuseUnplanned(options, then, now, phases) {
  const problems = createProblems('E_RUN_OPTIONS');
  for (const check of FLOW_CHECKS) check(options, now, problems, () => {});
  const { maxRequests, maxRequestsPerUser } = options;
  const isLimited = (maxRequests ?? maxRequestsPerUser) !== undefined && phases.includes('main');
  if (isLimited && requestsOf(now) !== requestsOf(then))
    problems.add('flow.main', `has ${requestsOf(now)} requests, ${requestsOf(then)} when their limit was planned`);
  for (const { name } of protocolsOf(now).filter((one) => one.loadClient && !protocolsOf(then).includes(one)))
    problems.add('flow.main', `has an operation of ${name}, which the flow did not have at the start of the run`);
  problems.throwIfAny();
}

/**
 * Compares options with the flow.
 * @typedef {(options: RunOptions, flow: CompiledFlow, problems: Problems, onNotice: (text: string) => void) => void}
 *   FlowCheck
 */

/** @type {FlowCheck[]} */
const FLOW_CHECKS = [
  checkRequestLimits,
  checkPipelining,
  checkRows,
  checkProtocols,
  checkBodyMemory,
  checkProxies,
  checkConnectTo,
  checkTargets,
  checkFields,
];

/** Refuses limits that are lower than the requests of one iteration. @type {FlowCheck} */
function checkRequestLimits({ maxRequests, maxRequestsPerUser }, flow, problems) {
  const requests = requestsOf(flow);
  for (const [name, most = Infinity] of Object.entries({ maxRequests, maxRequestsPerUser })) {
    if (most < requests)
      problems.add(
        `runOptions.${name}`,
        requests === Infinity
          ? 'needs a known number of requests: a function of this flow decides how many an iteration makes'
          : `too low: one iteration of this flow makes ${requests} requests`,
      );
  }
}

/**
 * Reads the thresholds, and refuses those of names, figures and streams that the flow does not have.
 * @type {(options: RunOptions, flow: CompiledFlow, problems: Problems) => Threshold[]}
 */
function readThresholdsOf(options, flow, problems) {
  const operations = thresholdNamesOf(flow, options, problems);
  // A function may request operations of any name, which are known only when it runs.
  const hasFunctions = stepsOf(flow).some(({ call }) => call !== null);
  const thresholds = readThresholds(thresholdTexts(options.thresholds), problems, {
    ...{ operations, checks: checksOf(flow), isOpen: hasFunctions },
    metrics: metricsOf(flow),
    loads: options.loads?.map(({ name }) => name),
  });
  if (!hasFunctions) checkScopes(thresholds, flow, problems);
  checkAbort(options, thresholds, problems);
  return thresholds;
}

/**
 * Refuses names of `abortOnFailOf` without a threshold.
 * @type {(options: Pick<RunOptions, 'abortOnFailOf'>, thresholds: Threshold[], problems: Problems) => void}
 */
function checkAbort({ abortOnFailOf = [] }, thresholds, problems) {
  const names = [...new Set(thresholds.flatMap((threshold) => partOfThreshold(threshold) ?? []))];
  const list =
    names.length > 0 ? `those that have one are ${listOf(names, names.length)}` : 'no load or operation has one';
  for (const name of abortOnFailOf.filter((one) => !names.includes(one)))
    problems.add('runOptions.abortOnFailOf', `${JSON.stringify(name)} has no threshold: ${list}`, ['abortOnFailOf']);
}

/** @type {(operation: string | null, row: OperationFigures, having: { name: string }[]) => string} */
function whyNone(operation, { noun: { one }, cure }, having) {
  const names = [...new Set(having.map(({ name }) => name))];
  const reason =
    operation === null
      ? `no operation of the flow has ${one}`
      : `${JSON.stringify(operation)} is no operation or tag with ${one}`;
  return `${reason}: ${names.length > 0 ? `those with one are ${listOf(names, names.length)}` : cure}`;
}

/**
 * Refuses thresholds on figures that none of the operations that they judge has: those that only some operations have,
 * and those of other phases, such as the rate of an operation of `before`.
 * @type {(thresholds: Threshold[], flow: CompiledFlow, problems: Problems) => void}
 */
function checkScopes(thresholds, flow, problems) {
  const rows = stepsOf(flow).map((step) => ({ name: step.name, phase: step.phase, step, ...factsOf(step) }));
  for (const threshold of thresholds) {
    const { expression, operation, figure, limits } = threshold;
    const ofSome = limits ? figuresNamed(limits.key) : operation === null ? undefined : rowOfSome(figure);
    const having = rows.filter(({ step }) => step.reader?.figures === ofSome?.key);
    const { counts, phases } = scopeOfThreshold(threshold);
    const own = operation === null ? rows : rowsNamed(rows, operation);
    // The times of a scenario, or a group, are those of its requests.
    const isOfRequests = (/** @type {typeof rows[number]} */ one) =>
      operation === null || namesOf(one).includes(operation) || hasTag(one, operation);
    const judged = having.filter((one) => own.includes(one) && (limits !== undefined || isOfRequests(one)));
    const named = operation === null ? 'the flow' : JSON.stringify(operation);
    if (ofSome !== undefined && judged.length === 0)
      problems.add('thresholds', `${expression}: ${whyNone(operation, ofSome, having)}`);
    else if (own.length > 0 && !own.some(({ phase }) => phases.includes(phase)))
      problems.add(
        'thresholds',
        `${expression}: is of ${counts} in ${listed(phases)}, where ${named} has no operation`,
      );
  }
}

/**
 * Returns the names that thresholds can have: of operations, scenarios, groups and tags. A name that two of them have
 * would be ambiguous.
 * @type {(flow: CompiledFlow, options: Pick<RunOptions, 'loads'>, problems: Problems) => string[]}
 */
function thresholdNamesOf(flow, { loads = [] }, problems) {
  const steps = stepsOf(flow);
  const measured = steps.filter(({ call }) => call === null);
  const operations = measured.map(({ name }) => name);
  const inScenarios = distinctNames(measured.map((step) => ({ name: step.name, phase: step.phase, ...factsOf(step) })));
  const scenarios = scenariosOf(flow.main).map(({ name }) => name);
  const groups = new Map(steps.flatMap(({ group, where }) => (group === null ? [] : [[group, where]])));
  const tags = new Map(
    steps.flatMap(({ tags: own, where }) => tagsOf(own ?? {}).map(([tag, value]) => [tagName(tag, value), where])),
  );
  /** The kind of owner of each name. @type {Map<string, string>} */
  const owners = new Map(operations.map((name) => [name, 'an operation']));
  /** @type {(name: string, owner: string, path: string) => void} */
  const take = (name, owner, path) => {
    const other = owners.get(name);
    if (other === undefined) owners.set(name, owner);
    else problems.add(path, `has the name of ${other}: results could not tell them apart`);
  };
  for (const name of scenarios) take(name, 'a scenario', `flow.scenarios.${name}`);
  for (const [name, where] of groups) take(name, 'a group', `${where}.group`);
  for (const [name, where] of tags) {
    if (owners.has(name))
      problems.add(`${where}.tags`, `${name} is another name of the flow: results could not tell them apart`);
  }
  return [
    ...operations,
    ...inScenarios,
    ...scenarios,
    ...groups.keys(),
    ...tags.keys(),
    ...loads.map(({ name }) => name),
  ];
}

/** Lists the metrics that the hooks of a flow may record. @type {(flow: CompiledFlow) => HookMetrics} */
function metricsOf(flow) {
  const all = scenariosOf(flow.main);
  const steps = stepsOf(flow);
  const entries = steps.flatMap((step) => {
    const { phase, opIndex } = step;
    const isInEveryScenario = step.scenario === null && all.length > 0 && ITERATION_PHASES.some((one) => one === phase);
    const scenarios = isInEveryScenario ? all : [step.scenario];
    return [...step.beforeHooks, ...step.afterHooks].map(({ entry }) => ({
      entry,
      names: scenarios.flatMap((one) => entry?.timer?.({ phase, opIndex, scenario: one?.name }) ?? []),
    }));
  });
  return {
    names: entries.flatMap(({ names }) => names),
    hasFunctions: steps.some(({ call }) => call !== null) || entries.some(({ entry }) => entry === undefined),
  };
}

/** Lists the checks of a flow, which thresholds can name. @type {(flow: CompiledFlow) => KnownCheck[]} */
function checksOf(flow) {
  return stepsOf(flow).flatMap((step) => {
    const { labels } = factsOf(step);
    return step.checks.map(({ name }) => ({ name, operation: step.name, labels }));
  });
}

/** Counts the requests of an iteration. @type {(flow: CompiledFlow) => number} */
function requestsOf(flow) {
  return stepCount(ITERATION_PHASES.map((phase) => flow[phase].filter(({ isImplied }) => !isImplied)));
}

/** The operations of a load. @type {(flow: CompiledFlow, load: Pick<Load, 'position' | 'of'>) => CompiledFlow} */
export function flowOfLoad(flow, { position, of }) {
  if (of === 1) return flow;
  const own = ITERATION_PHASES.map((phase) => [
    phase,
    flow[phase].filter(({ scenario }) => scenario === null || scenario.load === position),
  ]);
  return { ...flow, before: [], after: [], ...Object.fromEntries(own) };
}

/**
 * Returns limits of requests as those of whole iterations, which are never more; empty if they are not known.
 * @type {(options: Pick<RunOptions, 'limit' | 'iterations' | 'maxRequests' | 'maxRequestsPerUser' |
 *   'iterationsOfLane'>, requests: number) => Pick<RunOptions, 'iterations' | 'iterationsOfLane'>}
 */
function limitsOf(options, requests) {
  if (requests === Infinity) return {};
  const { limit, iterations = Infinity, maxRequests = Infinity, maxRequestsPerUser = Infinity } = options;
  const iterationsOfLane = Math.min(options.iterationsOfLane ?? Infinity, Math.floor(maxRequestsPerUser / requests));
  const most = Math.min(iterations, Math.floor(maxRequests / requests), iterationsOfLane * limit);
  return {
    ...(most < Infinity && { iterations: most }),
    ...(iterationsOfLane < Infinity && { iterationsOfLane }),
  };
}

/**
 * Counts lanes: a virtual user has one for each request that may be in flight on its connection.
 * @type {(options: Pick<RunOptions, 'limit' | 'pipelining' | 'stages' | 'warmup'>) => Pick<RunOptions, 'limit' |
 *   'stages' | 'warmup'>}
 */
function lanesOf({ pipelining = 1, ...load }) {
  return withLimits(load, (users) => users * pipelining);
}

/** Returns options with the virtual users that people know, not lanes. @type {(options: RunOptions) => RunOptions} */
export function inUsers(options) {
  const { pipelining = 1, loads } = options;
  const usersOf = (/** @type {number} */ lanes) => lanes / pipelining;
  return {
    ...options,
    ...withLimits(options, usersOf),
    ...(loads && { loads: loads.map((load) => ({ ...load, ...withLimits(load, usersOf) })) }),
  };
}

/**
 * Changes each number of virtual users, or of lanes, in options of a load.
 * @type {(options: Pick<RunOptions, 'limit' | 'stages' | 'warmup'>, change: (limit: number) => number) =>
 *   Pick<RunOptions, 'limit' | 'stages' | 'warmup'>}
 */
function withLimits({ limit, stages, warmup }, change) {
  /** @type {<T extends { limit?: number }>(load: T) => T} */
  const changed = (load) => (load.limit === undefined ? load : { ...load, limit: change(load.limit) });
  return {
    limit: change(limit),
    ...(stages && { stages: stages.map(changed) }),
    ...(warmup && { warmup: changed(warmup) }),
  };
}

/**
 * Each iteration waits for its own responses, so its operations, captures, hooks and cookies need no restriction: the
 * pipeline is filled by other iterations.
 * @type {FlowCheck}
 */
function checkPipelining({ pipelining = 1 }, flow, problems) {
  if (pipelining === 1) return;
  if (ITERATION_PHASES.some((phase) => flow[phase].some(({ userPart }) => userPart === 'begin')))
    problems.add(
      'runOptions.pipelining',
      'several iterations of a virtual user run at once, and flow.beforeUser begins it before its first one: remove pipelining',
      ['pipelining'],
    );
  for (const { where, closesConnection, reader } of ITERATION_PHASES.flatMap((phase) => flow[phase])) {
    if (reader !== null)
      problems.add('runOptions.pipelining', `${where} is ${reader.noun}, which needs a connection of its own`, [
        'pipelining',
      ]);
    if (closesConnection)
      problems.add(
        'runOptions.pipelining',
        `${where} sends Connection: close, so no request can follow on its connection: keep it alive, or remove pipelining`,
        ['pipelining'],
      );
  }
}

const FITTING = rowsWith('fit');
const CONTACTING = rowsWith('contacts');

/** Refuses options whose rows say that they do not fit to the flow. @type {FlowCheck} */
function checkRows(options, flow, problems, onNotice) {
  for (const { fit } of FITTING) fit?.(options, flow, problems, onNotice);
}

/** Refuses options that a protocol of the flow, such as WebSocket, cannot have. @type {FlowCheck} */
function checkProtocols(options, flow, problems) {
  const steps = stepsOf(flow);
  for (const { refuseOptions } of protocolsOf(flow)) refuseOptions?.(options, steps, problems.add);
}

/** Refuses bodies of requests that need more memory than all kept bodies may have. @type {FlowCheck} */
function checkBodyMemory(options, flow, problems) {
  const needed = requestBytes(flow, options);
  const remedy = 'raise maxBodyMemory, or use fewer workers or virtual users, or smaller files';
  if (needed > options.maxBodyMemory)
    problems.add('runOptions.maxBodyMemory', `the bodies that this flow sends take ${needed} bytes: ${remedy}`, [
      'maxBodyMemory',
    ]);
}

/** Variables of the environment are checked only if the flow needs them. @type {FlowCheck} */
function checkProxies({ proxies }, flow, problems) {
  for (const { from, problem } of proxiesOf(flow, proxies)) {
    if (problem) problems.add(from, `${problem}; --proxy '' or --noproxy '*' connects directly`);
  }
}

/** Refuses mappings of no URL, or of one behind a proxy: the load would reach the real service. @type {FlowCheck} */
function checkConnectTo({ connectTo, proxies }, flow, problems, onNotice) {
  if (connectTo === undefined) return;
  const all = addressesOf(flow);
  const used = new Set(all.map((address) => mappingOf(connectTo, address.proxy ?? address)));
  // If all URLs are mapped, another mapping may be for the target of a redirect.
  const areMapped = all.length > 0 && !used.has(undefined);
  const mayRedirect = areMapped && stepsOf(flow).some(({ maxRedirects }) => maxRedirects > 0);
  const areKnown = !mayRedirect && !hasUnknownOrigins(flow);
  const places = listOf([...new Set(all.map(({ hostname, port }) => writeAddress(hostname, port)))], MOST_ADDRESSES);
  for (const [key, target] of Object.entries(connectTo)) {
    const mapping = writeMapping(key, target);
    const proxied = all.find((address) => address.proxy && mappingOf(connectTo, address) === key);
    // A mapping of any name and port would apply to the proxy.
    const proxy = key === ANY ? proxiesOf(flow, proxies)[0] : proxied?.proxy;
    if (proxy) problems.add('runOptions.connectTo', `${mapping} ${refuseProxied(proxy)}`);
    else if (used.has(key)) continue;
    else if (areKnown)
      problems.add(
        'runOptions.connectTo',
        `${mapping} applies to no URL of this flow, which connects to ${places || 'unix sockets alone'}`,
      );
    else
      onNotice(
        maskText(
          `runOptions.connectTo: ${mapping} applies to no URL that is known before the run${places && ` (${places})`}`,
        ),
      );
  }
}

const MOST_ADDRESSES = 3;

/** Refuses options that lead past the allowed targets: a DNS server decides where names lead. @type {FlowCheck} */
function checkTargets(options, _flow, problems) {
  if (options.allowTargets === undefined) return;
  for (const { name, contacts } of CONTACTING) {
    const value = options[/** @type {keyof RunOptions} */ (name)];
    if (contacts === undefined || value === undefined) continue;
    const { hostname, port } = contacts(value);
    const target = refusedTarget(hostname, port, options.allowTargets);
    if (target) problems.add(`runOptions.${name}`, makeError('E_TARGET_REFUSED', { target }).message);
  }
}

/** The mapping of any name and port. */
const ANY = ':';

/** @type {(proxy: Proxy) => string} */
function refuseProxied({ name, from }) {
  const remedy = from === '' ? 'remove proxy from the operation' : "--proxy '' or --noproxy '*' connects directly";
  return `is not possible through the proxy ${name}, which looks up the name itself; ${remedy}`;
}

/** Writes a mapping as the user wrote it. @type {(key: string, target: { host?: string, port?: number }) => string} */
function writeMapping(key, { host = '', port = '' }) {
  const colon = key.lastIndexOf(':');
  return `${writeAddress(key.slice(0, colon), key.slice(colon + 1))}:${writeAddress(host, port)}`;
}

/** Refuses header fields of requests known before the run that the client cannot send. @type {FlowCheck} */
function checkFields({ httpClient }, flow, problems) {
  const { name, refusedFields = [] } = transportNamed(httpClient);
  if (refusedFields.length === 0) return;
  for (const { where, request } of stepsOf(flow)) {
    const fields = request?.fields.filter((_, i) => i % 2 === 0) ?? [];
    for (const field of fields.filter((one) => refusedFields.includes(one.toLowerCase())))
      problems.add(`${where}.headers.${field}`, `cannot be sent by the HTTP client ${name}: use builtin`);
  }
}

/**
 * Bytes of request bodies: one of each per thread, and a copy per request in flight if a form has both a file and a
 * token.
 * @type {(flow: CompiledFlow, options: RunOptions) => number}
 */
function requestBytes(flow, { limit, workers = 0, shard }) {
  let [held, copied] = [0, 0];
  for (const { bodyCost } of stepsOf(flow)) {
    held += bodyCost.held;
    copied = Math.max(copied, bodyCost.copied);
  }
  return held * (1 + workers) + new Stride(shard).countOf(limit) * copied;
}
