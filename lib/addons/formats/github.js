import { areErrorsAllowed } from '../../core/measure/outcome.js';
import { groupText, hintedErrors } from '../../core/report/errors.js';
import { findingsOf, outcomeOf, trustOf, validityOf } from '../../core/report/outcome.js';
import { mainFigures } from '../../core/report/rows.js';

/** @import { Render, Result } from '../../core/report/types.js' */

/** @typedef {'error' | 'warning' | 'notice'} Level */

/** @type {Record<ReturnType<typeof outcomeOf>['status'], Level>} */
const LEVELS = { passed: 'notice', undecided: 'warning', failed: 'error' };
/** Groups of errors that are annotations: GitHub shows ten of a step. */
const MAX_GROUPS = 5;
/** Lines of the response of each. */
const MAX_LINES = 6;

/** Writes workflow commands for GitHub Actions (docs.github.com): a log with them has annotations. @type {Render} */
export function render(result) {
  const { title = 'bench-rest' } = result;
  const { status, headline, details } = outcomeOf(result);
  const trust = validityOf(result) === 'valid' ? null : trustOf(result);
  /** @type {[level: Level, text: string][]} */
  const annotations = [[LEVELS[status], [headline, details, figures(result)].filter(Boolean).join(' ')]];
  const isExplained = areErrorsAllowed(result) && status !== 'failed';
  const groups = isExplained ? [] : hintedErrors(result).slice(0, MAX_GROUPS);
  for (const group of groups) annotations.push(['error', groupText(group, MAX_LINES).join('\n')]);
  for (const text of [...findingsOf(result), ...(trust === null ? [] : [trust])]) annotations.push(['warning', text]);
  return annotations.map(([level, text]) => `::${level} title=${property(title)}::${data(text)}\n`).join('');
}

/** @type {(result: Result) => string} */
function figures(result) {
  if (result.main.completed.count === 0) return '';
  const [{ value: perSecond }, ...times] = mainFigures(result);
  return `${perSecond} iterations/s, ${times.map(({ label, value }) => `${label} ${value}`).join(', ')} ms.`;
}

/** @type {(text: string) => string} */
function data(text) {
  return text.replace(/[%\r\n]/g, (char) => encodeURIComponent(char));
}

/** @type {(text: string) => string} */
function property(text) {
  return text.replace(/[%\r\n:,]/g, (char) => encodeURIComponent(char));
}
