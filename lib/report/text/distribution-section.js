import { ms, percent } from '../numbers.js';

const ROWS = 8;
const TITLE = 'distribution, ms';

/** A small histogram of the response times: bands of equal width on a logarithmic scale. @type {import('./index.js').Section} */
export function distributionSection({ main }, { distributionOf, width, paint }) {
  const points = distributionOf('main');
  const total = points.at(-1)?.upTo ?? 0;
  const { min, max } = main.histogram;
  if (total < 2 || min === null || max === null || max <= min) return [];
  const low = Math.max(min, 0.001);
  const factor = (max / low) ** (1 / ROWS);
  let before = 0;
  const bands = Array.from({ length: ROWS }, (_, i) => {
    const to = i === ROWS - 1 ? max : low * factor ** (i + 1);
    const upTo = points.filter((point) => point.ms <= to).at(-1)?.upTo ?? 0;
    const share = (upTo - before) / total;
    before = Math.max(before, upTo);
    return { from: i === 0 ? min : low * factor ** i, to, share };
  });
  const labels = bands.map(({ from, to }) => `${ms(from)} - ${ms(to)}`);
  const label = Math.max(...labels.map(({ length }) => length), TITLE.length);
  const highest = Math.max(...bands.map(({ share }) => share));
  const room = Math.max(10, Math.min(50, width - label - 12));
  const lines = bands.map(({ share }, i) => {
    const bar = '#'.repeat(Math.round((share / highest) * room)).padEnd(room);
    return `${labels[i].padStart(label)}  ${bar}  ${share > 0 ? percent(share).padStart(7) : ''}`.trimEnd();
  });
  return [paint('dim', TITLE), ...lines];
}
