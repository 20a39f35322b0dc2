import { count, ms, number, percent, rate } from '../../../core/ground/decimal.js';
import { contentOf } from './blocks.js';
import { byId, element, legend, show, svg, table, timeText } from './elements.js';

/** @import { Block } from '../../../core/report/types.js' */

/** @typedef {any} Model what model.js returns */

const SPARK = { width: 150, height: 28 };

/** Statistics that narrow screens show. */
const NARROW = ['median', 'p90', 'p95', 'p99', 'max'];

/** The band below the title: whether the run passed, and why not. @type {(model: Model) => void} */
export function showOutcome({ outcome, validity }) {
  const band = byId('outcome');
  band.hidden = outcome === null;
  if (outcome === null) return;
  const { status, mark, headline, details } = outcome;
  band.className = `outcome ${status}`;
  band.replaceChildren(
    element('strong', { text: `${mark} ${status}` }),
    element('span', {}, element('b', { text: headline }), ` ${details}`),
    element('span', { class: 'quiet' }, 'validity: ', element('b', { text: validity.word })),
  );
}

/** Shows how far a live run is, or how much of it remains. @type {(model: Model) => void} */
export function showProgress({ live, elapsed }) {
  const bar = byId('progress');
  bar.hidden = live === null;
  if (live === null) return;
  bar.replaceChildren(...(live.isRunning ? progressOf(live.share, elapsed) : [element('span', { text: endOf(live) })]));
}

/** @type {(share: number, elapsed: number) => HTMLElement[]} */
function progressOf(share, elapsed) {
  const hasEnd = share > 0;
  const left = hasEnd && share < 1 ? `, about ${count(Math.ceil((elapsed * (1 - share)) / share / 1000))} s left` : '';
  return [
    element(
      'progress',
      hasEnd ? { max: 1, value: share, 'aria-label': 'progress of the run' } : { 'aria-label': 'the run' },
    ),
    element('span', { text: `running for ${count(Math.floor(elapsed / 1000))} s${left}` }),
  ];
}

/** The dashboard ends with the run. @type {(live: { files: string[] }) => string} */
function endOf({ files }) {
  return files.length > 0
    ? `The run is over, and this address is closed. The result is in ${files.join(', ')}.`
    : 'The run is over, and this address is closed. Keep this tab to see the result; -o page.html writes it to a file.';
}

/** @type {(model: Model) => void} */
export function showThresholds({ thresholds }) {
  const list = byId('thresholds');
  list.hidden = thresholds.length === 0;
  const entry = (/** @type {any} */ { expression, mark, state, measured }) =>
    element(
      'li',
      { class: state },
      element('b', { text: mark }),
      element('code', { text: expression }),
      element('span', { class: 'quiet', text: measured }),
      element('span', { class: 'unseen', text: state }),
    );
  list.replaceChildren(...thresholds.map(entry));
}

/** The main figures, each with its course in small. @type {(model: Model) => void} */
export function showCards({ cards, time }) {
  const card = (/** @type {any} */ { label, value, margin = '', note, spark, failed }) =>
    element(
      'li',
      failed ? { class: 'bad' } : {},
      element('span', { class: 'quiet', text: label }),
      element(
        'b',
        /[–≤]/.test(value) ? { class: 'ranged' } : {},
        value,
        ...(margin === '' ? [] : [element('span', { class: 'margin', text: margin })]),
      ),
      element('span', { class: 'quiet small', text: note || '\u00a0' }),
      sparkline(time[spark] ?? []),
    );
  byId('cards').replaceChildren(...cards.map(card));
}

/** A course from 0 to its highest value, without axes. @type {(values: (number | null)[]) => Node} */
function sparkline(values) {
  const { width, height } = SPARK;
  const known = values.filter((value) => value !== null);
  const most = Math.max(...known, 1e-9);
  const points = values.flatMap((value, i) =>
    value === null
      ? []
      : [
          `${((i * width) / Math.max(1, values.length - 1)).toFixed(1)},${(height - 2 - (value / most) * (height - 4)).toFixed(1)}`,
        ],
  );
  const line = points.length > 1 ? [svg('polyline', { points: points.join(' ') })] : [];
  return svg(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, class: 'spark', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    ...line,
  );
}

/**
 * The sections of blocks. The title of the first block stands beside the heading, unless it is all that there is.
 * @type {(model: { sections: { name: string, heading: string, blocks: Block[] }[] }) => void}
 */
export function showSections({ sections }) {
  for (const { name, heading, blocks } of sections) {
    const title = blocks[0]?.title?.text ?? '';
    const content = blocks.flatMap((block, i) => contentOf(heading, i === 0 ? { ...block, title: undefined } : block));
    if (content.length > 0 || title === '') show(name, content, title);
    else show(name, [element('p', { text: title })]);
  }
}

