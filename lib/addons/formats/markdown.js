import { count, ms, number, percent, rate } from '../../core/ground/decimal.js';
import { loadText } from '../../core/measure/document.js';
import { MAIN_PERCENTILES } from '../../core/measure/percentiles.js';
import { partsOf } from '../../core/measure/transactions.js';
import { listedRows, metricRows } from '../../core/measure/user-metrics.js';
import { hintedErrors, shortExchange } from '../../core/report/errors.js';
import { escaped as cell, table } from './markup.js';
import { findingsOf, goalRows, outcomeOf, trustOf } from '../../core/report/outcome.js';
import { mainFigures, targetText } from '../../core/report/rows.js';
import { sectionsOf } from '../../core/report/sections.js';
import { marked, markedRange } from '../../core/report/supported.js';
import { DEFAULT_WIDTH, glyphsOf } from '../../core/report/terminal.js';
import { MILLISECONDS, painter } from '../../core/report/text/layout.js';

/** @import { HistogramSummary } from '../../core/contracts/summaries.js' */
/** @import { Verdict } from '../../core/measure/outcome.js' */
/** @import { Style } from '../../core/report/text/layout.js' */
/** @import { Block, BlockOptions, Render, Result } from '../../core/report/types.js' */

/** The statistics of a table of times. */
const TIMES = /** @type {const} */ ([...MAIN_PERCENTILES, { key: 'max', label: 'max' }]);
const TIME_HEADS = TIMES.map(({ label }, i) => (i === 0 ? `${label}, ms` : label));
const MARKS = { passed: '✅', undecided: '❔', failed: '❌' };
/** What sections may need to know. @type {BlockOptions} */
export const BLOCK_OPTIONS = {
  ...{ format: 'markdown', quiet: false, full: true },
  ...{ glyphs: glyphsOf(true), scale: MILLISECONDS, paint: painter(false), width: DEFAULT_WIDTH },
};
/** Failed requests that are printed in full. */
const MAX_EXCHANGES = 3;

/** The sections in their order. @type {{ name: string, blocksOf: (result: Result) => Block[] }[]} */
const SECTIONS = sectionsOf(
  'markdown',
  [
    { name: 'headline', blocksOf: headline },
    { name: 'load', blocksOf: ({ run }) => (run ? [textBlock(`${loadText(run)}${targetText(run)}`)] : []) },
    { name: 'remarks', blocksOf: remarks },
    { name: 'thresholds', blocksOf: thresholds },
    { name: 'figures', blocksOf: figures },
    { name: 'errors', blocksOf: errors },
    { name: 'exchanges', blocksOf: exchanges },
  ],
  (blocksOf) => ({ blocksOf: (result) => blocksOf(result, BLOCK_OPTIONS) }),
);

/** Writes a result for a pull request. @type {Render} */
export function render(result) {
  return markdownOf(SECTIONS.flatMap(({ blocksOf }) => blocksOf(result)));
}

/** Writes pieces of sections, or of a document, and escapes their texts. @type {(blocks: Block[]) => string} */
export function markdownOf(blocks) {
  return `${joined(blocks.map(blockText))}\n`;
}

/** @type {(texts: string[]) => string} */
function joined(texts) {
  return texts.filter(Boolean).join('\n\n');
}

/** @type {(text: string) => Block} */
function textBlock(text) {
  return { lines: [{ text }] };
}

/** @type {(result: Result) => Block[]} */
function headline(result) {
  const { status, headline: first, details } = outcomeOf(result);
  const text = `${MARKS[status]} ${result.title ?? 'bench-rest'}: ${status}`;
  return [{ title: { text, level: 3 }, ...textBlock(`${first} ${details}`.trim()) }];
}

/** @type {(result: Result) => Block[]} */
function remarks(result) {
  const trust = trustOf(result);
  return [...findingsOf(result), ...(trust === null ? [] : [trust])].map(textBlock);
}

/** @type {(result: Result) => Block[]} */
function thresholds(result) {
  const columns = ['threshold', 'measured', ''].map((head) => ({ head, isText: true }));
  const rows = goalRows(result).map(({ expression, measured, state }) => [
    expression,
    measured,
    { text: state, state },
  ]);
  return [{ columns, rows }];
}

/** @type {(summary: HistogramSummary, least?: HistogramSummary) => string[]} */
function timeCells(summary, least) {
  return TIMES.map(({ key }) => (key === 'max' ? marked(summary, key, ms) : markedRange(summary, least, key, ms)));
}

