import { count, counted, ms, rate } from '../../../core/ground/decimal.js';
import { PLOT, cardOf } from '../../card/index.js';
import { labelBelow, legendOf, timeAxis } from '../../card/plots.js';
import { fillOf, strokeOf, tag, text } from '../../card/svg.js';
import { lineOfMeans, logScale } from '../../page/client/scales.js';
import { aboutText, headText, loadText, outcomeOfCapacity, pointsOf, titleText } from './rows.js';

/** @import { Capacity } from '../capacity.js' */
/** @import { CardFigure } from '../../card/index.js' */
/** @import { RenderDocument } from '../../compare/report/documents.js' */
/** @import { LoadPoint } from './rows.js' */

const TIMES = /** @type {const} */ ([
  { key: 'median', name: 'p50', color: 'one' },
  { key: 'p95', name: 'p95', color: 'three' },
  { key: 'p99', name: 'p99', color: 'two' },
]);
/** Pixels between the labels of loads. */
const LEAST_GAP = 110;

/** Draws a capacity as a picture, with the response times over the load. @type {RenderDocument<Capacity>} */
export function render(capacity) {
  const { message, limit } = capacity.conclusion;
  const [date, tool, ...machine] = aboutText(capacity);
  // The message ends with the limit, if it is known; the card has it on a line of its own.
  const end = `: ${limit.message}`;
  const isSplit = message.endsWith(end);
  return cardOf({
    title: titleText(capacity),
    subtitle: headText(capacity),
    tool,
    about: [date, ...machine],
    outcome: {
      ...outcomeOfCapacity(capacity),
      headline: isSplit ? message.slice(0, -end.length) : message,
      details: isSplit ? limit.message : '',
      note: counted(capacity.steps.length, 'step'),
    },
    figures: figuresOf(capacity),
    plot: plotOf(capacity) ?? text('too few steps for curves', { x: PLOT.left, y: 400, size: 24, color: 'quiet' }),
  });
}

/** The capacity, and what was measured at this load last. @type {(capacity: Capacity) => CardFigure[]} */
function figuresOf({ by, conclusion: { load, iterations }, steps }) {
  const step = steps.findLast(({ outcome, role, load: { rate: perSecond, virtualUsers } }) => {
    return outcome.passed && role !== 'settling' && (perSecond ?? virtualUsers) === load;
  });
  const [p50, p95, p99] = TIMES.map(({ key, name: label }) => {
    const value = step?.responseTime[key] ?? null;
    return { label, value: ms(value), unit: value === null ? '' : 'ms' };
  });
  if (by === 'rate') return [{ label: 'capacity', ...rateFigure(load) }, p50, p95, p99];
  const { completedRate } = iterations;
  const throughput = { label: 'throughput', value: rate(completedRate), unit: completedRate === null ? '' : '/s' };
  return [{ label: 'virtual users', value: load === null ? '-' : count(load), unit: '' }, throughput, p95, p99];
}

/** @type {(load: number | null) => { value: string, unit: string }} */
function rateFigure(load) {
  if (load === null) return { value: '-', unit: '' };
  const [value, unit] = loadText(load, 'rate').split('/');
  return { value, unit: `/${unit}` };
}

/** The times over the load, with the capacity and its interval. @type {(capacity: Capacity) => string | null} */
function plotOf({ by, conclusion: { load, interval }, steps }) {
  const points = pointsOf(steps);
  const times = points.flatMap(({ responseTime }) => Object.values(responseTime).flatMap((one) => one ?? []));
  const known = times.filter((ms) => ms > 0);
  const [first, last] = [points[0]?.load, points.at(-1)?.load];
  if (known.length < 2 || last === undefined || last <= first) return null;
  // The curves do not touch the edges of the plot.
  const [low, high] = [Math.min(...known) * 0.8, Math.max(...known) * 1.25];
  const { left, right, top, bottom } = PLOT;
  const [up, along] = [logScale(low, high, bottom - top), logScale(first * 0.95, last * 1.05, right - left)];
  const x = (/** @type {number} */ at) => left + along(at);
  const y = (/** @type {number} */ at) => bottom - up(at);
  return [
    legendOf([...TIMES], 'response times over the load', PLOT),
    ...timeAxis(low, high, y, PLOT),
    ...(load === null ? [] : [band({ from: x(interval.low), to: x(interval.high ?? last), at: x(load) })]),
    ...labelsOf([load, first, last], x, (at) => (by === 'rate' ? loadText(at, by) : count(at))),
    ...TIMES.flatMap((one) => curve(one, points, { x, y })),
  ].join('\n');
}

/** The capacity with its interval. @type {(place: { from: number, to: number, at: number }) => string} */
function band({ from, to, at }) {
  const { top, bottom } = PLOT;
  const area = { x: from, y: top, width: Math.max(2, to - from), height: bottom - top };
  return `${tag('rect', { ...area, ...fillOf('good-ground') })}${tag('line', { x1: at, x2: at, y1: top, y2: bottom, ...strokeOf('good'), 'stroke-width': 3 })}`;
}

/**
 * Labels of loads that do not touch, the first ones before the others.
 * @type {(loads: (number | null)[], x: (load: number) => number, label: (load: number) => string) => string[]}
 */
function labelsOf(loads, x, label) {
  /** @type {number[]} */
  const places = [];
  return loads.flatMap((load) => {
    if (load === null || places.some((place) => Math.abs(place - x(load)) < LEAST_GAP)) return [];
    places.push(x(load));
    return [labelBelow(label(load), x(load), PLOT)];
  });
}

/**
 * A line through the means of each load, with a dot for each step.
 * @type {(one: typeof TIMES[number], points: LoadPoint[], scales: { x: (load: number) => number, y: (ms: number) =>
 *   number }) => string[]}
 */
function curve({ key, color }, points, { x, y }) {
  const known = points.flatMap(({ load, responseTime: { [key]: value } }) =>
    value === null || value <= 0 ? [] : [{ load, value }],
  );
  const line = lineOfMeans(known, { x, y });
  return [
    tag('polyline', { points: line, ...strokeOf(color), 'stroke-width': 3, 'stroke-linejoin': 'round' }),
    ...known.map(({ load, value }) => tag('circle', { cx: x(load), cy: y(value), r: 4, ...fillOf(color) })),
  ];
}
