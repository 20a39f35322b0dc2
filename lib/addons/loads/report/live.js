import { ms, rate } from '../../../core/ground/decimal.js';
import { valuesNeeded } from '../../../core/measure/percentiles.js';

/** @import { TextsOfParts } from '../../../core/report/types.js' */

const P99_VALUES = valuesNeeded(0.99);

/** Each load: `199/s`, `p99 3.1 ms`; `-` while nothing of it completes. @type {TextsOfParts} */
export function textsOf({ loads = [] }, isIdle) {
  return loads.map(({ name, series: { points, interval } }) => {
    const point = points.at(-1);
    if (!point || isIdle(point.at, interval) || point.iterations.completed === 0) return { name, figures: ['-'] };
    const { p99, max } = point.responseTime;
    const time = point.iterations.completed >= P99_VALUES ? `p99 ${ms(p99)}` : `max ${ms(max)}`;
    return { name, figures: [`${rate(point.iterations.completedRate)}/s`, `${time} ms`] };
  });
}
