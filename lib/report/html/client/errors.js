import { count, ms, percent } from '../../numbers.js';
import { element, show, table, traceCell } from './elements.js';

/** @import { Model } from './sections.js' */

/** Groups of errors, the first exchange of each, and examples of other failures. @type {(model: Model) => void} */
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
  const hasTraces = failed.some((/** @type {any} */ { trace }) => trace);
  const rows = failed.map((/** @type {any} */ one) => [
    one.index === null ? '-' : count(one.index),
    element('code', { text: `${one.path} ${one.operation}` }),
    String(one.status ?? '-'),
    one.error ?? '-',
    ms(one.serviceTime),
    ms(one.started / 1000),
    ...(hasTraces ? [traceCell(one.trace)] : []),
  ]);
  const columns = [
    { head: 'iteration' },
    { head: 'operation', isText: true },
    { head: 'status' },
    { head: 'error', isText: true },
    { head: 'ms', isWide: true },
    { head: 'started, s', isWide: true },
    ...(hasTraces ? [{ head: 'trace', isText: true }] : []),
  ];
  const title = 'Examples of failed requests';
  return [element('details', {}, element('summary', { text: title }), table(title, columns, rows))];
}
