import { documentFormats } from './report/documents.js';

/** @import { Comparison } from './comparison.js' */
/** @import { DocumentFormat } from './report/documents.js' */

/** @type {DocumentFormat<Comparison>[]} */
export const COMPARISON_FORMATS = documentFormats({
  about: {
    json: 'all figures as one JSON document',
    markdown: 'a comment for a pull request',
    page: 'both distributions, and every change with its interval',
  },
  load: () => import('./report/blocks.js'),
  loadPage: () => import('../page/comparison.js'),
});
