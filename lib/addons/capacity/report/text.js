import { counted } from '../../../core/ground/decimal.js';
import { safe } from '../../../core/text/safe.js';
import { escaped, joinedParts, list, table as markdownTable } from '../../../core/report/markup.js';
import { DEFAULT_WIDTH, glyphsOf, widthWithin, forLocale } from '../../../core/report/terminal.js';
import { cut, joinedBlocks, padded, painter, table, wrapped } from '../../../core/report/text/layout.js';
import { STEP_HEAD, aboutText, headText, remarksOf, stepRow } from './rows.js';

/** @import { Capacity, CapacityStep } from '../capacity.js' */
/** @import { Glyphs } from '../../../core/report/terminal.js' */
/** @import { Paint, Style } from '../../../core/report/text/layout.js' */
/** @import { RenderDocument } from '../../../core/report/types.js' */

const INDENT = '  ';
/** Columns of a note in the table. Lines that are printed during the search have all of it. */
const NOTE = 36;
/** @type {Record<CapacityStep['outcome']['status'], Style>} */
const STYLES = { passed: 'green', failed: 'red', saturated: 'yellow' };

/** The table of steps, and the capacity that they show. @type {RenderDocument<Capacity>} */
export function render(capacity, { color = false, width: given = DEFAULT_WIDTH, unicode = true } = {}) {
  const width = widthWithin(given);
  const paint = painter(color);
  const glyphs = glyphsOf(unicode);
  const parts = [
    [paint('dim', wrapped(headText(capacity), 0, width))],
    stepLines(capacity, { width, paint, glyphs }),
    remarksOf(capacity).map((text) => wrapped(text, 2, width)),
    [paint('bold', wrapped(capacity.conclusion.message, 0, width))],
  ];
  return forLocale(joinedBlocks(parts), unicode);
}

/** @type {(capacity: Capacity, options: { width: number, paint: Paint, glyphs: Glyphs }) => string[]} */
function stepLines({ steps, by }, { width, paint, glyphs }) {
  const marks = marksOf(glyphs);
  const columns = [
    // Narrow terminals have no p50.
    ...STEP_HEAD.map((head, i) => ({ head, ...(i === 2 && { spare: 0 }) })),
    { head: '', isText: true },
    { head: '', isText: true },
  ];
  const rows = steps.map((step) => {
    const { load, throughput, p50, p95, p99, errors, status, note } = stepRow(step, by);
    const mark = { text: marks[status], style: STYLES[status] };
    return [load, throughput, p50, p95, p99, errors, mark, cut(note, NOTE, glyphs.ellipsis)];
  });
  return table(columns, rows, { width, paint, glyphs });
}

/**
 * The mark of each status: a step whose load generator was saturated does not show whether its load holds.
 * @type {(glyphs: Glyphs) => Record<CapacityStep['outcome']['status'], string>}
 */
function marksOf({ passed, failed }) {
  return { passed, failed, saturated: '?' };
}

/**
 * A step that has ended, as the line that is printed during the search.
 * @type {(step: CapacityStep, place: { number: number, by: Capacity['by'] }, options: { color: boolean, unicode:
 *   boolean }) => string}
 */
export function stepLine(step, { number, by }, { color, unicode }) {
  const paint = painter(color);
  const glyphs = glyphsOf(unicode);
  const { load, throughput, p95, p99, status, note } = stepRow(step, by);
  const mark = marksOf(glyphs)[status];
  const figures = `${throughput}, p95 ${p95} ms, p99 ${p99} ms, ${counted(step.errors.count, 'error')}`;
  return `${INDENT}${String(number).padStart(2)}  ${paint(STYLES[status], mark)} ${padded(load, by === 'rate' ? 10 : 20)}${figures}${note && `: ${safe(note)}`}`;
}

const MARKS = { passed: '✅', failed: '❌', saturated: '⚠️' };

/** A comment for a pull request: the sentence first. @type {RenderDocument<Capacity>} */
export function renderMarkdown(capacity) {
  const { conclusion, steps, by } = capacity;
  const rows = steps.map((step) => {
    const { load, throughput, p50, p95, p99, errors, status, note } = stepRow(step, by);
    return [load, throughput, p50, p95, p99, errors, MARKS[status], escaped(note)];
  });
  return joinedParts([
    `### ${escaped(conclusion.message)}`,
    escaped(headText(capacity)),
    markdownTable([...STEP_HEAD, '', ''], rows),
    list(remarksOf(capacity)),
    escaped(aboutText(capacity).join(' · ')),
  ]);
}
