import { documentFormats } from '../compare/report/documents.js';

/** @import { History } from './history.js' */
/** @import { DocumentFormat } from '../compare/report/documents.js' */

/** @type {DocumentFormat<History>[]} */
export const HISTORY_FORMATS = documentFormats({
  about: {
    json: 'all results, levels and changes as one JSON document',
    markdown: 'a summary for a job of CI',
    page: 'every figure over the results, with its levels and changes',
  },
  load: () => import('./report/blocks.js'),
  loadPage: () => import('../page/history.js'),
});
