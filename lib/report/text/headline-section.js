import { counted, percent, rate } from '../numbers.js';
import { outcomeOf } from '../outcome.js';
import { marked } from '../supported.js';
import { joined } from './layout.js';
import { OUTCOME_COLORS } from './outcome-section.js';

/** @import { Result } from '../types.js' */

/** The title, and the figures that most people look for, in the color of the outcome. @type {import('./index.js').Section} */
export function headlineSection(result, { width, paint, glyphs, scale }) {
  const { status, headline } = outcomeOf(result);
  const color = OUTCOME_COLORS[status];
  const lines = joined(partsOf(result, headline, scale), {
    gap: '  ',
    indent: 2,
    width: width - glyphs[status].length - 1,
  });
  const title = result.title === undefined ? [] : [paint('bold', result.title)];
  return [
    ...title,
    ...lines.map((line, i) => paint('bold', paint(color, i === 0 ? `${glyphs[status]} ${line}` : line))),
  ];
}

/** @type {(result: Result, headline: string, scale: import('../time-scale.js').TimeScale) => string[]} */
function partsOf(result, headline, { withUnit }) {
  if (hasNoAnswer(result)) return [headline];
  const { iterations, main, errors } = result;
  const { median, p95, p99, max } = main.ok;
  const share = errors.count > 0 && typeof errors.share === 'number' ? ` (${percent(errors.share)})` : '';
  return [
    ...(main.ok.count === 0
      ? ['no iteration completed']
      : [
          `${rate(iterations.rate)} iterations/s`,
          `p50 ${marked(withUnit(median), main.ok, 'median')}`,
          `p95 ${marked(withUnit(p95), main.ok, 'p95')}`,
          `p99 ${marked(withUnit(p99), main.ok, 'p99')}`,
        ]),
    // the one time that few values have
    ...(p95 === null && max !== null ? [`max ${withUnit(max)}`] : []),
    `${counted(errors.count, 'error')}${share}`,
  ];
}

/**
 * A run that got no answer has nothing to show but its errors.
 *
 * @param {Pick<Result, 'requests' | 'errors'>} result
 */
export function hasNoAnswer({ requests, errors }) {
  return requests.answered === 0 && errors.count > 0;
}
