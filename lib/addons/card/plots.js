import { ms } from '../../core/ground/decimal.js';
import { heatMapOf, silhouettesOf, thresholdLines, timeSeriesOf } from '../page/chart-data.js';
import { levelOf } from '../../core/report/distribution-charts.js';
import { heatOpacity, logScale, silhouettePath, timeLabel, timeTicks } from '../page/client/scales.js';
import { fillOf, strokeOf, tag, text, widthOf } from './svg.js';

/** @import { HeatMap, Silhouette } from '../page/chart-data.js' */
/** @import { DistributionOf, Result } from '../../core/report/types.js' */

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Box */

/** Intervals of a heat map; a run with fewer has a distribution. */
const MIN_COLUMNS = 8;
const MAX_COLUMNS = 150;
const LEVELS = 12;
/** A mark with less room on its right has its label on the left. */
const MARK_LABEL = 170;
/** Thresholds in the legend; all have a line. */
const MOST_NAMED = 2;
const TICK_SIZE = 18;
/** Pixels between two labels of an axis of times. */
const MIN_GAP = 24;
const STEPS_S = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];
const MAX_TICKS = 8;

/**
 * Draws the response times over time as a heat map, or those of a short run as their distribution; null if nothing was
 * measured.
 * @type {(result: Result, options: { box: Box, distributionOf: DistributionOf }) => string | null}
 */
export function plotOf(result, { box, distributionOf }) {
  return heatPlot(result, box) ?? distributionPlot(result, box, distributionOf);
}

/** @type {(result: Result, box: Box) => string | null} */
function heatPlot(result, box) {
  const map = heatMapOf(result, MAX_COLUMNS);
  if (!map || map.columns.length < MIN_COLUMNS) return null;
  const thresholds = thresholdLines(result);
  const low = Math.min(map.low, ...thresholds.map((line) => line.ms));
  const high = Math.max(map.high, ...thresholds.map((line) => line.ms * 1.2));
  const place = logScale(low, high, box.bottom - box.top);
  const y = (/** @type {number} */ at) => box.bottom - place(at);
  const seconds = result.measuredElapsed / 1000;
  const x = (/** @type {number} */ s) => box.left + (Math.min(s, seconds) / seconds) * (box.right - box.left);
  const { at, p50, p99 } = timeSeriesOf(result, MAX_COLUMNS);
  const pointsOf = (/** @type {(number | null)[]} */ values) =>
    values.flatMap((value, i) => (value === null ? [] : [`${x(at[i]).toFixed(1)},${y(value).toFixed(1)}`])).join(' ');
  return [
    legendOf(
      [
        { name: 'p50', color: 'one' },
        { name: 'p99', color: 'two' },
        ...thresholds
          .slice(0, MOST_NAMED)
          .map(({ label }) => ({ name: `threshold ${label}`, color: /** @type {const} */ ('bad') })),
      ],
      'latency over time',
      box,
    ),
    ...timeAxis(low, high, y, box),
    ...secondTicks(seconds).map((s) => labelBelow(`${s} s`, x(s), box)),
    ...bandsOf(map, { x, y }),
    ...curve(pointsOf(p50), 'one'),
    ...curve(pointsOf(p99), 'two'),
    ...thresholds.map((line) => dashedLine(y(line.ms), box)),
  ].join('\n');
}

/**
 * A line with a margin in the color of the ground, so that it can be seen on the dark cells of the map.
 * @type {(points: string, color: 'one' | 'two') => string[]}
 */
function curve(points, color) {
  return [
    tag('polyline', { points, ...strokeOf('ground'), 'stroke-width': 6, 'stroke-linejoin': 'round' }),
    tag('polyline', { points, ...strokeOf(color), 'stroke-width': 3, 'stroke-linejoin': 'round' }),
  ];
}

/** @type {(y: number, box: Box) => string} */
function dashedLine(y, { left, right }) {
  const dashes = { 'stroke-width': 2.5, 'stroke-dasharray': '9 6' };
  return tag('line', { x1: left, x2: right, y1: y, y2: y, ...strokeOf('bad'), ...dashes });
}

/**
 * The bands of each level of darkness as one path.
 * @type {(map: HeatMap, scales: { x: (s: number) => number, y: (ms: number) => number }) => string[]}
 */
function bandsOf({ interval, low, high, columns }, { x, y }) {
  const fullest = columns.reduce((most, column) => Math.max(most, ...column), 1);
  const perBand = (high / low) ** (1 / columns[0].length);
  // A band is between its own edge and the next one, so there is one edge more than bands.
  const edges = [...columns[0], 0].map((_, band) => Math.round(y(low * perBand ** band)));
  const paths = Array.from({ length: LEVELS + 1 }, () => '');
  columns.forEach((column, i) => {
    const [from, to] = [i, i + 1].map((one) => Math.round(x((one * interval) / 1000)));
    column.forEach((count, band) => {
      paths[levelOf(count, fullest, LEVELS)] += `M${from} ${edges[band]}H${to}V${edges[band + 1]}H${from}z`;
    });
  });
  return paths.flatMap((path, level) =>
    level === 0 || path === ''
      ? []
      : [tag('path', { d: path, ...fillOf('one'), 'fill-opacity': heatOpacity(level / LEVELS) })],
  );
}

