import { safeFormat } from '../text/safe.js';

/** @import { DocumentFormat } from './types.js' */

/**
 * The formats of a document other than a result: a file gets the one with its extension, and each is loaded when it is
 * used.
 * @template {object} D
 * @typedef {object} DocumentWriters
 * @property {DocumentFormat<D>['load']} text
 * @property {string} json what the JSON holds
 * @property {{ about: string, load: DocumentFormat<D>['load'] }} markdown
 * @property {{ about: string, load: DocumentFormat<D>['load'] }} page which escapes texts by itself
 * @property {DocumentFormat<D>[]} [others]
 */

/** @type {<D extends object>(writers: DocumentWriters<D>) => DocumentFormat<D>[]} */
export function documentFormats({ text, json, markdown, page, others = [] }) {
  return [
    { name: 'text', about: 'a report for people', extension: '.txt', load: text },
    { name: 'json', about: json, extension: '.json', isJson: true, load: () => import('./formats/json.js') },
    { name: 'markdown', extension: '.md', ...markdown },
    { name: 'html', extension: '.html', isJson: true, ...page, about: `a self-contained page: ${page.about}` },
    ...others,
  ].map(safeFormat);
}
