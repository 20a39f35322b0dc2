import { count, ms, number, percent, rate } from '../../ground/decimal.js';
import { loadText } from '../../measure/document.js';
import { MAIN_PERCENTILES } from '../../measure/percentiles.js';
import { partsOf } from '../../measure/transactions.js';
import { listedRows, metricRows } from '../../measure/user-metrics.js';
import { AGENT_COLUMNS, agentRows, machinesLine } from '../../../addons/agents/report/agents.js';
import { baselineRemarks, baselineRows } from '../../../addons/compare/report/rows.js';
import { hintedErrors, shortExchange } from '../errors.js';
import { http2CodeRows, http2Lines } from '../../../addons/http2/report/http2.js';
import { LOAD_COLUMNS, loadRows } from '../../../addons/loads/report/loads.js';
import { escaped as cell, table as bareTable } from '../markup.js';
import { findingsOf, goalRows, outcomeOf, trustOf } from '../outcome.js';
import {
  FEW_HOTTEST,
  PROFILE_TITLES,
  hottestRows,
  operationRows,
  profileText,
} from '../../../addons/server/report/profile.js';
import { addressRows, checkRows, logLines, mainFigures, sectionTable, slowestTraces, targetText } from '../rows.js';
import { serverParts, watchedServers } from '../../../addons/server/report/server.js';
import { streamRows, streamTexts } from '../../../addons/streams/report/streams.js';
import { marked, markedAt, markedRange, withSupportedPercentiles } from '../supported.js';

/** @import { HistogramSummary } from '../../contracts/summaries.js' */
/** @import { Render, Result } from '../types.js' */

/** The statistics of a table of times. */
const TIMES = /** @type {const} */ ([...MAIN_PERCENTILES, { key: 'max', label: 'max' }]);
const TIME_HEADS = TIMES.map(({ label }, i) => (i === 0 ? `${label}, ms` : label));
const MARKS = { passed: '✅', undecided: '❔', failed: '❌' };
/** Failed requests that are printed in full. */
const MAX_EXCHANGES = 3;

/** Writes a result as tables for a pull request. Texts are escaped in each cell. @type {Render} */
export function render(complete) {
  const result = withSupportedPercentiles(complete);
  const { status, headline, details } = outcomeOf(result);
  const trust = trustOf(result);
  const sentences = [...findingsOf(result), ...(trust === null ? [] : [trust])];
  const parts = [
    `### ${MARKS[status]} ${cell(result.title ?? 'bench-rest')}: ${status}\n`,
    `${cell(`${headline} ${details}`.trim())}\n`,
    load(result),
    sentences.map((sentence) => `${cell(sentence)}\n`).join('\n'),
    thresholdsTable(result),
    checksTable(result),
    agentsTable(result),
    loadsTable(result),
    figuresTable(result),
    http2Part(result),
    serverPart(result),
    profileTables(result),
    tracesTable(result),
    streamsTable(result),
    baselineTable(result),
    percentilesTable(result),
    errorsTable(result),
    exchanges(result),
    addressesTable(result),
    sectionPart(result),
    log(result),
  ];
  return `${parts.filter(Boolean).join('\n')}\n`;
}

/** @type {(result: Result) => string} */
function load({ run }) {
  return run ? `${cell(`${loadText(run)}${targetText(run)}`)}\n` : '';
}

/** @type {(result: Result) => string} */
function thresholdsTable(result) {
  const rows = goalRows(result).map(({ expression, measured, state }) => [
    cell(expression),
    cell(measured),
    state === 'passed' ? state : `**${state}**`,
  ]);
  return table(['threshold', 'measured', ''], rows);
}

/** @type {(result: Result) => string} */
function checksTable(result) {
  const rows = checkRows(result).map(({ name, total, failures, passed, failure }) => [
    cell(name),
    count(total),
    failures > 0 ? `**${count(failures)}**` : '0',
    passed,
    cell(failure),
  ]);
  return table(['checks', 'count', 'failed', 'passed', 'first failure'], rows);
}