/** @type {(result: Result, box: Box, distributionOf: DistributionOf) => string | null} */
function distributionPlot(result, box, distributionOf) {
  const found = silhouettesOf(result, distributionOf);
  if (!found) return null;
  const { low, high, above, below } = found;
  const width = box.right - box.left;
  const place = logScale(low, high, width);
  const x = (/** @type {number} */ at) => box.left + place(at);
  const base = below ? (box.top + box.bottom) / 2 : box.bottom;
  const most = Math.max(...above.shares, ...(below?.shares ?? []));
  const shape = (
    /** @type {Silhouette} */ { shares },
    /** @type {number} */ sign,
    /** @type {'one' | 'three'} */ color,
  ) =>
    tag('path', {
      transform: `translate(${box.left} 0)`,
      d: silhouettePath(shares, { width, base, perShare: (sign * (base - box.top - 30)) / most }),
      ...fillOf(color),
      'fill-opacity': 0.8,
    });
  return [
    legendOf(
      [
        { name: shortName(above), color: 'one' },
        ...(below ? [{ name: shortName(below), color: /** @type {const} */ ('three') }] : []),
      ],
      'distribution',
      box,
    ),
    ...timeTicks(low, high).flatMap((tick) => [
      tag('line', { x1: x(tick), x2: x(tick), y1: box.top, y2: box.bottom, ...strokeOf('line') }),
      labelBelow(timeLabel(tick), x(tick), box),
    ]),
    shape(above, -1, 'one'),
    ...(below ? [shape(below, 1, 'three')] : []),
    ...marksOf(above, x, box),
  ].join('\n');
}

/** `response time` of `response time, with the wait …`. @type {(silhouette: Silhouette) => string} */
function shortName({ name }) {
  return name.split(',')[0];
}

/** Dotted lines with labels. @type {(silhouette: Silhouette, x: (ms: number) => number, box: Box) => string[]} */
function marksOf({ marks }, x, box) {
  return marks.flatMap((mark, i) => {
    const isNearEnd = x(mark.ms) > box.right - MARK_LABEL;
    return [
      tag('line', {
        x1: x(mark.ms),
        x2: x(mark.ms),
        y1: box.top + 22 * i,
        y2: box.bottom,
        ...strokeOf('text'),
        'stroke-dasharray': '3 4',
        'stroke-opacity': 0.6,
      }),
      text(`${mark.label} ${ms(mark.ms)} ms`, {
        x: x(mark.ms) + (isNearEnd ? -7 : 7),
        y: box.top + 22 * i + 16,
        size: TICK_SIZE,
        anchor: isNearEnd ? 'end' : 'start',
      }),
    ];
  });
}

/** Omits labels that touch. @type {(low: number, high: number, y: (ms: number) => number, box: Box) => string[]} */
export function timeAxis(low, high, y, { left, right }) {
  let last = Infinity;
  return timeTicks(low, high).flatMap((tick) => {
    if (last - y(tick) < MIN_GAP) return [];
    last = y(tick);
    return [
      tag('line', { x1: left, x2: right, y1: last, y2: last, ...strokeOf('line') }),
      text(timeLabel(tick), { x: left - 12, y: last + 6, size: TICK_SIZE, color: 'quiet', anchor: 'end' }),
    ];
  });
}

/** The margin has room for half of a label. @type {(label: string, x: number, box: Pick<Box, 'bottom'>) => string} */
export function labelBelow(label, x, { bottom }) {
  return text(label, { x, y: bottom + 26, size: TICK_SIZE, color: 'quiet', anchor: 'middle' });
}

/** Round times from the start to the end of a run. @type {(seconds: number) => number[]} */
function secondTicks(seconds) {
  const step = STEPS_S.find((one) => seconds / one <= MAX_TICKS) ?? seconds;
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, i) => i * step);
}

/**
 * A title with the names of the colors beside it, above the plot.
 * @type {(entries: { name: string, color: 'one' | 'two' | 'three' | 'bad' }[], title: string, box: Box) => string}
 */
export function legendOf(entries, title, { left, right, top }) {
  const y = top - 20;
  const size = 20;
  let x = left + widthOf(title, { size }) + 1.5 * size;
  const parts = entries.map(({ name, color }) => {
    const swatch = tag('rect', { x, y: y - 8, width: 24, height: 5, rx: 2, ...fillOf(color) });
    const label = text(name, { x: x + 32, y, size, width: Math.max(0, right - x - 32), color: 'quiet' });
    x += 32 + widthOf(name, { size }) + 1.2 * size;
    return `${swatch}${label}`;
  });
  return `${text(title, { x: left, y, size, isBold: true })}${parts.join('')}`;
}
