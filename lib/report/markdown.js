import { escapeText } from './escape.js';
import { count, ms, percent, rate } from './figures.js';
import { maskText } from '../mask.js';

/** @import { Reporter } from './types.js' */

/** @type {Reporter} */
export default {
  name: 'markdown',
  about: 'tables for a pull request or the summary of a CI job',
  extension: '.md',

  render({ run, main, iterations, measuredElapsed, operations, errors, thresholds = [], verdict }) {
    const times = (/** @type {any} */ { median, p95, p99, max }) => [median, p95, p99, max].map(ms);
    const of = run
      ? `\n${shown(`${run.shape}${run.origins.length > 0 ? ` against ${run.origins.join(', ')}` : ''}`)}\n`
      : '';
    const share = iterations.started > 0 ? ` (${percent(errors.count / iterations.started)})` : '';
    const parts = [
      `### bench-rest: ${verdict.status}${thresholds.some(({ passed }) => !passed) ? ', thresholds failed' : ''}\n${of}`,
      ...verdict.reasons.map((reason) => `- ${shown(reason)}`),
      thresholds.length > 0 &&
        table(
          ['threshold', 'measured', ''],
          thresholds.map(({ expression, actual, unit, passed }) => [
            shown(expression),
            actual === null ? 'nothing' : `${unit === 'ms' ? ms(actual) : rate(actual)} ${unit}`.trim(),
            passed ? 'passed' : '**failed**',
          ]),
        ),
      table(
        ['', 'count', 'errors', 'a second', 'p50, ms', 'p95', 'p99', 'max'],
        [
          [
            'iterations',
            count(iterations.started),
            `${count(errors.count)}${share}`,
            rate(measuredElapsed > 0 ? ((iterations.completed + iterations.failed) * 1000) / measuredElapsed : null),
            ...times(main.histogram),
          ],
          ...operations.map(({ name, phase, count: n, errors: failed, serviceTime }) => [
            `${phase}: ${shown(name)}`,
            count(n),
            count(failed),
            '',
            ...times(serviceTime),
          ]),
        ],
      ),
      errors.samples.length > 0 &&
        table(
          ['errors', 'kind', 'where', 'message'],
          errors.samples.map(({ count: n, kind, operation, message }) => [
            count(n),
            kind,
            shown(operation),
            shown(message),
          ]),
        ),
    ];
    return `${parts.filter(Boolean).join('\n')}\n`;
  },
};

/** @type {(head: string[], rows: string[][]) => string} */
function table(head, rows) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return `\n${[line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')}\n`;
}

/** Text that stays text: what Markdown or HTML would read is escaped. @type {(text: string) => string} */
function shown(text) {
  return escapeText(maskText(text)).replace(/[\\`*_{}[\]<>|#!~&@]/g, (char) => `&#${char.charCodeAt(0)};`);
}
