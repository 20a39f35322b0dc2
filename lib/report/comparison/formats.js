import { safeCopy } from '../../text/safe.js';

/** @import { ComparisonFormat } from './types.js' */

/**
 * The formats of a comparison. A file gets the one with its extension. Each is loaded when it is used.
 *
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
    load: () => import('./json.js'),
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
].map(atEdge);

/** characters of a text: most are names */
const LONGEST = 1000;

/** Escapes all texts, as the formats of a result do. @type {(format: ComparisonFormat) => ComparisonFormat} */
function atEdge(format) {
  if (format.isJson) return format;
  return {
    ...format,
    async load() {
      const { render } = await format.load();
      return { render: (comparison, options) => render(safeCopy(comparison, LONGEST), options) };
    },
  };
}
