import { STYLE, fillOf, strokeOf, tag, text, widthOf } from './svg.js';

/**
 * @typedef {object} CardFigure
 * @property {string} label
 * @property {string} value
 * @property {string} unit
 * @property {boolean} [isBad]
 *
 * @typedef {object} CardContent
 * @property {string} title
 * @property {string} subtitle the load and the target
 * @property {CardOutcome} outcome
 * @property {CardFigure[]} figures four of them
 * @property {string} plot
 * @property {string} tool with its version
 * @property {string[]} about date and machine
 *
 * @typedef {object} CardOutcome
 * @property {keyof typeof COLORS} status
 * @property {string} word
 * @property {string} headline
 * @property {string} details empty: none
 * @property {string} note at the right
 */

const WIDTH = 1200;
const HEIGHT = 630;
export const MARGIN = 48;
export const INNER = WIDTH - 2 * MARGIN;
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
export const PLOT = { left: MARGIN + 72, right: WIDTH - MARGIN, top: 366, bottom: 532 };
/** The band of an outcome. */
const COLORS = /** @type {const} */ ({ passed: 'good', suspect: 'fair', failed: 'bad' });

/**
 * A picture of 1200 × 630 pixels, as previews of links have: SVG without scripts, fonts and images from elsewhere.
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
  const x = MARGIN + (i * (INNER + 20)) / 4;
  const size = 46;
  const color = isBad ? 'bad' : 'text';
  const unitX = x + widthOf(value, { size, isBold: true }) + 10;
  return [
    text(label, { x, y: 248, size: 20, color: 'quiet' }),
    text(value, { x, y: 296, size, isBold: true, color }),
    text(unit, { x: unitX, y: 296, size: 24, color: 'quiet' }),
  ].join('');
}
