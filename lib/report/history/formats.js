import { safeFormat } from '../../text/safe.js';

/** @import { History } from './index.js' */

/**
 * The formats of a history. A file gets the one with its extension. Each is loaded when it is used.
 * @type {HistoryFormat[]}
 */
export const HISTORY_FORMATS = [
  {
    name: 'text',
    about: 'a report for people',
    extension: '.txt',
    load: () => import('./text.js'),
  },
  {
    name: 'json',
    about: 'all results, levels and changes as one JSON document',
    extension: '.json',
    isJson: true,
    load: () => import('../formats/json.js'),
  },
  {
    name: 'markdown',
    about: 'a summary for a job of CI',
    extension: '.md',
    load: async () => ({ render: (await import('./text.js')).renderMarkdown }),
  },
  {
    name: 'html',
    about: 'a self-contained page: every figure over the results, with its levels and changes',
    extension: '.html',
    isJson: true,
    load: () => import('../html/history.js'),
  },
].map(safeFormat);

/**
 * @typedef {object} HistoryFormat
 * @property {string} name
 * @property {string} about one sentence for help
 * @property {string} extension of its files
 * @property {boolean} [isJson] it is written as JSON, which keeps its texts
 * @property {() => Promise<{ render: RenderHistory }>} load
 *
 * @typedef {(history: History, options?: { color?: boolean, width?: number, unicode?: boolean }) => string}
 *   RenderHistory
 */
