import { documentFormats } from '../../core/report/documents.js';

/** @import { Comparison } from './comparison.js' */
/** @import { DocumentFormat } from '../../core/report/types.js' */

const load = () => import('./report/text.js');

/** @type {DocumentFormat<Comparison>[]} */
export const COMPARISON_FORMATS = documentFormats({
  text: load,
  json: 'all figures as one JSON document',
  markdown: { about: 'a comment for a pull request', load: async () => ({ render: (await load()).renderMarkdown }) },
  page: {
    about: 'both distributions, and every change with its interval',
    load: () => import('../page/comparison.js'),
  },
});
