import { element, show, table } from './elements.js';

/**
 * The changes against an earlier result.
 * @type {(model: { baseline: import('../model.js').BaselineModel | null }) => void}
 */
export function showBaseline({ baseline }) {
  if (baseline === null) return void show('baseline', []);
  const columns = [
    { head: 'figure', isText: true },
    { head: 'before', isWide: true },
    { head: 'now' },
    { head: 'change' },
    { head: baseline.interval, isWide: true },
    { head: 'verdict', isText: true, isWide: true },
  ];
  const rows = baseline.rows.map(({ name, base, other, change, interval, verdict }) => [
    name,
    base,
    other,
    verdict === 'worse' ? element('span', { class: 'failed', text: change }) : change,
    interval || '-',
    verdict || '-',
  ]);
  const remarks = baseline.remarks.map((text) => element('p', { class: 'quiet small', text }));
  show('baseline', [table('Changes', columns, rows), ...remarks], `against ${baseline.from}`);
}
