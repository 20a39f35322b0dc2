import { counted, ms, percent, rate } from '../../../core/ground/decimal.js';
import { regressionsIn } from '../../compare/measure/compared-figures.js';
import { regressionsBlock } from '../../compare/report/blocks.js';
import { VERDICT_STYLES, figureName } from '../../compare/report/rows.js';
import { sparkline } from '../../../core/report/text/layout.js';
import { groupBy, headText } from './index.js';

/** @import { Style } from '../../../core/report/text/layout.js' */
/** @import { History, HistoryGroup, LeftOut } from '../history.js' */
/** @import { Block, BlockOptions } from '../../../core/report/types.js' */

/** How a change of the level was found. */
export const METHOD =
  'Changes: seeded binary segmentation with a permutation test of all figures, at 1 %. Ranges: 95 % confidence intervals of the level. Noise: standard deviation of the runs between two changes.';

/**
 * The tables of figures, their changes, and what the newest result is; Markdown, a summary for a job of CI, begins with
 * it.
 * @type {(history: History, options: BlockOptions) => Block[]}
 */
export function blocksOf({ groups, leftOut, notes, message, outcome }, options) {
  const isText = options.format === 'text';
  const found = groups.flatMap((group) => groupBlocks(group, options));
  const others = { list: leftOutTexts(leftOut).map((text) => ({ text })) };
  const doubts = { list: notes.map((note) => ({ text: note.message, style: /** @type {const} */ ('yellow') })) };
  if (!isText)
    return [{ title: { text: message, level: 3 } }, regressionsBlock(regressionsIn(outcome)), doubts, ...found, others];
  const method = groups.length > 0 ? [{ title: { text: METHOD, style: /** @type {const} */ ('dim') } }] : [];
  return [...found, others, ...method, doubts, { title: { text: message, style: 'bold' } }];
}

/** @type {(group: HistoryGroup, options: BlockOptions) => Block[]} */
function groupBlocks(group, options) {
  const { changes, newest, notes } = group;
  return [
    { title: { text: headText(group), style: 'bold', level: 4 }, lines: [{ text: aboutText(group), style: 'dim' }] },
    { columns: columnsOf(group), rows: rowsOf(group, options) },
    {
      list: [
        ...[...changes, ...(newest ? [newest] : [])].map((one) => ({ text: one.message, style: STYLES[one.verdict] })),
        ...notes.map((note) => ({ text: note.message })),
      ],
    },
  ];
}

/** @type {Record<string, Style>} */
const STYLES = { ...VERDICT_STYLES, mixed: 'yellow', unknown: 'dim' };

/** @type {(group: HistoryGroup) => string} */
export function aboutText({ results, machine }) {
  const [first, last] = [results[0], results[results.length - 1]].map(({ startedAt }) => startedAt.slice(0, 10));
  const time = first === last ? `of ${first}` : `from ${first} to ${last}`;
  return `${counted(results.length, 'result')} ${time}${machine && `, ${machine}`}`;
}

/** @type {(group: HistoryGroup) => { head: string, isText?: boolean, spare?: number }[]} */
function columnsOf({ changes }) {
  return [
    { head: '', isText: true },
    { head: 'first' },
    ...(changes.length > 0 ? [{ head: 'now' }] : []),
    { head: 'range' },
    { head: 'noise' },
    { head: 'trend', isText: true, spare: 0 },
  ];
}

/** Lists first and last levels, range and noise. @type {(group: HistoryGroup, options: BlockOptions) => string[][]} */
function rowsOf({ figures, changes, results }, { glyphs: { heights }, width }) {
  return figures.map(({ figure, unit, noise, levels }) => {
    const format = unit === 'ms' ? ms : rate;
    const [first, last] = [levels[0], levels[levels.length - 1]];
    const value = (/** @type {typeof first | undefined} */ level) => format(level?.value ?? null);
    const hasRange = last !== undefined && last.low !== null && last.high !== null;
    return [
      figureName(figure, unit),
      value(first),
      ...(changes.length > 0 ? [value(last)] : []),
      hasRange ? `${format(last.low)} to ${format(last.high)}` : '-',
      noise === null ? '-' : percent(noise),
      sparkline(
        results.map((one) => one.figures[figure]),
        { heights, columns: Math.max(10, Math.min(MOST_COLUMNS, width - BESIDE)) },
      ),
    ];
  });
}

const MOST_COLUMNS = 40;
/** Columns of the table beside the trend. */
const BESIDE = 62;
/** Files of a reason. */
const MOST_FILES = 3;

/** What is in no group, by its reason. @type {(leftOut: LeftOut[]) => string[]} */
export function leftOutTexts(leftOut) {
  return groupBy(leftOut, ({ message }) => message).map((alike) => {
    const [{ file, message }] = alike;
    if (alike.length === 1) return `left out: ${file} ${message}`;
    const names = alike.map((one) => one.file);
    const rest = names.length > MOST_FILES ? ` and ${names.length - MOST_FILES} more` : '';
    return `left out, as each ${message}: ${names.slice(0, MOST_FILES).join(', ')}${rest}`;
  });
}
