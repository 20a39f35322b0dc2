import { documentFormats } from '../../core/report/documents.js';

/** @import { Capacity } from './capacity.js' */
/** @import { CapacityComparison } from './report/comparison.js' */
/** @import { DocumentFormat } from '../../core/report/types.js' */

const load = () => import('./report/text.js');
const loadComparison = () => import('./report/comparison.js');

/** @type {DocumentFormat<Capacity>[]} */
export const CAPACITY_FORMATS = documentFormats({
  text: load,
  json: 'all steps and the conclusion as one JSON document',
  markdown: { about: 'a comment for a pull request', load: async () => ({ render: (await load()).renderMarkdown }) },
  page: { about: 'response times, throughput and errors over the load', load: () => import('../page/capacity.js') },
  others: [
    {
      name: 'card',
      about: 'a picture of 1200 × 630 pixels to show others: the capacity, and the response times over the load',
      extension: '.svg',
      load: () => import('./report/card.js'),
    },
  ],
});

/** Of comparisons of capacities. @type {DocumentFormat<CapacityComparison>[]} */
export const CAPACITY_COMPARISON_FORMATS = documentFormats({
  text: async () => ({ render: (await loadComparison()).renderText }),
  json: 'both capacities as one JSON document',
  markdown: {
    about: 'a comment for a pull request',
    load: async () => ({ render: (await loadComparison()).renderMarkdown }),
  },
  page: {
    about: 'both capacities, with their curves over the load',
    load: () => import('../page/capacity-comparison.js'),
  },
});
