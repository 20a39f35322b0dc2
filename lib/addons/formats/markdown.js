import { count, ms, number, percent, rate } from '../../core/ground/decimal.js';
import { loadText } from '../../core/measure/document.js';
import { MAIN_PERCENTILES } from '../../core/measure/percentiles.js';
import { partsOf } from '../../core/measure/transactions.js';
import { listedRows, metricRows } from '../../core/measure/user-metrics.js';
import { hintedErrors, shortExchange } from '../../core/report/errors.js';
import { escaped as cell, table as bareTable } from './markup.js';
import { findingsOf, goalRows, outcomeOf, trustOf } from '../../core/report/outcome.js';
import {
  addressRows,
  checkRows,
  mainFigures,
  sectionTable,
  slowestTraces,
  targetText,
} from '../../core/report/rows.js';
import { sectionsOf } from '../../core/report/sections.js';
import { marked, markedAt, markedRange } from '../../core/report/supported.js';
import { DEFAULT_WIDTH, glyphsOf } from '../../core/report/terminal.js';
import { MILLISECONDS, painter } from '../../core/report/text/layout.js';

/** @import { HistogramSummary } from '../../core/contracts/summaries.js' */
/** @import { Outcome } from '../../core/measure/outcome.js' */
/** @import { Style } from '../../core/report/text/layout.js' */
/** @import { Block, BlockOptions, Render, Result } from '../../core/report/types.js' */

/** The statistics of a table of times. */
const TIMES = /** @type {const} */ ([...MAIN_PERCENTILES, { key: 'max', label: 'max' }]);
const TIME_HEADS = TIMES.map(({ label }, i) => (i === 0 ? `${label}, ms` : label));
const MARKS = { passed: '✅', undecided: '❔', failed: '❌' };
/** What sections of add-ons may need to know. @type {BlockOptions} */
export const BLOCK_OPTIONS = {
  format: 'markdown',
  ...{ glyphs: glyphsOf(true), scale: MILLISECONDS, paint: painter(false), width: DEFAULT_WIDTH, quiet: false },
};
/** Failed requests that are printed in full. */
const MAX_EXCHANGES = 3;

/** The sections in their order. @type {{ name: string, section: (result: Result) => string }[]} */
const SECTIONS = sectionsOf(
  'markdown',
  [
    { name: 'headline', section: headline },
    { name: 'load', section: load },
    { name: 'remarks', section: remarks },
    { name: 'thresholds', section: thresholdsTable },
    { name: 'checks', section: checksTable },
    { name: 'figures', section: figuresTable },
    { name: 'traces', section: tracesTable },
    { name: 'percentiles', section: percentilesTable },
    { name: 'errors', section: errorsTable },
    { name: 'exchanges', section: exchanges },
    { name: 'addresses', section: addressesTable },
    { name: 'section', section: sectionPart },
  ],
  ({ suits, load: loadModule }) => ({
    section: (result) =>
      suits(result) ? (loadModule().blocksOf?.(result, BLOCK_OPTIONS) ?? []).map(blockText).join('') : '',
  }),
);

/** Writes a result as tables for a pull request. Texts are escaped in each cell. @type {Render} */
export function render(result) {
  const parts = SECTIONS.map(({ section }) => section(result));
  return `${parts.filter(Boolean).join('\n')}\n`;
}

/** @type {(result: Result) => string} */
function headline(result) {
  const { status, headline: first, details } = outcomeOf(result);
  return `### ${MARKS[status]} ${cell(result.title ?? 'bench-rest')}: ${status}\n\n${cell(`${first} ${details}`.trim())}\n`;
}

/** @type {(result: Result) => string} */
function remarks(result) {
  const trust = trustOf(result);
  const sentences = [...findingsOf(result), ...(trust === null ? [] : [trust])];
  return sentences.map((sentence) => `${cell(sentence)}\n`).join('\n');
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
function percentilesTable({ percentiles = [], main }) {
  if (percentiles.length === 0) return '';
  const heads = percentiles.map(({ percentile }) => `p${percentile}, ms`);
  const cells = percentiles.map((one) =>
    markedAt(one.responseTime, { count: main.completed.count, percentile: one.percentile }, ms),
  );
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

/** A piece of a section of an add-on, or of a document. @type {(block: Block) => string} */
export function blockText({ title, lines = [], columns = [], rows = [], times, remarks: notes = [], ...block }) {
  const isHeading = title !== undefined && (title.level !== undefined || rows.length === 0);
  const heads = columns.map(({ head }, i) => cell(i === 0 && title && !isHeading ? title.text : head));
  const cells = rows.map((row) => row.map((one, i) => styled(one, columns[i].isText ? cell : (text) => text)));
  const items = [
    ...notes.map(({ name, text }) => cell(name === undefined ? text : `${name}: ${text}`)),
    ...(block.list ?? []).map((one) => styled(one, cell)),
  ];
  const bare = table(heads, cells);
  return [
    ...(isHeading ? [`${title.level ? `${'#'.repeat(title.level)} ` : ''}${cell(title.text)}\n`] : []),
    ...lines.map(({ name, ...one }) => `\n${name === undefined ? '' : `${name.trim()}: `}${styled(one, cell)}\n`),
    block.folded === undefined ? bare : `<details><summary>${block.folded}</summary>\n${bare}\n</details>\n`,
    ...(times ? [timesTable(times)] : []),
    ...(items.length > 0 ? [`\n${items.map((item) => `- ${item}\n`).join('')}`] : []),
  ].join('');
}

/** Colors that are bold in Markdown: those of a pass, a doubt and a failure. */
const BOLD = ['green', 'yellow', 'red'];

/**
 * Of what has a mark, only that of a pass is not bold.
 * @type {(cell: string | { text: string, style?: Style, state?: Outcome }, escape: (text: string) => string) => string}
 */
function styled(one, escape) {
  if (typeof one === 'string') return escape(one);
  const { text, style = '', state = 'passed' } = one;
  return BOLD.includes(style) || state !== 'passed' ? `**${escape(text)}**` : escape(text);
}

/** @type {(times: NonNullable<Block['times']>) => string} */
function timesTable({ head, rows }) {
  const cells = rows.map(({ name, summary }) => [cell(name), count(summary.count), ...timeCells(summary)]);
  return table([head, 'count', ...TIME_HEADS], cells);
}

/** Indents lines as code, in which nothing is interpreted. @type {(lines: string[]) => string} */
function indented(lines) {
  return lines.map((line) => `    ${line}\n`).join('');
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