/** @type {(result: Result) => string} */
function agentsTable(result) {
  if (!result.agents) return machinesLine(result) && `${machinesLine(result)}\n`;
  const rows = agentRows(result).map(({ cells, isLost }) =>
    cells.map((text, i) => (isLost && i === cells.length - 1 ? `**${cell(text)}**` : cell(text))),
  );
  const [, ...heads] = AGENT_COLUMNS.map(({ head }) => head);
  return table([machinesLine(result), ...heads], rows);
}

/** The loads of a run with several. @type {(result: Result) => string} */
function loadsTable(result) {
  const rows = loadRows(result).map(({ name, cells, state }) => {
    const verdict = cell(String(cells.at(-1)));
    return [cell(name), ...cells.slice(0, -1).map(cell), state === 'passed' ? verdict : `**${verdict}**`];
  });
  return table(['load', ...LOAD_COLUMNS.map(({ head }) => head)], rows);
}

/** @type {(summary: HistogramSummary, least?: HistogramSummary) => string[]} */
function timeCells(summary, least) {
  return TIMES.map(({ key }) => (key === 'max' ? marked(summary, key, ms) : markedRange(summary, least, key, ms)));
}

/** Iterations, operations and metrics in one table. @type {(result: Result) => string} */
function figuresTable(result) {
  const { main, iterations, errors } = result;
  const share = errors.share === undefined || errors.share === null ? '' : ` (${percent(errors.share)})`;
  const { listed, rest } = listedRows(metricRows(result));
  return table(
    ['', 'count', 'errors', 'per second', ...TIME_HEADS],
    [
      [
        'iterations',
        count(iterations.started),
        `${count(errors.count)}${share}`,
        ...mainFigures(result).map(({ value, margin }) => `${value}${margin}`),
        ...timeCells(main.completed).slice(MAIN_PERCENTILES.length),
      ],
      ...partsOf(result).map(({ kind, name, summary, time }) => [
        cell(`${kind}: ${name}`),
        count(summary.count),
        count(summary.errors),
        '',
        ...timeCells(time, summary.times.least),
      ]),
      ...listed.map(({ kind, name, count: value, rate: perSecond, values }) => [
        cell(`${kind}: ${name}`),
        number(value),
        '',
        perSecond === null ? '' : rate(perSecond),
        ...(values ? timeCells(values) : TIMES.map(() => '')),
      ]),
      ...rest.map((text) => [text, '', '', '', ...TIMES.map(() => '')]),
    ],
  );
}

/** @type {(result: Result) => string} */
function streamsTable(result) {
  const rows = streamRows(result).map(({ operation, label, summary }) => [
    cell(`${operation}: ${label}`),
    count(summary.count),
    ...timeCells(summary),
  ]);
  const texts = streamTexts(result).map(({ operation, text }) => `- ${cell(`${operation}: ${text}`)}\n`);
  if (texts.length === 0) return '';
  const head = ['streams', 'count', ...TIME_HEADS];
  return `${table(head, rows)}\n${texts.join('')}`;
}

/** The changes against an earlier result. @type {(result: Result) => string} */
function baselineTable({ baseline }) {
  if (!baseline) return '';
  const rows = baselineRows(baseline).map(({ name, base, other, change, interval, verdict }) => [
    cell(name),
    base,
    other,
    change,
    interval,
    verdict === 'worse' ? '**worse**' : verdict,
  ]);
  const remarks = baselineRemarks(baseline).map((remark) => `- ${cell(remark)}\n`);
  const head = [`compared with ${cell(baseline.from)}`, 'before', 'now', 'change', 'between', ''];
  return `${table(head, rows)}${remarks.length > 0 ? `\n${remarks.join('')}` : ''}`;
}

/** @type {(result: Result) => string} */
function percentilesTable({ percentiles = [], main }) {
  if (percentiles.length === 0) return '';
  const heads = percentiles.map(({ percentile }) => `p${percentile}, ms`);
  const cells = percentiles.map((one) => markedAt(ms(one.responseTime), main.completed.count, one.percentile));
  return table(['', ...heads], [['response time', ...cells]]);
}

