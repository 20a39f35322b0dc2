import { ms, percent } from '../../numbers.js';
import { element, legend, svg } from './elements.js';
import { logScale, timeLabel, timeTicks } from './scales.js';

const WIDTH = 660;
const HEIGHT = 230;
const AXIS = 205;

/**
 * The distribution of the response times above a line, and of the service times below it where they differ.
 *
 * @param {{ low: number, high: number, response: number[], service: number[] | null, marks: { label: string, ms: number }[] }} distribution
 * @returns {HTMLElement[]}
 */
export function distributionFigure({ low, high, response, service, marks }) {
  const x = logScale(low, high, WIDTH);
  const most = Math.max(...response, ...(service ?? []));
  const base = service ? AXIS / 2 : AXIS - 2;
  const room = base - 26;
  const line = (/** @type {number[]} */ shares, /** @type {number} */ sign) => {
    const points = shares.map(
      (share, i) =>
        `${(((i + 0.5) * WIDTH) / shares.length).toFixed(1)},${(base - (sign * share * room) / most).toFixed(1)}`,
    );
    return `M0,${base}L${points.join('L')}L${WIDTH},${base}Z`;
  };
  const label = `Distribution of the response times from ${timeLabel(low)} to ${timeLabel(high)}, with ${marks
    .map((mark) => `${mark.label} ${ms(mark.ms)} ms`)
    .join(', ')}`;
  const plot = svg(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label, class: 'plot' },
    ...timeTicks(low, high).flatMap((tick) => [
      svg('line', { x1: x(tick), x2: x(tick), y1: 0, y2: AXIS, class: 'grid' }),
      svg('text', { x: x(tick), y: HEIGHT - 8, 'text-anchor': anchorAt(x(tick)), text: timeLabel(tick) }),
    ]),
    svg('path', { d: line(response, 1), class: 'one' }),
    ...(service ? [svg('path', { d: line(service, -1), class: 'three' })] : []),
    ...marks.flatMap((mark, i) => [
      svg('line', { x1: x(mark.ms), x2: x(mark.ms), y1: 12 * i + 4, y2: AXIS, class: 'mark' }),
      svg('text', {
        x: x(mark.ms) + (isNearEnd(x(mark.ms)) ? -4 : 4),
        y: 12 * i + 12,
        class: 'strong',
        'text-anchor': isNearEnd(x(mark.ms)) ? 'end' : 'start',
        text: `${mark.label} ${ms(mark.ms)} ms`,
      }),
    ]),
  );
  const readout = element('p', { class: 'quiet small readout', 'aria-hidden': 'true', text: '\u00a0' });
  plot.addEventListener('pointermove', ({ clientX }) => {
    const { left, width } = plot.getBoundingClientRect();
    const band = Math.floor(((clientX - left) / width) * response.length);
    if (response[band] === undefined) return;
    const at = (/** @type {number} */ i) => timeLabel(low * (high / low) ** (i / response.length));
    const ofService = service ? `, service time ${percent(service[band])}` : '';
    readout.textContent = `${at(band)} to ${at(band + 1)}: ${percent(response[band])} of the iterations${ofService}`;
  });
  plot.addEventListener('pointerleave', () => (readout.textContent = '\u00a0'));
  const entries = [
    { name: service ? 'response time, from when an iteration was due' : 'response time', colour: 'one' },
    ...(service ? [{ name: 'service time, from when it started', colour: 'three' }] : []),
  ];
  return [legend(entries), /** @type {any} */ (plot), readout];
}

/** @type {(x: number) => string} */
function anchorAt(x) {
  if (x < 20) return 'start';
  return x > WIDTH - 20 ? 'end' : 'middle';
}

/** @type {(x: number) => boolean} */
function isNearEnd(x) {
  return x > WIDTH - 90;
}
