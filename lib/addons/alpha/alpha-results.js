import { perSecond, readPercent } from '../../core/ground/units.js';
import { OURS, worseBy } from '../compare/measure/compared-figures.js';
import { RUN_HEAD } from '../../core/measure/document.js';
import { HISTOGRAMS, setAt, valueAt } from '../../core/measure/figures.js';
import { soleGenerator } from '../../core/measure/load-generators.js';
import { outcomeFor } from '../../core/measure/outcome.js';
import { spreadOf } from '../../core/measure/series.js';
import { MOVED, MOVED_TIMES, RESPONSE_TIME, isValue } from '../../core/measure/threshold-figures.js';
import { splitAtComparison, thresholdsOf } from '../../core/measure/thresholds.js';
import { TRANSACTIONS, partNamed } from '../../core/measure/transactions.js';

/** @import { Judgement, LoadGeneratorEntry, Note } from '../../core/contracts/stats.js' */
/** @import { Threshold } from '../../core/measure/thresholds.js' */

/**
 * Alpha versions of bench-rest 2 wrote results with `schema: 1`. Every reader of saved results accepts them: the table
 * of moved paths turns them into results of schema version 2. Nothing writes version 1. Version 3.0 removes this file.
 *
 * @typedef {object} Move
 * @property {string} from path in an alpha file; `operations[].ok` is a path in each item
 * @property {string | null} to path in a result of version 2, of the same item; null: it is left out
 * @property {(value: any, document: any) => any} [change] computes the new value; undefined: it is left out
 */

const FROM_ALPHA = Symbol('read from a file of an alpha version');

/** @type {(value: any) => boolean} */
export function isAlpha(value) {
  return value?.schema === 1 && value.schemaVersion === undefined;
}

/** Reports whether a result is from an alpha version. JSON loses this mark. @type {(result: object) => boolean} */
export function wasAlpha(result) {
  return FROM_ALPHA in result;
}

/** @type {<R extends object>(result: R) => R} */
export function markAsAlpha(result) {
  return Object.assign(result, { [FROM_ALPHA]: true });
}

/**
 * Turns a parsed alpha file, which is changed, into a result of version 2, whose shape is not checked.
 * @throws {Error} something has a type that no alpha version wrote
 * @type {(document: any) => any}
 */
export function fromAlpha(document) {
  const names = Object.keys(document).filter((key) => !KEYS.has(key));
  const metrics = Object.fromEntries(names.map((name) => [name, document[name]]));
  for (const name of names) delete document[name];
  for (const move of MOVES) {
    try {
      applyMove(move, document);
    } catch {
      throw new Error(`is damaged at ${move.from}`);
    }
  }
  const { histograms, ...result } = { ...RUN_HEAD, ...document, metrics };
  try {
    if (histograms) moveCounts(result, histograms);
  } catch {
    throw new Error('is damaged at histograms');
  }
  return result;
}

/** The keys of an alpha result; all others are metrics of hooks. */
const KEYS = new Set(
  (
    'totalElapsed measuredElapsed main iterations requests operations exemplars series errors client verdict schema ' +
    'title ramped startedAt measuredAt endedAt percentiles scenarios groups run exit checks log warmup server ' +
    'thresholds baseline agents report histograms type'
  ).split(' '),
);

