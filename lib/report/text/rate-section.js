import { rate } from '../numbers.js';
import { table, wrapped } from './layout.js';

/** The spread of the rate over time; a short run has only its mean. @type {import('./index.js').Section} */
export function rateSection({ series, iterations, requests, client }, options) {
  if (!iterations.rate) return [];
  const planned =
    client.rate === null
      ? []
      : [
          wrapped(
            `planned ${rate(client.rate.asked)} iterations per second, started ${rate(client.rate.reached)}`,
            0,
            options.width,
          ),
        ];
  if (!series.rates) {
    const text = `${rate(iterations.rate)} iterations per second, ${rate(requests.rate)} requests`;
    return [`${options.paint('bold', 'rate')}  ${wrapped(text, 6, options.width)}`, ...planned];
  }
  const { min, p2_5, median, p97_5, max } = series.rates;
  const columns = [
    { head: 'per second', isText: true },
    { head: 'min' },
    { head: 'p2.5', from: 60 },
    { head: 'p50' },
    { head: 'p97.5', from: 60 },
    { head: 'max' },
    { head: 'mean' },
  ];
  const row = ['iterations', ...[min, p2_5, median, p97_5, max, iterations.rate].map(rate)];
  return [...table(columns, [row], options), ...planned];
}
