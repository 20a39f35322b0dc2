import { ms } from '../../numbers.js';
import { element } from './elements.js';

/**
 * @typedef {object} TableColumn
 * @property {string} head
 * @property {Node} [content] of the heading, instead of its text
 * @property {boolean} [isText] aligned left
 * @property {boolean} [isWide] not on narrow screens
 */

/**
 * A table in a region that scrolls sideways, also by keyboard.
 *
 * @param {string} label
 * @param {TableColumn[]} columns
 * @param {(Node | string)[][]} rows
 * @returns {HTMLElement}
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
 *
 * @param {Record<string, any> & { weak?: string[] }} summary
 * @param {string} key
 */
export function timeText(summary, key) {
  const text = ms(summary[key] ?? null);
  return summary.weak?.includes(key) && text !== '-' ? `~${text}` : text;
}

/** @type {(column: TableColumn) => string | undefined} */
export function classOf({ isText, isWide }) {
  return [isText && 'text', isWide && 'wide'].filter(Boolean).join(' ') || undefined;
}
