import { metricRows } from '../../measure/user-metrics.js';
import { count, measured, ms, number, percent, rate } from '../numbers.js';
import { targetText } from '../target-text.js';

/**
 * @import { HistogramSummary } from '../../measure/histogram.js'
 * @import { Render, Result } from '../types.js'
 */

/** @type {Render} */
export function render(result) {
  const { verdict, thresholds = [] } = result;
  const status = thresholds.some(({ passed }) => !passed) ? `${verdict.status}, thresholds failed` : verdict.status;
  const parts = [
    `### ${cell(result.title ?? 'bench-rest')}: ${cell(status)}\n${headline(result)}`,
    ...verdict.reasons.map((reason) => `- ${cell(reason)}`),
    thresholdsTable(result),
    figuresTable(result),
    percentilesTable(result),
    errorsTable(result),
    reportPart(result),
  ];
  return `${parts.filter(Boolean).join('\n')}\n`;
}

/** @type {(result: Result) => string} */
function headline({ run }) {
  if (!run) return '';
  return `\n${cell(`${run.shape}${targetText(run)}`)}\n`;
}

/** @type {(result: Result) => string} */
function thresholdsTable({ thresholds = [] }) {
  const rows = thresholds.map((threshold) => [
    cell(threshold.expression),
    cell(measured(threshold)),
    threshold.passed ? 'passed' : '**failed**',
  ]);
  return rows.length > 0 ? table(['threshold', 'measured', ''], rows) : '';
}

/** @type {(result: Result) => string} */
function figuresTable(result) {
  const { main, iterations, errors, operations } = result;
  const times = (/** @type {HistogramSummary} */ { median, p95, p99, max }) => [median, p95, p99, max].map(ms);
  const share = errors.share === undefined || errors.share === null ? '' : ` (${percent(errors.share)})`;
  return table(
    ['', 'count', 'errors', 'per second', 'p50, ms', 'p95', 'p99', 'max'],
    [
      [
        'iterations',
        count(iterations.started),
        `${count(errors.count)}${share}`,
        rate(iterations.rate),
        ...times(main.histogram),
      ],
      ...operations.map((one) => [
        cell(`${one.phase}: ${one.name}`),
        count(one.count),
        count(one.errors),
        '',
        ...times(one.serviceTime),
      ]),
      ...metricRows(result).map(({ kind, name, count: value, rate: perSecond, values }) => [
        cell(`${kind}: ${name}`),
        number(value),
        '',
        perSecond === null ? '' : rate(perSecond),
        ...(values ? times(values) : ['', '', '', '']),
      ]),
    ],
  );
}

/** @type {(result: Result) => string} */
function percentilesTable({ percentiles = [] }) {
  if (percentiles.length === 0) return '';
  return table(
    ['', ...percentiles.map(({ percentile }) => `p${percentile}, ms`)],
    [['response time', ...percentiles.map((one) => ms(one.ms))]],
  );
}

/** @type {(result: Result) => string} */
function errorsTable({ errors }) {
  const rows = errors.samples.map((group) => [
    count(group.count),
    cell(group.kind),
    cell(group.operation),
    cell(group.message),
  ]);
  return rows.length > 0 ? table(['errors', 'kind', 'where', 'message'], rows) : '';
}

/** Lines are indented, so that nothing in them is interpreted. @type {(result: Result) => string} */
function reportPart({ report }) {
  if (!report) return '';
  const { title, lines = [], columns = [], rows = [] } = report;
  const cells = rows.map((row) => row.map((value) => (typeof value === 'string' ? cell(value) : number(value))));
  return [
    `\n#### ${cell(title)}\n`,
    ...(lines.length > 0 ? [`\n${lines.map((line) => `    ${line}\n`).join('')}`] : []),
    ...(cells.length > 0 ? [table(columns.map(cell), cells)] : []),
  ].join('');
}

/** @type {(head: string[], rows: string[][]) => string} */
function table(head, rows) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return `\n${[line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')}\n`;
}

/** Escapes what Markdown or HTML would interpret. @type {(text: string) => string} */
function cell(text) {
  return text.replace(/[\\`*_{}[\]<>|#!~&@]|^[-+=]/g, (char) => `&#${char.charCodeAt(0)};`);
}
