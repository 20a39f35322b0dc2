/** @import { Reporter } from './types.js' */

/** Steps until half of what is left, as HdrHistogram's tools take them. */
const STEPS = 5;

/** @type {Reporter} */
export default {
  name: 'hgrm',
  about: 'the percentiles of the response time, for HdrHistogram plotters',
  extension: '.hgrm',

  render(
    {
      main: {
        histogram: { mean, stddev, max, count },
      },
    },
    { spectrumOf = () => [] } = {},
  ) {
    const points = spectrumOf('main');
    const rows = percentiles(count).map((share) => {
      const rank = Math.max(1, Math.ceil(share * count - 1e-6));
      const { ms, upTo } = points.find((point) => point.upTo >= rank) ?? { ms: max ?? 0, upTo: count };
      const inverse = share < 1 ? (1 / (1 - share)).toFixed(2) : 'inf';
      return `${ms.toFixed(3).padStart(12)} ${share.toFixed(12)} ${String(upTo).padStart(10)} ${inverse.padStart(14)}\n`;
    });
    const figure = (/** @type {number | null} */ value) => (value ?? 0).toFixed(3).padStart(12);
    return (
      `${'Value'.padStart(12)} ${'Percentile'.padStart(14)} ${'TotalCount'.padStart(10)} ${'1/(1-Percentile)'.padStart(14)}\n\n${rows.join('')}` +
      `#[Mean    = ${figure(mean)}, StdDeviation   = ${figure(stddev)}]\n#[Max     = ${figure(max)}, Total count    = ${String(count).padStart(12)}]\n#[Buckets = ${'22'.padStart(12)}, SubBuckets     = ${'2048'.padStart(12)}]\n`
    );
  },
};

/** @type {(count: number) => number[]} */
function percentiles(count) {
  if (count === 0) return [];
  const all = [];
  for (let left = 1; left * count >= 1; left /= 2) {
    for (let step = 0; step < STEPS; step++) all.push(1 - left + (left / 2) * (step / STEPS));
  }
  return [...all, 1];
}
