import { count, ms, percent } from '../../../core/ground/decimal.js';
import { classOf, element, show, svg, table, timeText } from './elements.js';
import { logScale } from './scales.js';

/** @import { Exemplar, TraceSummary } from '../../../core/contracts/summaries.js' */
/** @import { Result } from '../../../core/report/types.js' */
/** @import { TableColumn } from './elements.js' */
/** @import { Model } from './sections.js' */

/** @typedef {import('../model.js').RowModel} Operation */

/** The width of a bar, which is scaled to its cell. */
const BAR = 520;
/** The columns; `by` returns the value by which a column sorts the rows. */
const COLUMNS = [
  { head: 'operation', isText: true, by: keyOf },
  { head: 'p50 – p95 – p99 – max', isText: true, isWide: true },
  { head: 'count', isWide: true, by: (/** @type {Operation} */ one) => one.count },
  { head: 'errors', by: (/** @type {Operation} */ one) => one.errors },
  { head: 'p50, ms', by: (/** @type {Operation} */ one) => one.time.median ?? 0 },
  { head: 'p95, ms', by: (/** @type {Operation} */ one) => one.time.p95 ?? 0 },
  { head: 'p99, ms', by: (/** @type {Operation} */ one) => one.time.p99 ?? 0 },
  { head: 'max, ms', by: (/** @type {Operation} */ one) => one.time.max ?? 0 },
];

/** The table of operations. Its order and its open rows stay when the result is updated. */
export class OperationsTable {
  #place;
  /** The column that sorts the rows; null: the order of the flow. @type {{ head: string, isRising: boolean } | null} */
  #order = null;
  /** Keys of operations whose details are shown. @type {Set<string>} */
  #open = new Set();
  /** @type {Operation[]} */
  #operations = [];
  /** @type {Map<string, Result['errors']['details']>} */
  #errors = new Map();

  /** @param {HTMLElement} place */
  constructor(place) {
    this.#place = place;
  }

  /** @type {(operations: Operation[], errors: Result['errors']['details']) => void} */
  update(operations, errors) {
    this.#operations = operations;
    this.#errors = new Map(operations.map((one) => [keyOf(one), errors.filter((error) => isOf(error, one))]));
    this.#draw();
  }

  /** Draws all again; the focus stays on its button, and the table where it was scrolled to. */
  #draw() {
    const { activeElement } = document;
    const focused = this.#place.contains(activeElement) ? (activeElement?.getAttribute('data-key') ?? null) : null;
    const left = this.#place.firstElementChild?.scrollLeft ?? 0;
    const times = this.#operations.flatMap(({ time: { median, max } }) => (max === null ? [] : [median ?? max, max]));
    const low = Math.max(0.001, Math.min(...times, 1e9) * 0.8);
    const x = logScale(low, Math.max(...times, low * 2), BAR);
    const head = element('tr', {}, ...COLUMNS.map((column) => this.#headOf(column)));
    const rows = this.#sorted().flatMap((one) => this.#rowsOf(one, x));
    const made = element('table', { class: 'operations' }, element('thead', {}, head), element('tbody', {}, ...rows));
    const box = element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Operations' }, made);
    this.#place.replaceChildren(box);
    box.scrollLeft = left;
    if (focused === null) return;
    const buttons = [...box.querySelectorAll('button')];
    buttons.find((button) => button.getAttribute('data-key') === focused)?.focus({ preventScroll: true });
  }

  #sorted() {
    const { head, isRising } = this.#order ?? {};
    const by = COLUMNS.find((column) => column.head === head)?.by;
    if (!by) return this.#operations;
    const rising = [...this.#operations].sort((a, b) => Number(by(a) > by(b)) - Number(by(a) < by(b)));
    return isRising ? rising : rising.reverse();
  }

  /** @type {(column: typeof COLUMNS[0]) => HTMLElement} */
  #headOf({ head, by, ...column }) {
    const attributes = { scope: 'col', class: classOf({ head, ...column }) };
    if (!by) return element('th', { ...attributes, text: head });
    const isSorted = this.#order?.head === head;
    const direction = this.#order?.isRising ? 'ascending' : 'descending';
    const sort = () => {
      this.#order = { head, isRising: isSorted ? !this.#order?.isRising : Boolean(column.isText) };
      this.#draw();
    };
    return element(
      'th',
      { ...attributes, 'aria-sort': isSorted ? direction : 'none' },
      element('button', { type: 'button', 'data-key': head, onclick: sort, text: head }),
    );
  }

