import { BLOCK_OPTIONS, markdownOf as markdownOfBlocks } from '../../formats/markdown.js';
import { DEFAULT_WIDTH, forLocale, glyphsOf, widthWithin } from '../../../core/report/terminal.js';
import { blockLines } from '../../../core/report/text/blocks.js';
import { MILLISECONDS, painter } from '../../../core/report/text/layout.js';

/** @import { Block, BlockOptions } from '../../../core/report/types.js' */
/** @import { RenderDocument } from './documents.js' */

/** @typedef {(document: any, options: BlockOptions) => Block[]} BlocksOf */

/** Writes a document for a terminal, an empty line between two blocks. @type {(of: BlocksOf) => RenderDocument<any>} */
export const textOf =
  (blocksOf) =>
  (document, { color = false, width = DEFAULT_WIDTH, unicode = true } = {}) => {
    const options = {
      ...{ format: /** @type {const} */ ('text'), width: widthWithin(width), quiet: false, full: true },
      ...{ paint: painter(color), glyphs: glyphsOf(unicode), scale: MILLISECONDS },
    };
    const texts = blocksOf(document, options).map((block) => blockLines(block, options).join('\n'));
    return forLocale(`${texts.filter(Boolean).join('\n\n')}\n`, unicode);
  };

/** Writes a document for a pull request. @type {(of: BlocksOf) => RenderDocument<any>} */
export const markdownOf = (blocksOf) => (document) => markdownOfBlocks(blocksOf(document, BLOCK_OPTIONS));
