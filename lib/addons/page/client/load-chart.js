import { number, rate } from '../../../core/ground/decimal.js';
import { legend, svg } from './elements.js';
import { lineOfMeans, logScale, timeLabel, timeTicks } from './scales.js';

/** Charts over the load: response times on logarithmic scales, other figures from 0 on. */

/**
 * @typedef {object} LoadCurve
 * @property {string} name
 * @property {string} color
 * @property {{ load: number, value: number, isFilled: boolean }[]} points along the load; filled: the load held
 *
 * @typedef {object} LoadMarks
 * @property {string} unit of a load
 * @property {{ load: number, label: string }[]} marks lines at a load, labeled above; that of the first below, too
 * @property {{ low: number, high: number | null }[]} bands intervals of loads
 */

/** @typedef {{ y: (value: number) => number, ticks: { y: number, label: string }[] }} LoadScale */

/**
 * Makes a curve of the steps that have a value.
 * @type {<P extends { load: number, status: string }>(points: P[], look: Pick<LoadCurve, 'name' | 'color'>, valueOf:
 *   (point: P) => number | null) => LoadCurve}
 */
export function curveThrough(points, look, valueOf) {
  const known = points.flatMap((point) => {
    const value = valueOf(point);
    return value === null ? [] : [{ load: point.load, value, isFilled: point.status === 'passed' }];
  });
  return { ...look, points: known };
}

const [WIDTH, HEIGHT, AXIS] = [560, 260, 230];
/** Room for the labels of values on the left, and of marks above. */
const [LEFT, RIGHT, TOP] = [56, 12, 30];
/** Pixels between the labels of loads, and of values. */
const [GAP, TICK_GAP] = [56, 16];
/** The height of a mark's label: each one is a line below that of the mark before. */
const MARK_LINE = 12;

/** A chart of times in ms. @type {(curves: LoadCurve[], marks: LoadMarks, label: string) => Node[]} */
export function timesChart(curves, marks, label) {
  const drawn = curves.map((curve) => ({ ...curve, points: curve.points.filter(({ value }) => value > 0) }));
  const values = drawn.flatMap(({ points }) => points.map(({ value }) => value));
  if (values.length < 2) return [];
  // Curves do not touch the edges of the chart.
  const [low, high] = [Math.min(...values) * 0.8, Math.max(...values) * 1.25];
  const up = logScale(low, high, AXIS - TOP);
  const y = (/** @type {number} */ ms) => AXIS - up(ms);
  const ticks = timeTicks(low, high).map((ms) => ({ y: y(ms), label: timeLabel(ms) }));
  return chart(drawn, { y, ticks: spaced(ticks) }, marks, label);
}

/** A chart of rates, from 0 on. @type {(curves: LoadCurve[], marks: LoadMarks, label: string) => Node[]} */
export function ratesChart(curves, marks, label) {
  const values = curves.flatMap(({ points }) => points.map(({ value }) => value));
  if (values.length < 2) return [];
  const most = Math.max(...values, 1e-9);
  const y = (/** @type {number} */ value) => AXIS - (value / most) * (AXIS - TOP);
  const ticks = [0, most / 2, most].map((value) => ({ y: y(value), label: `${rate(value)}/s` }));
  return chart(curves, { y, ticks }, marks, label);
}

/** @type {(curves: LoadCurve[], scale: LoadScale, marks: LoadMarks, label: string) => Node[]} */
function chart(curves, { y, ticks }, { unit, marks, bands }, label) {
  const loads = curves.flatMap(({ points }) => points.map(({ load }) => load));
  const [first, last] = [Math.min(...loads), Math.max(...loads)];
  const along = logScale(first * 0.9, last * 1.1, WIDTH - LEFT - RIGHT);
  const x = (/** @type {number} */ load) => LEFT + along(load);
  const names = curves.map(({ name }) => name).join(', ');
  const description = `${label}: ${names}, from ${number(first)}${unit} to ${number(last)}${unit}`;
  const plot = svg(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': description, class: 'plot' },
    ...bands.map(({ low, high }) => {
      const width = Math.max(1, x(high ?? last) - x(low));
      return svg('rect', { x: x(low), width, y: TOP, height: AXIS - TOP, class: 'range-band' });
    }),
    ...ticks.flatMap((tick) => [
      svg('line', { x1: LEFT, x2: WIDTH - RIGHT, y1: tick.y, y2: tick.y, class: 'grid' }),
      svg('text', { x: LEFT - 6, y: tick.y + 4, 'text-anchor': 'end', text: tick.label }),
    ]),
    ...apart([...marks.slice(0, 1).map(({ load }) => load), first, last], x).map((load) =>
      svg('text', { x: x(load), y: HEIGHT - 8, 'text-anchor': 'middle', text: `${number(load)}${unit}` }),
    ),
    ...marks.flatMap((mark, i) => [
      svg('line', { x1: x(mark.load), x2: x(mark.load), y1: MARK_LINE * i + 4, y2: AXIS, class: 'mark' }),
      svg('text', {
        x: x(mark.load) - 4,
        y: MARK_LINE * (i + 1),
        'text-anchor': 'end',
        class: 'strong',
        text: mark.label,
      }),
    ]),
    ...curves.flatMap((curve) => curveOf(curve, { x, y, unit })),
  );
  return [legend(curves.map(({ name, color }) => ({ name, color }))), plot];
}

/**
 * The line through the means of each load, and a dot for each step.
 * @type {(curve: LoadCurve, place: Record<'x' | 'y', (value: number) => number> & { unit: string }) => SVGElement[]}
 */
function curveOf({ name, color, points }, { x, y, unit }) {
  return [
    svg('polyline', { points: lineOfMeans(points, { x, y }), class: `curve ${color}` }),
    ...points.map(({ load, value, isFilled }) =>
      svg(
        'circle',
        { cx: x(load), cy: y(value), r: 3.5, class: isFilled ? color : `${color} hollow` },
        svg('title', { text: `${name} at ${number(load)}${unit}` }),
      ),
    ),
  ];
}

/** Those whose labels do not touch one before. @type {(loads: number[], x: (load: number) => number) => number[]} */
function apart(loads, x) {
  /** @type {number[]} */
  const kept = [];
  for (const load of loads) if (kept.every((one) => Math.abs(x(one) - x(load)) >= GAP)) kept.push(load);
  return kept;
}

/** Ticks whose labels do not touch. @type {(ticks: LoadScale['ticks']) => LoadScale['ticks']} */
function spaced(ticks) {
  let last = Infinity;
  return ticks.filter((tick) => {
    const fits = last - tick.y >= TICK_GAP;
    if (fits) last = tick.y;
    return fits;
  });
}