/** Applied in this order. @type {Move[]} */
const MOVES = [
  { from: 'schema', to: null },
  // The last line of ndjson has it.
  { from: 'type', to: null },
  // The first alpha versions wrote the words that version 2 has: STATUSES lacks them.
  { from: 'verdict.status', to: 'validity.status', change: (status) => STATUSES.get(status) ?? status },
  {
    from: 'verdict.reasons',
    to: 'validity.reasons',
    change: (texts, { verdict }) => notesOf(texts, verdict),
  },
  { from: 'verdict.remarks', to: 'validity.remarks', change: (texts) => notesOf(texts) },
  { from: 'verdict.figures', to: 'validity.figures' },
  { from: 'validity.figures', to: 'validity.figures', change: (all, document) => all.map(judgedIn(document)) },
  { from: 'verdict', to: null },
  { from: 'client.notes', to: 'client.reasons', change: (texts) => notesOf(texts) },
  { from: 'client.rate.asked', to: 'iterations.plannedRate' },
  { from: 'client.rate.reached', to: 'iterations.startedRate' },
  { from: 'client.rate.peak', to: 'iterations.peakRate' },
  { from: 'client.rate', to: null },
  { from: 'client', to: 'loadGenerator' },
  ...['loadGenerator', 'server'].flatMap((path) => [
    { from: `${path}.utilization`, to: `${path}.eventLoopUtilization` },
    { from: `${path}.delay`, to: `${path}.eventLoopDelay` },
    { from: `${path}.cpu`, to: `${path}.cpuTime` },
    { from: `${path}.gc`, to: `${path}.gcTime` },
    { from: `${path}.cores`, to: `${path}.cpuCores` },
    { from: `${path}.cpuPerRequest`, to: `${path}.cpuTimePerRequest` },
  ]),
  { from: 'loadGenerator.standstill.spared', to: 'loadGenerator.standstill.extendedTimeouts' },
  { from: 'loadGenerator.standstill', to: 'loadGenerator.stall' },
  {
    from: 'server',
    to: 'servers',
    change: (server) => [
      { name: server.memory ? 'start' : 'target', source: server.memory ? 'process' : 'thread', ...server },
    ],
  },
  { from: 'report', to: 'section' },
  { from: 'exit', to: 'outcome', change: ({ reasons }) => outcomeFor(reasons.map(reasonOf)) },
  { from: 'agents.startSkew', to: 'loadGenerator.startSkew' },
  { from: 'agents.tolerated', to: 'agents.maxLost' },
  {
    from: 'agents.each',
    to: 'loadGenerators',
    change: (each, document) => each.map((/** @type {any} */ one) => currentAgent(one, each.length, document)),
  },
  // The machine of the first shard, or of the command that led agents
  {
    from: 'run.machine',
    to: 'loadGenerators',
    change: (machine, document) => document.loadGenerators ?? [soleOf(machine, document)],
  },
  { from: 'run.shard', to: null },
  { from: 'run.startSkew', to: 'loadGenerator.startSkew' },
  { from: 'run.id', to: 'id' },
  { from: 'run.runId', to: 'run.id' },
  { from: 'run.tool', to: 'tool', change: toolOf },
  { from: 'run.startedAt', to: 'startedAt', change: (instant, { startedAt }) => startedAt ?? instant },
  { from: 'run.flow.from', to: 'run.flow.source' },
  { from: 'run.flow.hash', to: 'run.flow.sha256' },
  { from: 'run.shape', to: 'run.loads', change: (text, { run }) => [loadOf(text, run.options)] },
  { from: 'run.why', to: 'run.endReason', change: (why) => (why === 'done' ? 'completed' : why) },
  { from: 'main.ok', to: 'main.completed' },
  { from: 'histograms.ok', to: 'histograms.completed' },
  // The rate of the completed ones; that of all is computed.
  { from: 'iterations.rate', to: 'iterations.completedRate' },
  { from: 'requests.failed', to: 'requests.unanswered' },
  ...[
    ...['opened', 'closedByServer', 'discarded'].map((name) => [`requests.connections.${name}`, `connections.${name}`]),
    ['requests.connections.reused', 'connections.requestsOnReused'],
    ['requests.connections.asked', 'virtualUsers.started'],
    ['requests.connections.reached', 'virtualUsers.answered'],
    ['requests.connect', 'connections.connect'],
    ['requests.tls', 'connections.tls'],
    ['requests.bytesSent', 'bytes.sent'],
    ['requests.bytesReceived', 'bytes.received'],
    ['requests.bytesReceivedRate', 'bytes.receivedRate'],
    ['requests.messagesSent', 'messages.sent'],
    ['requests.messagesReceived', 'messages.received'],
    ['requests.messagesUnread', 'messages.unexpected'],
    ['requests.greetingsUnread', 'messages.unexpectedGreetings'],
    ['requests.messagesSurplus', 'messages.surplus'],
    ['requests.messageRate', 'messages.receivedRate'],
    ['requests.challenges', 'requests.authChallenges'],
  ].map(([from, to]) => ({ from, to })),
  { from: 'requests.connections', to: null },
  // Of a run without WebSockets
  { from: 'messages', to: 'messages', change: (all) => (all.sent > 0 || all.received > 0 ? all : undefined) },
  { from: 'requests.ok', to: null },
  { from: 'requests.okRate', to: null },
  { from: 'errors.samples', to: 'errors.details', change: (all) => all.map(currentError) },
  { from: 'exemplars.slowest', to: 'exemplars.slowest', change: (all) => all.map(currentExemplar) },
  { from: 'exemplars.failed', to: 'exemplars.failed', change: (all) => all.map(currentExemplar) },
  { from: 'checks.passes', to: 'checks.passed' },
  { from: 'checks.failures', to: 'checks.failed' },
  { from: 'checks.each[].where', to: 'checks.each[].path' },
  { from: 'checks.each[].passes', to: 'checks.each[].passed' },
  { from: 'checks.each[].failures', to: 'checks.each[].failed' },
  { from: 'checks.each', to: 'checks.details' },
  { from: 'percentiles[].ms', to: 'percentiles[].responseTime' },
  { from: 'series', to: 'series', change: (series, { measuredElapsed }) => currentSeries(series, measuredElapsed) },
  { from: 'operations', to: 'operations', change: (all) => all.map(currentOperation) },
  { from: 'scenarios', to: 'scenarios', change: (all) => all.map(currentTransaction('scenario', 'responseTime')) },
  { from: 'groups', to: 'groups', change: (all) => all.map(currentTransaction('group', 'duration')) },
  { from: 'thresholds', to: 'thresholds', change: (all) => all.map(currentThreshold) },
  { from: 'baseline', to: 'baseline', change: currentBaseline },
];

