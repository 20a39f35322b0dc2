import { escaped, table } from '../markup.js';
import { STEP_HEAD, aboutText, headText, remarksOf, stepRow } from './rows.js';

/** @import { Capacity } from '../../contracts/capacity.js' */
/** @import { RenderDocument } from '../types.js' */

const MARKS = { passed: '✅', failed: '❌', saturated: '⚠️' };

/** A comment for a pull request: the sentence first. @type {RenderDocument<Capacity>} */
export function render(capacity) {
  const { conclusion, steps, by } = capacity;
  const rows = steps.map((step) => {
    const { load, throughput, p50, p95, p99, errors, status, note } = stepRow(step, by);
    return [load, throughput, p50, p95, p99, errors, MARKS[status], escaped(note)];
  });
  const parts = [
    `### ${escaped(conclusion.message)}`,
    escaped(headText(capacity)),
    rows.length > 0 ? table([...STEP_HEAD, '', ''], rows) : '',
    remarksOf(capacity)
      .map((text) => `- ${escaped(text)}`)
      .join('\n'),
    escaped(aboutText(capacity).join(' · ')),
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}
