import { basename } from 'node:path';

import { bytes, count, decimal, margin, ms, percent, rangeText, rate } from '../ground/decimal.js';
import { loadText } from '../measure/document.js';
import { rangeOf, rangeOfRate } from '../measure/own-time.js';
import { MAIN_PERCENTILES } from '../measure/percentiles.js';
import { COMPLETED_RATE, statisticOf } from '../measure/threshold-figures.js';
import { COUNTERS, HISTOGRAMS, OTHERS, isOpen, valueAt } from '../measure/figures.js';
import { capitalized, listOf, shortened } from '../text/format-value.js';
import { markedRange } from './supported.js';

/** Texts about a result that several formats print: each format adds only its own layout. */

/** @import { Machine, ProcessUsage, Stats } from '../contracts/stats.js' */
/** @import { ChecksSummary, HistogramSummary } from '../contracts/summaries.js' */
/** @import { Result } from './types.js' */

/**
 * @typedef {object} CheckRow
 * @property {string} name `GET /items: status 200`, with its scenario in parentheses; different in all rows
 * @property {number} total number of evaluations
 * @property {number} failures
 * @property {string} passed `99.5 %`, or `-` if nothing was checked
 * @property {string} failure the first one, with its iteration; empty without
 */

/**
 * Returns the checks of `expect`, as rows of a table, in the order of the flow. Places distinguish those that have the
 * same name in the same operation.
 * @type {(result: Pick<Result, 'checks'>) => CheckRow[]}
 */
export function checkRows({ checks }) {
  const each = checks?.details ?? [];
  const names = each.map(nameOf);
  const seen = new Set();
  const repeated = new Set();
  for (const name of names) (seen.has(name) ? repeated : seen).add(name);
  return each.map(({ path, passed, failed: failures, share, firstFailure }, i) => ({
    name: repeated.has(names[i]) ? `${names[i]}, ${path}` : names[i],
    total: passed + failures,
    failures,
    passed: passedShare(share),
    failure: firstFailure ? `${firstFailure.message}${iterationText(firstFailure)}` : '',
  }));
}

/** @type {(check: ChecksSummary['details'][0]) => string} */
function nameOf({ operation, scenario, name }) {
  return `${operation === '' ? '' : `${operation}: `}${name}${scenario === undefined ? '' : ` (${scenario})`}`;
}

/** The bounds that a result has met, as sentences. @type {(result: Pick<Result, 'validity'>) => string[]} */
export function boundNotes({ validity }) {
  return (validity.remarks ?? []).filter(({ code }) => code === 'bound').map(({ message }) => message);
}

/** One line about all checks: `1,980 of 2,000 passed (99 %)`. @type {(checks: ChecksSummary) => string} */
export function checksLine({ passed, failed, share }) {
  if (share === null) return 'nothing was checked';
  return `${count(passed)} of ${count(passed + failed)} passed (${passedShare(share)})`;
}

/** The share of the passes as a percentage; 100 % only if all passed. @type {(share: number | null) => string} */
export function passedShare(share) {
  if (share === null) return '-';
  const value = share * 100;
  if (value > 99.9 && value < 100) return '> 99.9 %';
  return `${Number.isInteger(value) ? value : value < 0.1 ? '< 0.1' : value.toFixed(1)} %`;
}

/** @type {(failure: { index: number | null }) => string} */
function iterationText({ index }) {
  return index === null ? '' : ` in iteration ${count(index)}`;
}

/**
 * Describes how busy a load generator or a server was. A process has no event loop that a run can measure, a thread has
 * no memory of its own.
 * @type {(usage: ProcessUsage) => string[]}
 */
export function usageText({
  eventLoopUtilization,
  eventLoopDelay,
  cpuTime,
  gcTime,
  cpuCores,
  cpuTimePerRequest,
  memory,
}) {
  return [
    ...(eventLoopUtilization === undefined ? [] : [`event loop busy ${percent(eventLoopUtilization)}`]),
    ...(eventLoopDelay === undefined ? [] : [`delay p99 ${ms(eventLoopDelay.p99)} ms`]),
    `CPU ${ms(cpuTime)} ms`,
    ...(gcTime === undefined ? [] : [`GC ${ms(gcTime)} ms`]),
    ...(cpuCores === undefined ? [] : [`${rate(cpuCores)} cores busy`]),
    ...(typeof cpuTimePerRequest === 'number' ? [`${decimal(cpuTimePerRequest * 1000, 1)} µs per request`] : []),
    ...(memory === undefined ? [] : [`memory ${bytes(memory.mean)}, at most ${bytes(memory.peak)}`]),
  ];
}

/**
 * Tells how evenly the arrivals of an open run were spaced. Empty in a closed run, and with too few arrivals for a
 * percentile.
 * @type {(result: Pick<Stats, 'iterations' | 'loadGenerator'>) => string}
 */
export function spacingText({ iterations, loadGenerator }) {
  const { p95 = null, p99 = null } = loadGenerator.spacing ?? {};
  if (!isOpen({ iterations }) || p95 === null) return '';
  return `spaced within ${ms(p95)} ms${p99 === null ? '' : ` (p99 ${ms(p99)} ms)`}`;
}

/**
 * Half of the confidence interval of a figure, behind its text: ` ± 0.9`; empty if it has none.
 * @type {(result: Pick<Result, 'confidence'>, figure: string, format: (value: number) => string) => string}
 */
export function marginOf({ confidence }, figure, format) {
  const { actual = null, interval = null } =
    confidence?.figures.find((one) => statisticOf(one.figure) === figure) ?? {};
  return actual === null || interval === null ? '' : margin(format(actual), actual, interval, format);
}

