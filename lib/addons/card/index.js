import { count } from '../../core/ground/decimal.js';
import { isUnanswered } from '../../core/measure/outcome.js';
import { failedFigures } from '../page/chart-data.js';
import { hintedErrors } from '../../core/report/errors.js';
import { outcomeOf, trustOf } from '../../core/report/outcome.js';
import { headOf, mainFigures, toolText } from '../../core/report/rows.js';
import { glyphsOf } from '../../core/report/terminal.js';
import { plotOf } from './plots.js';
import { STYLE, fillOf, strokeOf, tag, text, widthOf } from './svg.js';

/** @import { Render, Result } from '../../core/report/types.js' */

/** @typedef {{ label: string, value: string, unit: string, isBad?: boolean }} CardFigure */

/**
 * @typedef {object} CardContent
 * @property {string} title
 * @property {string} subtitle the load and the target
 * @property {CardOutcome} outcome
 * @property {CardFigure[]} figures four of them
 * @property {string} plot elements of SVG, within {@link PLOT}
 * @property {string} tool with its version
 * @property {string[]} about date and machine
 *
 * @typedef {object} CardOutcome
 * @property {keyof typeof COLORS} status
 * @property {string} word `✓ passed`
 * @property {string} headline
 * @property {string} details a second line; empty: there is none
 * @property {string} note at the right
 */

/** The layout, in pixels. */
const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 48;
const INNER = WIDTH - 2 * MARGIN;
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
export const PLOT = { left: MARGIN + 72, right: WIDTH - MARGIN, top: 366, bottom: 532 };
const GAP = 20;
const MAX_ERRORS = 4;
/** The color of the band of an outcome. */
const COLORS = /** @type {const} */ ({ passed: 'good', undecided: 'fair', failed: 'bad' });

/** Draws a result as a picture. @type {Render} */
export function render(result, { distributionOf = () => [] } = {}) {
  const { title, subtitle, about } = headOf(result);
  const tool = toolText(result);
  const { status, headline, details } = outcomeOf(result);
  const trust = trustOf(result) ?? '';
  const isAnswered = !isUnanswered(result);
  const plot = isAnswered ? plotOf(result, { box: PLOT, distributionOf }) : null;
  return cardOf({
    title,
    subtitle,
    tool,
    about: about.filter((one) => one !== tool),
    figures: figuresOf(result),
    outcome: {
      status,
      headline,
      details: (status === 'failed' ? [details, trust] : [trust, details]).filter(Boolean).join(' '),
      word: `${glyphsOf(true)[status]} ${status}`,
      note: '',
    },
    plot: plot ?? errorList(result),
  });
}

/** @type {(result: Result) => CardFigure[]} */
function figuresOf(result) {
  const failed = failedFigures(result);
  const isAnswered = !isUnanswered(result);
  return mainFigures(result).map(({ label, value }, i) => {
    const isKnown = isAnswered && value !== '-';
    const unit = i === 0 ? '/s' : 'ms';
    const name = i === 0 ? 'rate' : label;
    return { label, value: isKnown ? value : '-', unit: isKnown ? unit : '', isBad: failed.has(name) };
  });
}

/** Lists the errors of a run that has no times for a plot. @type {(result: Result) => string} */
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

/**
 * Draws a card of 1200 × 630 pixels, the size of previews of links. Its SVG needs no script, font or image.
 * @type {(content: CardContent) => string}
 */
export function cardOf({ title, subtitle, outcome, figures, plot, tool, about }) {
  const parts = [
    STYLE,
    tag('rect', { x: 1, y: 1, width: WIDTH - 2, height: HEIGHT - 2, rx: 20, ...fillOf('ground') }),
    tag('rect', { x: 1, y: 1, width: WIDTH - 2, height: HEIGHT - 2, rx: 20, ...strokeOf('line'), 'stroke-width': 2 }),
    text(title, { x: MARGIN, y: 84, size: 44, width: INNER, isBold: true }),
    text(subtitle, { x: MARGIN, y: 124, size: 22, width: INNER, color: 'quiet' }),
    outcomeBand(outcome),
    ...figures.map(figure),
    plot,
    text(tool, { x: MARGIN, y: 600, size: 20, isBold: true }),
    text(about.filter(Boolean).join(' · '), {
      x: WIDTH - MARGIN,
      y: 600,
      size: 20,
      width: INNER - widthOf(tool, { size: 20 }) - 60,
      color: 'quiet',
      anchor: 'end',
    }),
  ];
  return `${tag(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      width: WIDTH,
      height: HEIGHT,
      role: 'img',
      'aria-label': `${title}: ${outcome.status}. ${outcome.headline}`,
      'font-family': FONT,
    },
    `\n${parts.join('\n')}\n`,
  )}\n`;
}

/** @type {(outcome: CardOutcome) => string} */
function outcomeBand({ status, word, headline, details, note }) {
  const [y, height] = [144, 68];
  const color = COLORS[status];
  const wordWidth = widthOf(word, { size: 26, isBold: true });
  const noteWidth = widthOf(note, { size: 20 });
  const place = { x: MARGIN + 28 + wordWidth + 20, width: INNER - wordWidth - noteWidth - 90 };
  const lines =
    details === ''
      ? [text(headline, { ...place, y: y + 42, size: 22 })]
      : [
          text(headline, { ...place, y: y + 30, size: 22 }),
          text(details, { ...place, y: y + 56, size: 18, color: 'quiet' }),
        ];
  return [
    tag('rect', { x: MARGIN, y, width: INNER, height, rx: 12, ...fillOf(`${color}-ground`) }),
    tag('rect', { x: MARGIN, y, width: 8, height, rx: 4, ...fillOf(color) }),
    text(word, { x: MARGIN + 28, y: y + 43, size: 26, isBold: true, color }),
    ...lines,
    text(note, { x: WIDTH - MARGIN - 24, y: y + 42, size: 20, color: 'quiet', anchor: 'end' }),
  ].join('');
}

/** @type {(figure: CardFigure, i: number) => string} */
function figure({ label, value, unit, isBad = false }, i) {
  const x = MARGIN + (i * (INNER + GAP)) / 4;
  // A range is wider than a number.
  const room = (INNER + GAP) / 4 - widthOf(` ${unit}`, { size: 24 }) - 14;
  const size = Math.min(46, Math.floor((46 * room) / widthOf(value, { size: 46, isBold: true })));
  const color = isBad ? 'bad' : 'text';
  const unitX = x + widthOf(value, { size, isBold: true }) + 10;
  return [
    text(label, { x, y: 248, size: 20, color: 'quiet' }),
    text(value, { x, y: 296, size, isBold: true, color }),
    text(unit, { x: unitX, y: 296, size: 24, color: 'quiet' }),
  ].join('');
}