/** @type {(value: any) => any} */
const unchanged = (value) => value;

/** @type {(move: Move, document: any, item?: any) => void} item: the part of the document that the paths begin at */
function applyMove({ from, to, change = unchanged }, document, item = document) {
  const [list, ofItem] = from.split('[].');
  if (ofItem !== undefined) {
    const move = { from: ofItem, to: to && to.slice(list.length + '[].'.length), change };
    valueAt(item, list)?.forEach((/** @type {any} */ one) => applyMove(move, document, one));
    return;
  }
  const value = valueAt(item, from);
  if (value === undefined) return;
  const keys = from.split('.');
  const last = /** @type {string} */ (keys.pop());
  delete (keys.length > 0 ? valueAt(item, keys.join('.')) : item)[last];
  const changed = to === null ? undefined : change(value, document);
  if (to !== null && changed !== undefined) setAt(item, to, changed);
}

/** Names of figures in thresholds, and in front of the statistic of times; of comparisons. */
const FIGURES = new Map([
  // A rate of requests that has no name today
  ...[...MOVED].filter(([name]) => name !== 'okRate'),
  ...[...MOVED_TIMES].map(([name, now]) => /** @type {[string, string]} */ ([`${name}.`, `${now}.`])),
  ['iterations per second', 'iterations.completedRate'],
]);

const STATUSES = new Map([
  ['sound', 'valid'],
  ['doubtful', 'suspect'],
  ['void', 'invalid'],
]);

