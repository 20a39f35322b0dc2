import { baselineRemarks, baselineRows } from '../baseline-rows.js';
import { table, wrapped } from './layout.js';

/** @import { Style } from './layout.js' */

/** @type {Record<string, Style>} */
const STYLES = { better: 'green', worse: 'red', noise: 'dim' };

/** The changes against an earlier result. @type {import('./index.js').Section} */
export function baselineSection({ baseline }, options) {
  if (!baseline) return [];
  const columns = [
    { head: `compared with ${baseline.from}`, isText: true },
    { head: 'before' },
    { head: 'now' },
    { head: 'change' },
    { head: 'between', from: 70 },
    { head: '', isText: true },
  ];
  const rows = baselineRows(baseline).map(({ name, base, other, change, interval, verdict }) => [
    name,
    base,
    other,
    change,
    interval,
    verdict === '' ? '' : { text: verdict, style: STYLES[verdict] },
  ]);
  return [
    ...table(columns, rows, options),
    ...baselineRemarks(baseline).map((remark) => wrapped(remark, 0, options.width)),
  ];
}
