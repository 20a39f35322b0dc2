import { VERDICT_STYLES, baselineRemarks, baselineRows } from './rows.js';

/** @import { Block, Result } from '../../../core/report/types.js' */

/** The changes against an earlier result. @type {(result: Result) => Block[]} */
export function blocksOf({ baseline }) {
  if (!baseline) return [];
  const columns = [
    { head: `compared with ${baseline.from}`, isText: true },
    ...[{ head: 'before' }, { head: 'now' }, { head: 'change' }, { head: 'between', from: 70 }],
    { head: '', isText: true },
  ];
  const rows = baselineRows(baseline).map(({ name, base, other, change, interval, verdict }) => [
    ...[name, base, other, change, interval],
    verdict === '' ? '' : { text: verdict, style: VERDICT_STYLES[verdict] },
  ]);
  return [{ columns, rows, remarks: baselineRemarks(baseline).map((text) => ({ text })) }];
}
