import { failedFigures } from '../chart-data.js';
import { count, ms, rate } from '../numbers.js';
import { outcomeOf, validityOf } from '../outcome.js';
import { headOf, hintedErrors } from '../rows.js';
import { withSupportedPercentiles } from '../supported.js';
import { glyphsOf } from '../terminal.js';
import { INNER, MARGIN, PLOT, cardOf } from './frame.js';
import { plotOf } from './plots.js';
import { text } from './svg.js';

/** @import { Render, Result } from '../types.js' */
/** @import { CardFigure } from './frame.js' */

const MAX_ERRORS = 4;

/** The picture of a result. @type {Render} */
export function render(complete, { distributionOf = () => [] } = {}) {
  const result = withSupportedPercentiles(complete);
  const { title, subtitle, about } = headOf(result);
  const [date = '', tool = 'bench-rest', ...machine] = about;
  const { status, headline, details } = outcomeOf(result);
  const isAnswered = result.requests.answered > 0;
  return cardOf({
    title,
    subtitle,
    tool,
    about: [date, ...machine],
    figures: figuresOf(result),
    outcome: {
      status,
      headline,
      details,
      word: `${glyphsOf(true)[status]} ${status}`,
      note: `validity: ${validityOf(result)}`,
    },
    plot: (isAnswered ? plotOf(result, { box: PLOT, distributionOf }) : null) ?? errorList(result),
  });
}

/** @type {(result: Result) => CardFigure[]} */
function figuresOf(result) {
  const { iterations, main, requests } = result;
  const failed = failedFigures(result);
  const isAnswered = requests.answered > 0;
  const time = (/** @type {string} */ label, /** @type {number | null} */ value) => {
    const isKnown = isAnswered && value !== null;
    return { label, value: isKnown ? ms(value) : '-', unit: isKnown ? 'ms' : '', isBad: failed.has(label) };
  };
  const rateFigure = isAnswered ? { value: rate(iterations.completedRate), unit: '/s' } : { value: '-', unit: '' };
  return [
    { label: 'iterations', ...rateFigure, isBad: failed.has('rate') },
    time('p50', main.completed.median),
    time('p95', main.completed.p95),
    time('p99', main.completed.p99),
  ];
}

/** Lists the errors of a run in which nothing was measured, in place of a plot. @type {(result: Result) => string} */
function errorList(result) {
  const groups = hintedErrors(result).slice(0, MAX_ERRORS);
  if (groups.length === 0)
    return text('too few iterations for a distribution', { x: MARGIN, y: 400, size: 24, color: 'quiet' });
  return groups
    .map(({ count: n, kind, message }, i) =>
      text(`${count(n)} × ${kind}: ${message}`, { x: MARGIN, y: 390 + 38 * i, size: 22, width: INNER, color: 'bad' }),
    )
    .join('\n');
}
