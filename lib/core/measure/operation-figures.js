import { offered } from '../ground/addons.js';
import { isOfIterations } from '../ground/phases.js';
import { perSecond } from '../ground/units.js';

/** @import { FiguresRecorder } from '../contracts/recorders.js' */
/** @import { Series } from './series.js' */

/**
 * Figures that only some operations have. Recorder, summary, merge, thresholds, reports, comparisons and
 * `result.schema.json` walk this table.
 *
 * @typedef {object} OperationFigures
 * @property {string} key of them in an operation of a result, and in its state
 * @property {{ one: string, many: string }} noun what has these figures, for messages: `a stream`, `streams`
 * @property {string} cure what gives an operation these figures: completes "no operation has a stream: …"
 * @property {readonly { key: string, compared: readonly string[] }[]} times compared: the percentiles in
 *   comparisons
 * @property {readonly { key: string, unit: string, rate?: string, isOptional?: boolean }[]} counts the
 *   first one is the number of what has these figures. rate: the name of the same per second
 * @property {readonly string[]} series the times that are recorded as they come, so that points have them
 * @property {string} seriesRate the rate that points have beside them
 * @property {string} example a time with its statistic, for messages: `gap.p99`
 * @property {{ name: string, example: string }} limits the figure of thresholds whose value is the share that keeps the
 *   limits behind its name: `goodput`, `goodput(firstEvent<500ms)`
 * @property {() => FiguresModule} load called for the first operation that has them
 *
 * @typedef {object} FiguresModule
 * @property {() => FiguresRecorder} createRecorder
 * @property {(series: Record<string, Series>) => (i: number) => object} pointsOf returns a function that returns the
 *   point at a position
 * @property {(text: string) => { at: number, reason: string } | undefined} refuseLimits explains why a text is no list
 *   of limits; `at`: the position of the fault in it
 */

/** @type {OperationFigures[]} */
export const OPERATION_FIGURES = offered('operationFigures');

/** @type {(key: string) => OperationFigures} */
export function figuresNamed(key) {
  return /** @type {OperationFigures} */ (OPERATION_FIGURES.find((row) => row.key === key));
}

/**
 * Returns the figures that `of` finds, by their keys, with rates if iterations perform the operation.
 * @type {(of: (key: string) => any, operation: { phase?: string }, ratedMs: number) => Record<string, any>}
 */
export function figuresWithRates(of, operation, ratedMs) {
  const all = OPERATION_FIGURES.flatMap(({ key, counts }) => {
    const figures = of(key);
    if (figures === undefined) return [];
    const rated = isOfIterations(operation) ? counts.filter((row) => row.rate && figures[row.key] !== undefined) : [];
    return [
      [
        key,
        { ...figures, ...Object.fromEntries(rated.map((row) => [row.rate, perSecond(figures[row.key], ratedMs)])) },
      ],
    ];
  });
  return Object.fromEntries(all);
}
