import { counted } from '../../../core/ground/decimal.js';
import { safe } from '../../../core/text/safe.js';
import { glyphsOf } from '../../../core/report/terminal.js';
import { cut, padded, painter } from '../../../core/report/text/layout.js';
import { STEP_HEAD, aboutText, headText, remarksOf, stepRow } from './rows.js';

/** @import { Capacity, CapacityStep } from '../capacity.js' */
/** @import { Glyphs } from '../../../core/report/terminal.js' */
/** @import { Style } from '../../../core/report/text/layout.js' */
/** @import { Block, BlockOptions } from '../../../core/report/types.js' */

const INDENT = '  ';
/** Columns of a note in the table. Lines that are printed during the search have all of it. */
const NOTE = 36;
/** @type {Record<CapacityStep['outcome']['status'], Style>} */
const STYLES = { passed: 'green', failed: 'red', saturated: 'yellow' };
/** Reports whether the load of a step held: a step whose load generator was saturated does not show it. */
const MARKS = {
  markdown: { passed: '✅', failed: '❌', saturated: '⚠️' },
  page: { passed: '✓ yes', failed: '✗ no', saturated: '? not known' },
};

/**
 * The steps, and the capacity that they show; Markdown, a comment for a pull request, begins with it.
 * @type {(capacity: Capacity, options: BlockOptions) => Block[]}
 */
export function blocksOf(capacity, options) {
  const { message } = capacity.conclusion;
  const found = [stepsBlock(capacity, options), { remarks: remarksOf(capacity).map((text) => ({ text })) }];
  const head = { text: headText(capacity) };
  if (options.format === 'text')
    return [{ title: { ...head, style: 'dim' } }, ...found, { title: { text: message, style: 'bold' } }];
  const about = { title: { text: aboutText(capacity).join(' · ') } };
  return [{ title: { text: message, level: 3 } }, { title: head }, ...found, about];
}

/** @type {(capacity: Capacity, options: Pick<BlockOptions, 'format' | 'glyphs'>) => Block} */
export function stepsBlock({ steps, by }, { format, glyphs }) {
  const isText = format === 'text';
  const marks = isText ? marksOf(glyphs) : MARKS[format];
  return {
    columns: [
      // Narrow terminals have no p50.
      ...STEP_HEAD.map((head, i) => ({ head, ...(i === 2 && { spare: 0 }) })),
      ...['held', 'note'].map((head) => ({ head: isText ? '' : head, isText: true })),
    ],
    rows: steps.map((step) => {
      const { load, throughput, p50, p95, p99, errors, status, note } = stepRow(step, by);
      const mark = format === 'markdown' ? marks[status] : { text: marks[status], style: STYLES[status] };
      return [load, throughput, p50, p95, p99, errors, mark, isText ? cut(note, NOTE, glyphs.ellipsis) : note];
    }),
  };
}

/** @type {(glyphs: Glyphs) => Record<CapacityStep['outcome']['status'], string>} */
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
