import { ms, percent } from '../../../core/ground/decimal.js';
import { element, legend, svg } from './elements.js';
import { logScale, silhouettePath, timeLabel, timeTicks } from './scales.js';

/** @import { Silhouette, Silhouettes } from '../chart-data.js' */
/** @import { Mark } from '../../../core/report/distribution-charts.js' */

const WIDTH = 660;
/** The width on a phone: the picture is not scaled down, so labels can be read. */
const PHONE = { below: 760, width: 380 };
/** A label of the axis, with some room. */
const LABEL_WIDTH = 46;
/** The part of a label to the left of its position. */
const LEFT_OF = { start: 0, middle: LABEL_WIDTH / 2, end: LABEL_WIDTH };
const HEIGHT = 230;
const AXIS = 205;
/** Pixels between the labels of marks. */
const LINE = 12;
/** A mark with less room on its right has its label on the left. */
const MARK_LABEL = 90;
/** A label of the axis that is this near to an edge begins or ends at its position. */
const NEAR_EDGE = 20;
const COLORS = ['one', 'three'];

/**
 * Draws one distribution above a line, and another one below it. `wide` is its width where there is room.
 * @type {(silhouettes: Silhouettes, wide?: number) => HTMLElement[]}
 */
export function distributionFigure({ low, high, above, below }, wide = WIDTH) {
  const width = innerWidth < PHONE.below ? PHONE.width : wide;
  const x = logScale(low, high, width);
  const all = below ? [above, below] : [above];
  const most = Math.max(...all.flatMap(({ shares }) => shares), 1e-9);
  const base = below ? AXIS / 2 : AXIS - 2;
  const room = base - 26;
  const label = `Distribution from ${timeLabel(low)} to ${timeLabel(high)}: ${all.map(describe).join('; ')}`;
  const plot = svg(
    'svg',
    { viewBox: `0 0 ${width} ${HEIGHT}`, role: 'img', 'aria-label': label, class: 'plot' },
    ...spacedTicks(low, high, x, width).flatMap((tick) => [
      svg('line', { x1: x(tick), x2: x(tick), y1: 0, y2: AXIS, class: 'grid' }),
      svg('text', { x: x(tick), y: HEIGHT - 8, 'text-anchor': anchorAt(x(tick), width), text: timeLabel(tick) }),
    ]),
    ...all.map(({ shares }, i) => {
      const perShare = ((i === 0 ? -1 : 1) * room) / most;
      return svg('path', { d: silhouettePath(shares, { width, base, perShare }), class: COLORS[i] });
    }),
    ...marksOf(above.marks, x, { from: 4, to: below?.marks.length ? base : AXIS, step: LINE, width }),
    ...marksOf(below?.marks ?? [], x, { from: AXIS - 4, to: base, step: -LINE, width }),
  );
  const readout = element('p', { class: 'quiet small readout', 'aria-hidden': 'true', text: '\u00a0' });
  plot.addEventListener('pointermove', ({ clientX }) => {
    const box = plot.getBoundingClientRect();
    const band = Math.floor(((clientX - box.left) / box.width) * above.shares.length);
    if (above.shares[band] === undefined) return;
    const at = (/** @type {number} */ i) => timeLabel(low * (high / low) ** (i / above.shares.length));
    const shares = all.map(({ name, shares: of }) => `${name.split(',')[0]} ${percent(of[band] ?? 0)}`);
    readout.textContent = `${at(band)} to ${at(band + 1)}: ${shares.join(', ')}`;
  });
  plot.addEventListener('pointerleave', () => (readout.textContent = '\u00a0'));
  return [legend(all.map(({ name }, i) => ({ name, color: COLORS[i] }))), /** @type {any} */ (plot), readout];
}

/** @type {(silhouette: Silhouette) => string} */
function describe({ name, marks }) {
  return [name, ...marks.map((mark) => `${mark.label} ${ms(mark.ms)} ms`)].join(', ');
}

/**
 * Dotted lines with labels, each a line further from the edge.
 * @type {(marks: Mark[], x: (ms: number) => number, place: { from: number, to: number, step: number, width: number })
 *   => SVGElement[]}
 */
function marksOf(marks, x, { from, to, step, width }) {
  const isNearEnd = (/** @type {Mark} */ mark) => x(mark.ms) > width - MARK_LABEL;
  return marks.flatMap((mark, i) => [
    svg('line', { x1: x(mark.ms), x2: x(mark.ms), y1: from + step * i, y2: to, class: 'mark' }),
    svg('text', {
      x: x(mark.ms) + (isNearEnd(mark) ? -4 : 4),
      y: from + step * i + (step > 0 ? 8 : 0),
      class: 'strong',
      'text-anchor': isNearEnd(mark) ? 'end' : 'start',
      text: `${mark.label} ${ms(mark.ms)} ms`,
    }),
  ]);
}

/** Labels do not touch. @type {(low: number, high: number, x: (ms: number) => number, width: number) => number[]} */
function spacedTicks(low, high, x, width) {
  let end = -Infinity;
  return timeTicks(low, high).filter((tick) => {
    const start = x(tick) - LEFT_OF[anchorAt(x(tick), width)];
    const fits = start >= end;
    if (fits) end = start + LABEL_WIDTH;
    return fits;
  });
}

/** @type {(x: number, width: number) => keyof typeof LEFT_OF} */
function anchorAt(x, width) {
  if (x < NEAR_EDGE) return 'start';
  return x > width - NEAR_EDGE ? 'end' : 'middle';
}