/** Codes that readers look for, by the sentence of alpha versions. @type {[pattern: RegExp, code: string][]} */
const CODES = [
  [/^accounting/, 'accounting'],
  [/^the load generator was saturated/, 'saturated'],
  [/^the load generator stopped/, 'stopped'],
  [/^the load generator missed the rate/, 'missedRate'],
  [/are the load generator's/, 'loadGeneratorInFigures'],
  [/^client and server shared an event loop/, 'sharedEventLoop'],
  [/^skew/, 'skew'],
  [/^too short to judge/, 'tooShort'],
];

/** @type {(texts: string[], verdict?: { missing?: string[] }) => Note[]} */
function notesOf(texts, { missing = [] } = {}) {
  return texts.map((message) => {
    if (missing.includes(message)) return { code: 'incomplete', message };
    return { code: CODES.find(([pattern]) => pattern.test(message))?.[1] ?? 'other', message };
  });
}

/** @type {(reason: string) => any} */
function reasonOf(reason) {
  if (reason === 'report') return 'section';
  return reason === 'saturated' || reason === 'doubtful' ? 'validity' : reason;
}

/** An operation's path and name were one text. @type {(text: string) => { path?: string, operation?: string }} */
function placeOf(text) {
  const [, path, operation] = /^(flow\S*)(?: (.*))?$/s.exec(text) ?? [undefined, undefined, text];
  return { ...(path && { path }), ...(operation && { operation }) };
}

/** @type {(group: any) => any} */
function currentError({ context, operation, name: _name, place, ...group }) {
  const { code, ...at } = place ?? {};
  return { ...group, phase: context, ...placeOf(operation), ...(place && { location: { ...at, source: code } }) };
}

/** @type {(exemplar: any) => any} */
function currentExemplar({ operation: text, ms, scheduled, ...exemplar }) {
  const { path = '', operation = '' } = placeOf(text);
  return { ...exemplar, operation, path, serviceTime: ms, ...(scheduled !== null && { due: scheduled }) };
}

/** @type {(series: any, measuredElapsed: number) => any} */
function currentSeries({ interval, points, operations }, measuredElapsed) {
  const all = points.map((/** @type {any} */ point, /** @type {number} */ i) => {
    // Some versions lack the iterations that failed, nearly each of which had one error.
    const { at, count, errors, failed = errors, p50, p95, p99, max, concurrency, utilization, bytes } = point;
    const length = i === points.length - 1 ? Math.min(interval, measuredElapsed - at) : interval;
    return {
      ...{ at, iterations: { completed: count, completedRate: perSecond(count, length), failed }, errors },
      responseTime: { median: p50, ...(p95 !== undefined && { p95 }), p99, max },
      ...{ concurrency, loadGenerator: { eventLoopUtilization: utilization } },
      ...(bytes !== undefined && { bytes: { received: bytes, receivedRate: perSecond(bytes, length) } }),
    };
  });
  const rows = operations?.map((/** @type {any} */ { points: own, ...row }) => ({
    ...row,
    points: own.map((/** @type {any} */ { at, count, p50, p95 }) => ({ at, count, serviceTime: { median: p50, p95 } })),
  }));
  return { interval, points: all, spread: spreadOf(all), ...(rows && { operations: rows }) };
}

/** @type {(row: any) => any} */
function currentOperation({ phase, serviceTime, ok, least, cancelled, ...row }) {
  const times = {
    serviceTime,
    ...(ok && { withoutErrors: ok }),
    ...(least && { least }),
    ...(cancelled && { cancelled }),
  };
  return { ...row, ...(phase === '' ? { other: true } : { phase }), labels: {}, times };
}

/** @type {(label: string, time: string) => (row: any) => any} */
function currentTransaction(label, time) {
  return ({ time: whole, least, cancelled, ...row }) => ({
    ...{ ...row, phase: 'main', labels: { [label]: row.name } },
    times: { [time]: whole, ...(least && { least }), ...(cancelled && { cancelled }) },
  });
}

/** @type {(baseline: any) => any} */
function currentBaseline({ why, figures, operations, limits, notes, ...baseline }) {
  const rows = figures.map((/** @type {any} */ row) => ({ ...currentCompared(row), figure: comparedName(row.figure) }));
  return {
    ...baseline,
    ...(why && { untested: { code: 'other', message: why } }),
    figures: rows,
    operations: operations.map((/** @type {any} */ { other, figures: own, ...row }) => ({
      ...{ ...row, new: other, figures: own.map(currentCompared) },
    })),
    regressions: limits.map((/** @type {any} */ limit) => currentLimit(limit, rows)),
    warnings: notesOf(notes),
  };
}

/** @type {(row: any) => any} */
function currentCompared({ other, low, high, p = null, why, doubt, ...row }) {
  const reason = doubt ? { code: OURS, message: doubt } : why && { code: 'noiseUnknown', message: why };
  return { ...row, new: other, interval: low === null ? null : { low, high }, p, ...(reason && { reason }) };
}

/** @type {(limit: any, rows: any[]) => any} */
function currentLimit({ expression, passed, problem }, rows) {
  const [name, bound] = expression.split('=');
  const figure = comparedName(name);
  const { change = null } = rows.find((row) => row.figure === figure) ?? {};
  const actual = change === null ? null : worseBy(figure, change);
  return {
    ...{ expression, figure, bound: readPercent(String(parseFloat(bound))), actual, unit: 'ratio', passed },
    ...(problem && { message: problem }),
  };
}

/** @type {(name: string) => string} */
function comparedName(name) {
  return isValue(name) ? `${RESPONSE_TIME}.${name}` : (FIGURES.get(name) ?? name);
}

/** Part of the run and figure were one text: `GET /items p95`. @type {(document: any) => (judged: any) => any} */
function judgedIn(document) {
  return ({ figure: name, ms, clientMs, status }) => {
    const [, part, statistic] = /^(.*) (\S+)$/s.exec(name) ?? [];
    const kind = TRANSACTIONS.find(({ key }) =>
      document[key]?.some((/** @type {any} */ row) => row.name === part),
    )?.name;
    const own = part === undefined && isValue(name) ? `${RESPONSE_TIME}.${name}` : name;
    return {
      ...(part === undefined ? { figure: own, of: {} } : { figure: statistic, of: partNamed(part, kind) }),
      ...{ actual: ms, loadGeneratorTime: clientMs, status: STATUSES.get(status) ?? status },
    };
  };
}

/** @type {(judged: any) => any} */
function currentThreshold({ expression, actual, unit, ...more }) {
  const { left, comparison, right } = splitAtComparison(expression);
  // `rate`, or `ok.` of `ok.p95`.
  const [name] = /^[\w-]+\.?/.exec(left) ?? [''];
  const now = left === name || name.endsWith('.') ? FIGURES.get(name) : undefined;
  const written = now === undefined ? expression : expression.replace(name, now);
  const scale = unit === '%' ? 100 : 1;
  const [read] = thresholdsOf({ thresholds: [{ expression: written }] });
  // okRate is no figure any more.
  const parts = read ? partsOf(read) : { figure: left, of: {}, operator: comparison, bound: parseFloat(right), unit };
  return { ...parts, expression: written, actual: actual === null ? null : actual / scale, ...more };
}

/** @type {(threshold: Threshold) => Partial<Judgement>} */
function partsOf({ figure, operation, check, operator, bound, unit }) {
  const of = { ...(operation !== null && { operation }), ...(check !== null && { check }) };
  return { figure, of, operator, bound, unit };
}

/** @type {(text: string) => { name: string, version: string }} `bench-rest 2.0.0-alpha.0` */
function toolOf(text) {
  const [name, version = ''] = text.split(' ');
  return { name, version };
}

/** @type {(machine: any, document: any) => LoadGeneratorEntry} */
function soleOf({ node, platform, arch, cpus, memory }, { run, loadGenerator }) {
  // `8 x Some CPU`
  const [cores, ...model] = cpus.split(' x ');
  return soleGenerator({
    shard: run.shard,
    workers: loadGenerator.workers,
    toolVersion: toolOf(run.tool).version,
    machine: {
      ...{ platform, arch, cores: Number(cores), cpuModel: model.join(' x '), memory },
      runtime: `node ${node.replace(/^v/, '')}`,
    },
  });
}

/** @type {(agent: any, of: number, document: any) => LoadGeneratorEntry} */
function currentAgent(agent, of, { measuredElapsed }) {
  const { shard, name, version, cores, workers, startDelay, clockOffset, roundTrip, lost, ...more } = agent;
  const { iterations, rate, p99, cpu, utilization = 0, loopDelay, saturated, stoppedBy, replaces } = more;
  const known = version !== '' && {
    toolVersion: version,
    machine: { cores },
    ...{ startOffset: startDelay, clockOffset, roundTrip },
    iterations: { started: iterations, completedRate: rate },
    responseTime: { p99 },
    loadGenerator: {
      ...{ saturated, eventLoopUtilization: utilization },
      eventLoopDelay: { mean: 0, p99: loopDelay ?? 0, max: loopDelay ?? 0 },
      ...{ cpuTime: (cpu ?? 0) * measuredElapsed, cpuCores: cpu },
    },
  };
  return {
    ...{ name: name === '' ? `shard ${shard}` : name, shard: { number: shard, of }, workers, ...known },
    ...(lost !== undefined && { lost: { code: 'other', message: lost } }),
    ...(stoppedBy && { stoppedBy }),
    ...(replaces && { replaces }),
  };
}

/** @type {(text: string, options: any) => object} */
function loadOf(text, { rate, limit, duration, iterations, arrival = 'constant', stages }) {
  const known = Object.entries({ rate, duration, iterations }).filter(([, value]) => typeof value === 'number');
  // Stages were saved as they had been written, in several forms, so only the text describes their load.
  const model = rate === undefined ? { model: 'closed' } : { model: 'open', arrival };
  return {
    name: 'main',
    ...(stages ? {} : model),
    virtualUsers: typeof limit === 'number' ? limit : 0,
    ...Object.fromEntries(known),
    text,
  };
}

/** The counts were a tree beside the figures. @type {(result: any, all: any) => void} */
function moveCounts({ main, series, metrics, ...result }, all) {
  // A closed run has one histogram for response and service times.
  const { completed, least, serviceTime, serviceLeast } = all;
  const ofRun = { ...all, serviceTime: serviceTime ?? completed, serviceLeast: serviceLeast ?? least };
  for (const { key, path } of HISTOGRAMS) addCounts(valueAt({ main, ...result }, path), ofRun[key]);
  moveRowCounts(result, all);
  for (const [name, encoded] of Object.entries(all.timers))
    addCounts(metrics[name].histogram ?? metrics[name], encoded);
  for (const [i, point] of series.points.entries()) point.responseTime.hdrPayload = all.series[i];
}

/** @type {(result: any, all: any) => void} */
function moveRowCounts({ operations, ...result }, all) {
  for (const [i, { times, serviceTimeByStatus = {} }] of operations.entries()) {
    addTimes(times, { serviceTime: all.operations[i], withoutErrors: all.operationsOk?.[i] });
    addTimes(times, { least: all.operationsLeast?.[i], cancelled: all.operationsCancelled?.[i] });
    for (const [status, summary] of Object.entries(serviceTimeByStatus))
      addCounts(summary, all.operationsByStatus?.[i]?.[status]);
  }
  for (const { key, time } of TRANSACTIONS)
    for (const [i, { times }] of (result[key] ?? []).entries())
      addTimes(times, {
        [time]: all[key]?.[i],
        least: all[`${key}Least`]?.[i],
        cancelled: all[`${key}Cancelled`]?.[i],
      });
}

/** @type {(times: any, encoded: Record<string, string | null | undefined>) => void} */
function addTimes(times, encoded) {
  for (const [name, counts] of Object.entries(encoded)) {
    // Some versions kept no counts of these two, and times without counts could not be added up.
    if (!counts && times[name]?.count > 0 && (name === 'least' || name === 'cancelled')) delete times[name];
    else addCounts(times[name], counts);
  }
}

/** @type {(summary: any, encoded: any) => void} */
function addCounts(summary, encoded) {
  if (summary && encoded) summary.hdr = encoded;
}
