import { count, ms } from '../figures.js';
import { table } from '../layout.js';

/** @import { HistogramSummary } from '../../measure/histogram.js' */

/** @type {import('./index.js').Section} */
export function latencySection({ main, requests, iterations, ...result }, look) {
  if (main.histogram.count === 0) return [];
  const isOpen = result.client.rate !== null;
  const rows = /** @type {[string, HistogramSummary | undefined, boolean][]} */ ([
    [isOpen ? 'response time' : 'iteration', main.histogram, true],
    ['service time', main.serviceTime, isOpen],
    ['corrected', main.corrected, main.corrected !== undefined],
    ['completed ones', main.ok, iterations.failed > 0 && main.ok.count > 0],
    ['first byte', requests.ttfb, requests.ttfb.count > 0],
    ['connecting', requests.connect, requests.connect.count > 0],
    ['TLS', requests.tls, requests.tls.count > 0],
  ]);
  const columns = ['latency, ms', 'p50', 'p75', 'p90', 'p95', 'p99', 'p99.9', 'max', 'mean', 'stddev'].map(
    (head, i) => ({ head, isText: i === 0 }),
  );
  const cells = rows
    .filter(([, , isShown]) => isShown)
    .map(([name, summary]) => {
      const { median, p75, p90, p95, p99, p999, max, mean, stddev } = /** @type {HistogramSummary} */ (summary);
      return [name, ...[median, p75, p90, p95, p99, p999, max, mean, stddev].map(ms)];
    });
  const narrow = look.width < 80 ? [0, 1, 4, 5, 7] : columns.map((_, i) => i);
  const pick = (/** @type {any[]} */ all) => narrow.map((i) => all[i]);
  const lines = table(pick(columns), cells.map(pick), look);
  return look.spectrum ? [...lines, '', ...spectrumLines(look)] : lines;
}

/** Percentiles at which half of what is left lies above, as HdrHistogram prints them. @type {(look: Parameters<import('./index.js').Section>[1]) => string[]} */
function spectrumLines(look) {
  const points = look.spectrumOf('main');
  const total = points.at(-1)?.upTo ?? 0;
  const rows = percentiles(total).map((percentile) => {
    const rank = Math.max(1, Math.ceil((percentile / 100) * total - 1e-6));
    const { ms: value, upTo } = /** @type {{ ms: number, upTo: number }} */ (
      points.find((point) => point.upTo >= rank) ?? points.at(-1)
    );
    return [`${percentile.toFixed(percentile < 99 ? 1 : 4)} %`, ms(value), count(upTo)];
  });
  return table([{ head: 'percentile' }, { head: 'ms' }, { head: 'iterations' }], rows, look);
}

/** @type {(total: number) => number[]} */
function percentiles(total) {
  const all = [10, 20, 30, 40, 50, 60, 70, 75, 80, 85, 90, 95];
  for (let above = 2.5; (above / 100) * total >= 1; above /= 2) all.push(100 - above);
  return total > 0 ? [...all, 100] : [];
}
