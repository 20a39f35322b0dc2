import { escapeText } from '../escape.js';
import { count, ms } from '../figures.js';
import { table } from '../layout.js';
import { maskText } from '../../mask.js';

/** @type {import('./index.js').Section} */
export function operationsSection({ operations }, look) {
  if (operations.length < 2) return [];
  const columns = ['operations, ms', 'phase', 'count', 'errors', 'p50', 'p95', 'p99', 'max'].map((head, i) => ({
    head,
    isText: i < 2,
  }));
  const rows = operations.map(({ name, phase, count: n, errors, serviceTime: { median, p95, p99, max } }) => [
    escapeText(maskText(name)),
    phase,
    count(n),
    errors > 0 ? look.paint('red', count(errors)) : '0',
    ms(median),
    ms(p95),
    ms(p99),
    ms(max),
  ]);
  const narrow = look.width < 50 ? [0, 2, 3, 6] : look.width < 80 ? [0, 2, 3, 4, 6] : columns.map((_, i) => i);
  return table(
    narrow.map((i) => columns[i]),
    rows.map((row) => narrow.map((i) => row[i])),
    look,
  );
}
