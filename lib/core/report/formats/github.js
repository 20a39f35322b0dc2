import { count, ms, rate } from '../../ground/decimal.js';
import { areErrorsAllowed } from '../../measure/outcome.js';
import { MAIN_PERCENTILES } from '../../measure/percentiles.js';
import { hintedErrors } from '../errors.js';
import { findingsOf, outcomeOf, trustOf, validityOf } from '../outcome.js';
import { markedRange, withSupportedPercentiles } from '../supported.js';

/** @import { Render, Result } from '../types.js' */

/** @typedef {'error' | 'warning' | 'notice'} Level */

/** @type {Record<ReturnType<typeof outcomeOf>['status'], Level>} */
const LEVELS = { passed: 'notice', undecided: 'warning', failed: 'error' };
/** Groups of errors that are annotations: GitHub shows ten of a step. */
const MAX_GROUPS = 5;

/**
 * Workflow commands (https://docs.github.com/actions/reference/workflow-commands-for-github-actions): a log that prints
 * them has annotations.
 * @type {Render}
 */
export function render(complete) {
  const result = withSupportedPercentiles(complete);
  const { title = 'bench-rest' } = result;
  const { status, headline, details } = outcomeOf(result);
  const trust = validityOf(result) === 'valid' ? null : trustOf(result);
  /** @type {[level: Level, text: string][]} */
  const annotations = [[LEVELS[status], [headline, details, figures(result)].filter(Boolean).join(' ')]];
  const isExplained = areErrorsAllowed(result) && status !== 'failed';
  const groups = isExplained ? [] : hintedErrors(result).slice(0, MAX_GROUPS);
  for (const { count: n, kind, where, message } of groups)
    annotations.push(['error', `${count(n)} × ${kind} in ${where}: ${message}`]);
  for (const text of [...findingsOf(result), ...(trust === null ? [] : [trust])]) annotations.push(['warning', text]);
  return annotations.map(([level, text]) => `::${level} title=${property(title)}::${data(text)}\n`).join('');
}

/** @type {(result: Result) => string} */
function figures({ iterations, main: { completed, least } }) {
  if (completed.count === 0) return '';
  const times = MAIN_PERCENTILES.map(({ label, key }) => `${label} ${markedRange(completed, least, key, ms)}`);
  return `${rate(iterations.completedRate)} iterations/s, ${times.join(', ')} ms.`;
}

/** @type {(text: string) => string} */
function data(text) {
  return text.replace(/[%\r\n]/g, (char) => encodeURIComponent(char));
}

/** @type {(text: string) => string} */
function property(text) {
  return text.replace(/[%\r\n:,]/g, (char) => encodeURIComponent(char));
}