/** @type {(model: Model) => void} */
export function showLatency({ latency: { columns, rows } }) {
  const head = [
    { head: 'ms', isText: true },
    ...columns.map((/** @type {any} */ { key, label }) => ({ head: label, isWide: !NARROW.includes(key) })),
  ];
  const cells = rows.map((/** @type {any} */ { label, summary }) => [
    label,
    ...columns.map((/** @type {any} */ { key }) => timeText(summary, key)),
  ]);
  show('latency', rows.length > 0 ? [table('Latency', head, cells)] : []);
}

/** The status codes as one stacked bar. @type {(model: Model) => void} */
export function showStatuses({ statuses }) {
  /** @type {{ name: string, color: string, count: number }[]} */
  const all = statuses.map((/** @type {any} */ { status, count: n, isExpected }) => ({
    name: isExpected ? `${status} (expected)` : status,
    color: isExpected ? 'status-expected' : `status-${status[0]}`,
    count: n,
  }));
  const total = all.reduce((sum, { count: n }) => sum + n, 0);
  let at = 0;
  const parts = all.map(({ color, count: n }) => {
    const width = (n / total) * 1000;
    const part = svg('rect', { x: at, width, height: 14, class: color });
    at += width;
    return part;
  });
  const label = all.map(({ name, count: n }) => `${name}: ${count(n)}`).join(', ');
  const bar = svg(
    'svg',
    { viewBox: '0 0 1000 14', class: 'stack', role: 'img', 'aria-label': label, preserveAspectRatio: 'none' },
    ...parts,
  );
  const entries = all.map(({ name, color, count: n }) => ({
    name,
    color,
    value: `${count(n)} (${percent(n / total)})`,
  }));
  show('statuses', total > 0 ? [bar, legend(entries)] : []);
}

/** @type {(model: Model) => void} */
export function showMetrics({ metrics }) {
  const columns = ['metric', 'kind', 'value', 'per second', 'p50', 'p95', 'p99', 'max'].map((head, i) => ({
    head,
    isText: i < 2,
  }));
  const rows = metrics.map((/** @type {any} */ { name, kind, count: value, rate: perSecond, values }) => [
    name,
    kind,
    number(value),
    perSecond === null ? '' : rate(perSecond),
    ...['median', 'p95', 'p99', 'max'].map((key) => (values ? timeText(values, key) : '')),
  ]);
  show('metrics', rows.length > 0 ? [table('Custom metrics', columns, rows)] : []);
}

/**
 * The server that the run started or watched: its figures, what they mean, and its processes.
 * @type {(model: { server: import('../time-model.js').ServerModel | null }) => void}
 */
export function showServer({ server }) {
  if (server === null) return void show('server', []);
  const list = server.conclusions.map((text) => element('li', { text }));
  const rows = server.rows.length > 0 ? [table('Processes', server.columns, server.rows)] : [];
  show('server', [...(list.length > 0 ? [element('ul', {}, ...list)] : []), ...rows], server.line);
}

/** The validity, its reasons, and how busy load generator and servers were. @type {(model: Model) => void} */
export function showValidity({ validity: { word, reasons }, usage }) {
  const list = element('ul', {}, ...reasons.map((/** @type {string} */ reason) => element('li', { text: reason })));
  const lines = usage.map((/** @type {string} */ text) => element('p', { text }));
  show('validity', [...(reasons.length > 0 ? [list] : []), ...lines], word);
}

/** The columns of the table of intervals, behind the time; `key`: in the series of the model. */
const INTERVAL_FIGURES = [
  { key: 'rate', head: 'iterations per second' },
  { key: 'errorRate', head: 'errors per second' },
  { key: 'p50', head: 'p50, ms' },
  { key: 'p99', head: 'p99, ms' },
  { key: 'max', head: 'max, ms' },
  { key: 'concurrency', head: 'running' },
  { key: 'utilization', head: 'event loop', write: percent },
];

/** A row for each interval, with the time of its middle; made when it is opened. @type {(model: Model) => void} */
export function showIntervals({ time }) {
  const place = byId('intervals');
  const details = /** @type {HTMLDetailsElement} */ (place.closest('details'));
  const fill = () => {
    const rows = time.at.map((/** @type {number} */ at, /** @type {number} */ i) => [
      String(at),
      ...INTERVAL_FIGURES.map(({ key, write = ms }) => write(time[key][i])),
    ]);
    place.replaceChildren(table('Time series', [{ head: 'time, s' }, ...INTERVAL_FIGURES], rows));
  };
  details.hidden = time.at.length === 0;
  details.ontoggle = () => details.open && fill();
  if (details.open) fill();
}
