import { bytes, rate } from '../numbers.js';
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
  const { rates, bytesRates } = series;
  const row = (
    /** @type {string} */ name,
    /** @type {Spread} */ spread,
    /** @type {(value: number) => string} */ format,
  ) => [name, ...COLUMNS.map(({ key }) => (spread[key] === undefined ? '-' : format(spread[key])))];
  const rows = [
    row('iterations', { ...rates, mean: iterations.rate }, rate),
    ...(bytesRates ? [row('bytes', bytesRates, bytes)] : []),
  ];
  return [...table([{ head: 'per second', isText: true }, ...COLUMNS], rows, options), ...planned];
}

/** @typedef {NonNullable<import('../types.js').Result['series']['rates']>} Spread */

/** The spread of the rates of the intervals. @type {{ key: keyof Spread, head: string, from?: number }[]} */
const COLUMNS = [
  { key: 'min', head: 'min' },
  { key: 'p1', head: 'p1', from: 94 },
  { key: 'p2_5', head: 'p2.5', from: 70 },
  { key: 'median', head: 'p50' },
  { key: 'p97_5', head: 'p97.5', from: 70 },
  { key: 'max', head: 'max', from: 50 },
  { key: 'mean', head: 'mean', from: 60 },
  { key: 'stddev', head: 'stddev', from: 94 },
];
