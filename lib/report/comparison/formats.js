import { safeFormat } from '../../text/safe.js';

/** @import { Comparison } from '../../contracts/comparison.js' */

/**
 * The formats of a comparison. A file gets the one with its extension. Each is loaded when it is used.
 * @type {ComparisonFormat[]}
 */
export const COMPARISON_FORMATS = [
  {
    name: 'text',
    about: 'a report for people',
    extension: '.txt',
    load: () => import('./text.js'),
  },
  {
    name: 'json',
    about: 'all figures as one JSON document',
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
    about: 'a self-contained page: both distributions, and every change with its interval',
    extension: '.html',
    isJson: true,
    load: () => import('../html/comparison.js'),
  },
].map(safeFormat);

/**
 * @typedef {object} ComparisonFormat
 * @property {string} name
 * @property {string} about one sentence for help
 * @property {string} extension of its files
 * @property {boolean} [isJson] it is written as JSON, which keeps its texts
 * @property {() => Promise<{ render: RenderComparison }>} load
 *
 * @typedef {(comparison: Comparison, options?: { color?: boolean, width?: number, unicode?: boolean }) =>
 *   string} RenderComparison
 */
