import { counted, ms, percent, rate } from '../../../core/ground/decimal.js';
import { capitalized } from '../../../core/text/format-value.js';
import { regressionsIn } from '../../compare/measure/compared-figures.js';
import { VERDICT_STYLES, figureName } from '../../compare/report/rows.js';
import { DEFAULT_WIDTH, forLocale, glyphsOf, widthWithin } from '../../../core/report/terminal.js';
import { boldList, escaped, joinedParts, list, table as markdownTable } from '../../../core/report/markup.js';
import { joinedBlocks, painter, sparkline, table, wrapped } from '../../../core/report/text/layout.js';
import { groupBy, headText } from './index.js';

/** @import { Style } from '../../../core/report/text/layout.js' */
/** @import { LeftOut } from './entry.js' */
/** @import { History, HistoryGroup } from './index.js' */
/** @import { RenderDocument } from '../../../core/report/types.js' */

/** How a change of the level was found. */
export const METHOD =
  'Changes: seeded binary segmentation with a permutation test of all figures, at 1 %. Ranges: 95 % confidence intervals of the level. Noise: standard deviation of the runs between two changes.';

/** The tables of figures, their changes, and what the newest result is. @type {RenderDocument<History>} */
export function render(history, { color = false, width: given = DEFAULT_WIDTH, unicode = true } = {}) {
  const width = widthWithin(given);
  const paint = painter(color);
  const line = (/** @type {string} */ text) => wrapped(text, 2, width);
  const groups = history.groups.flatMap((group) => [
    [paint('bold', wrapped(headText(group), 0, width)), paint('dim', wrapped(aboutText(group), 0, width))],
    table(columnsOf(group), rowsOf(group, { unicode, width }), { width, paint, glyphs: glyphsOf(unicode) }),
    [
      ...group.changes.map((one) => paint(STYLES[one.verdict], line(`- ${one.message}`))),
      ...(group.newest ? [paint(STYLES[group.newest.verdict], line(`- ${group.newest.message}`))] : []),
      ...group.notes.map(({ message }) => line(`- ${message}`)),
    ],
  ]);
  const parts = [
    ...groups,
    leftOutTexts(history.leftOut).map((text) => line(`- ${text}`)),
    history.groups.length > 0 ? [paint('dim', wrapped(METHOD, 0, width))] : [],
    history.notes.map(({ message }) => paint('yellow', wrapped(capitalized(message), 0, width))),
    [paint('bold', wrapped(history.message, 0, width))],
  ];
  return forLocale(joinedBlocks(parts), unicode);
}

/** @type {Record<string, Style>} */
const STYLES = { ...VERDICT_STYLES, mixed: 'yellow', unknown: 'dim' };

/** A summary for a job of CI. @type {RenderDocument<History>} */
export function renderMarkdown(history) {
  const groups = history.groups.flatMap((group) => {
    const heads = columnsOf(group).map(({ head }) => head);
    const rows = rowsOf(group, { unicode: true, width: DEFAULT_WIDTH });
    const notes = [...group.changes, ...(group.newest ? [group.newest] : []), ...group.notes];
    return [
      `#### ${escaped(headText(group))}`,
      escaped(aboutText(group)),
      markdownTable(heads, rows),
      list(notes.map(({ message }) => message)),
    ];
  });
  return joinedParts([
    `### ${escaped(history.message)}`,
    boldList(regressionsIn(history.outcome)),
    list(history.notes.map(({ message }) => message)),
    ...groups,
    list(leftOutTexts(history.leftOut)),
  ]);
}

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

/**
 * The levels of each figure: the first, that of now with its range, and how much runs differ.
 * @type {(group: HistoryGroup, options: { unicode: boolean, width: number }) => string[][]}
 */
function rowsOf({ figures, changes, results }, { unicode, width }) {
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
        { heights: glyphsOf(unicode).heights, columns: Math.max(10, Math.min(MOST_COLUMNS, width - BESIDE)) },
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
