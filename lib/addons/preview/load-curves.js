import { count, counted, rate as rateText } from '../../core/ground/decimal.js';
import { writeMs, writeRate } from '../../core/ground/units.js';
import { startText } from '../../core/measure/document.js';
import { glyphsOf } from '../../core/report/terminal.js';
import { cut, padded, widthOf } from '../../core/report/text/layout.js';

/** @import { RunLoad } from '../../core/report/types.js' */

/**
 * The planned course of a load, by its options alone: the plan of a run draws it before the run, a page beside what was
 * measured.
 *
 * @typedef {object} LoadCurve
 * @property {string} name
 * @property {boolean} isOpen its values are iterations per second; otherwise virtual users
 * @property {number} from ms after the start of the run; Infinity: it is not known
 * @property {number} to Infinity: its end is not known
 * @property {{ at: number, value: number }[]} points between which the value changes linearly
 * @property {number} most the highest value
 */

/**
 * @type {(load: RunLoad & { rampUp?: number, length?: number }) => LoadCurve} length: how long its iterations are due,
 *   ms; default: as long as stages, duration and the mean rate have it
 */
export function curveOf(load) {
  const { name, model, rate, virtualUsers, rampUp = 0, length = lengthOf(load) } = load;
  // The end of another load is not known before the run.
  const from = load.after === undefined ? (load.startAfter ?? 0) : Infinity;
  const ramp = rampUp > 0 ? [{ duration: rampUp, ramp: true, virtualUsers }] : [];
  const stages = load.stages ?? [...ramp, { duration: length - rampUp, ramp: false, rate, virtualUsers }];
  const points = cutAt(pointsOf(stages, from), from + length);
  const most = Math.max(...points.map((point) => point.value));
  // A saved result may have an empty list of stages.
  return { name, isOpen: model === 'open', from, to: points.at(-1)?.at ?? from, points, most };
}

/** @type {(load: RunLoad) => number} */
function lengthOf({ stages, duration = Infinity, iterations = Infinity, rate }) {
  if (stages !== undefined) return stages.reduce((sum, stage) => sum + stage.duration, 0);
  return Math.min(duration, rate === undefined ? Infinity : (iterations * 1000) / rate);
}

/** @type {(stages: NonNullable<RunLoad['stages']>, from: number) => LoadCurve['points']} */
function pointsOf(stages, from) {
  const points = [];
  let at = from;
  let last = 0;
  for (const { duration, ramp, rate, virtualUsers = 0 } of stages) {
    const value = rate ?? virtualUsers;
    points.push({ at, value: ramp ? last : value });
    at += duration;
    points.push({ at, value });
    last = value;
  }
  return points;
}

/** @type {(points: LoadCurve['points'], end: number) => LoadCurve['points']} those until the end, and one there */
function cutAt(points, end) {
  const next = points.findIndex(({ at }) => at >= end);
  if (next <= 0) return points;
  return [...points.slice(0, next), { at: end, value: between(points[next - 1], points[next], end) }];
}

/**
 * Returns the planned value at a time in ms; null before the start of the load and after its end.
 * @type {(curve: LoadCurve, at: number) => number | null}
 */
export function valueOf({ from, to, points }, at) {
  if (at < from || at >= to) return null;
  const next = points.findIndex((point) => point.at > at);
  return between(points[next - 1], points[next], at);
}

/** @type {(before: LoadCurve['points'][0], after: LoadCurve['points'][0], at: number) => number} */
function between(before, after, at) {
  // Without a known end, the value stays the same.
  const part = after.at === Infinity ? 0 : (at - before.at) / (after.at - before.at);
  return before.value + (after.value - before.value) * part;
}

/** Columns of a curve, and of a name beside it. */
const MOST_COLUMNS = 60;
const LEAST_COLUMNS = 10;

/**
 * Draws the loads of a run over time, one line each, all on one time axis. A load whose end is not known ends with an
 * arrow.
 * @type {(loads: Parameters<typeof curveOf>[0][], options: { width: number, unicode: boolean }) => string[]}
 */
export function drawLoads(loads, { width, unicode }) {
  const { ellipsis } = glyphsOf(unicode);
  const curves = loads.map(curveOf);
  const known = curves.flatMap(({ points }) => points.map(({ at }) => at)).filter((at) => at < Infinity);
  const isOpenEnded = curves.some(({ to }) => to === Infinity);
  // Beyond the last known time, a tenth is for the arrows of loads whose end is not known.
  const end = Math.max(...known, 1) * (isOpenEnded ? 1.1 : 1);
  const texts = curves.map((curve, i) => textOf(curve, loads[i]));
  // A name, a curve and a text have two gaps of two columns.
  const room = width - 2 * 2 - Math.max(...texts.map((text) => widthOf(text)));
  const names = Math.min(
    Math.max(...curves.map(({ name }) => widthOf(name))),
    Math.max(LEAST_COLUMNS, room - LEAST_COLUMNS),
  );
  const columns = Math.max(LEAST_COLUMNS, Math.min(MOST_COLUMNS, room - names));
  const last = isOpenEnded ? '' : writeMs(Math.round(end));
  const axis = `${'0'.padEnd(columns - last.length)}${last}`;
  return [
    `${' '.repeat(names)}  ${axis}`.trimEnd(),
    ...curves.map((curve, i) => {
      const name = padded(cut(curve.name, names, ellipsis), names);
      return cut(`${name}  ${drawn(curve, { end, columns, unicode })}  ${texts[i]}`, width, ellipsis);
    }),
  ];
}

/** @type {(curve: LoadCurve, axis: { end: number, columns: number, unicode: boolean }) => string} */
function drawn(curve, { end, columns, unicode }) {
  const { heights } = glyphsOf(unicode);
  const cells = Array.from({ length: columns }, (_, i) => {
    const value = valueOf(curve, ((i + 0.5) * end) / columns);
    if (value === null) return ' ';
    const height = curve.most > 0 ? Math.ceil((value / curve.most) * heights.length) : 0;
    return heights[Math.max(0, height - 1)];
  });
  if (curve.to === Infinity) cells[columns - 1] = unicode ? '→' : '>';
  return cells.join('');
}

/** @type {(curve: LoadCurve, load: RunLoad) => string} */
function textOf({ isOpen, points, most }, { stages, iterations, virtualUsers, ...start }) {
  const least = Math.min(...points.map(({ value }) => value));
  const value = least === most ? amount(most) : `${amount(least)} to ${amount(most)}`;
  const rate = least === most ? writeRate(most) : `${value}/s`;
  return [
    isOpen ? `${rate}, up to ${counted(virtualUsers, 'virtual user')}` : usersText(value, most),
    ...(iterations !== undefined && !stages ? [counted(iterations, 'iteration')] : []),
    ...startText(start),
  ].join(', ');
}

/** @type {(value: number) => string} */
function amount(value) {
  return Number.isInteger(value) ? count(value) : rateText(value);
}

/** @type {(value: string, most: number) => string} */
function usersText(value, most) {
  return `${value} ${most === 1 ? 'virtual user' : 'virtual users'}`;
}
