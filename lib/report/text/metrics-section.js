import { metricRows } from '../../measure/user-metrics.js';
import { ms, number, rate } from '../numbers.js';
import { table } from './layout.js';

const NAME = /** @type {const} */ ({ isText: true });
const TIMES = [{ head: 'p50', from: 50 }, { head: 'p95', from: 80 }, { head: 'p99' }, { head: 'max', from: 80 }];
const COUNT = { head: 'count' };
const RATE = { head: 'per second', from: 60 };

/** A table for each kind of metric: what its rows show of it. */
const TABLES = [
  { head: 'timers, ms', kinds: ['timer'], columns: [COUNT, RATE, ...TIMES] },
  { head: 'histograms', kinds: ['histogram'], columns: [COUNT, ...TIMES] },
  { head: 'meters', kinds: ['meter'], columns: [COUNT, RATE] },
  { head: 'counters', kinds: ['counter', 'gauge'], columns: [{ head: 'value' }] },
];

/** The metrics of hooks. @type {import('./index.js').Section} */
export function metricsSection(result, options) {
  const all = metricRows(result);
  const tables = TABLES.map(({ head, kinds, columns }) => {
    const rows = all
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ name, count, rate: perSecond, values }) => [
        name,
        number(count),
        ...(columns.includes(RATE) ? [rate(perSecond)] : []),
        ...(values ? [values.median, values.p95, values.p99, values.max].map(ms) : []),
      ]);
    return rows.length > 0 ? table([{ head, ...NAME }, ...columns], rows, options) : [];
  });
  return tables.filter((lines) => lines.length > 0).flatMap((lines, i) => (i > 0 ? ['', ...lines] : lines));
}