  /** @type {(one: Operation, x: (ms: number) => number) => HTMLElement[]} */
  #rowsOf(one, x) {
    const key = keyOf(one);
    const isOpen = this.#open.has(key);
    const toggle = () => {
      if (isOpen) this.#open.delete(key);
      else this.#open.add(key);
      this.#draw();
    };
    const name = element(
      'button',
      { type: 'button', 'data-key': key, class: 'name', 'aria-expanded': String(isOpen), onclick: toggle },
      element('code', { text: one.name }),
    );
    const phase = one.phase === 'main' ? [] : [element('span', { class: 'quiet small', text: ` ${one.phase}` })];
    const cells = [
      [name, ...phase],
      [rangeBar(one, x)],
      [count(one.count)],
      [one.errors > 0 ? element('span', { class: 'failed', text: count(one.errors) }) : '0'],
      ...['median', 'p95', 'p99', 'max'].map((time) => [timeText(one.time, time)]),
    ];
    const row = element('tr', {}, ...cells.map((cell, i) => element('td', { class: classOf(COLUMNS[i]) }, ...cell)));
    return isOpen ? [row, this.#detailsOf(one)] : [row];
  }

  /** Statuses and errors of an operation. @type {(one: Operation) => HTMLElement} */
  #detailsOf({ phase, name, statusCodes, serviceTimeByStatus = {} }) {
    const statuses = Object.entries(statusCodes).map(([status, n]) => {
      const times = serviceTimeByStatus[status] ?? {};
      return [status, count(n), ...['median', 'p95', 'max'].map((time) => timeText(times, time))];
    });
    const errors = (this.#errors.get(keyOf({ phase, name })) ?? []).map(({ kind, message, count: n }) =>
      element('p', { text: `${count(n)} × ${kind}: ${message}` }),
    );
    const columns = [
      { head: 'status' },
      { head: 'count' },
      { head: 'p50, ms' },
      { head: 'p95, ms' },
      { head: 'max, ms' },
    ];
    const content = statuses.length > 0 ? [table(`Statuses of ${name}`, columns, statuses)] : [];
    return element('tr', { class: 'details' }, element('td', { colspan: COLUMNS.length }, ...content, ...errors));
  }
}

/** @type {(error: Result['errors']['details'][0], one: Operation) => boolean} */
function isOf({ phase, operation, path }, { ownName, scenario, ...one }) {
  if (phase !== one.phase || operation !== ownName) return false;
  return scenario === undefined || path === undefined || path.startsWith(`flow.scenarios.${scenario}.`);
}

/** Rows of several phases may have the same name. @type {(one: Pick<Operation, 'phase' | 'name'>) => string} */
function keyOf({ phase, name }) {
  return `${phase} ${name}`;
}

/** From p50 to p95, p99 and the maximum, on one axis. @type {(one: Operation, x: (ms: number) => number) => Node} */
function rangeBar({ time: { median, p95, p99, max } }, x) {
  if (max === null) return document.createTextNode('-');
  const label = `p50 ${ms(median)}, p95 ${ms(p95)}, p99 ${ms(p99)}, max ${ms(max)} ms`;
  const bar = (/** @type {number} */ from, /** @type {number} */ to, /** @type {string} */ key) =>
    svg('rect', { x: x(from), y: 5, width: Math.max(2, x(to) - x(from)), height: 6, rx: 3, class: key });
  return svg(
    'svg',
    { viewBox: `0 0 ${BAR + 6} 16`, role: 'img', 'aria-label': label, class: 'range', preserveAspectRatio: 'none' },
    svg('line', { x1: x(median ?? max), x2: x(max), y1: 8, y2: 8, class: 'whisker' }),
    // Percentiles that too few values cannot support are null.
    ...(median !== null && p95 !== null ? [bar(median, p95, 'one')] : []),
    ...(p95 !== null && p99 !== null ? [bar(p95, p99, 'two')] : []),
    svg('circle', { cx: x(max), cy: 8, r: 3, class: 'end' }),
  );
}