/** Iterations, operations and metrics in one table. @type {(result: Result) => Block[]} */
function figures(result) {
  const { main, iterations, errors: all } = result;
  const share = all.share === undefined || all.share === null ? '' : ` (${percent(all.share)})`;
  const { listed, rest } = listedRows(metricRows(result));
  const columns = ['', 'count', 'errors', 'per second', ...TIME_HEADS].map((head, i) => ({ head, isText: i === 0 }));
  const rows = [
    [
      'iterations',
      count(iterations.started),
      `${count(all.count)}${share}`,
      ...mainFigures(result).map(({ value, margin }) => `${value}${margin}`),
      ...timeCells(main.completed).slice(MAIN_PERCENTILES.length),
    ],
    ...partsOf(result).map(({ kind, name, summary, time }) => [
      ...[`${kind}: ${name}`, count(summary.count), count(summary.errors), ''],
      ...timeCells(time, summary.times.least),
    ]),
    ...listed.map(({ kind, name, count: value, rate: perSecond, values }) => [
      ...[`${kind}: ${name}`, number(value), '', perSecond === null ? '' : rate(perSecond)],
      ...(values ? timeCells(values) : TIMES.map(() => '')),
    ]),
    ...rest.map((text) => [text, '', '', '', ...TIMES.map(() => '')]),
  ];
  return [{ columns, rows }];
}

/** @type {(result: Result) => Block[]} */
function errors(result) {
  const columns = ['errors', 'kind', 'where', 'message'].map((head, i) => ({ head, isText: i > 0 }));
  const rows = hintedErrors(result).map((group) => [count(group.count), group.kind, group.where, group.message]);
  return [{ columns, rows }];
}

/** The first failed request of each of the largest groups. @type {(result: Result) => Block[]} */
function exchanges(result) {
  return hintedErrors(result)
    .slice(0, MAX_EXCHANGES)
    .flatMap(({ kind, where, exchange }) => {
      const folded = `first request with an error of kind ${kind} in ${where}`;
      return exchange ? [{ folded, plain: shortExchange(exchange, 'in the JSON result') }] : [];
    });
}

/** @type {(block: Block) => string} */
function blockText({ title, plain = [], lines = [], columns = [], rows = [], times, remarks: notes = [], ...block }) {
  const { list = [], folded } = block;
  const isHeading = title !== undefined && (title.level !== undefined || rows.length === 0);
  const heads = columns.map(({ head }, i) => cell(i === 0 && title && !isHeading ? title.text : head));
  const cells = rows.map((row) =>
    row.map((one, i) => (typeof one === 'string' && !columns[i].isText ? one : styled(one))),
  );
  const items = [
    ...notes.map(({ name, text }) => cell(name === undefined ? text : `${name}: ${text}`)),
    ...list.map(({ link, ...one }) => `${styled(one)}${link ? `  ${linkText(link)}` : ''}`),
  ];
  // Indented as code, in which nothing is interpreted.
  const bare = joined([plain.map((line) => `    ${line}`).join('\n'), table(heads, cells)]);
  return joined([
    isHeading ? `${title.level ? `${'#'.repeat(title.level)} ` : ''}${cell(title.text)}` : '',
    ...lines.map(({ name, ...one }) => `${name === undefined ? '' : `${name.trim()}: `}${styled(one)}`),
    folded === undefined ? bare : `<details><summary>${cell(folded)}</summary>\n\n${bare}\n\n</details>`,
    times ? timesTable(times) : '',
    items.map((item) => `- ${item}`).join('\n'),
  ]);
}

/** Colors that are bold: those of a pass, a doubt and a failure. */
const BOLD = ['green', 'yellow', 'red'];

/** A mark of a pass is not bold. @type {(one: string | { text: string, style?: Style, state?: Verdict }) => string} */
function styled(one) {
  if (typeof one === 'string') return cell(one);
  const { text, style = '', state = 'passed' } = one;
  return BOLD.includes(style) || state !== 'passed' ? `**${cell(text)}**` : cell(text);
}

/** @type {(trace: { id: string, link?: string }) => string} */
function linkText({ id, link = '' }) {
  return /^https?:\/\/[^\s<>()|\\`]+$/i.test(link) ? `[${cell(id)}](<${link}>)` : cell(id);
}

/** @type {(times: NonNullable<Block['times']>) => string} */
function timesTable({ head, rows }) {
  const cells = rows.map(({ name, summary }) => [cell(name), count(summary.count), ...timeCells(summary)]);
  return table([head, 'count', ...TIME_HEADS], cells);
}
