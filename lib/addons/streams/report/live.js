import { ms, rate } from '../../../core/ground/decimal.js';
import { distinctNames } from '../../../core/measure/tags.js';

/** @import { TextsOfParts } from '../../../core/report/types.js' */

/** Each operation whose streams have begun: `4,950 events/s`, `first event p95 812 ms`. @type {TextsOfParts} */
export function textsOf({ series: { operations = [] } }, isIdle) {
  const names = distinctNames(operations);
  return operations.flatMap(({ interval, points }, i) => {
    const { stream, at = 0 } = points.at(-1) ?? {};
    if (!stream) return [];
    if (isIdle(at, interval)) return { name: names[i], figures: ['-'] };
    const { eventRate, firstEvent, gap } = stream;
    const [label, time] = firstEvent.p95 === null ? ['gap p99', gap.p99] : ['first event p95', firstEvent.p95];
    return { name: names[i], figures: [`${rate(eventRate)} events/s`, `${label} ${ms(time)} ms`] };
  });
}
