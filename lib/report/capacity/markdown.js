import { escaped, table } from '../markup.js';
import { STEP_HEAD, aboutText, headText, remarksOf, stepRow } from './rows.js';

/** @import { RenderCapacity } from './formats.js' */

const MARKS = { passed: '✅', failed: '❌', saturated: '⚠️' };

/** A comment for a pull request: the sentence first. @type {RenderCapacity} */
export function render(capacity) {
  const { conclusion, steps, by } = capacity;
  const rows = steps.map((step) => {
    const { load, throughput, p50, p95, p99, errors, verdict, note } = stepRow(step, by);
    return [load, throughput, p50, p95, p99, errors, MARKS[verdict], escaped(note)];
  });
  const parts = [
    `### ${escaped(conclusion.sentence)}`,
    escaped(headText(capacity)),
    rows.length > 0 ? table([...STEP_HEAD, '', ''], rows) : '',
    remarksOf(capacity)
      .map((text) => `- ${escaped(text)}`)
      .join('\n'),
    escaped(aboutText(capacity).join(' · ')),
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}
