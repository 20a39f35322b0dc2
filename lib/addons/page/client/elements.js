import { ms } from '../../../core/ground/decimal.js';

/** Elements of the page. Text is set as text, so it never becomes markup. */

const SVG = 'http://www.w3.org/2000/svg';
export const SIDE_COLORS = ['one', 'three'];

/** @type {(id: string) => HTMLElement} */
export function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * Fills an element. `text` is its text, `on…` a listener; undefined properties are omitted.
 * @type {<E extends Element>(made: E, properties: Record<string, any>, children: (Node | string)[]) => E}
 */
function filled(made, { text, ...attributes }, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, String(value));
  }
  if (text !== undefined) made.textContent = String(text);
  made.append(...children);
  return made;
}

/** @type {(tag: string, properties?: Record<string, any>, ...children: (Node | string)[]) => HTMLElement} */
export function element(tag, properties = {}, ...children) {
  return filled(document.createElement(tag), properties, children);
}

/** @type {(tag: string, properties?: Record<string, any>, ...children: (Node | string)[]) => SVGElement} */
export function svg(tag, properties = {}, ...children) {
  return /** @type {SVGElement} */ (filled(document.createElementNS(SVG, tag), properties, children));
}

/**
 * Fills a section, or hides it without content. Details that are open stay so.
 * @type {(id: string, content: Node[], note?: string) => void}
 */
export function show(id, content, note = '') {
  const place = byId(id);
  const section = place.closest('section');
  if (section) section.hidden = content.length === 0;
  const noted = section?.querySelector('h2 .quiet');
  if (noted) noted.textContent = note;
  const opened = new Set(detailsIn(place).flatMap((details) => (details.open ? [titleOf(details)] : [])));
  place.replaceChildren(...content);
  for (const details of detailsIn(place)) details.open = opened.has(titleOf(details));
}

/**
 * Fills the head of a page of a document: its titles, and its outcome in a band with further sentences.
 * @type {(head: { title: string, subtitle: string, outcome: { status: string, word: string, sentence: string } },
 *   notes: string[]) => void}
 */
export function showHead({ title, subtitle, outcome: { status, word, sentence } }, notes) {
  document.title = `${sentence} · bench-rest`;
  byId('title').textContent = title;
  byId('subtitle').textContent = subtitle;
  const band = byId('outcome');
  band.className = `outcome ${status}`;
  const paragraphs = notes.map((text) => element('p', { text }));
  band.replaceChildren(
    ...(word === '' ? [] : [element('strong', { text: word })]),
    element('span', {}, element('b', { text: sentence }), ...paragraphs),
  );
}

/** The color of a side (0 or 1) beside its name. @type {(side: number) => SVGElement} */
export function swatch(side) {
  const square = svg('rect', { width: 12, height: 12, rx: 3, class: SIDE_COLORS[side] });
  return svg('svg', { viewBox: '0 0 12 12', class: 'swatch', 'aria-hidden': 'true' }, square);
}

/** @type {(verdict: string) => string | undefined} */
export function verdictClass(verdict) {
  return new Map([
    ['better', 'passed'],
    ['worse', 'failed'],
    ['noise', 'quiet'],
    ['unknown', 'quiet'],
  ]).get(verdict);
}

/** @type {(place: HTMLElement) => HTMLDetailsElement[]} */
function detailsIn(place) {
  return [...place.querySelectorAll('details')];
}

/** @type {(details: HTMLDetailsElement) => string} */
function titleOf(details) {
  return details.querySelector('summary')?.textContent ?? '';
}

/** The value of a custom property of the style sheet, such as `--one`. @type {(name: string) => string} */
export function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** @type {(entries: { name: string, color: string, value?: string }[]) => HTMLElement} */
export function legend(entries) {
  return element(
    'ul',
    { class: 'legend' },
    ...entries.map(({ name, color: key, value }) =>
      element(
        'li',
        {},
        svg(
          'svg',
          { viewBox: '0 0 14 3', 'aria-hidden': 'true' },
          svg('rect', { width: 14, height: 3, ...(isValue(key) ? { fill: key } : { class: key }) }),
        ),
        name,
        element('b', { text: value ?? '' }),
      ),
    ),
  );
}

/** An axis of a chart. @returns {import('uplot').Axis} */
export function axis() {
  return {
    stroke: color('--quiet'),
    font: '11px system-ui, sans-serif',
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
  };
}

/** Reports whether a color is a value of CSS, not the name of a custom property. @type {(key: string) => boolean} */
function isValue(key) {
  return key.startsWith('hsl(');
}

/** @type {(key: string) => import('uplot').Series} */
export function lineOf(key) {
  return { stroke: isValue(key) ? key : color(`--${key}`), width: 1.8, points: { show: false } };
}

/**
 * @typedef {object} TableColumn
 * @property {string} head
 * @property {Node} [content] of the heading, instead of its text
 * @property {boolean} [isText] aligned left
 * @property {boolean} [isWide] not on narrow screens
 */

/**
 * Makes a table in a region that scrolls sideways, also by keyboard.
 * @type {(label: string, columns: TableColumn[], rows: (Node | string)[][]) => HTMLElement}
 */
export function table(label, columns, rows) {
  const head = columns.map((column) =>
    element('th', { scope: 'col', class: classOf(column) }, column.content ?? column.head),
  );
  const body = rows.map((row) =>
    element('tr', {}, ...row.map((cell, i) => element('td', { class: classOf(columns[i]) }, cell))),
  );
  const made = element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...body));
  return element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label }, made);
}

/**
 * A time in a table, with a mark if it is a percentile with fewer than five values above it.
 * @type {(summary: Record<string, any> & { weak?: string[] }, key: string) => string}
 */
export function timeText(summary, key) {
  const text = ms(summary[key] ?? null);
  return summary.weak?.includes(key) && text !== '-' ? `~${text}` : text;
}

/** @type {(column: TableColumn) => string | undefined} */
export function classOf({ isText, isWide }) {
  return [isText && 'text', isWide && 'wide'].filter(Boolean).join(' ') || undefined;
}
