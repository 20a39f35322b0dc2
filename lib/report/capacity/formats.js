import { safeFormat } from '../../text/safe.js';

/** @import { Capacity } from '../../contracts/capacity.js' */

/**
 * The formats of a capacity. A file gets the one with its extension. Each is loaded when it is used.
 *
 * @type {CapacityFormat[]}
 */
export const CAPACITY_FORMATS = [
  {
    name: 'text',
    about: 'a report for people',
    extension: '.txt',
    load: () => import('./text.js'),
  },
  {
    name: 'json',
    about: 'all steps and the conclusion as one JSON document',
    extension: '.json',
    isJson: true,
    load: () => import('../formats/json.js'),
  },
  {
    name: 'markdown',
    about: 'a comment for a pull request',
    extension: '.md',
    load: () => import('./markdown.js'),
  },
  {
    name: 'html',
    about: 'a self-contained page: response times, throughput and errors over the load',
    extension: '.html',
    isJson: true,
    load: () => import('../html/capacity.js'),
  },
  {
    name: 'card',
    about: 'a picture of 1200 × 630 pixels to show others: the capacity, and the response times over the load',
    extension: '.svg',
    load: () => import('./card.js'),
  },
].map(safeFormat);

/**
 * @typedef {object} CapacityFormat
 * @property {string} name
 * @property {string} about one sentence for help
 * @property {string} extension of its files
 * @property {boolean} [isJson] it is written as JSON, which keeps its texts
 * @property {() => Promise<{ render: RenderCapacity }>} load
 *
 * @typedef {(capacity: Capacity, options?: { color?: boolean, width?: number, unicode?: boolean }) => string}
 *   RenderCapacity
 */