/**
 * The main figures as all reports print them: the rate, then p50, p95 and p99. One that the load generator touched is a
 * range, which has no margin.
 * @type {(result: Pick<Result, 'iterations' | 'main' | 'loadGenerator' | 'measuredElapsed' | 'confidence'>, format?:
 *   typeof ms) => { label: string, value: string, margin: string }[]}
 */
export function mainFigures(result, format = ms) {
  const { completed, least } = result.main;
  const range = rangeOfRate(result);
  return [
    {
      label: 'iterations',
      value: range === null ? rate(result.iterations.completedRate) : rangeText(range, rate),
      margin: range === null ? marginOf(result, COMPLETED_RATE, rate) : '',
    },
    ...MAIN_PERCENTILES.map(({ label, key }) => ({
      label,
      value: markedRange(completed, least, key, format),
      margin: rangeOf(completed, least, key) === null ? marginOf(result, label, format) : '',
    })),
  ];
}

/**
 * Lists the times of a run that were measured: of its iterations, requests and connections.
 * @type {(stats: Stats) => { key: string, label: string, summary: HistogramSummary }[]}
 */
export function latencyRows(stats) {
  return HISTOGRAMS.flatMap(({ key, path, label, isShown }) => {
    const summary = valueAt(stats, path);
    if (!label || !summary || summary.count === 0 || !isShown(stats)) return [];
    return [{ key, label: typeof label === 'string' ? label : label(stats), summary }];
  });
}

/** Lists counters of a group above zero. @type {(stats: Stats, group: string) => { label: string, value: number }[]} */
export function counterRows(stats, group) {
  return [...COUNTERS, ...OTHERS].flatMap(({ path, label }) => {
    const value = valueAt(stats, path) ?? 0;
    return path.slice(0, path.lastIndexOf('.')) === group && label && value > 0
      ? [{ label: String(label), value }]
      : [];
  });
}

/**
 * @typedef {object} ColumnHead the lines at the top of a page or a picture
 * @property {string} title
 * @property {string} subtitle the load and the target; empty if they are unknown
 * @property {string[]} about date, version and machine
 */

/**
 * @typedef {object} DescribedRun
 * @property {{ source: string }} flow
 * @property {{ text: string }[]} loads
 * @property {string[]} origins
 * @property {string[]} [proxies]
 */

/** Origins or proxies, and characters of each text: a result may come from someone else, and have any number. */
const MOST = 5;
const LONGEST = 200;

/**
 * @type {(result: Pick<Result, 'title' | 'startedAt' | 'operations' | 'loadGenerators'> & Partial<Pick<Result, 'tool'>>
 *   & { run?: DescribedRun }) => ColumnHead}
 */
export function headOf({ title, tool, startedAt = '', run, operations, ...result }) {
  if (!run) return { title: title ?? 'result', subtitle: '', about: [] };
  const { flow } = run;
  return {
    title: title ?? (fileOf(flow.source) || (operations[0]?.name ?? 'flow')),
    subtitle: `${loadText(run)}${targetText(run)}`,
    about: [
      ...(startedAt === '' ? [] : [`${startedAt.slice(0, 10)} ${startedAt.slice(11, 19)} UTC`]),
      toolText({ tool }),
      ...machineTexts(result),
    ],
  };
}

/** @type {(result: Partial<Pick<Stats, 'tool'>>) => string} */
export function toolText({ tool }) {
  return tool ? shortened(`${tool.name} ${tool.version}`, LONGEST) : 'bench-rest';
}

/**
 * The machines that sent the load: their runtime, and their system with its processor.
 *
 * @param {Pick<Stats, 'loadGenerators'>} result
 * @returns {string[]} one text for each if all machines are alike; empty if they are not known
 */
export function machineTexts(result) {
  const machines = machinesOf(result);
  if (new Set(machines).size > 1) return [`${machines.length} different machines`];
  const [machine] = (result.loadGenerators ?? []).flatMap((one) => one.machine ?? []);
  return machine ? partsOf(machine).map((text) => shortened(text, LONGEST)) : [];
}

/** Each machine in words. @type {(result: Pick<Stats, 'loadGenerators'>) => string[]} */
export function machinesOf({ loadGenerators = [] }) {
  return loadGenerators.flatMap(({ machine }) => (machine ? partsOf(machine).join(', ') : []));
}

/** @type {(machine: Machine) => string[]} */
function partsOf(machine) {
  return [runtimeOf(machine), systemOf(machine)].filter((text) => text !== '');
}

/** `Node 20.20.2`. @type {(machine: Machine) => string} */
function runtimeOf({ runtime = '' }) {
  return capitalized(runtime);
}

/** `linux, 8 x CPU`. @type {(machine: Machine) => string} */
function systemOf({ platform, cores, cpuModel }) {
  if (platform === undefined) return '';
  return `${platform}, ${cores} x ${cpuModel ?? 'CPU'}`;
}

/** The name of a file; empty for URLs, and for flows of the command line. @type {(from: string) => string} */
export function fileOf(from) {
  return from === '-e' || isUrl(from) ? '' : basename(from);
}

/** Reports whether the source of a flow is a URL. @type {(from: string) => boolean} */
export function isUrl(from) {
  return /^\w+:\/\//.test(from);
}

/**
 * Returns where requests go, for a sentence about the load: ` against http://a, http://b through the proxy http://p`;
 * empty if nothing is known.
 * @type {(run: { origins: string[], proxies?: string[] }) => string}
 */
export function targetText({ origins, proxies = [] }) {
  const target = origins.length > 0 ? ` against ${someOf(origins)}` : '';
  return proxies.length > 0 ? `${target} through the proxy ${someOf(proxies)}` : target;
}

/** @type {(names: string[]) => string} */
function someOf(names) {
  return listOf(
    names.slice(0, MOST).map((name) => shortened(name, LONGEST)),
    MOST,
    names.length,
  );
}
