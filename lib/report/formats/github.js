import { count, ms, rate } from '../numbers.js';
import { measurementNotes, measurementOf, outcomeOf } from '../outcome.js';
import { withSupportedPercentiles } from '../supported.js';

/**
 * @import { Render, Result } from '../types.js'
 *
 * @typedef {'error' | 'warning' | 'notice'} Level
 */

/** GitHub shows ten annotations of a step. */
const MAX_GROUPS = 5;

/**
 * Workflow commands (https://docs.github.com/actions/reference/workflow-commands-for-github-actions): a log that prints
 * them has annotations.
 *
 * @type {Render}
 */
export function render(complete) {
  const result = withSupportedPercentiles(complete);
  const { errors, title = 'bench-rest' } = result;
  const { status, headline, details } = outcomeOf(result);
  const measurement = measurementOf(result);
  /** @type {[level: Level, text: string][]} */
  const annotations = [
    [status === 'passed' ? 'notice' : 'error', [headline, details, figures(result)].filter(Boolean).join(' ')],
    ...(errors.allowed ? [] : errors.samples.slice(0, MAX_GROUPS)).map(
      (group) =>
        /** @type {[Level, string]} */ ([
          'error',
          `${count(group.count)} × ${group.kind} in ${group.operation}: ${group.message}`,
        ]),
    ),
  ];
  if (measurement !== 'sound')
    annotations.push(['warning', `The measurement is ${measurement}: ${measurementNotes(result).join('; ')}`]);
  return annotations.map(([level, text]) => `::${level} title=${property(title)}::${data(text)}\n`).join('');
}

/** @type {(result: Result) => string} */
function figures({ iterations, main: { histogram } }) {
  if (histogram.count === 0) return '';
  const { median, p95, p99 } = histogram;
  return `${rate(iterations.rate)} iterations/s, p50 ${ms(median)}, p95 ${ms(p95)}, p99 ${ms(p99)} ms.`;
}

/** @type {(text: string) => string} */
function data(text) {
  return text.replace(/[%\r\n]/g, (char) => encodeURIComponent(char));
}

/** @type {(text: string) => string} */
function property(text) {
  return text.replace(/[%\r\n:,]/g, (char) => encodeURIComponent(char));
}
