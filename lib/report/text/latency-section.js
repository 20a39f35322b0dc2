import { latencyRows } from '../../measure/figure-rows.js';
import { STATISTICS } from '../../measure/histogram-columns.js';
import { marked } from '../supported.js';
import { table } from './layout.js';

/** columns that fit narrow terminals */
const NARROW = ['p50', 'p95', 'p99', 'max'];
const WIDE = 78;

/** All times of a run, with all their statistics. @type {import('./index.js').Section} */
export function latencySection(result, options) {
  if (result.main.ok.count === 0) return [];
  const { unit, format } = options.scale;
  const columns = [
    { head: `times, ${unit}`, isText: true },
    ...STATISTICS.map(({ label }) => ({ head: label, from: NARROW.includes(label) ? 0 : WIDE })),
  ];
  const rows = latencyRows(result).map(({ label, summary }) => [
    label,
    ...STATISTICS.map(({ key }) => marked(format(summary[key]), summary, key)),
  ]);
  return table(columns, rows, options);
}
