import { documentFormats } from '../compare/report/documents.js';

/** @import { Capacity } from './capacity.js' */
/** @import { CapacityComparison } from './report/comparison.js' */
/** @import { DocumentFormat } from '../compare/report/documents.js' */

/** @type {DocumentFormat<Capacity>[]} */
export const CAPACITY_FORMATS = documentFormats({
  about: {
    json: 'all steps and the conclusion as one JSON document',
    markdown: 'a comment for a pull request',
    page: 'response times, throughput and errors over the load',
  },
  load: () => import('./report/blocks.js'),
  loadPage: () => import('../page/capacity.js'),
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
  about: {
    json: 'both capacities as one JSON document',
    markdown: 'a comment for a pull request',
    page: 'both capacities, with their curves over the load',
  },
  load: () => import('./report/comparison.js'),
  loadPage: () => import('../page/capacity-comparison.js'),
});