/** @type {(result: Result) => string} */
function errorsTable(result) {
  const rows = hintedErrors(result).map((group) => [
    count(group.count),
    cell(group.kind),
    cell(group.where),
    cell(group.message),
  ]);
  return table(['errors', 'kind', 'where', 'message'], rows);
}

/** The first failed request of each of the largest groups. @type {(result: Result) => string} */
function exchanges(result) {
  return hintedErrors(result)
    .slice(0, MAX_EXCHANGES)
    .filter(({ exchange }) => exchange)
    .map(({ kind, where, exchange = [] }) => {
      const title = `first request with an error of kind ${kind} in ${where}`;
      const lines = shortExchange(exchange, 'in the JSON result');
      return `\n<details><summary>${cell(title)}</summary>\n\n${indented(lines)}\n</details>\n`;
    })
    .join('');
}

/** @type {(result: Result) => string} */
function addressesTable(result) {
  const { rows, more } = addressRows(result);
  const lines = rows.map(({ name, address, figures, hasFailed }) => [
    cell(address),
    cell(name),
    hasFailed ? `**${cell(figures)}**` : cell(figures),
  ]);
  return `${table(['addresses', 'of', ''], lines)}${more ? `\n${more}\n` : ''}`;
}

/** @type {(result: Result) => string} */
function http2Part(result) {
  const lines = http2Lines(result).map(({ name, parts }) => `\n${name}: ${cell(parts.join(', '))}\n`);
  const rows = http2CodeRows(result).map(({ event, code, count: times, message }) =>
    [event, code, times, message].map(cell),
  );
  return `${lines.join('')}${table(['HTTP/2', 'code', 'count', 'first one'], rows)}`;
}

/** The files of the log of requests, and exports of metrics. @type {(result: Result) => string} */
function log(result) {
  return logLines(result)
    .map(({ text, state }) => `\n${state === 'complete' ? cell(text) : `**${cell(text)}**`}\n`)
    .join('');
}

/** Indents lines as code, in which nothing is interpreted. @type {(lines: string[]) => string} */
function indented(lines) {
  return lines.map((line) => `    ${line}\n`).join('');
}

/** @type {(result: Result) => string} */
function serverPart({ servers }) {
  return watchedServers(servers)
    .map((server) => {
      const notes = (server.conclusions ?? []).map(({ message }) => `- ${cell(message)}\n`);
      return `\nserver: ${cell(serverParts(server).join(' · '))}\n${notes.length > 0 ? `\n${notes.join('')}` : ''}`;
    })
    .join('');
}

/** @type {(result: Result) => string} */
function profileTables({ profiles = [] }) {
  return profiles
    .flatMap((profile) => {
      const rows = hottestRows(profile, FEW_HOTTEST).map(({ name, place, share }) => [cell(name), cell(place), share]);
      const shares = operationRows(profile, FEW_HOTTEST).map(({ name, share }) => [cell(name), share]);
      const title = PROFILE_TITLES[profile.kind];
      return [
        `\n${title}: ${cell(profileText(profile))}\n`,
        table(['function', 'called at', 'share'], rows),
        table([`${title} by operation`, 'share'], shares),
      ];
    })
    .join('');
}

/** @type {(result: Result) => string} */
function tracesTable(result) {
  const rows = slowestTraces(result).map(({ serviceTime, operation, trace: { id, link = '' } }) => [
    cell(operation),
    ms(serviceTime),
    /^https?:\/\/[^\s<>()|\\`]+$/i.test(link) ? `[${cell(id)}](<${link}>)` : cell(id),
  ]);
  return table(['slowest requests', 'ms', 'trace'], rows);
}

/** @type {(result: Result) => string} */
function sectionPart({ section }) {
  if (!section) return '';
  const { title, lines = [] } = section;
  const { columns, rows } = sectionTable(section, cell);
  return [
    `\n#### ${cell(title)}\n`,
    ...(lines.length > 0 ? [`\n${indented(lines)}`] : []),
    table(
      columns.map(({ head }) => head),
      rows,
    ),
  ].join('');
}

/** @type {(head: string[], rows: string[][]) => string} */
function table(head, rows) {
  return rows.length > 0 ? `\n${bareTable(head, rows)}\n` : '';
}
