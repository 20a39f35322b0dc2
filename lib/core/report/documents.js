import { safeFormat } from '../text/safe.js';

/** @import { Capacity } from '../../addons/capacity/capacity.js' */
/** @import { Comparison } from '../../addons/compare/comparison.js' */
/** @import { CapacityComparison } from '../../addons/capacity/report/comparison.js' */
/** @import { History } from '../../addons/history/report/index.js' */
/** @import { DocumentFormat } from './types.js' */

/** The formats of documents other than results. A file gets the one with its extension. Each is loaded when used. */

/** @type {DocumentFormat<Comparison>[]} */
export const COMPARISON_FORMATS = [
  text(() => import('../../addons/compare/report/text.js')),
  json('all figures as one JSON document'),
  markdown('a comment for a pull request', async () => ({
    render: (await import('../../addons/compare/report/text.js')).renderMarkdown,
  })),
  page('both distributions, and every change with its interval', () => import('../../addons/page/comparison.js')),
].map(safeFormat);

/** @type {DocumentFormat<Capacity>[]} */
export const CAPACITY_FORMATS = [
  text(() => import('../../addons/capacity/report/text.js')),
  json('all steps and the conclusion as one JSON document'),
  markdown('a comment for a pull request', async () => ({
    render: (await import('../../addons/capacity/report/text.js')).renderMarkdown,
  })),
  page('response times, throughput and errors over the load', () => import('../../addons/page/capacity.js')),
  {
    name: 'card',
    about: 'a picture of 1200 × 630 pixels to show others: the capacity, and the response times over the load',
    extension: '.svg',
    load: () => import('../../addons/capacity/report/card.js'),
  },
].map(safeFormat);

/** Of comparisons of capacities. @type {DocumentFormat<CapacityComparison>[]} */
export const CAPACITY_COMPARISON_FORMATS = [
  text(async () => ({ render: (await import('../../addons/capacity/report/comparison.js')).renderText })),
  json('both capacities as one JSON document'),
  markdown('a comment for a pull request', async () => ({
    render: (await import('../../addons/capacity/report/comparison.js')).renderMarkdown,
  })),
  page('both capacities, with their curves over the load', () => import('../../addons/page/capacity-comparison.js')),
].map(safeFormat);

/** @type {DocumentFormat<History>[]} */
export const HISTORY_FORMATS = [
  text(() => import('../../addons/history/report/text.js')),
  json('all results, levels and changes as one JSON document'),
  markdown('a summary for a job of CI', async () => ({
    render: (await import('../../addons/history/report/text.js')).renderMarkdown,
  })),
  page('every figure over the results, with its levels and changes', () => import('../../addons/page/history.js')),
].map(safeFormat);

/** @type {<D>(load: DocumentFormat<D>['load']) => DocumentFormat<D>} */
function text(load) {
  return { name: 'text', about: 'a report for people', extension: '.txt', load };
}

/** @type {(about: string) => DocumentFormat<object>} */
function json(about) {
  return { name: 'json', about, extension: '.json', isJson: true, load: () => import('./formats/json.js') };
}

/** @type {<D>(about: string, load: DocumentFormat<D>['load']) => DocumentFormat<D>} */
function markdown(about, load) {
  return { name: 'markdown', about, extension: '.md', load };
}

/** A page escapes texts by itself. @type {<D>(about: string, load: DocumentFormat<D>['load']) => DocumentFormat<D>} */
function page(about, load) {
  return { name: 'html', about: `a self-contained page: ${about}`, extension: '.html', isJson: true, load };
}
