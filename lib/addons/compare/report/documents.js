import { safeCopy } from '../../../core/text/safe.js';

/** @import { Block, BlockOptions } from '../../../core/report/types.js' */

/**
 * The format of a document that is no result: a comparison, a capacity or a history.
 * @template D
 * @typedef {object} DocumentFormat
 * @property {string} name
 * @property {string} about one sentence for help
 * @property {string} extension of its files
 * @property {boolean} [isJson] its files hold the document as JSON, a page too, which escapes texts by itself
 * @property {() => Promise<{ render: RenderDocument<D> }>} load
 */

/**
 * @template D
 * @typedef {(document: D, options?: { color?: boolean, width?: number, unicode?: boolean }) => string} RenderDocument
 */

/**
 * What a document brings: its blocks for text and Markdown, and the module of its page.
 * @template D
 * @typedef {object} DocumentParts
 * @property {() => Promise<{ blocksOf: (document: D, options: BlockOptions) => Block[] }>} load
 * @property {{ json: string, markdown: string, page: string }} about what each format holds
 * @property {DocumentFormat<D>['load']} loadPage which escapes texts by itself
 * @property {DocumentFormat<D>[]} [others]
 */

/** Characters of a text: most are names. */
const LONGEST = 1000;

/**
 * The formats of a document: a file gets the one with its extension, and each is loaded when it is used. The texts of
 * all but JSON and page are safe.
 * @type {<D extends object>(parts: DocumentParts<D>) => DocumentFormat<D>[]}
 */
export function documentFormats({ load, about, loadPage, others = [] }) {
  const written = (/** @type {'textOf' | 'markdownOf'} */ name) => async () => {
    const [{ blocksOf }, writers] = await Promise.all([load(), import('./write-document.js')]);
    const write = writers[name];
    return { render: write(blocksOf) };
  };
  return [
    { name: 'text', about: 'a report for people', extension: '.txt', load: written('textOf') },
    {
      ...{ name: 'json', about: about.json, extension: '.json', isJson: true },
      load: () => import('../../../core/report/formats/json.js'),
    },
    { name: 'markdown', about: about.markdown, extension: '.md', load: written('markdownOf') },
    {
      ...{ name: 'html', about: `a self-contained page: ${about.page}`, extension: '.html', isJson: true },
      load: loadPage,
    },
    ...others,
  ].map(withSafeTexts);
}

/** @type {<D>(format: DocumentFormat<D>) => DocumentFormat<D>} */
function withSafeTexts(format) {
  if (format.isJson) return format;
  return {
    ...format,
    async load() {
      const { render } = await format.load();
      return { render: (document, options) => render(safeCopy(document, LONGEST), options) };
    },
  };
}
