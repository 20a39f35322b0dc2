import { documentFormats } from '../../core/report/documents.js';

/** @import { History } from './report/index.js' */
/** @import { DocumentFormat } from '../../core/report/types.js' */

const load = () => import('./report/text.js');

/** @type {DocumentFormat<History>[]} */
export const HISTORY_FORMATS = documentFormats({
  text: load,
  json: 'all results, levels and changes as one JSON document',
  markdown: { about: 'a summary for a job of CI', load: async () => ({ render: (await load()).renderMarkdown }) },
  page: {
    about: 'every figure over the results, with its levels and changes',
    load: () => import('../page/history.js'),
  },
});
