import { offered } from '../../../ground/addons.js';

/** @import { FlowFindings, FlowText } from '../types.js' */

/** @type {FlowText[]} */
const TEXTS = offered('flowTexts');

/**
 * Returns the reader of a text of another tool that is a flow; undefined: it is none.
 * @type {(text: string, options?: { isArgument?: boolean }) => Promise<((place: { from: string, cwd: string, findings?:
 *   FlowFindings }) => Promise<unknown>) | undefined>}
 */
export async function readerOfOther(text, { isArgument = false } = {}) {
  for (const { inArgument, load } of TEXTS) {
    const { textSourceOf, readImported } = await load();
    const name = textSourceOf(text, '');
    if (name !== undefined && (!isArgument || inArgument.includes(name)))
      return (place) => readImported(name, text, { folder: place.cwd, ...place });
  }
  return undefined;
}