/** Groups of errors with the first exchange of each, and other failed requests. @type {(model: Model) => void} */
export function showErrors({ errors, exemplars }) {
  const { groups } = errors;
  const content =
    groups.length > 0 ? [groupsTable(errors), ...groups.flatMap(exchangeOf), ...examplesOf(exemplars)] : [];
  show('errors', content, `${count(errors.count)} in ${count(errors.started)} iterations`);
}

/** @type {(errors: Model['errors']) => HTMLElement} */
function groupsTable({ groups, started }) {
  const rows = groups.map((/** @type {any} */ group) => [
    count(group.count),
    element('span', { class: 'pill', text: group.kind }),
    element('code', { text: group.where }),
    group.message,
    // Errors outside of iterations may be more.
    percent(started > 0 ? Math.min(1, group.count / started) : 0),
    group.firstIndex === null ? '-' : count(group.firstIndex),
  ]);
  const columns = [
    { head: 'count' },
    { head: 'kind', isText: true, isWide: true },
    { head: 'operation', isText: true },
    { head: 'first message', isText: true },
    { head: 'of iterations', isWide: true },
    { head: 'first in iteration', isWide: true },
  ];
  return table('Errors', columns, rows);
}

/** @type {(group: any) => HTMLElement[]} */
function exchangeOf({ exchange, kind, where }) {
  if (!exchange) return [];
  const title = `First request with an error of kind ${kind} in ${where}`;
  const text = element('pre', { class: 'scroll', tabindex: 0, 'aria-label': title, text: exchange.join('\n') });
  return [element('details', {}, element('summary', { text: title }), text)];
}

/** @type {(exemplars: Model['exemplars']) => HTMLElement[]} */
function examplesOf({ failed }) {
  if (failed.length === 0) return [];
  const title = 'Examples of failed requests';
  return [element('details', {}, element('summary', { text: title }), requestsTable(title, failed))];
}

/** @type {(model: Model) => void} */
export function showSlowest({ exemplars: { slowest } }) {
  show('slowest', slowest.length > 0 ? [requestsTable('Slowest requests', slowest)] : []);
}

/**
 * The columns of a table of requests. An optional column is left out if no request has a value for it.
 * @type {(TableColumn & { cell: (one: Exemplar) => Node | string, optional?: keyof Exemplar })[]}
 */
const REQUEST_COLUMNS = [
  { head: 'iteration', cell: ({ index }) => (index === null ? '-' : count(index)) },
  { head: 'operation', isText: true, cell: ({ path, operation }) => element('code', { text: `${path} ${operation}` }) },
  { head: 'status', cell: ({ status }) => String(status ?? '-') },
  { head: 'error', isText: true, optional: 'error', cell: ({ error = '-' }) => error },
  { head: 'ms', cell: ({ serviceTime }) => ms(serviceTime) },
  { head: 'started, s', isWide: true, cell: ({ started }) => ms(started / 1000) },
  { head: 'connection', isText: true, isWide: true, cell: ({ reused }) => (reused ? 'reused' : 'new') },
  { head: 'trace', isText: true, optional: 'trace', cell: ({ trace }) => traceCell(trace) },
];

/** @type {(label: string, requests: Exemplar[]) => HTMLElement} */
function requestsTable(label, requests) {
  const columns = REQUEST_COLUMNS.filter(({ optional }) => !optional || requests.some((one) => one[optional]));
  const rows = requests.map((one) => columns.map(({ cell }) => cell(one)));
  return table(label, columns, rows);
}

/**
 * Shows the trace of a request, with its link: a result may come from others, and only these schemes are safe.
 * @type {(trace?: TraceSummary) => Node | string}
 */
function traceCell(trace) {
  if (trace === undefined) return '-';
  const id = element('code', { text: trace.id });
  const isSafe = /^https?:\/\//i.test(trace.link ?? '');
  return isSafe ? element('a', { href: trace.link, target: '_blank', rel: 'noopener noreferrer' }, id) : id;
}
